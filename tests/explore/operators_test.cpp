// Every operator of the bytecode against the reference semantics, on values where 32-bit arithmetic is odd,
// in every integer mode: one action per operator stores its result.
#include <gtest/gtest.h>

#include "explore/compare.hpp"
#include "expr/all_operators.hpp"
#include "semantics/hand_made.hpp"

namespace parley::testing {
namespace {

using expr::Op;

System all_operators(std::int32_t x, std::int32_t y, IntegerMode mode) {
  System s;
  s.name = "operators";
  s.integers = mode;
  Owner o;
  o.name = "o";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId owner = s.add(o);
  const CellId loc = s.add(Cell{"at", Type::range(0, 1), 0, CellRole::Location, owner, false, {}});
  const CellId cx = s.add(Cell{"x", Type::integer(), x, CellRole::Data, owner, false, {}});
  const CellId cy = s.add(Cell{"y", Type::integer(), y, CellRole::Data, owner, false, {}});
  const CellId result = s.add(Cell{"r", Type::integer(), 77, CellRole::Data, owner, false, {}});
  auto action = [&](ExprId value) {
    Action a;
    a.name = system::show(s, value);
    a.owner = owner;
    a.guard = s.exprs.equals(s.read(loc), 0);
    a.body = block(s, {assign(s, result, value), assign(s, loc, s.exprs.constant(1))});
    s.add(a);
    // The same expression deciding a guard: as a jump, and as a value.
    a.guard =
        s.exprs.both(s.exprs.equals(s.read(loc), 0), s.exprs.binary(Op::Ne, value, s.exprs.constant(3)));
    a.body = block(s, {assign(s, result, s.exprs.constant(1)), assign(s, loc, s.exprs.constant(1))});
    s.add(a);
  };
  const ExprId ex = s.read(cx), ey = s.read(cy);
  for (Op op : binary_operators()) action(s.exprs.binary(op, ex, ey));
  for (Op op : operators(expr::OpClass::ShortCircuit)) action(s.exprs.binary(op, ex, ey));
  for (Op op : unary_operators())
    for (std::uint32_t bits : {1u, 8u, 16u, 31u, 32u}) action(s.exprs.unary(op, ex, bits));
  action(s.exprs.cond(s.exprs.binary(Op::Lt, ex, ey), ex, ey));
  Property p;
  p.kind = PropertyKind::NoRuntimeError;
  p.name = "no run-time errors";
  s.add(p);
  validate(s);
  return s;
}

TEST(Operators, BytecodeComputesWhatTheReferenceComputes) {
  const std::vector<std::int32_t> values{0, 1, -1, 2, 31, 32, 33, -7, 46341, expr::kIntMax, expr::kIntMin};
  for (IntegerMode mode : {IntegerMode::Wrap, IntegerMode::AssumeNoOverflow, IntegerMode::OverflowIsError})
    for (std::int32_t x : values)
      for (std::int32_t y : values) {
        const System s = all_operators(x, y, mode);
        const Comparison c = compare(s, {}, 200);
        ASSERT_TRUE(c.decided);
        for (const std::string& d : c.differences) ADD_FAILURE() << x << ", " << y << ": " << d;
      }
}

}  // namespace
}  // namespace parley::testing
