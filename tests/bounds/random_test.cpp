#include "random_check.hpp"

namespace parley::bounds {
namespace {

TEST(RandomSystems, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) testing::against_search(seed, 300, tally);
  std::printf("bounded %zu (weights %zu, tight %zu), unbounded %zu, unknown %zu\n", tally.bounded,
              tally.by_weights, tally.tight, tally.unbounded, tally.unknown);
  // Not vacuous: each answer occurs.
  EXPECT_GT(tally.bounded, 50U);
  EXPECT_GT(tally.unbounded, 20U);
  EXPECT_GT(tally.by_weights, 50U);
}

}  // namespace
}  // namespace parley::bounds
