// The proof engines against breadth-first search on random Systems: what they prove or refute is so.
#include "explore/random_system.hpp"
#include "semantics/hand_made.hpp"
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

// A start that is cut violates `no overflow`, and every proof of something else leaves that start out.
TEST(Proofs, AssumeRoomWhereOnlyTheStartIsCut) {
  const system::System s = testing::cut_start();
  BmcOptions two_steps;
  two_steps.bound = 2;
  two_steps.steps = encode::Steps::Interleaving;
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_ic3({}));
  engines.push_back(make_kind({}));
  engines.push_back(make_bmc(two_steps));
  for (const auto& engine : engines) {
    const auto results = engine->check(
        {s, testing::supported_properties(s), semantics::capacities(s), {}, 0, nullptr, {}, {}});
    const std::string who(shown_name(engine->kind()));
    ASSERT_TRUE(results[0].violated()) << who;
    EXPECT_TRUE(std::get<verdict::Violated>(results[0].verdict).trace->steps.empty()) << who;
    ASSERT_TRUE(results[1].holds()) << who;
    ASSERT_EQ(results[1].assumptions.size(), 1u) << who;
    EXPECT_EQ(results[1].assumptions[0].code, verdict::AssumptionCode::QueueCapacity) << who;
  }
}

}  // namespace
}  // namespace parley::symbolic
