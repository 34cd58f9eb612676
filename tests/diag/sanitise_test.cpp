// What a terminal would obey, and what nobody can see, is shown as an escape; all other text stays as it is.
#include <gtest/gtest.h>

#include "diag/diagnostic.hpp"
#include "diag/hidden.hpp"

namespace parley::diag {
namespace {

TEST(Sanitise, LeavesTextAlone) {
  EXPECT_EQ(sanitise("plain, Grüße, 状態, 🙂"), "plain, Grüße, 状態, 🙂");
}

TEST(Sanitise, ShowsControlCharacters) {
  EXPECT_EQ(sanitise("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(sanitise("a\tb\nc\rd\x7f"), "a\\x09b\\x0ac\\x0dd\\x7f");
  EXPECT_EQ(sanitise(std::string_view("\0", 1)), "\\x00");
}

TEST(Sanitise, ShowsControlCharactersOfC1) {
  EXPECT_EQ(sanitise("\xC2\x9B[31m"), "\\u009b[31m");  // CSI
  EXPECT_EQ(sanitise("\xC2\x85\xC2\x80\xC2\x9F"), "\\u0085\\u0080\\u009f");
  EXPECT_EQ(sanitise("\xC2\xA0"), "\xC2\xA0");  // the first printable one, a space that does not break
}

TEST(Sanitise, ShowsSeparatorsDirectionsAndWhatHasNoWidth) {
  EXPECT_EQ(sanitise("\xE2\x80\xA8\xE2\x80\xA9"), "\\u2028\\u2029");
  EXPECT_EQ(sanitise("\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C"), "\\u202e\\u2066\\u061c");
  EXPECT_EQ(sanitise("\xE2\x80\x8B\xEF\xBB\xBF"), "\\u200b\\ufeff");
  EXPECT_EQ(sanitise("\xF3\xA0\x81\x81"), "\\U000e0041");  // a tag
}

TEST(Sanitise, ShowsBytesThatAreNoText) {
  EXPECT_EQ(sanitise("\x9B"), "\\x9b");                    // C1 in Latin-1
  EXPECT_EQ(sanitise("\xE2\x80"), "\\xe2\\x80");           // cut off
  EXPECT_EQ(sanitise("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // half a surrogate pair
  EXPECT_EQ(sanitise("\xE0\x82\x9B"), "\\xe0\\x82\\x9b");  // U+009B, written longer than needed
}

TEST(VisibleJson, IsTheSameValue) {
  EXPECT_EQ(visible_json("{\n  \"a\": \"\xC2\x9B\x7F\xE2\x80\xA8ü\"\n}"),
            "{\n  \"a\": \"\\u009b\\u007f\\u2028ü\"\n}");
  EXPECT_EQ(visible_json("\"\xF3\xA0\x81\x81\""), "\"\\udb40\\udc41\"");  // U+E0041 as a pair
}

}  // namespace
}  // namespace parley::diag
