#include "bounds/bounds.hpp"

#include <gtest/gtest.h>

#include "bounds/extract.hpp"
#include "bounds/weights.hpp"
#include "certify/bounds_check.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using testing::Maker;

Options weights_only() {
  Options o;
  o.use_search = false;
  return o;
}

// GOLDEN 003.1, from the code: three cycles, one counterexample, x splits it, BOUNDED. By hand: at most one
// message in each channel.
TEST(Figure1, IsBoundedAfterOneRefinement) {
  const system::System s = testing::figure1();
  const BoundsReport r = analyse(s, weights_only());
  EXPECT_EQ(r.cycles, 3U);
  EXPECT_EQ(r.counterexamples, 1U);
  EXPECT_EQ(r.refinements, 1U);
  ASSERT_EQ(r.queues.size(), 2U);
  for (const QueueReport& q : r.queues) {
    EXPECT_EQ(q.answer, Answer::Bounded);
    EXPECT_EQ(q.limit, 1);
    EXPECT_EQ(q.certificate.kind, verdict::CertificateKind::Weights);
  }
}

TEST(Figure1, SearchAgrees) {
  Options o;
  o.use_weights = false;
  const BoundsReport r = analyse(testing::figure1(), o);
  EXPECT_TRUE(r.search_closed);
  for (const QueueReport& q : r.queues) {
    EXPECT_EQ(q.answer, Answer::Bounded);
    EXPECT_EQ(q.limit, 1);
    EXPECT_TRUE(q.exact);
  }
}

// ALGORITHMS 4.5: bounded by n + 1 once the server is split by its attribute, and that is exact.
TEST(ClientServer, OneSplitGivesTheExactBound) {
  for (const std::int32_t n : {2, 3}) {
    const system::System s = testing::client_server(n);
    const BoundsReport r = analyse(s, weights_only());
    EXPECT_EQ(r.queues[0].answer, Answer::Bounded) << n;
    EXPECT_EQ(r.queues[0].limit, n + 1) << n;
    EXPECT_GE(r.refinements, 1U);
    Options o;
    const BoundsReport both = analyse(s, o);
    EXPECT_TRUE(both.queues[0].exact);
    EXPECT_EQ(both.queues[0].limit, n + 1);
  }
}

// Spin's sort reduced to what matters for GOLDEN 003.4: a process that sends numbers while counter < 7. One
// cycle, at most seven messages; the counter's range does it without any split.
TEST(SortLike, ACountedLoopIsBoundedByItsCounter) {
  Maker m;
  const auto left = m.owner("left", 3), right = m.owner("right", 1);
  const auto q = m.queue("q");
  const auto number = m.signal("number", {system::Type::range(0, 255)});
  const auto counter = m.cell("left.counter", left, 0, 255, 0);
  m.step(left, 0, 1, {}, m.op(expr::Op::Lt, m.get(counter), m.num(7)));
  m.step(left, 1, 2, {m.send(q, number, {m.num(3)})});
  m.step(left, 2, 0,
         {m.assign(counter,
                   m.s.exprs.unary(expr::Op::TruncU, m.op(expr::Op::Add, m.get(counter), m.num(1)), 8))});
  m.receive(right, 0, 0, q, number);
  const BoundsReport r = analyse(m.s, weights_only());
  ASSERT_EQ(r.queues.size(), 1U);
  EXPECT_EQ(r.queues[0].answer, Answer::Bounded);
  EXPECT_EQ(r.queues[0].limit, 7);
  EXPECT_EQ(r.refinements, 0U);
}

// GOLDEN 003.6: a process that sends without constraint is a real counterexample: UNBOUNDED with a run.
TEST(User, SendingWithoutConstraintIsUnbounded) {
  Maker m;
  const auto user = m.owner("user", 1), server = m.owner("server", 1);
  const auto q = m.queue("q");
  const auto g = m.signal("request");
  m.step(user, 0, 0, {m.send(q, g)});
  m.receive(server, 0, 0, q, g);
  const BoundsReport r = analyse(m.s, Options{});
  ASSERT_EQ(r.queues[0].answer, Answer::Unbounded);
  ASSERT_TRUE(r.queues[0].pump.has_value());
  EXPECT_EQ(r.queues[0].pump->loop.size(), 1U);
  EXPECT_TRUE(Searcher(m.s, 0).replay(*r.queues[0].pump, 20).empty());
}

// A sequence number that nobody looks at does not hide the pump; one that decides something does.
TEST(Pump, IgnoresDataThatDecidesNothing) {
  for (const bool matters : {false, true}) {
    Maker m;
    const auto user = m.owner("user", 1), server = m.owner("server", 1);
    const auto q = m.queue("q");
    const auto g = m.signal("request", {system::Type::integer()});
    const auto n =
        m.s.add(system::Cell{"user.n", system::Type::integer(), 0, system::CellRole::Data, user, false, {}});
    m.step(user, 0, 0, {m.send(q, g, {m.get(n)}), m.assign(n, m.op(expr::Op::Add, m.get(n), m.num(1)))},
           matters ? m.op(expr::Op::Lt, m.get(n), m.num(1000000)) : system::ExprId{});
    m.receive(server, 0, 0, q, g);
    Options o;
    o.search_states = 2000;
    const BoundsReport r = analyse(m.s, o);
    EXPECT_EQ(r.queues[0].answer, matters ? Answer::Bounded : Answer::Unbounded);
    if (matters) {
      EXPECT_EQ(r.queues[0].limit, 1000000);
    }
  }
}

// ALGORITHMS 4.4: "the examined prefix is the same before and after" is not enough. Content [a b], a loop
// that takes a and b and appends b a b: the next round would find b first.
TEST(Pump, ContentsMustRepeatInOrder) {
  Maker m;
  const auto o = m.owner("o", 3);
  const auto q = m.queue("q", o);
  const auto a = m.signal("a"), b = m.signal("b");
  m.receive(o, 0, 1, q, a);
  m.receive(o, 1, 2, q, b);
  m.step(o, 2, 0, {m.send(q, b), m.send(q, a), m.send(q, b)});
  semantics::Interpreter in(m.s, {1000});
  semantics::State start = in.initial_states()[0].result.state;
  start.queues[0] = {{a, {}}, {b, {}}};
  const std::vector<semantics::Step> loop = {
      {system::ActionId(0), {}}, {system::ActionId(1), {}}, {system::ActionId(2), {}}};
  EXPECT_FALSE(PumpChecker(m.s).check(in, start, loop).repeats);
  // With a b a b appended it does repeat, and gains two letters a round.
  m.s.stmts[m.s.action(system::ActionId(2)).body.index()].children.insert(
      m.s.stmts[m.s.action(system::ActionId(2)).body.index()].children.begin(), m.send(q, a));
  const PumpCheck check = PumpChecker(m.s).check(in, start, loop);
  EXPECT_TRUE(check.repeats) << check.why;
  ASSERT_EQ(check.growth.size(), 1U);
  EXPECT_EQ(check.growth[0].per_round, 2U);
}

// A test for emptiness in the loop forbids the pump: this queue never holds more than one message.
TEST(Pump, TestsOfAGrowingQueueForbidIt) {
  Maker m;
  const auto o = m.owner("o", 1);
  const auto q = m.queue("q", o);
  const auto a = m.signal("a");
  m.step(o, 0, 0, {m.send(q, a)}, m.op(expr::Op::Lt, m.s.exprs.queue_len(q), m.num(5)));
  for (const bool proofs : {false, true}) {
    Options options;
    options.use_weights = proofs;
    const BoundsReport r = analyse(m.s, options);
    EXPECT_EQ(r.queues[0].answer, Answer::Bounded);
    EXPECT_EQ(r.queues[0].limit, 5);
    EXPECT_EQ(r.queues[0].certificate.kind,
              proofs ? verdict::CertificateKind::LengthTests : verdict::CertificateKind::Exhaustive);
  }
}

// Unless the answer can only stay what it is: long enough, another queue's, or about the head alone.
TEST(Pump, TestsWhoseAnswerStaysAreFine) {
  for (const int what : {0, 1, 2}) {
    Maker m;
    const auto o = m.owner("o", 4);
    const auto q = m.queue("q", o), other = m.queue("other", o);
    const auto a = m.signal("a");
    m.step(o, 0, 1, {m.send(q, a)});
    m.step(o, 1, 2, {m.send(q, a)});
    const system::ExprId tests[] = {
        m.op(expr::Op::Ge, m.s.exprs.queue_len(q), m.num(2)),
        m.op(expr::Op::Eq, m.s.exprs.queue_len(other), m.num(0)),
        m.s.exprs.head_is(q, a, m.s.exprs.boolean(true)),
    };
    m.step(o, 2, 2, {m.send(q, a)}, tests[what]);
    m.step(o, 3, 3, {m.send(other, a)});
    const BoundsReport r = analyse(m.s, Options{});
    ASSERT_EQ(r.queues[0].answer, Answer::Unbounded) << what;
    const certify::Check check = certify::check_unbounded(m.s, q, r.queues[0].certificate);
    EXPECT_TRUE(check.accepted) << what << ": " << check.why;
    EXPECT_EQ(Searcher(m.s, 0).replay(*r.queues[0].pump, 20), "") << what;
  }
}

}  // namespace
}  // namespace parley::bounds
