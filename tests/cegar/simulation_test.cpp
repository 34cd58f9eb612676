// The abstract system simulates the concrete one: whatever a concrete state may do, every abstract state that
// contains it may do too. Checked step by step along concrete runs of random models and systems.
#include <gtest/gtest.h>

#include <random>

#include "cegar/harness.hpp"
#include "explore/explore.hpp"
#include "explore/random_system.hpp"
#include "random/model.hpp"

namespace parley::cegar {
namespace {

// Follows one random concrete run with the set of abstract states that contain its states.
void simulate(const System& s, std::uint64_t seed, domain::Intermediate mode) {
  domain::StartOptions start;
  start.start = domain::Start::Sign;
  start.exact_up_to = 1;
  const auto capacities = semantics::capacities(s);
  const AbstractSystem a(s, domain::initial_precision(s, PropertyId{}, start), capacities,
                         {mode, 16, 1 << 16});
  const semantics::Interpreter in(s, capacities);
  std::mt19937_64 rng(seed);
  const auto initial = in.initial_states();
  const auto& chosen = initial[rng() % initial.size()];
  if (chosen.result.outcome != semantics::Outcome::Done) return;
  State concrete = chosen.result.state;
  std::vector<State> around;
  for (const auto& i : a.initial_states())
    if (i.result.outcome == semantics::Outcome::Done && distance(a, concrete, i.result.state) == 0)
      around.push_back(i.result.state);
  ASSERT_FALSE(around.empty()) << "seed " << seed << ": no abstract initial state";
  for (int step = 0; step < 25; ++step) {
    const auto nexts = in.successors(concrete);
    const State from = around[rng() % around.size()];
    const auto abstract_nexts = a.successors(from);
    for (const auto& n : nexts) {
      if (n.result.outcome == semantics::Outcome::Blocked) continue;
      bool found = false;
      for (const AbstractSuccessor& m : abstract_nexts)
        found = found || (m.step.action == n.step.action && m.result.outcome == n.result.outcome &&
                          (n.result.outcome != semantics::Outcome::Done ||
                           (distance(a, n.result.state, m.result.state) == 0 &&
                            m.result.state.holder == n.result.state.holder)));
      ASSERT_TRUE(found) << "seed " << seed << ", step " << step << ": " << s.action(n.step.action).name
                         << " (" << semantics::describe(n.result.outcome)
                         << ") has no abstract counterpart; holder " << from.holder.value << "/"
                         << concrete.holder.value << " to " << n.result.state.holder.value;
    }
    if (in.is_deadlock(concrete) && concrete.visible()) {
      EXPECT_TRUE(a.may_deadlock(from)) << "seed " << seed;
    }
    std::vector<const semantics::Successor*> open;
    for (const auto& n : nexts)
      if (n.result.outcome == semantics::Outcome::Done) open.push_back(&n);
    if (open.empty()) return;
    const semantics::Successor& taken = *open[rng() % open.size()];
    around.clear();
    for (const AbstractSuccessor& m : abstract_nexts)
      if (m.step.action == taken.step.action && m.result.outcome == semantics::Outcome::Done &&
          distance(a, taken.result.state, m.result.state) == 0 &&
          m.result.state.holder == taken.result.state.holder)
        around.push_back(m.result.state);
    concrete = taken.result.state;
  }
}

TEST(Simulation, RandomModels) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFatalFailure(); ++seed) {
    random::Profile profile;
    profile.wide_integers = 30;
    const auto l = test::load(random::text(random::model(seed, profile)));
    for (domain::Intermediate mode : {domain::Intermediate::Intervals, domain::Intermediate::Cells})
      simulate(l->system(), seed, mode);
  }
}

TEST(Simulation, RandomSystems) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFatalFailure(); ++seed) {
    const System s = parley::testing::RandomSystem(seed).make();
    for (domain::Intermediate mode : {domain::Intermediate::Intervals, domain::Intermediate::Cells})
      simulate(s, seed, mode);
  }
}

// The runs that explicit search finds, followed through the abstract system the loop ends with.
void follow_violations(const System& s, std::uint64_t seed) {
  engine::Request request = test::request(s, 20);
  std::erase_if(request.properties, [&s](PropertyId p) { return !decides(s.property(p).kind); });
  request.limits.states = 3000;
  const semantics::Interpreter in(s, request.queue_capacities);
  LoopOptions options;
  options.start.start = domain::Start::One;
  options.start.exact_up_to = 1;
  for (const verdict::PropertyResult& r : explore::Explorer().check(request)) {
    const auto* v = std::get_if<verdict::Violated>(&r.verdict);
    if (v == nullptr || !v->trace) continue;
    const LoopResult loop = refine_and_check(request, r.property, options);
    const AbstractSystem a(s, loop.precision, request.queue_capacities, {options.intermediate, 16, 1 << 16});
    const verdict::Replay replay = verdict::replay(in, *v->trace);
    const semantics::StepResult& end = replay.results.empty() ? replay.initial : replay.results.back();
    EXPECT_FALSE(loop.result.holds())
        << "seed " << seed << ", " << s.property(r.property).name << " after " << v->trace->steps.size()
        << " steps, " << semantics::describe(end.outcome) << "\n"
        << report::show(s, loop);
    std::vector<State> around;
    for (const auto& i : a.initial_states())
      if (i.result.outcome == semantics::Outcome::Done && !replay.states.empty() &&
          distance(a, replay.states[0], i.result.state) == 0)
        around.push_back(i.result.state);
    for (std::size_t i = 0; i < v->trace->steps.size() && i < replay.results.size(); ++i) {
      const semantics::StepResult& wanted = replay.results[i];
      std::vector<State> next;
      bool found = false;
      for (const State& from : around)
        for (const AbstractSuccessor& m : a.successors(from)) {
          if (m.step.action != v->trace->steps[i].action || m.result.outcome != wanted.outcome) continue;
          if (wanted.outcome == semantics::Outcome::Done && (distance(a, wanted.state, m.result.state) != 0 ||
                                                             m.result.state.holder != wanted.state.holder))
            continue;
          found = true;
          if (wanted.outcome == semantics::Outcome::Done) next.push_back(m.result.state);
        }
      ASSERT_TRUE(found) << "seed " << seed << ", " << s.property(r.property).name << ", step " << i + 1
                         << " of " << v->trace->steps.size() << ": "
                         << s.action(v->trace->steps[i].action).name << " "
                         << semantics::describe(wanted.outcome) << "\n"
                         << report::show(s, loop);
      around = std::move(next);
    }
  }
}

TEST(Simulation, ViolatingRunsOfRandomModels) {
  for (std::uint64_t seed = 20; seed <= 40 && !HasFatalFailure(); ++seed) {
    random::Profile profile;
    profile.wide_integers = 30;
    const auto l = test::load(random::text(random::model(seed, profile)));
    follow_violations(l->system(), seed);
  }
}

}  // namespace
}  // namespace parley::cegar
