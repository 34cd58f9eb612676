#include "explore/tag_match.hpp"

#include <gtest/gtest.h>

#include <random>

namespace parley::explore {
namespace {

TEST(TagMatch, PortableFormFindsWhatIsThere) {
  alignas(16) std::uint8_t tags[kTags] = {7, 0, 7, 255};
  EXPECT_EQ(matching_tags_portable(tags, 7), 0b101u);
  EXPECT_EQ(matching_tags_portable(tags, 255), 0b1000u);
  EXPECT_EQ(matching_tags_portable(tags, 0), 0xfff2u);
  EXPECT_EQ(matching_tags_portable(tags, 1), 0u);
}

// Few different values, so that most look-ups find several.
TEST(TagMatch, FastFormAgreesWithThePortableOne) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 1000; ++round) {
    alignas(16) std::uint8_t tags[kTags];
    for (std::uint8_t& t : tags) t = static_cast<std::uint8_t>(random() % 5 * 63);
    for (std::uint32_t tag = 0; tag < 256; ++tag)
      ASSERT_EQ(matching_tags(tags, static_cast<std::uint8_t>(tag)),
                matching_tags_portable(tags, static_cast<std::uint8_t>(tag)));
  }
}

}  // namespace
}  // namespace parley::explore
