// What the table of operators says, held against what the operators compute.
#include <gtest/gtest.h>

#include "expr/all_operators.hpp"
#include "expr/operators.hpp"

namespace parley::expr {
namespace {

using testing::kOddValues;

struct Seen {
  bool failed = false, overflowed = false;
  void add(const Computed& c) {
    failed = failed || c.error != EvalError::None;
    overflowed = overflowed || c.overflowed;
  }
};

Seen unary_results(Op op) {
  Seen seen;
  std::mt19937 random(1);
  for (std::int32_t x : kOddValues)
    for (std::uint32_t bits = 1; bits <= 32; ++bits) seen.add(compute(op, x, bits));
  for (int i = 0; i < 2000; ++i) seen.add(compute(op, testing::random_value(random), static_cast<std::uint32_t>(1 + random() % 32)));
  return seen;
}

Seen binary_results(Op op) {
  Seen seen;
  std::mt19937 random(2);
  for (std::int32_t x : kOddValues)
    for (std::int32_t y : kOddValues) seen.add(compute(op, x, y));
  for (int i = 0; i < 20000; ++i)
    seen.add(compute(op, testing::random_value(random), testing::random_value(random)));
  return seen;
}

// In both directions: nothing fails or overflows that the table does not say, and what it says happens.
TEST(Table, SaysWhatCanFailAndOverflow) {
  for (Op op : testing::unary_operators()) {
    const Seen seen = unary_results(op);
    EXPECT_EQ(seen.failed, info(op).may_fail) << int(op);
    EXPECT_EQ(seen.overflowed, info(op).may_overflow) << int(op);
  }
  for (Op op : testing::binary_operators()) {
    const Seen seen = binary_results(op);
    EXPECT_EQ(seen.failed, info(op).may_fail) << spelling(op);
    EXPECT_EQ(seen.overflowed, info(op).may_overflow) << spelling(op);
  }
}

// A strict operator fails for a divisor of zero and nothing else: what the engines assume of it.
TEST(Table, StrictOperatorsFailForDivisorsOfZeroOnly) {
  for (Op op : testing::binary_operators())
    for (std::int32_t x : kOddValues)
      for (std::int32_t y : kOddValues) {
        const EvalError expected = info(op).may_fail && y == 0 ? EvalError::DivisionByZero : EvalError::None;
        EXPECT_EQ(compute(op, x, y).error, expected) << x << spelling(op) << y;
      }
}

TEST(Table, ComparisonsHaveTheirOppositeAndTheirMirrorImage) {
  for (Op op : testing::binary_operators()) {
    if (!is_comparison(op)) continue;
    for (std::int32_t x : kOddValues)
      for (std::int32_t y : kOddValues) {
        EXPECT_EQ(compute(info(op).negation, x, y).value, 1 - compute(op, x, y).value);
        EXPECT_EQ(compute(info(op).mirrored, y, x).value, compute(op, x, y).value);
      }
  }
}

// Results that are truth values are those of comparisons (and of `!`).
TEST(Table, OnlyComparisonsAreAlwaysTruthValues) {
  for (Op op : testing::binary_operators()) {
    bool truth = true;
    for (std::int32_t x : kOddValues)
      for (std::int32_t y : kOddValues) {
        const std::int32_t v = compute(op, x, y).value;
        truth = truth && (v == 0 || v == 1);
      }
    EXPECT_EQ(truth, is_comparison(op)) << spelling(op);
  }
}

TEST(Table, SpellingsAreDifferentForTheSameNumberOfOperands) {
  for (const OpInfo& a : kOps)
    for (const OpInfo& b : kOps) {
      if (a.op == b.op || a.arity != b.arity || *a.spelling == '\0') continue;
      EXPECT_STRNE(a.spelling, b.spelling);
    }
}

}  // namespace
}  // namespace parley::expr
