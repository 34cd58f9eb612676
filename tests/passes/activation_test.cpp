// passes/activation.hpp: "no assertion failures" of the asking System holds only if the actions never fire.
#include "passes/activation.hpp"

#include <set>

#include "harness.hpp"
#include "passes/trace_back.hpp"

namespace parley::passes {
namespace {

using semantics::Outcome;

// Actions with a step somewhere, cut and blocked ones included. What fails may fail in the guard already.
struct Steps {
  std::set<system::ActionId> some, beyond_guard;
};

// Nothing if there are too many states.
std::optional<Steps> steps_of(const semantics::Interpreter& in) {
  std::set<semantics::State> seen;
  std::vector<semantics::State> open;
  Steps steps;
  for (const auto& i : in.initial_states())
    if (i.result.outcome == Outcome::Done && seen.insert(i.result.state).second)
      open.push_back(i.result.state);
  while (!open.empty()) {
    if (seen.size() > testing::kMostStates) return std::nullopt;
    const semantics::State state = std::move(open.back());
    open.pop_back();
    for (const auto& next : in.successors(state)) {
      const Outcome o = next.result.outcome;
      steps.some.insert(next.step.action);
      if (o != Outcome::RuntimeError && o != Outcome::AssumedAway)
        steps.beyond_guard.insert(next.step.action);
      if (o == Outcome::Done && seen.insert(next.result.state).second) open.push_back(next.result.state);
    }
  }
  return steps;
}

TEST(Activation, HoldsOnlyIfTheActionNeverFires) {
  std::size_t never = 0, fires = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const system::System s = testing::random_system(seed);
    const std::vector<std::uint32_t> room = semantics::capacities(s);
    const semantics::Interpreter in(s, room);
    const auto steps = steps_of(in);
    if (!steps) continue;
    for (std::size_t i = 0; i < s.actions.size(); i += 3) {
      const system::ActionId a(i);
      const Passed asking = asking_for(s, {a});
      system::validate(asking.system);
      ASSERT_TRUE(asking.back.valid_for(s, asking.system));
      ASSERT_EQ(asking.back.properties, std::vector{system::PropertyId{}});
      const verdict::PropertyResult r = testing::answers(asking.system, room)[0];
      const auto* violated = std::get_if<verdict::Violated>(&r.verdict);
      if (r.holds()) {
        ASSERT_FALSE(steps->beyond_guard.contains(a)) << "seed " << seed << " action " << i;
      }
      if (!steps->some.contains(a)) {
        ASSERT_EQ(violated, nullptr) << "seed " << seed << " action " << i;
      }
      ++(violated != nullptr ? fires : never);
      if (violated == nullptr) continue;
      // The run is one of the original up to the action.
      const auto back = renamed(asking.back, *violated->trace);
      ASSERT_TRUE(back.has_value());
      ASSERT_EQ(back->steps.back().action, a);
      semantics::Trace before = *back;
      before.steps.pop_back();
      ASSERT_TRUE(verdict::replay(in, before).complete) << "seed " << seed << " action " << i;
    }
  }
  std::printf("%zu never fire, %zu do\n", never, fires);
  EXPECT_GT(never, 20U);
  EXPECT_GT(fires, 100U);
}

}  // namespace
}  // namespace parley::passes
