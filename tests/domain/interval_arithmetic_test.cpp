// The engines' interval arithmetic contains every result: all pairs of intervals of small numbers, and pairs
// of intervals whose ends are where 32-bit arithmetic is odd.
#include "domain/interval_arithmetic.hpp"

#include <gtest/gtest.h>

#include "expr/all_operators.hpp"
#include "expr/operators.hpp"

namespace parley::domain {
namespace {

using expr::Op;

std::string text(const Interval& x) {
  return "[" + std::to_string(x.lo) + "," + std::to_string(x.hi) + "]";
}

// The least interval around the results of all pairs.
Interval enumerated(Op op, const Interval& x, const Interval& y) {
  Interval all = kNothing;
  for (std::int64_t a = x.lo; a <= x.hi; ++a)
    for (std::int64_t b = y.lo; b <= y.hi; ++b) {
      const expr::Computed c = expr::compute(op, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      if (c.error == expr::EvalError::None) all = all.empty() ? only(c.value) : hull(all, only(c.value));
    }
  return all;
}

TEST(IntervalArithmetic, ContainsAllResultsOnSmallNumbers) {
  constexpr int kMost = 6;
  for (Op op : testing::binary_operators())
    for (int a = -kMost; a <= kMost; ++a)
      for (int b = a; b <= kMost; ++b)
        for (int c = -kMost; c <= kMost; ++c)
          for (int d = c; d <= kMost; ++d) {
            const Interval x{a, b}, y{c, d}, exact = enumerated(op, x, y), found = apply(op, x, y);
            ASSERT_EQ(exact.empty(), found.empty()) << text(x) << spelling(op) << text(y);
            if (exact.empty()) continue;
            ASSERT_TRUE(found.contains(exact))
                << text(x) << spelling(op) << text(y) << " gives " << text(found);
            if (expr::is_comparison(op) || op == Op::Add || op == Op::Sub || op == Op::Mul) {
              ASSERT_EQ(found, exact) << text(x) << spelling(op) << text(y);
            }
          }
}

TEST(IntervalArithmetic, ContainsResultsAtTheEndsOfTheWord) {
  std::mt19937 random(3);
  for (Op op : testing::binary_operators())
    for (int round = 0; round < 4000; ++round) {
      const auto end = [&] {
        return random() % 2 == 0 ? testing::kOddValues[random() % testing::kOddValues.size()]
                                 : testing::random_value(random);
      };
      const std::int64_t a = end(), b = end(), c = end(), d = end();
      const Interval x{std::min(a, b), std::max(a, b)}, y{std::min(c, d), std::max(c, d)};
      const Interval found = apply(op, x, y);
      const auto inside = [&](const Interval& r, int k) {
        if (k < 2) return static_cast<std::int32_t>(k == 0 ? r.lo : r.hi);
        return static_cast<std::int32_t>(r.lo + static_cast<std::int64_t>(random()) % r.size());
      };
      for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k) {
          const std::int32_t vx = inside(x, i), vy = inside(y, k);
          const expr::Computed r = expr::compute(op, vx, vy);
          if (r.error != expr::EvalError::None) continue;
          ASSERT_TRUE(found.contains(r.value)) << vx << ' ' << spelling(op) << ' ' << vy << " from "
                                               << text(x) << ' ' << text(y) << " not in " << text(found);
        }
    }
}

TEST(IntervalArithmetic, UnaryOperatorsContainAllResults) {
  std::mt19937 random(4);
  for (Op op : testing::unary_operators())
    for (std::uint32_t bits : {1u, 2u, 5u, 8u, 31u, 32u})
      for (int round = 0; round < 500; ++round) {
        const std::int64_t a = round % 2 == 0 ? testing::kOddValues[random() % testing::kOddValues.size()]
                                              : testing::random_value(random);
        const Interval x{a, std::min<std::int64_t>(expr::kIntMax, a + random() % 100)};
        const Interval found = apply(op, x, bits);
        for (std::int64_t v = x.lo; v <= x.hi; ++v)
          ASSERT_TRUE(found.contains(expr::compute(op, static_cast<std::int32_t>(v), bits).value))
              << int(op) << '/' << bits << " of " << v << " in " << text(x);
      }
}

TEST(IntervalArithmetic, NothingGivesNothing) {
  for (Op op : testing::binary_operators()) {
    EXPECT_TRUE(apply(op, kNothing, only(1)).empty());
    EXPECT_TRUE(apply(op, only(1), kNothing).empty());
    EXPECT_EQ(apply(op, Interval{1, 5}, only(0)).empty(), expr::info(op).may_fail) << spelling(op);
  }
  for (Op op : testing::unary_operators()) EXPECT_TRUE(apply(op, kNothing, 8).empty());
}

}  // namespace
}  // namespace parley::domain
