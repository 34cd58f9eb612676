// The engines' judgement of what may fail, held against the reference semantics: random expressions over all
// operators, in every integer mode. What "cannot fail" never fails, for values where arithmetic is odd.
#include "system/may_fail.hpp"

#include <gtest/gtest.h>

#include "expr/random_expression.hpp"
#include "semantics/hand_made.hpp"
#include "semantics/interpreter.hpp"

namespace parley::testing {
namespace {

struct OneAssignment {
  System s;
  CellId x, y, result;

  explicit OneAssignment(IntegerMode mode) {
    s.name = "expression";
    s.integers = mode;
    Owner o;
    o.name = "o";
    o.may_rest = s.exprs.boolean(true);
    const OwnerId owner = s.add(o);
    x = s.add(Cell{"x", Type::integer(), 0, CellRole::Data, owner, false, {}});
    y = s.add(Cell{"y", Type::integer(), 0, CellRole::Data, owner, false, {}});
    result = s.add(Cell{"r", Type::integer(), 0, CellRole::Data, owner, false, {}});
    Action a;
    a.name = "compute";
    a.owner = owner;
    a.guard = s.exprs.boolean(true);
    s.add(a);
  }
  void compute(ExprId e) { s.actions[0].body = assign(s, result, e); }
  bool done(std::int32_t vx, std::int32_t vy) const {
    const semantics::Interpreter run(s);
    semantics::State state = run.initial_states().front().result.state;
    state.cells[x.index()] = vx;
    state.cells[y.index()] = vy;
    const auto outcomes = run.successors(state);
    return outcomes.size() == 1 && outcomes.front().result.outcome == semantics::Outcome::Done;
  }
};

TEST(MayFail, WhatCannotFailNeverFails) {
  int judged_safe = 0, failed = 0;
  std::mt19937 random(7);
  for (IntegerMode mode : {IntegerMode::Wrap, IntegerMode::AssumeNoOverflow, IntegerMode::OverflowIsError})
    for (std::uint32_t seed = 1; seed <= 600; ++seed) {
      OneAssignment o(mode);
      RandomExpression make(o.s.exprs, o.s.read(o.x), o.s.read(o.y), seed);
      const ExprId e = make(1 + seed % 3);
      o.compute(e);
      const bool may = may_fail(o.s, e);
      judged_safe += may ? 0 : 1;
      for (int i = 0; i < 30; ++i) {
        const auto value = [&] {
          return i % 2 == 0 ? kOddValues[random() % kOddValues.size()] : random_value(random);
        };
        const std::int32_t vx = value(), vy = value();
        const bool fine = o.done(vx, vy);
        failed += fine ? 0 : 1;
        ASSERT_TRUE(may || fine) << show(o.s, e) << " with x = " << vx << ", y = " << vy;
      }
    }
  // Not vacuous.
  EXPECT_GT(judged_safe, 300);
  EXPECT_GT(failed, 1000);
}

// Operator by operator: with variables as operands, what the judgement calls failing does fail.
TEST(MayFail, WhatMayFailFailsForSomeOperands) {
  for (IntegerMode mode : {IntegerMode::Wrap, IntegerMode::AssumeNoOverflow, IntegerMode::OverflowIsError}) {
    const auto fails = [&](auto&& make) {
      OneAssignment o(mode);
      o.compute(make(o));
      for (std::int32_t vx : kOddValues)
        for (std::int32_t vy : kOddValues)
          if (!o.done(vx, vy)) return true;
      return false;
    };
    for (expr::Op op : binary_operators())
      EXPECT_EQ(fails([&](OneAssignment& o) { return o.s.exprs.binary(op, o.s.read(o.x), o.s.read(o.y)); }),
                may_fail(op, mode))
          << expr::spelling(op);
    for (expr::Op op : unary_operators())
      EXPECT_EQ(fails([&](OneAssignment& o) { return o.s.exprs.unary(op, o.s.read(o.x), 8); }),
                may_fail(op, mode))
          << int(op);
  }
}

TEST(MayFail, DivisionsByANumberDoNot) {
  OneAssignment o(IntegerMode::Wrap);
  const ExprId x = o.s.read(o.x);
  EXPECT_FALSE(may_fail(o.s, o.s.exprs.binary(expr::Op::Div, x, o.s.exprs.constant(2))));
  EXPECT_FALSE(may_fail(o.s, o.s.exprs.binary(expr::Op::Rem, x, o.s.exprs.constant(-3))));
  EXPECT_TRUE(may_fail(o.s, o.s.exprs.binary(expr::Op::Rem, x, o.s.exprs.constant(0))));
  o.s.integers = IntegerMode::OverflowIsError;  // -2147483648 / -1
  EXPECT_TRUE(may_fail(o.s, o.s.exprs.binary(expr::Op::Div, x, o.s.exprs.constant(-1))));
}

}  // namespace
}  // namespace parley::testing
