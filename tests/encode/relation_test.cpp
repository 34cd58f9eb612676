// The encoding against the reference semantics: in every reachable state of random Systems, the steps that
// the interleaving relation allows are exactly the interpreter's, outcome by outcome.
#include "encode/relation.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "explore/random_system.hpp"
#include "semantics/hand_made.hpp"
#include "semantics/interpreter.hpp"

namespace parley::encode {
namespace {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;

// Action, outcome, next state (if Done).
using Move = std::tuple<std::uint32_t, int, State>;

std::set<Move> expected(const Interpreter& in, const State& state) {
  std::set<Move> out;
  for (const auto& next : in.successors(state)) {
    if (next.result.outcome == Outcome::Blocked) continue;
    State after = next.result.outcome == Outcome::Done ? next.result.state : State{};
    out.emplace(next.step.action.value, static_cast<int>(next.result.outcome), after);
  }
  return out;
}

Outcome outcome_of(const Effect& e, const std::vector<bool>& v) {
  const auto is = [&](Lit l) { return Aig::value(v, l); };
  if (is(e.guard_error)) return Outcome::RuntimeError;
  if (is(e.guard_assumed)) return Outcome::AssumedAway;
  if (!is(e.enabled)) return Outcome::Disabled;
  const std::vector<std::pair<Lit, Outcome>> all = {{e.done, Outcome::Done},
                                                    {e.blocked, Outcome::Blocked},
                                                    {e.cut, Outcome::Cut},
                                                    {e.assumed, Outcome::AssumedAway},
                                                    {e.error, Outcome::RuntimeError},
                                                    {e.assertion, Outcome::AssertionFailed},
                                                    {e.overflow, Outcome::QueueOverflow}};
  Outcome found = Outcome::Disabled;
  int count = 0;
  for (const auto& [lit, outcome] : all)
    if (is(lit)) {
      found = outcome;
      ++count;
    }
  EXPECT_EQ(count, 1) << "outcomes exclude each other";
  return found;
}

// The state as the interpreter would show it: a holder that cannot move does not hold.
State canonical(const Relation& r, State state, const Interpreter& in) {
  (void)r;
  if (state.holder.valid()) {
    bool moves = false;
    State probe = state;
    for (const auto& next : in.successors(probe))
      moves = moves || (in.system().action(next.step.action).owner == state.holder &&
                        next.result.outcome != Outcome::Blocked);
    if (!moves) state.holder = system::OwnerId{};
  }
  return state;
}

std::set<Move> encoded(const Relation& r, const Interpreter& in, const State& state) {
  std::set<Move> out;
  const Stage& stage = r.stages()[0];
  const Aig& g = r.aig();
  const std::vector<bool> bits = r.layout().encode(state);
  std::vector<std::uint32_t> free;
  std::set<std::uint32_t> known;
  for (const Lit b : r.state_bits()) known.insert(node_of(b));
  for (const Lit f : stage.fire) known.insert(node_of(f));
  for (std::uint32_t n = 1; n < g.size(); ++n)
    if (g.is_input(n) && !known.contains(n)) free.push_back(n);
  if (free.size() > 6) return out;
  for (std::uint32_t mask = 0; mask < 1u << free.size(); ++mask) {
    std::vector<bool> inputs(g.size(), false);
    for (std::size_t i = 0; i < bits.size(); ++i) inputs[node_of(r.state_bits()[i])] = bits[i];
    for (std::size_t i = 0; i < free.size(); ++i) inputs[free[i]] = ((mask >> i) & 1) != 0;
    const std::vector<bool> quiet = g.evaluate(inputs);
    EXPECT_TRUE(Aig::value(quiet, r.well_formed()));
    for (std::size_t i = 0; i < stage.actions.size(); ++i) {
      const Effect& e = stage.effects[i];
      if (!Aig::value(quiet, stage.allowed[i])) continue;
      const Outcome outcome = outcome_of(e, quiet);
      if (outcome == Outcome::Disabled || outcome == Outcome::Blocked) continue;
      if (Aig::value(quiet, e.enabled) && !Aig::value(quiet, e.fits)) continue;
      State after;
      if (outcome == Outcome::Done) {
        inputs[node_of(stage.fire[i])] = true;
        const std::vector<bool> fired = g.evaluate(inputs);
        inputs[node_of(stage.fire[i])] = false;
        for (const Lit c : stage.constraints) EXPECT_TRUE(Aig::value(fired, c));
        std::vector<bool> next;
        for (const Lit b : stage.next) next.push_back(Aig::value(fired, b));
        after = canonical(r, r.layout().decode(next), in);
      }
      out.emplace(stage.actions[i].value, static_cast<int>(outcome), after);
    }
  }
  return out;
}

// Compares up to `most` states; false if the system is outside of what is encoded.
bool compare(const system::System& s, std::uint64_t seed, std::size_t most) {
  const Interpreter in(s);
  std::vector<system::PropertyId> properties;
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (Relation::supports(s.properties[p].kind)) properties.emplace_back(p);
  std::unique_ptr<Relation> r;
  try {
    r = std::make_unique<Relation>(s, in.queue_capacities(), properties, RelationOptions{});
  } catch (const Unsupported&) {
    return false;
  }
  std::size_t inputs = 0;
  for (std::uint32_t n = 1; n < r->aig().size(); ++n) inputs += r->aig().is_input(n) ? 1 : 0;
  if (inputs > r->state_bits().size() + s.actions.size() + 6) return false;
  std::set<State> seen;
  std::deque<State> open;
  for (const auto& i : in.initial_states())
    if (i.result.outcome == Outcome::Done && seen.insert(i.result.state).second)
      open.push_back(i.result.state);
  while (!open.empty() && seen.size() < most) {
    const State state = open.front();
    open.pop_front();
    const auto want = expected(in, state), got = encoded(*r, in, state);
    EXPECT_EQ(want.size(), got.size()) << "seed " << seed;
    if (want != got) {
      for (const auto& [a, o, st] : want)
        if (!got.contains({a, o, st}))
          ADD_FAILURE() << "seed " << seed << ": missing " << s.actions[a].name << ' '
                        << semantics::describe(static_cast<Outcome>(o));
      for (const auto& [a, o, st] : got)
        if (!want.contains({a, o, st}))
          ADD_FAILURE() << "seed " << seed << ": too much " << s.actions[a].name << ' '
                        << semantics::describe(static_cast<Outcome>(o));
      return true;
    }
    // Properties of the state.
    std::vector<bool> given(r->aig().size(), false);
    const auto bits = r->layout().encode(state);
    for (std::size_t i = 0; i < bits.size(); ++i) given[node_of(r->state_bits()[i])] = bits[i];
    const auto values = r->aig().evaluate(given);
    EXPECT_EQ(Aig::value(values, r->visible()), state.visible()) << "seed " << seed;
    for (std::size_t p = 0; p < properties.size(); ++p) {
      const system::Property& property = s.property(properties[p]);
      bool bad = false;
      if (property.kind == system::PropertyKind::NoDeadlock) {
        bad = in.is_deadlock(state);
      } else if (property.expression.valid()) {
        const auto t = in.truth(state, property.expression);
        bad = state.visible() &&
              (property.kind == system::PropertyKind::Always ? t.may_be_false : t.may_be_true);
      }
      EXPECT_EQ(Aig::value(values, r->state_bad()[p]), bad) << "seed " << seed << ' ' << property.name;
    }
    for (const auto& next : in.successors(state))
      if (next.result.outcome == Outcome::Done && seen.insert(next.result.state).second)
        open.push_back(next.result.state);
  }
  return true;
}

TEST(Encoding, AgreesWithTheInterpreterOnRandomSystems) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    if (compare(testing::RandomSystem(seed).make(), seed, 150)) ++compared;
    if (HasFailure()) return;
  }
  EXPECT_GE(compared, 200) << "most systems must be inside of what is encoded and enumerated";
}

TEST(Encoding, AgreesOnEveryOverflowPolicy) {
  for (const auto policy : {system::OverflowPolicy::Block, system::OverflowPolicy::Cut,
                            system::OverflowPolicy::Lose, system::OverflowPolicy::Error}) {
    testing::PingPong m(policy);
    EXPECT_TRUE(compare(m.s, 0, 1000));
  }
}

}  // namespace
}  // namespace parley::encode
