// The symbolic engines on random models of the text language and on the examples, against search.
#include "random/model.hpp"
#include "symbolic/agreement.hpp"
#include "symbolic/load_text.hpp"

#ifndef PARLEY_RANDOM_MODELS
#define PARLEY_RANDOM_MODELS 12  // the slow tier is built with 1000
#endif
#ifndef PARLEY_EXAMPLE_BOUND
#define PARLEY_EXAMPLE_BOUND 6  // the slow tier: 9
#endif

namespace parley::testing {
namespace {

system::System random_model(std::uint64_t seed) {
  return from_text(random::text(random::model(seed)));
}

TEST(SymbolicOnModels, BoundsOfTheFourRelations) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_RANDOM_MODELS; ++seed) {
    if (bounds_agree(random_model(seed), "model " + std::to_string(seed), 300, 8)) ++compared;
    if (HasFailure()) return;
  }
  EXPECT_GE(compared, PARLEY_RANDOM_MODELS * 3 / 4);
}

TEST(SymbolicOnModels, ProofEnginesAgreeWithSearch) {
  Tally ic3, kind;
  symbolic::InductionOptions options;
  options.bound = 6;
  const auto prove = symbolic::make_ic3({});
  const auto induct = symbolic::make_kind(options);
  for (std::uint64_t seed = 1; seed <= PARLEY_RANDOM_MODELS; ++seed) {
    const system::System s = random_model(seed);
    const std::string label = "model " + std::to_string(seed);
    verdicts_agree(*prove, s, label, 300, 3, ic3);
    verdicts_agree(*induct, s, label, 300, 3, kind);
    if (HasFailure()) return;
  }
  std::printf("ic3: %d proved, %d refuted, %d open; kind: %d, %d, %d\n", ic3.proved, ic3.refuted, ic3.open,
              kind.proved, kind.refuted, kind.open);
  EXPECT_GT(ic3.proved, 0);
  EXPECT_GT(ic3.refuted, 0);
  EXPECT_GT(kind.proved, 0);
}

class SymbolicOnExample : public ::testing::TestWithParam<const char*> {};

// Search to a depth that bounded model checking reaches in a moment; deeper bugs are golden 002.3's business.
TEST_P(SymbolicOnExample, BoundsOfTheFourRelations) {
  EXPECT_TRUE(bounds_agree(example(GetParam()), GetParam(), 2000, PARLEY_EXAMPLE_BOUND));
}

INSTANTIATE_TEST_SUITE_P(All, SymbolicOnExample,
                         ::testing::Values("abp", "atm", "giop", "heartbeat", "lift", "mtravel", "scp",
                                           "travel", "travel-agent", "two-phase-commit", "philosophers",
                                           "ojala-running"),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace parley::testing
