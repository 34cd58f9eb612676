// The slow tier: 1,000 random systems against explicit search (tests/bounds/random_check.hpp), and as many
// that ask for lengths of queues.
#include "random_check.hpp"

namespace parley::bounds {
namespace {

TEST(ManyRandomSystems, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed) testing::against_search(seed, 800, tally);
  std::printf("bounded %zu (weights %zu, phases %zu, tight %zu), unbounded %zu, unknown %zu\n", tally.bounded,
              tally.by_weights, tally.by_phases, tally.tight, tally.unbounded, tally.unknown);
  EXPECT_GT(tally.bounded, 500U);
  EXPECT_GT(tally.unbounded, 200U);
}

TEST(ManyRandomSystemsWithLengthTests, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed) {
    testing::against_search(testing::random_system(seed, true), seed, 300, tally);
    if (HasFatalFailure()) return;
  }
  std::printf("bounded %zu (weights %zu, length tests %zu, tight %zu), unbounded %zu, unknown %zu\n",
              tally.bounded, tally.by_weights, tally.by_tests, tally.tight, tally.unbounded, tally.unknown);
  EXPECT_GT(tally.by_tests, 300U);
}

TEST(ManyRandomStages, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1001; seed <= 2000; ++seed)
    testing::against_search(testing::random_stages(seed), seed, 1000, tally);
  std::printf("bounded %zu (weights %zu, phases %zu, tight %zu), unbounded %zu, unknown %zu\n", tally.bounded,
              tally.by_weights, tally.by_phases, tally.tight, tally.unbounded, tally.unknown);
  EXPECT_GT(tally.by_phases, 200U);
}

}  // namespace
}  // namespace parley::bounds
