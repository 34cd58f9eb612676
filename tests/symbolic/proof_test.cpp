// The proof engines against breadth-first search on random Systems: what they prove or refute is so.
#include "explore/random_system.hpp"
#include "symbolic/agreement.hpp"

namespace parley::symbolic {
namespace {

void compare(engine::Engine& engine, std::uint64_t seed, testing::Tally& tally) {
  const system::System s = testing::RandomSystem(seed).make();
  testing::verdicts_agree(engine, s, "seed " + std::to_string(seed), 3000, 60, tally);
}

TEST(Ic3, AgreesWithSearchOnRandomSystems) {
  testing::Tally tally;
  const auto engine = make_ic3({});
  for (std::uint64_t seed = 1; seed <= 25; ++seed) compare(*engine, seed, tally);
  EXPECT_GT(tally.proved, 20);
  EXPECT_GT(tally.refuted, 20);
}

TEST(KInduction, AgreesWithSearchOnRandomSystems) {
  testing::Tally tally;
  InductionOptions options;
  options.bound = 12;
  const auto engine = make_kind(options);
  for (std::uint64_t seed = 1; seed <= 25; ++seed) compare(*engine, seed, tally);
  EXPECT_GT(tally.proved, 10);
  EXPECT_GT(tally.refuted, 20);
}

}  // namespace
}  // namespace parley::symbolic
