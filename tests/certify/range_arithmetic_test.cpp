// The checker's arithmetic on ranges against single values, and against that of the engines: it may not be
// wider, or certificates that are right would be refused.
#include "certify/range_arithmetic.hpp"

#include <gtest/gtest.h>

#include "domain/interval_arithmetic.hpp"
#include "expr/all_operators.hpp"
#include "expr/operators.hpp"

namespace parley::certify {
namespace {

using domain::Interval;
using expr::Op;

std::string text(const Interval& x) {
  return "[" + std::to_string(x.lo) + "," + std::to_string(x.hi) + "]";
}

void agree(Op op, const Interval& x, const Interval& y) {
  const Interval mine = range_of(op, x, y), theirs = domain::apply(op, x, y);
  ASSERT_EQ(mine.empty(), theirs.empty()) << text(x) << spelling(op) << text(y);
  if (mine.empty()) return;
  ASSERT_TRUE(theirs.contains(mine)) << text(x) << spelling(op) << text(y) << ": " << text(mine)
                                     << " is wider than " << text(theirs);
}

void contains(Op op, const Interval& x, const Interval& y, std::int64_t vx, std::int64_t vy) {
  const expr::Computed r = expr::compute(op, static_cast<std::int32_t>(vx), static_cast<std::int32_t>(vy));
  if (r.error != expr::EvalError::None) return;
  ASSERT_TRUE(range_of(op, x, y).contains(r.value))
      << vx << ' ' << spelling(op) << ' ' << vy << " from " << text(x) << ' ' << text(y);
}

TEST(CheckersRanges, SmallNumbers) {
  constexpr int kMost = 5;
  for (Op op : testing::binary_operators())
    for (int a = -kMost; a <= kMost; ++a)
      for (int b = a; b <= kMost; ++b)
        for (int c = -kMost; c <= kMost; ++c)
          for (int d = c; d <= kMost; ++d) {
            agree(op, {a, b}, {c, d});
            for (int vx = a; vx <= b; ++vx)
              for (int vy = c; vy <= d; ++vy) contains(op, {a, b}, {c, d}, vx, vy);
            if (HasFatalFailure()) return;
          }
}

TEST(CheckersRanges, EndsOfTheWord) {
  std::mt19937 random(5);
  for (Op op : testing::binary_operators())
    for (int round = 0; round < 6000; ++round) {
      const auto end = [&]() -> std::int64_t {
        return random() % 2 == 0 ? testing::kOddValues[random() % testing::kOddValues.size()]
                                 : testing::random_value(random);
      };
      const std::int64_t a = end(), b = end(), c = end(), d = end();
      const Interval x{std::min(a, b), std::max(a, b)}, y{std::min(c, d), std::max(c, d)};
      agree(op, x, y);
      for (std::int64_t vx : {x.lo, x.hi, x.lo + static_cast<std::int64_t>(random()) % x.size()})
        for (std::int64_t vy : {y.lo, y.hi, y.lo + static_cast<std::int64_t>(random()) % y.size()})
          contains(op, x, y, vx, vy);
      if (HasFatalFailure()) return;
    }
}

TEST(CheckersRanges, UnaryOperators) {
  std::mt19937 random(6);
  for (Op op : testing::unary_operators())
    for (std::uint32_t bits : {1u, 2u, 5u, 8u, 31u, 32u})
      for (int round = 0; round < 500; ++round) {
        const std::int64_t a = round % 2 == 0 ? testing::kOddValues[random() % testing::kOddValues.size()]
                                              : testing::random_value(random);
        const Interval x{a, std::min<std::int64_t>(expr::kIntMax, a + random() % 100)};
        const Interval mine = range_of(op, x, bits);
        ASSERT_TRUE(domain::apply(op, x, bits).contains(mine)) << int(op) << '/' << bits << ' ' << text(x);
        for (std::int64_t v = x.lo; v <= x.hi; ++v)
          ASSERT_TRUE(mine.contains(expr::compute(op, static_cast<std::int32_t>(v), bits).value))
              << int(op) << '/' << bits << " of " << v << " in " << text(x);
      }
}

}  // namespace
}  // namespace parley::certify
