#include "random_check.hpp"

namespace parley::bounds {
namespace {

TEST(RandomSystems, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) testing::against_search(seed, 300, tally);
  tally.print();
  // Not vacuous: each answer occurs.
  EXPECT_GT(tally.bounded, 50U);
  EXPECT_GT(tally.unbounded, 20U);
  EXPECT_GT(tally.by_weights, 50U);
}

// Where weights change from stage to stage, a tree of them is needed.
TEST(RandomStages, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    testing::against_search(testing::random_stages(seed), seed, 1000, tally);
  tally.print();
  EXPECT_GT(tally.by_phases, 10U);
}

}  // namespace
}  // namespace parley::bounds
