// Steps that send and then fail: a limit counts what they have sent, whoever proves it, and the checker
// rejects a certificate for less.
#include "bounds/failing_steps.hpp"

#include <cstdio>

#include "random_check.hpp"
#include "semantics/interpreter.hpp"
#include "system/may_fail.hpp"

namespace parley::bounds {
namespace {

using testing::Maker;

// Two sends to q, then 1 / x with x = 0; another step sends `completed` messages and completes.
system::System failing(std::size_t completed, bool tests_length) {
  Maker m;
  const system::OwnerId p = m.owner("p", 2), reader = m.owner("reader", 1);
  const system::QueueId q = m.queue("q", reader);
  const system::SignalId g = m.signal("g");
  const system::CellId x = m.cell("p.x", p, 0, 1, 0);
  const system::ExprId none =
      tests_length ? m.op(expr::Op::Lt, m.s.exprs.queue_len(q), m.num(1)) : system::ExprId{};
  m.step(p, 0, 1, {m.send(q, g), m.send(q, g), m.assign(x, m.op(expr::Op::Div, m.num(1), m.get(x)))}, none);
  std::vector<system::StmtId> sends;
  for (std::size_t i = 0; i < completed; ++i) sends.push_back(m.send(q, g));
  m.step(p, 0, 1, sends, none);
  m.receive(reader, 0, 0, q, g);
  return std::move(m.s);
}

QueueReport proven(const system::System& s, bool search) {
  Options o;
  o.seconds = 5;
  o.use_search = search;
  o.use_weights = !search;
  return analyse(s, o).queues[0];
}

// 2 by hand: the failing step sends two and nothing was there before.
TEST(FailingSteps, CountForEveryArgument) {
  for (const std::size_t completed : {0U, 1U, 2U, 3U})
    for (const bool tests_length : {false, true})
      for (const bool search : {false, true}) {
        const system::System s = failing(completed, tests_length);
        const QueueReport r = proven(s, search);
        const auto expected = static_cast<std::int64_t>(std::max<std::size_t>(2, completed));
        ASSERT_EQ(r.answer, Answer::Bounded) << completed << tests_length << search;
        EXPECT_EQ(r.limit, expected) << completed << tests_length << search;
        EXPECT_TRUE(certify::check_bounded(s, r.queue, expected, r.certificate).accepted);
        const certify::Check less = certify::check_bounded(s, r.queue, expected - 1, r.certificate);
        EXPECT_FALSE(less.accepted) << completed << tests_length << search;
      }
}

// A start that fails after three sends, as the only start and beside one that completes.
TEST(FailingSteps, CountAtTheStart) {
  for (const bool completes : {false, true}) {
    Maker m;
    const system::OwnerId p = m.owner("p", 1);
    const system::QueueId q = m.queue("q", p);
    const system::SignalId g = m.signal("g");
    m.receive(p, 0, 0, q, g);
    system::Stmt fail;
    fail.kind = system::StmtKind::Fail;
    system::Stmt choice;
    choice.kind = system::StmtKind::Branch;
    choice.conditions = {m.s.exprs.boolean(true)};
    choice.children = {m.block({m.send(q, g), m.send(q, g), m.send(q, g), m.s.add(fail)})};
    if (completes) {
      choice.conditions.push_back(m.s.exprs.boolean(true));
      choice.children.push_back(m.send(q, g));
    }
    m.s.initial_body = m.s.add(choice);
    for (const bool search : {false, true}) {
      const QueueReport r = proven(m.s, search);
      ASSERT_EQ(r.answer, Answer::Bounded) << completes << search;
      EXPECT_EQ(r.limit, 3) << completes << search;
      EXPECT_TRUE(certify::check_bounded(m.s, q, 3, r.certificate).accepted) << completes << search;
      EXPECT_FALSE(certify::check_bounded(m.s, q, 2, r.certificate).accepted) << completes << search;
    }
  }
}

// Random systems with tests of lengths, declared capacities and steps that fail behind their sends.
system::System random_failing(std::uint64_t seed) {
  system::System s = testing::random_system(seed, seed % 2 == 0);
  std::mt19937_64 random(seed * 31 + 7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (system::Queue& q : s.queues)
    if (below(3) != 0) q.capacity = static_cast<std::uint32_t>(1 + below(3));
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    if (below(3) != 0) continue;
    const system::CellId cell{s.owners.size() > 0 ? 1 + 2 * below(s.owners.size()) : 0};
    system::Stmt st;
    if (below(3) == 0) {
      st.kind = system::StmtKind::Assert;
      st.value =
          s.exprs.binary(expr::Op::Lt, s.read(cell), s.exprs.constant(static_cast<std::int32_t>(below(3))));
    } else {
      st.kind = system::StmtKind::SetLocal;
      st.local = 0;
      s.actions[a].locals = 1;
      st.value = s.exprs.binary(expr::Op::Div, s.exprs.constant(1), s.read(cell));
    }
    const system::StmtId last = s.add(st);
    system::Stmt both;
    both.children = {s.actions[a].body, last};
    s.actions[a].body = s.add(both);
  }
  system::validate(s);
  return s;
}

TEST(FailingSteps, NeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    testing::against_search(random_failing(seed), seed, 300, tally);
    if (HasFatalFailure()) return;
  }
  tally.print();
  EXPECT_GT(tally.by_weights, 40U);
}

// What is judged never to fail never does: the engines' judgement on every step of random systems.
TEST(FailingSteps, AreForeseen) {
  std::size_t failures = 0, safe = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const system::System s = passes::without_capacities(random_failing(seed)).system;
    const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 50));
    std::set<semantics::State> seen;
    std::vector<semantics::State> open{in.initial_state({}).state};
    while (!open.empty() && seen.size() < 200) {
      const semantics::State state = open.back();
      open.pop_back();
      if (!seen.insert(state).second) continue;
      for (const semantics::Successor& n : in.successors(state)) {
        const system::Action& a = s.action(n.step.action);
        const bool judged = system::may_fail(s, a.guard) || system::may_fail(s, a.body);
        if (semantics::is_failure(n.result.outcome)) {
          ++failures;
          ASSERT_TRUE(judged) << "seed " << seed << ": " << a.name;
        }
        safe += judged ? 0 : 1;
        if (n.result.outcome == semantics::Outcome::Done) open.push_back(n.result.state);
      }
    }
  }
  EXPECT_GT(failures, 500U);
  EXPECT_GT(safe, 500U);
}

}  // namespace
}  // namespace parley::bounds
