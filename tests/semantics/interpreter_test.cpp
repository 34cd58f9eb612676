#include "semantics/interpreter.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "semantics/checked.hpp"
#include "semantics/hand_made.hpp"
#include "verdict/replay.hpp"

namespace parley {
namespace {

using namespace system;
using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;
using testing::PingPong;

struct Counts {
  std::size_t states = 0, transitions = 0, cut = 0, failed = 0;
};

// Every run is also checked against the action's footprint.
Counts explore(const Interpreter& in) {
  std::set<State> seen;
  std::deque<State> open;
  Counts c;
  for (auto& i : in.initial_states())
    if (seen.insert(i.result.state).second) open.push_back(i.result.state);
  while (!open.empty()) {
    const State s = open.front();
    open.pop_front();
    for (auto& next : in.successors(s)) {
      EXPECT_EQ(semantics::footprint_violation(in, s, next.step), "");
      if (next.result.outcome == Outcome::Cut) ++c.cut;
      if (semantics::is_failure(next.result.outcome)) ++c.failed;
      if (next.result.outcome != Outcome::Done) continue;
      ++c.transitions;
      if (seen.insert(next.result.state).second) open.push_back(next.result.state);
    }
  }
  c.states = seen.size();
  return c;
}

// Hand count. A state is (sent s, received r) with r <= s <= 3 and s - r <= capacity. Capacity 2: pairs
// (0,0) (1,0) (1,1) (2,0) (2,1) (2,2) (3,1) (3,2) (3,3) = 9. Sends: from s <= 2 with s - r < 2:
// (0,0) (1,0) (1,1) (2,1) (2,2) = 5; receives: r < s: (1,0) (2,0) (2,1) (3,1) (3,2) = 5.
TEST(Interpreter, CountsOfABlockingQueue) {
  PingPong m;
  validate(m.s);
  const Counts c = explore(Interpreter(m.s));
  EXPECT_EQ(c.states, 9u);
  EXPECT_EQ(c.transitions, 10u);
}

// With policy Cut the send from (2,0), where the queue is full, is cut; the states stay the same.
TEST(Interpreter, CutIsReportedNotTaken) {
  PingPong m(OverflowPolicy::Cut);
  const Counts c = explore(Interpreter(m.s));
  EXPECT_EQ(c.states, 9u);
  EXPECT_EQ(c.cut, 1u);
}

// With policy Lose the send from (2,0) happens without effect on the queue; then b has one message less to
// come: states are (sent, contents). Contents after losing message 2: [0 1] with s = 3, got -1: new state
// (3,[0,1]), then (3,[1]) with got 0, then (3,[]) with got 1: three more states than 9, 1 + 2 more
// transitions.
TEST(Interpreter, LoseDropsTheMessage) {
  PingPong m(OverflowPolicy::Lose);
  const Counts c = explore(Interpreter(m.s));
  EXPECT_EQ(c.states, 12u);
  EXPECT_EQ(c.transitions, 13u);
}

TEST(Interpreter, OverflowErrorIsAFailure) {
  PingPong m(OverflowPolicy::Error);
  EXPECT_EQ(explore(Interpreter(m.s)).failed, 1u);
}

// Range 0..3 of a.count: a fourth increment would not fit; a guard `true` lets it try.
TEST(Interpreter, RangeExceededIsARuntimeError) {
  PingPong m(OverflowPolicy::Lose);
  m.s.actions[m.send_ping.index()].guard = m.s.exprs.boolean(true);
  const Interpreter in(m.s);
  State s = in.initial_states()[0].result.state;
  for (int i = 0; i < 3; ++i) s = in.run(s, {m.send_ping, {}}).state;
  const auto r = in.run(s, {m.send_ping, {}});
  EXPECT_EQ(r.outcome, Outcome::RuntimeError);
  EXPECT_EQ(r.failure.error, RuntimeError::RangeExceeded);
}

// Deferral: with `ping` deferred while got == -1 nothing is ever received: 3 sends, and the queue of 2 blocks
// the third: states s = 0, 1, 2.
TEST(Interpreter, DeferredMessagesArePassedOver) {
  PingPong m;
  m.s.queues[0].deferrals.push_back({m.ping, m.s.exprs.equals(m.s.read(m.got), -1)});
  EXPECT_EQ(explore(Interpreter(m.s)).states, 3u);
}

// A deferral that looks at the message: ping(0) is deferred until got == 1, so the order of receipt is 1,
// 0, 2.
TEST(Interpreter, DeferralMayReadTheMessage) {
  PingPong m(OverflowPolicy::Block, 3);
  auto& x = m.s.exprs;
  const ExprId is_zero = x.equals(x.param(0, m.s.signals[0].params[0]), 0);
  m.s.queues[0].deferrals.push_back(
      {m.ping, x.both(is_zero, x.binary(expr::Op::Ne, m.s.read(m.got), x.constant(1)))});
  const Interpreter in(m.s);
  State s = in.initial_states()[0].result.state;
  for (int i = 0; i < 3; ++i) s = in.run(s, {m.send_ping, {}}).state;
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    s = in.run(s, {m.receive_ping, {}}).state;
    order.push_back(s.cells[m.got.index()]);
  }
  EXPECT_EQ(order, (std::vector<int>{1, 0, 2}));
}

// Exclusive stretch: after `send` the holder b must receive at once, so no visible state has a message
// waiting.
TEST(Interpreter, TheHolderMovesFirst) {
  PingPong m;
  m.s.actions[m.send_ping.index()].hold = m.b;
  const Interpreter in(m.s);
  const State s0 = in.initial_states()[0].result.state;
  const State s1 = in.run(s0, {m.send_ping, {}}).state;
  EXPECT_FALSE(s1.visible());
  const auto next = in.successors(s1);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].step.action, m.receive_ping);
  EXPECT_TRUE(next[0].result.state.visible());
  EXPECT_EQ(in.run(s1, {m.send_ping, {}}).outcome, Outcome::Disabled);
}

// A holder that cannot move loses the stretch: b defers everything.
TEST(Interpreter, AStuckHolderLetsOthersMove) {
  PingPong m;
  m.s.actions[m.send_ping.index()].hold = m.b;
  m.s.queues[0].deferrals.push_back({m.ping, m.s.exprs.boolean(true)});
  const Interpreter in(m.s);
  const State s1 = in.run(in.initial_states()[0].result.state, {m.send_ping, {}}).state;
  EXPECT_TRUE(s1.visible());
}

// Idle: the action is enabled only where nothing else is, here in (3,3) and nowhere else.
TEST(Interpreter, IdleIsTrueOnlyWhenNothingElseMoves) {
  PingPong m;
  Action tick;
  tick.name = "tick";
  tick.owner = m.a;
  tick.guard = m.s.exprs.both(m.s.exprs.idle(), m.s.exprs.equals(m.s.read(m.got), 2));
  tick.body = testing::block(m.s, {testing::assign(m.s, m.got, m.s.exprs.constant(3))});
  m.s.add(tick);
  EXPECT_EQ(explore(Interpreter(m.s)).states, 10u);
}

// Choose 0..3 and a Branch with two open conditions: 4 + 2 successors.
TEST(Interpreter, ChoicesAreEnumeratedAndReplayed) {
  PingPong m;
  auto& x = m.s.exprs;
  Stmt choose;
  choose.kind = StmtKind::Choose;
  choose.lo = x.constant(0);
  choose.hi = x.constant(3);
  Action a;
  a.name = "choose";
  a.owner = m.a;
  a.guard = x.boolean(true);
  a.locals = 1;
  const StmtId c = m.s.add(choose);
  a.body = testing::block(m.s, {c, testing::assign(m.s, m.got, x.local(0, Type::integer()))});
  m.s.add(a);
  Stmt branch;
  branch.kind = StmtKind::Branch;
  branch.conditions = {x.boolean(true), x.boolean(false), x.equals(m.s.read(m.count), 0)};
  for (int i = 0; i < 3; ++i) branch.children.push_back(testing::assign(m.s, m.got, x.constant(i)));
  Action b = a;
  b.name = "branch";
  b.body = m.s.add(branch);
  m.s.add(b);
  const Interpreter in(m.s);
  const State s0 = in.initial_states()[0].result.state;
  const auto next = in.successors(s0);
  ASSERT_EQ(next.size(), 1u + 4u + 2u);
  for (const auto& n : next) EXPECT_EQ(in.run(s0, n.step).state, n.result.state);
  EXPECT_EQ(in.run(s0, {next[1].step.action, {4}}).outcome, Outcome::Disabled)
      << "a choice that does not exist";
  EXPECT_EQ(in.run(s0, {next[1].step.action, {}}).outcome, Outcome::Disabled)
      << "a choice that was not recorded";
}

TEST(Confirm, ADeadlockTraceMustEndInADeadlock) {
  PingPong m;
  m.s.owners[m.a.index()].may_rest = m.s.exprs.boolean(false);
  Property p;
  p.kind = PropertyKind::NoDeadlock;
  const PropertyId id = m.s.add(p);
  const Interpreter in(m.s);
  verdict::Trace t;
  for (int i = 0; i < 3; ++i) {
    t.steps.push_back({m.send_ping, {}});
    t.steps.push_back({m.receive_ping, {}});
  }
  EXPECT_TRUE(verdict::confirm(in, id, t).confirmed);
  t.steps.pop_back();
  EXPECT_FALSE(verdict::confirm(in, id, t).confirmed);
  std::swap(t.steps[0], t.steps[1]);
  const auto r = verdict::replay(in, t);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.stopped_at, 0u);
}

}  // namespace
}  // namespace parley
