#include "certify/range_arithmetic.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "expr/operators.hpp"
#include "support/check.hpp"

namespace parley::certify {

using domain::Interval;
using expr::BinaryOp;
using expr::Op;
using expr::UnaryOp;

namespace {

constexpr Interval kAny{expr::kIntMin, expr::kIntMax};
constexpr Interval kNone{1, 0};
constexpr std::int64_t kLap = std::int64_t{1} << 32;

Interval spanned(std::initializer_list<std::int64_t> corners) {
  return {std::min(corners), std::max(corners)};
}

// How often a number went round the 32 bits.
std::int64_t laps(std::int64_t v) {
  return (v - expr::kIntMin) >> 32;
}
Interval brought_back(const Interval& exact) {
  const std::int64_t n = laps(exact.lo);
  return n == laps(exact.hi) ? Interval{exact.lo - n * kLap, exact.hi - n * kLap} : kAny;
}

Interval value(const expr::Computed& c) {
  return c.error == expr::EvalError::None ? Interval{c.value, c.value} : kNone;
}

Interval truth(bool can_be_false, bool can_be_true) {
  return {can_be_false ? 0 : 1, can_be_true ? 1 : 0};
}

// Larger divisors give smaller quotients, so the extremes are at the divisors of largest and smallest size.
Interval quotients(const Interval& x, const Interval& y) {
  Interval all = kNone;
  for (const std::int64_t by : {y.lo, y.hi, std::int64_t{1}, std::int64_t{-1}}) {
    if (by == 0 || !y.contains(by)) continue;
    const Interval q = spanned({x.lo / by, x.hi / by});
    all = all.empty() ? q : hull(all, q);
  }
  return all.empty() ? all : brought_back(all);
}

// Smaller than the divisor, no further from zero than the dividend, and with its sign.
Interval remainders(const Interval& x, const Interval& y) {
  const std::int64_t most = std::max(std::abs(y.lo), std::abs(y.hi)) - 1;
  if (most < 0) return kNone;
  const std::int64_t largest = std::max(std::abs(x.lo), std::abs(x.hi));
  const std::int64_t least = y.lo > 0 ? y.lo : y.hi < 0 ? -y.hi : 0;
  if (largest < least) return x;
  return {x.lo < 0 ? std::max(x.lo, -most) : 0, x.hi > 0 ? std::min(x.hi, most) : 0};
}

// All ones, and at least as many as either operand needs besides its sign.
std::int64_t ones(const Interval& x, const Interval& y) {
  std::int64_t n = 0;
  while (n < std::max({x.hi, ~x.lo, y.hi, ~y.lo})) n = 2 * n + 1;
  return n;
}

Interval bits_of(BinaryOp op, const Interval& x, const Interval& y) {
  const std::int64_t n = ones(x, y);
  if (op == BinaryOp::BitAnd && x.lo >= 0 && y.lo >= 0) return {0, std::min(x.hi, y.hi)};
  if (op == BinaryOp::BitAnd && (x.lo >= 0 || y.lo >= 0)) return {0, x.lo >= 0 ? x.hi : y.hi};
  if (x.lo < 0 || y.lo < 0) return {~n, n};
  return {op == BinaryOp::BitOr ? std::max(x.lo, y.lo) : 0, n};
}

// Only the low five bits of a distance count; a range that passes a multiple of 32 has both 0 and 31.
Interval distances(const Interval& y) {
  return y.lo >> 5 == y.hi >> 5 ? Interval{y.lo & 31, y.hi & 31} : Interval{0, 31};
}

Interval shifted_left(const Interval& x, const Interval& y) {
  const std::int64_t least = std::int64_t{1} << distances(y).lo, most = std::int64_t{1} << distances(y).hi;
  const Interval exact = spanned({x.lo * least, x.lo * most, x.hi * least, x.hi * most});
  return kAny.contains(exact) ? exact : kAny;
}

Interval shifted_right(const Interval& x, const Interval& y) {
  const Interval by = distances(y);
  return spanned({x.lo >> by.lo, x.lo >> by.hi, x.hi >> by.lo, x.hi >> by.hi});
}

Interval shifted_unsigned(const Interval& x, const Interval& y) {
  if (x.lo >= 0) return shifted_right(x, y);
  const std::int64_t least = distances(y).lo;
  return least == 0 ? kAny : Interval{0, (kLap - 1) >> least};
}

}  // namespace

Interval range_of(Op op, const Interval& x, std::uint32_t bits) {
  if (x.single()) return value(expr::compute(op, static_cast<std::int32_t>(x.lo), bits));
  switch (expr::unary_op(op)) {
    case UnaryOp::Not:
      return truth(true, x.contains(0));
    case UnaryOp::Neg:
      return brought_back({-x.hi, -x.lo});
    case UnaryOp::BitNot:
      return {~x.hi, ~x.lo};
    case UnaryOp::TruncU:
    case UnaryOp::TruncS: {
      if (bits >= 32) return x;
      const std::int64_t lap = std::int64_t{1} << bits, half = lap / 2;
      const std::int64_t least = op == Op::TruncU ? 0 : -half;
      const std::int64_t n = (x.lo - least) >> bits;
      if (n != (x.hi - least) >> bits) return {least, least + lap - 1};
      return {x.lo - n * lap, x.hi - n * lap};
    }
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

Interval range_of(Op op, const Interval& x, const Interval& y) {
  if (x.single() && y.single())
    return value(expr::compute(op, static_cast<std::int32_t>(x.lo), static_cast<std::int32_t>(y.lo)));
  const bool apart = x.hi < y.lo || y.hi < x.lo;
  switch (expr::binary_op(op)) {
    case BinaryOp::Add:
      return brought_back({x.lo + y.lo, x.hi + y.hi});
    case BinaryOp::Sub:
      return brought_back({x.lo - y.hi, x.hi - y.lo});
    case BinaryOp::Mul:
      return brought_back(spanned({x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}));
    case BinaryOp::Div:
      return quotients(x, y);
    case BinaryOp::Rem:
      return remainders(x, y);
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      return bits_of(expr::binary_op(op), x, y);
    case BinaryOp::Shl:
      return shifted_left(x, y);
    case BinaryOp::Shr:
      return shifted_right(x, y);
    case BinaryOp::Ushr:
      return shifted_unsigned(x, y);
    case BinaryOp::Eq:
      return truth(true, !apart);
    case BinaryOp::Ne:
      return truth(!apart, true);
    case BinaryOp::Lt:
      return truth(x.hi >= y.lo, x.lo < y.hi);
    case BinaryOp::Le:
      return truth(x.hi > y.lo, x.lo <= y.hi);
    case BinaryOp::Gt:
      return truth(x.lo <= y.hi, x.hi > y.lo);
    case BinaryOp::Ge:
      return truth(x.lo < y.hi, x.hi >= y.lo);
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

}  // namespace parley::certify
