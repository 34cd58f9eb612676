// Hulls of operator results: one interval that contains them all.
#include <initializer_list>

#include "domain/may.hpp"
#include "support/check.hpp"

namespace parley::domain {
namespace {

using expr::BinaryOp;
using expr::Op;
using expr::UnaryOp;

Interval wrapped(const Word& w, Interval exact) {
  if (w.all().contains(exact)) return exact;
  if (exact.size() >= w.modulus()) return w.all();
  const Interval moved{w.wrap(exact.lo), w.wrap(exact.hi)};
  return moved.lo <= moved.hi ? moved : w.all();
}

Interval span(std::initializer_list<std::int64_t> values) {
  const auto [lo, hi] = std::minmax(values);
  return {lo, hi};
}

Interval division(const Word& w, Interval x, Interval y) {
  if (x.contains(w.min()) && y.contains(-1)) return w.all();
  Interval all{1, 0};
  for (std::int64_t d : {y.lo, y.hi, std::int64_t{-1}, std::int64_t{1}}) {
    if (d == 0 || !y.contains(d)) continue;
    const Interval q = span({x.lo / d, x.hi / d});
    all = all.empty() ? q : hull(all, q);
  }
  return all.empty() ? Interval{0, 0} : all;
}

Interval remainders(Interval x, Interval y) {
  const std::int64_t m = std::max(std::abs(y.lo), std::abs(y.hi));
  if (m == 0) return {0, 0};
  const bool untouched =
      !y.contains(0) && std::max(std::abs(x.lo), std::abs(x.hi)) < std::min(std::abs(y.lo), std::abs(y.hi));
  if (untouched) return x;
  return {x.lo < 0 ? std::max(x.lo, 1 - m) : 0, x.hi > 0 ? std::min(x.hi, m - 1) : 0};
}

// The smallest 2^k - 1 that covers both magnitudes: bitwise results stay within -mask-1 .. mask.
Interval bitwise(Op op, Interval x, Interval y) {
  const std::int64_t top = std::max({x.hi, y.hi, -x.lo - 1, -y.lo - 1, std::int64_t{0}});
  const auto mask = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(top) + 1)) - 1;
  const bool xp = x.lo >= 0, yp = y.lo >= 0;
  if (op == Op::BitAnd && (xp || yp)) return {0, xp && yp ? std::min(x.hi, y.hi) : xp ? x.hi : y.hi};
  if (op == Op::BitOr && xp && yp) return {std::max(x.lo, y.lo), mask};
  if (xp && yp) return {0, mask};
  return {-mask - 1, mask};
}

Interval shifts(const Word& w, Interval y) {
  const std::int64_t mask = w.shift_mask();
  return y.lo >= 0 && y.hi <= mask ? y : Interval{0, mask};
}

}  // namespace

Interval result_hull(Op op, const Word& w, Interval x, Interval y) {
  switch (expr::binary_op(op)) {
    case BinaryOp::Add:
      return wrapped(w, {x.lo + y.lo, x.hi + y.hi});
    case BinaryOp::Sub:
      return wrapped(w, {x.lo - y.hi, x.hi - y.lo});
    case BinaryOp::Mul: {
      const Interval exact = span({x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi});
      return w.all().contains(exact) ? exact : w.all();
    }
    case BinaryOp::Div:
      return division(w, x, y);
    case BinaryOp::Rem:
      return remainders(x, y);
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      return intersect(bitwise(op, x, y), w.all());
    case BinaryOp::Shl: {
      if (may_overflow(op, w, x, y)) return w.all();
      const Interval s = shifts(w, y);
      return intersect(span({x.lo << s.lo, x.lo << s.hi, x.hi << s.lo, x.hi << s.hi}), w.all());
    }
    case BinaryOp::Shr: {
      const Interval s = shifts(w, y);
      return span({x.lo >> s.lo, x.lo >> s.hi, x.hi >> s.lo, x.hi >> s.hi});
    }
    case BinaryOp::Ushr: {
      const Interval s = shifts(w, y);
      if (x.lo >= 0) return span({x.lo >> s.lo, x.lo >> s.hi, x.hi >> s.lo, x.hi >> s.hi});
      if (s.lo == 0) return w.all();
      return {0, (w.modulus() - 1) >> s.lo};
    }
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: {
      const bool yes = may_be(op, w, Arithmetic::Wrapped, x, y, {1, 1});
      const bool no = may_be(op, w, Arithmetic::Wrapped, x, y, {0, 0});
      return {no ? 0 : 1, yes ? 1 : 0};
    }
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

Interval result_hull(Op op, const Word& w, Interval x, std::uint32_t bits) {
  switch (expr::unary_op(op)) {
    case UnaryOp::Not:
      return {x.single() && x.lo == 0 ? 1 : 0, x.contains(0) ? 1 : 0};
    case UnaryOp::Neg:
      return wrapped(w, {-x.hi, -x.lo});
    case UnaryOp::BitNot:
      return {-x.hi - 1, -x.lo - 1};
    case UnaryOp::TruncS:
      return bits >= w.bits ? x : wrapped(Word{bits}, x);
    case UnaryOp::TruncU: {
      const std::int64_t m = std::int64_t{1} << bits;
      if (bits >= w.bits) return x;
      const std::int64_t lo = ((x.lo % m) + m) % m;
      return x.size() < m && lo + x.size() <= m ? Interval{lo, lo + x.size() - 1} : Interval{0, m - 1};
    }
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

}  // namespace parley::domain
