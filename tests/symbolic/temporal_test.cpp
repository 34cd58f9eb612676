// Lassos by bounded model checking and proofs by counting, against the exhaustive search; and by hand.
#include "semantics/hand_made.hpp"
#include "symbolic/temporal_agreement.hpp"

#ifndef PARLEY_TEMPORAL_SYSTEMS
#define PARLEY_TEMPORAL_SYSTEMS 60  // the slow tier: 300
#endif

namespace parley::symbolic {
namespace {

using testing::TemporalTally;
using testing::TemporalTask;

// What the exhaustive search says; nothing if there are too many states.
std::optional<verdict::PropertyResult> searched(const TemporalTask& task) {
  explore::TemporalExplorer explorer(explore::TemporalOptions{false, false});
  engine::Request request{
      task.system, {task.property}, semantics::capacities(task.system), {}, 0, nullptr, {}, {}};
  request.limits.states = 3000;
  verdict::PropertyResult r = explorer.check(request).front();
  if (r.unknown()) return std::nullopt;
  return r;
}

void print(const char* name, const TemporalTally& t) {
  std::printf("%s: %d violated, %d held, %d open, %d refused\n", name, t.violated, t.held, t.open, t.refused);
}

// A shortest lasso has at most as many steps as product states; these bounds are a matter of time only.
TEST(TemporalBmc, AgreesWithSearchOnRandomSystems) {
  TemporalTally interleaving, chained;
  BmcOptions one, many;
  one.steps = encode::Steps::Interleaving;
  many.steps = encode::Steps::Chained;
  one.bound = many.bound = 10;
  const auto by_actions = make_bmc(one), by_chains = make_bmc(many);
  int violated = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_TEMPORAL_SYSTEMS && !HasFatalFailure(); ++seed) {
    const TemporalTask task = testing::temporal_task(seed);
    const auto expected = searched(task);
    if (!expected) continue;
    violated += expected->violated() ? 1 : 0;
    testing::agree(*by_actions, task, *expected, 20, interleaving);
    testing::agree(*by_chains, task, *expected, 20, chained);
  }
  print("interleaving", interleaving);
  print("chained", chained);
  std::printf("%d are violated\n", violated);
  // Nearly all lassos are short.
  EXPECT_GT(interleaving.violated, violated * 3 / 4);
  EXPECT_GT(chained.violated, violated * 3 / 4);
}

TEST(KLiveness, AgreesWithSearchOnRandomSystems) {
  TemporalTally ic3, kind;
  InductionOptions bounded;
  bounded.bound = 8;
  const auto prover = make_ic3({}), inductive = make_kind(bounded);
  int held = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_TEMPORAL_SYSTEMS && !HasFatalFailure(); ++seed) {
    const TemporalTask task = testing::temporal_task(seed);
    const auto expected = searched(task);
    if (!expected) continue;
    held += expected->holds() ? 1 : 0;
    testing::agree(*prover, task, *expected, 10, ic3);
    testing::agree(*inductive, task, *expected, 10, kind);
  }
  print("ic3", ic3);
  print("kind", kind);
  std::printf("%d hold\n", held);
  EXPECT_GT(ic3.held, held / 2);
  EXPECT_GT(kind.held, held / 4);
  EXPECT_GT(ic3.violated, 0);
}

}  // namespace
}  // namespace parley::symbolic
