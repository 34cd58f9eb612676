// The search for temporal properties: by hand, and on random Systems with random formulas and fairness
// against explore/temporal_oracle.hpp. Every violation is confirmed by replay and direct evaluation.
#include "explore/temporal.hpp"

#include <gtest/gtest.h>

#include "explore/random_system.hpp"
#include "explore/random_temporal.hpp"
#include "explore/temporal_oracle.hpp"
#include "semantics/hand_made.hpp"
#include "verdict/temporal.hpp"

namespace parley::testing {
namespace {

using explore::TemporalExplorer;
using semantics::Interpreter;

verdict::PropertyResult decide(const System& s, PropertyId property) {
  engine::Request request{s, {property}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  return TemporalExplorer().check(request).front();
}

struct Tally {
  int violated = 0, held = 0, lassos = 0, ends = 0;
};

void compare(std::uint64_t seed, Tally& tally) {
  System s = RandomSystem(seed).make();
  RandomTemporal random(s, seed * 7919 + 1, true);
  const PropertyId property = random.add_property(1 + seed % 6);
  random.add_fairness(static_cast<std::uint32_t>(seed % 3));
  SCOPED_TRACE("seed " + std::to_string(seed) + ": " + s.property(property).name);
  passes::Observation observation = passes::observe(s, property);
  ASSERT_TRUE(observation.observed) << observation.why_not;
  passes::Observed& observed = *observation.observed;
  validate(observed.system());
  const auto made = ltl::automaton_of(observed.formulas, observed.formulas.negate(observed.formula));
  const auto& automaton = std::get<ltl::Automaton>(made);
  const Interpreter in(s), observed_in(observed.system());
  const TemporalOracle oracle(observed, automaton, observed_in, 1500);
  if (!oracle.complete()) return;
  const verdict::PropertyResult r = decide(s, property);
  ASSERT_FALSE(r.unknown()) << std::get<verdict::Unknown>(r.verdict).reason;
  ASSERT_EQ(r.violated(), oracle.violated());
  if (!r.violated()) {
    ++tally.held;
    return;
  }
  ++tally.violated;
  const auto& v = std::get<verdict::Violated>(r.verdict);
  const verdict::Confirmation c = verdict::confirm(in, property, *v.trace);
  ASSERT_TRUE(c.confirmed) << c.why;
  EXPECT_FALSE(v.reason.empty());
  ++(*v.trace->loop_start == v.trace->steps.size() ? tally.ends : tally.lassos);
}

TEST(Temporal, RandomFormulasOnRandomSystemsAsTheOracleSays) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFatalFailure(); ++seed) compare(seed, tally);
  // Both answers, and both shapes of violations, are really met.
  EXPECT_GT(tally.held, 40);
  EXPECT_GT(tally.lassos, 40);
  EXPECT_GT(tally.ends, 0);
}

// `a` counts 0, 1, 2 and stops; `b` receives what `a` sends.
Formula predicate(ExprId e) {
  Formula f;
  f.predicate = e;
  return f;
}
Formula unary(Formula::Kind kind, Formula x) {
  Formula f;
  f.kind = kind;
  f.operands.push_back(std::move(x));
  return f;
}
Formula binary(Formula::Kind kind, Formula x, Formula y) {
  Formula f;
  f.kind = kind;
  f.operands.push_back(std::move(x));
  f.operands.push_back(std::move(y));
  return f;
}
PropertyId add(System& s, Formula f) {
  Property p;
  p.kind = PropertyKind::Temporal;
  p.name = show(s, f);
  p.formula = std::move(f);
  return s.add(std::move(p));
}

TEST(Temporal, ARunThatEndsStaysWhereItIs) {
  PingPong p;
  const ExprId all = p.s.exprs.equals(p.s.read(p.got), 2);
  const PropertyId comes = add(p.s, unary(Formula::Kind::Finally, predicate(all)));
  const PropertyId goes =
      add(p.s, unary(Formula::Kind::Globally,
                     unary(Formula::Kind::Finally, unary(Formula::Kind::Not, predicate(all)))));
  EXPECT_TRUE(decide(p.s, comes).holds());
  const verdict::PropertyResult r = decide(p.s, goes);
  ASSERT_TRUE(r.violated());
  const auto& v = std::get<verdict::Violated>(r.verdict);
  EXPECT_EQ(v.trace->steps.size(), 6u);
  EXPECT_EQ(*v.trace->loop_start, 6u);
}

TEST(Temporal, EventsBelongToTheStepThatLedToAPosition) {
  PingPong p;
  EventAtom sends;
  sends.owners = {p.a};
  sends.signals = {p.ping};
  EventAtom receives = sends;
  receives.kind = EventAtom::Kind::Receives;
  receives.owners = {p.b};
  const auto event = [](const EventAtom& e) {
    Formula f;
    f.kind = Formula::Kind::Event;
    f.event = e;
    return f;
  };
  using Kind = Formula::Kind;
  // Whatever was sent has arrived at some time; nothing arrives before it is sent.
  const PropertyId answered = add(
      p.s, unary(Kind::Globally, binary(Kind::Implies, event(sends), unary(Kind::Finally, event(receives)))));
  const PropertyId first = add(p.s, binary(Kind::WeakUntil, unary(Kind::Not, event(receives)), event(sends)));
  const PropertyId wrong = add(p.s, unary(Kind::Globally, unary(Kind::Finally, event(sends))));
  EXPECT_TRUE(decide(p.s, answered).holds());
  EXPECT_TRUE(decide(p.s, first).holds());
  EXPECT_TRUE(decide(p.s, wrong).violated());
  // Only the ping with number 2 counts.
  receives.where = p.s.exprs.equals(p.s.exprs.param(0, p.s.signal(p.ping).params[0]), 2);
  const PropertyId data = add(p.s, unary(Kind::Finally, event(receives)));
  receives.where = p.s.exprs.equals(p.s.exprs.param(0, p.s.signal(p.ping).params[0]), 3);
  const PropertyId none = add(p.s, unary(Kind::Finally, event(receives)));
  EXPECT_TRUE(decide(p.s, data).holds());
  EXPECT_TRUE(decide(p.s, none).violated());
}

}  // namespace
}  // namespace parley::testing
