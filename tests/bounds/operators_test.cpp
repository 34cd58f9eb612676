// A loop that computes something nobody looks at and sends is only endless if computing cannot fail: the
// judgement of operators (expr/op.hpp) as the boundedness test and its checker use it.
#include <gtest/gtest.h>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "expr/random_expression.hpp"
#include "semantics/interpreter.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using expr::Op;
using testing::Maker;

// do :: x = f(x, y); q ! m od
template <class F>
system::System endless_loop(system::IntegerMode mode, F&& f) {
  Maker m;
  m.s.integers = mode;
  const system::OwnerId o = m.owner("o", 1);
  const system::CellId x = m.cell("x", o, expr::kIntMin, expr::kIntMax, 1);
  const system::CellId y = m.cell("y", o, expr::kIntMin, expr::kIntMax, 3);
  const system::QueueId q = m.queue("q");
  m.step(o, 0, 0, {m.assign(x, f(m, m.get(x), m.get(y))), m.send(q, m.signal("m"))});
  return m.s;
}

Options quick() {
  Options o;
  o.search_states = 200;
  o.walks = 2;
  o.seconds = 4;
  return o;
}

system::System shifting(system::IntegerMode mode) {
  return endless_loop(mode, [](Maker& m, auto x, auto) { return m.op(Op::Shl, x, m.num(1)); });
}

// 1, 2, 4, … 2^30: the 31st round fails, with 30 messages in the queue.
TEST(Operators, ShiftingOverflowsAndEndsTheLoop) {
  const system::System s = shifting(system::IntegerMode::OverflowIsError);
  const BoundsReport r = analyse(s, quick());
  EXPECT_NE(r.queues[0].answer, Answer::Unbounded);
  if (r.queues[0].answer == Answer::Bounded) {
    EXPECT_GE(r.queues[0].limit, 30);
  }
  EXPECT_EQ(analyse(shifting(system::IntegerMode::Wrap), quick()).queues[0].answer, Answer::Unbounded);
}

// The evidence for the loop that wraps, given for the one that fails.
TEST(Operators, TheCheckerKnowsThatShiftingOverflows) {
  const system::System wraps = shifting(system::IntegerMode::Wrap);
  const BoundsReport r = analyse(wraps, quick());
  ASSERT_EQ(r.queues[0].answer, Answer::Unbounded);
  const system::QueueId q(0U);
  EXPECT_TRUE(certify::check_unbounded(wraps, q, r.queues[0].certificate).accepted);
  EXPECT_FALSE(
      certify::check_unbounded(shifting(system::IntegerMode::OverflowIsError), q, r.queues[0].certificate)
          .accepted);
}

// Rounds until the loop fails; `most` if it does not.
int rounds(const system::System& s, int most) {
  const semantics::Interpreter run(s, {static_cast<std::uint32_t>(most) + 1});
  semantics::State state = run.initial_states().front().result.state;
  for (int i = 0; i < most; ++i) {
    const auto next = run.successors(state);
    if (next.size() != 1 || next[0].result.outcome != semantics::Outcome::Done) return i;
    state = next[0].result.state;
  }
  return most;
}

// Loops with random expressions over all operators: whoever is called UNBOUNDED goes on. A hundred rounds are
// enough for products and shifts; sums fail later, but no answer may rest on that.
TEST(Operators, RandomLoopsThatAreUnboundedDoNotFail) {
  int unbounded = 0, ended = 0, ended_by_shifts = 0;
  for (const system::IntegerMode mode : {system::IntegerMode::OverflowIsError,
                                         system::IntegerMode::AssumeNoOverflow, system::IntegerMode::Wrap})
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
      bool shifts = false;
      const system::System s = endless_loop(mode, [&](Maker& m, auto x, auto y) {
        shifts = seed % 4 == 0;
        if (shifts) return m.op(Op::Shl, x, m.num(static_cast<std::int32_t>(1 + seed % 5)));
        return parley::testing::RandomExpression(m.s.exprs, x, y, seed)(1 + seed % 2);
      });
      const int lasted = rounds(s, 100);
      const BoundsReport r = analyse(s, quick());
      ended += lasted < 100 ? 1 : 0;
      ended_by_shifts += shifts && lasted < 100 ? 1 : 0;
      if (r.queues[0].answer != Answer::Unbounded) continue;
      ++unbounded;
      EXPECT_EQ(lasted, 100) << "seed " << seed << " mode " << int(mode);
      EXPECT_TRUE(certify::check_unbounded(s, system::QueueId(0U), r.queues[0].certificate).accepted)
          << "seed " << seed << " mode " << int(mode);
    }
  // Not vacuous.
  EXPECT_GT(unbounded, 60);
  EXPECT_GT(ended, 40);
  EXPECT_EQ(ended_by_shifts, 50);
}

}  // namespace
}  // namespace parley::bounds
