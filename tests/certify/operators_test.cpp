// The checker's own list of what is total against the table of the engines, and its own meaning of every
// operator (over Z3's bit-vectors) against expr/operators.hpp: by enumeration, so that a new operator is
// asked for here without being listed.
#include "expr/operators.hpp"

#include <gtest/gtest.h>

#include "certify/body.hpp"
#include "certify/totality.hpp"
#include "expr/random_expression.hpp"
#include "system/may_fail.hpp"

namespace parley::certify {
namespace {

using expr::Op;
using system::IntegerMode;

constexpr IntegerMode kModes[] = {IntegerMode::Wrap, IntegerMode::AssumeNoOverflow,
                                  IntegerMode::OverflowIsError};

TEST(Totality, IsTheOppositeOfWhatEnginesSayMayFail) {
  for (IntegerMode mode : kModes)
    for (const expr::OpInfo& i : expr::kOps)
      EXPECT_EQ(total(i.op, mode), !system::may_fail(i.op, mode)) << int(i.op) << ' ' << i.spelling;
}

struct TwoCells {
  system::System s;
  system::CellId x, y;
  explicit TwoCells(IntegerMode mode) {
    s.name = "two cells";
    s.integers = mode;
    system::Owner o;
    o.name = "o";
    o.may_rest = s.exprs.boolean(true);
    const system::OwnerId owner = s.add(o);
    x = s.add(system::Cell{"x", system::Type::integer(), 0, system::CellRole::Data, owner, false, {}});
    y = s.add(system::Cell{"y", system::Type::integer(), 0, system::CellRole::Data, owner, false, {}});
  }
};

TEST(Totality, AgreesOnExpressions) {
  int both = 0;
  for (IntegerMode mode : kModes)
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
      TwoCells t(mode);
      testing::RandomExpression make(t.s.exprs, t.s.read(t.x), t.s.read(t.y), seed);
      const system::ExprId e = make(1 + seed % 3);
      both += total(t.s, e) ? 1 : 0;
      EXPECT_EQ(total(t.s, e), !system::may_fail(t.s, e)) << system::show(t.s, e);
    }
  EXPECT_GT(both, 300);
  EXPECT_LT(both, 2700);
}

// Evaluated over numerals, the terms fold to one value.
void same(const TwoCells& t, system::ExprId e, std::int32_t x, std::int32_t y, const expr::Computed& c) {
  z3::context z;
  Z3System terms(z, t.s, {});
  Z3System::State state = terms.fresh("s");
  state.cells[t.x.index()] = z.bv_val(x, 32);
  state.cells[t.y.index()] = z.bv_val(y, 32);
  Body body(terms, state, z.bool_val(false));
  const Body::Val v = body.eval(e);
  const std::string what = std::to_string(x) + ", " + std::to_string(y) + " in " + system::show(t.s, e);
  const bool error = c.error != expr::EvalError::None;
  const bool overflow_is_error = t.s.integers == IntegerMode::OverflowIsError;
  const bool overflow_is_assumed = t.s.integers == IntegerMode::AssumeNoOverflow;
  EXPECT_EQ(v.error.simplify().is_true(), error || (overflow_is_error && c.overflowed)) << what;
  EXPECT_EQ(v.assumed.simplify().is_true(), !error && overflow_is_assumed && c.overflowed) << what;
  if (!error) {
    EXPECT_EQ(static_cast<std::uint32_t>(v.v.simplify().get_numeral_uint64()),
              static_cast<std::uint32_t>(c.value))
        << what;
  }
}

// Every pair of values in one of the modes: all of them in all modes take a minute.
TEST(CheckersTerms, OperatorsAreThoseOfTheReference) {
  for (IntegerMode mode : kModes) {
    for (Op op : testing::binary_operators()) {
      TwoCells t(mode);
      const system::ExprId e = t.s.exprs.binary(op, t.s.read(t.x), t.s.read(t.y));
      std::size_t pair = static_cast<std::size_t>(mode);
      for (std::int32_t x : testing::kOddValues)
        for (std::int32_t y : testing::kOddValues)
          if (pair++ % std::size(kModes) == 0) same(t, e, x, y, expr::compute(op, x, y));
    }
    for (Op op : testing::unary_operators())
      for (std::uint32_t bits : {1u, 8u, 31u, 32u}) {
        TwoCells t(mode);
        const system::ExprId e = t.s.exprs.unary(op, t.s.read(t.x), bits);
        for (std::int32_t x : testing::kOddValues) same(t, e, x, 0, expr::compute(op, x, bits));
      }
  }
}

}  // namespace
}  // namespace parley::certify
