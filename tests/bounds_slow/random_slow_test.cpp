// The slow tier: 1,000 random systems against explicit search (tests/bounds/random_check.hpp), and as many
// that ask for lengths of queues.
#include "random_check.hpp"

namespace parley::bounds {
namespace {

TEST(ManyRandomSystems, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed) testing::against_search(seed, 800, tally);
  tally.print();
  EXPECT_GT(tally.bounded, 500U);
  EXPECT_GT(tally.unbounded, 200U);
}

TEST(ManyRandomStages, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed)
    testing::against_search(testing::random_stages(seed), seed, 1000, tally);
  tally.print();
  EXPECT_GT(tally.by_phases, 200U);
}

TEST(ManyRandomSystemsWithLengthTests, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed) {
    testing::against_search(testing::random_system(seed, true), seed, 300, tally);
    if (HasFatalFailure()) return;
  }
  tally.print();
  EXPECT_GT(tally.by_tests, 300U);
}

}  // namespace
}  // namespace parley::bounds
