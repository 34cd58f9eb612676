#include "domain/may.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>

#include "domain/interval_arithmetic.hpp"
#include "support/check.hpp"

namespace parley::domain {
namespace {

using expr::BinaryOp;
using expr::Comparison;
using expr::Op;
using expr::UnaryOp;
__extension__ using Wide = __int128;

// Factors tried one by one before a wrapping product is answered "may".
constexpr std::int64_t kProductBudget = std::int64_t{1} << 16;
// The square root of the largest magnitude, 2^31: of two factors one is no larger.
constexpr std::int64_t kRoot = 46341;

// Some integer of the contiguous range, taken modulo the word, lies in z.
bool wrapped_meets(const Word& w, Interval range, Interval z) {
  if (range.empty()) return false;
  z = intersect(z, w.all());
  if (z.empty()) return false;
  if (range.size() >= w.modulus()) return true;
  const std::int64_t lo = w.wrap(range.lo);
  const Interval moved{lo, lo + (range.hi - range.lo)};
  return moved.meets(z) || moved.meets({z.lo + w.modulus(), z.hi + w.modulus()});
}
bool reaches(const Word& w, Arithmetic a, Interval range, Interval z) {
  return a == Arithmetic::Wrapped ? wrapped_meets(w, range, z) : intersect(range, w.all()).meets(z);
}

// --- products
// ------------------------------------------------------------------------------------------------

// Some x in X, y in Y with x * y in Z; everything positive. One factor is at most the root of the product.
bool product_of_positives(Interval x, Interval y, Interval z) {
  if (x.empty() || y.empty() || z.empty()) return false;
  if (x.lo * y.lo > z.hi || x.hi * y.hi < z.lo) return false;
  if (z.contains(x.lo * y.lo) || z.contains(x.hi * y.hi)) return true;
  for (int side = 0; side < 2; ++side, std::swap(x, y))
    for (std::int64_t f = x.lo; f <= std::min(x.hi, kRoot) && f * y.lo <= z.hi; ++f)
      if (y.meets({ceil_div(z.lo, f), z.hi / f})) return true;
  return false;
}

struct Signs {
  Interval negative, positive;  // negative mirrored to positive
  bool zero;
};
Signs signs(const Interval& x) {
  return {mirrored(intersect(x, {x.lo, -1})), intersect(x, {1, x.hi}), x.contains(0)};
}

bool exact_product(Interval x, Interval y, Interval z) {
  const Signs a = signs(x), b = signs(y), c = signs(z);
  if (c.zero && (a.zero || b.zero)) return true;
  return product_of_positives(a.positive, b.positive, c.positive) ||
         product_of_positives(a.negative, b.negative, c.positive) ||
         product_of_positives(a.positive, b.negative, c.negative) ||
         product_of_positives(a.negative, b.positive, c.negative);
}

// The smallest t >= 0 with l <= a * t mod m <= r, or -1 (0 <= l <= r < m): the Euclidean descent.
std::int64_t first_in_range(std::int64_t a, std::int64_t m, std::int64_t l, std::int64_t r) {
  if (l == 0) return 0;
  if (a == 0) return -1;
  if (2 * a > m) return first_in_range(m - a, m, m - r, m - l);
  const std::int64_t t = ceil_div(l, a);
  if (t * a <= r) return t;
  const std::int64_t k = first_in_range(m % a, a, (a - r % a) % a, (a - l % a) % a);
  if (k < 0) return -1;
  return static_cast<std::int64_t>((static_cast<Wide>(m) * k + l + a - 1) / a);
}

// Some y in Y with f * y, taken modulo the word, in z.
bool multiple_meets(const Word& w, std::int64_t f, Interval y, Interval z) {
  const std::int64_t m = w.modulus();
  const auto residue = [m](Wide v) {
    const auto r = static_cast<std::int64_t>(v % m);
    return r < 0 ? r + m : r;
  };
  const Wide start = static_cast<Wide>(f) * y.lo;
  const std::int64_t l = residue(z.lo - start), r = residue(z.hi - start);
  if (l > r || z.size() >= m) return true;  // the target contains the first multiple itself
  const std::int64_t t = first_in_range(residue(f), m, l, r);
  return t >= 0 && t <= y.hi - y.lo;
}

Interval corners(Interval x, Interval y) {
  const auto [lo, hi] = std::minmax({x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi});
  return {lo, hi};
}

bool wrapped_product(const Word& w, Interval x, Interval y, Interval z) {
  const Interval all = corners(x, y);
  if (w.all().contains(all)) return exact_product(x, y, z);
  if (x.size() > y.size()) std::swap(x, y);
  const std::int64_t last = std::min(x.hi, x.lo + kProductBudget);
  for (std::int64_t f = x.lo; f <= last; ++f)
    if (multiple_meets(w, f, y, z)) return true;
  return last < x.hi;
}

// --- division
// ------------------------------------------------------------------------------------------------

// floor(x / y) in Z for some x in X, y in Y; X and Z not negative, Y positive. For one y the quotients are
// the whole range floor(X.lo / y) .. floor(X.hi / y).
bool quotient_of_positives(Interval x, Interval y, Interval z) {
  z = intersect(z, {0, z.hi});
  if (x.empty() || y.empty() || z.empty()) return false;
  const std::int64_t from = std::max(y.lo, x.lo / (z.hi + 1) + 1);
  const std::int64_t to = z.lo > 0 ? std::min(y.hi, x.hi / z.lo) : y.hi;
  return from <= to;
}

bool quotient(Interval x, Interval y, Interval z) {
  const Interval xp = intersect(x, {0, x.hi}), xn = mirrored(intersect(x, {x.lo, 0}));
  const Interval yp = intersect(y, {1, y.hi}), yn = mirrored(intersect(y, {y.lo, -1}));
  return quotient_of_positives(xp, yp, z) || quotient_of_positives(xn, yn, z) ||
         quotient_of_positives(xp, yn, mirrored(z)) || quotient_of_positives(xn, yp, mirrored(z));
}

// x mod m in Z for some x in X, m in M; X not negative, M positive. x = q * m + r; either m or q is small.
bool remainder_of_positives(Interval x, Interval m, Interval z) {
  z = intersect(z, {0, z.hi});
  if (x.empty() || m.empty() || z.empty()) return false;
  const Interval both = intersect(x, z);
  if (!both.empty() && both.lo < m.hi) return true;                       // q = 0
  if (std::max(m.lo, z.lo + 1) <= std::min(m.hi, x.size())) return true;  // all remainders
  for (std::int64_t d = std::max(m.lo, z.lo + 1); d <= std::min(m.hi, kRoot); ++d) {
    const std::int64_t lo = x.lo % d, hi = x.hi % d;  // x.size() < d here
    if (lo <= hi ? z.meets({lo, hi}) : z.lo <= hi || z.hi >= lo) return true;
  }
  for (std::int64_t q = 1; q <= kRoot && q * m.lo <= x.hi; ++q) {
    const std::int64_t from = std::max({m.lo, z.lo + 1, ceil_div(x.lo - z.hi, q), ceil_div(x.lo + 1, q + 1)});
    if (from <= std::min(m.hi, floor_div(x.hi - z.lo, q))) return true;
  }
  return false;
}

bool remainder(Interval x, Interval y, Interval z) {
  const Interval xp = intersect(x, {0, x.hi}), xn = mirrored(intersect(x, {x.lo, 0}));
  const Interval yp = intersect(y, {1, y.hi}), yn = mirrored(intersect(y, {y.lo, -1}));
  for (const Interval& m : {yp, yn})
    if (remainder_of_positives(xp, m, z) || remainder_of_positives(xn, m, mirrored(z))) return true;
  return false;
}

// --- shifts
// --------------------------------------------------------------------------------------------------

template <class F>
bool any_shift(const Word& w, Interval y, F&& f) {
  const std::int64_t mask = w.shift_mask();
  const std::int64_t count = std::min(y.size(), mask + 1);
  for (std::int64_t i = 0; i < count; ++i)
    if (f((y.lo + i) & mask)) return true;
  return false;
}

bool shifted_left(const Word& w, Arithmetic a, Interval x, std::int64_t s, Interval z) {
  const std::int64_t unit = std::int64_t{1} << s;
  const Interval wanted{ceil_div(z.lo, unit), floor_div(z.hi, unit)};
  if (a == Arithmetic::Exact) return x.meets(wanted);
  if (s >= static_cast<std::int64_t>(w.bits)) return z.contains(0);
  return wrapped_meets(Word{w.bits - static_cast<unsigned>(s)}, x, wanted);
}

bool shifted_right(Interval x, std::int64_t s, Interval z) {
  return z.meets({x.lo >> s, x.hi >> s});
}

bool shifted_unsigned(const Word& w, Interval x, std::int64_t s, Interval z) {
  if (s == 0) return x.meets(z);
  const Interval p = intersect(x, {0, x.hi}), n = intersect(x, {x.lo, -1});
  return (!p.empty() && shifted_right(p, s, z)) ||
         (!n.empty() && shifted_right({n.lo + w.modulus(), n.hi + w.modulus()}, s, z));
}

// --- bitwise
// -------------------------------------------------------------------------------------------------

int bit_result(Op op, int x, int y) {
  return op == Op::BitAnd ? (x & y) : op == Op::BitOr ? (x | y) : (x ^ y);
}

// x op y = z for unsigned ranges, from the highest bit down; a state says which of the six bounds the digits
// so far are equal to.
bool bitwise_unsigned(Op op, unsigned bits, const std::array<Interval, 3>& range) {
  std::uint64_t states = std::uint64_t{1} << 63;  // all six bounds still tight
  for (unsigned i = bits; i-- > 0 && states != 0;) {
    std::uint64_t next = 0;
    for (unsigned s = 0; s < 64; ++s) {
      if ((states >> s & 1) == 0) continue;
      for (int digits = 0; digits < 4; ++digits) {
        const int x = digits & 1, y = digits >> 1;
        const std::array<int, 3> d{x, y, bit_result(op, x, y)};
        unsigned t = 0;
        bool fits = true;
        for (unsigned k = 0; k < 3 && fits; ++k) {
          const int lo = static_cast<int>(range[k].lo >> i & 1), hi = static_cast<int>(range[k].hi >> i & 1);
          const bool at_lo = (s >> (2 * k) & 1) != 0, at_hi = (s >> (2 * k + 1) & 1) != 0;
          fits = !(at_lo && d[k] < lo) && !(at_hi && d[k] > hi);
          if (at_lo && d[k] == lo) t |= 1u << (2 * k);
          if (at_hi && d[k] == hi) t |= 1u << (2 * k + 1);
        }
        if (fits) next |= std::uint64_t{1} << t;
      }
    }
    states = next;
  }
  return states != 0;
}

bool bitwise(Op op, const Word& w, Interval x, Interval y, Interval z) {
  const auto part = [&w](const Interval& r, bool negative) {
    const Interval p = negative ? intersect(r, {r.lo, -1}) : intersect(r, {0, r.hi});
    return negative ? Interval{p.lo + w.modulus(), p.hi + w.modulus()} : p;
  };
  for (int k = 0; k < 8; ++k) {
    const std::array<Interval, 3> r{part(x, k & 1), part(y, k & 2), part(z, k & 4)};
    if (r[0].empty() || r[1].empty() || r[2].empty()) continue;
    if (bitwise_unsigned(op, w.bits, r)) return true;
  }
  return false;
}

// --- comparisons
// ---------------------------------------------------------------------------------------------

bool compares(Op op, Interval x, Interval y) {
  switch (expr::comparison(op)) {
    case Comparison::Eq:
      return x.meets(y);
    case Comparison::Ne:
      return !(x.single() && y.single() && x.lo == y.lo);
    case Comparison::Lt:
      return x.lo < y.hi;
    case Comparison::Le:
      return x.lo <= y.hi;
    case Comparison::Gt:
      return x.hi > y.lo;
    case Comparison::Ge:
      return x.hi >= y.lo;
  }
  internal_error("comparison", __FILE__, __LINE__);
}

// The image of a contiguous operator.
Interval image(Op op, Interval x, Interval y) {
  return op == Op::Add ? Interval{x.lo + y.lo, x.hi + y.hi} : Interval{x.lo - y.hi, x.hi - y.lo};
}

}  // namespace

bool may_be(Op op, const Word& w, Arithmetic a, Interval x, Interval y, Interval z) {
  switch (expr::binary_op(op)) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return reaches(w, a, image(op, x, y), z);
    case BinaryOp::Mul:
      return a == Arithmetic::Wrapped ? wrapped_product(w, x, y, intersect(z, w.all()))
                                      : exact_product(x, y, intersect(z, w.all()));
    case BinaryOp::Div:
      z = intersect(z, w.all());
      if (a == Arithmetic::Wrapped && x.contains(w.min()) && y.contains(-1) && z.contains(w.min()))
        return true;
      return quotient(x, y, z);
    case BinaryOp::Rem:
      return remainder(x, y, intersect(z, w.all()));
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      return bitwise(op, w, x, y, intersect(z, w.all()));
    case BinaryOp::Shl:
      z = intersect(z, w.all());
      return any_shift(w, y, [&](std::int64_t s) { return shifted_left(w, a, x, s, z); });
    case BinaryOp::Shr:
      return any_shift(w, y, [&](std::int64_t s) { return shifted_right(x, s, z); });
    case BinaryOp::Ushr:
      return any_shift(w, y, [&](std::int64_t s) { return shifted_unsigned(w, x, s, z); });
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
      return (z.contains(1) && compares(op, x, y)) ||
             (z.contains(0) && compares(expr::info(op).negation, x, y));
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

bool may_be(Op op, const Word& w, Arithmetic a, Interval x, std::uint32_t bits, Interval z) {
  switch (expr::unary_op(op)) {
    case UnaryOp::Not:
      return (z.contains(1) && x.contains(0)) || (z.contains(0) && !(x.single() && x.lo == 0));
    case UnaryOp::Neg:
      return reaches(w, a, mirrored(x), z);
    case UnaryOp::BitNot:
      return z.meets({-x.hi - 1, -x.lo - 1});
    case UnaryOp::TruncS:
      return bits >= w.bits ? x.meets(z) : wrapped_meets(Word{bits}, x, z);
    case UnaryOp::TruncU: {
      if (bits >= w.bits) return x.meets(z);
      const std::int64_t m = std::int64_t{1} << bits;
      z = intersect(z, {0, m - 1});
      if (z.empty()) return false;
      if (x.size() >= m) return true;
      const std::int64_t lo = ((x.lo % m) + m) % m;
      const Interval moved{lo, lo + x.hi - x.lo};
      return moved.meets(z) || moved.meets({z.lo + m, z.hi + m});
    }
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

bool may_overflow(Op op, const Word& w, Interval x, Interval y) {
  switch (expr::binary_op(op)) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return !w.all().contains(image(op, x, y));
    case BinaryOp::Mul:
      return !w.all().contains(corners(x, y));
    case BinaryOp::Div:
      return x.contains(w.min()) && y.contains(-1);
    case BinaryOp::Shl:
      return any_shift(w, y, [&](std::int64_t s) {
        const std::int64_t unit = std::int64_t{1} << s;
        return x.lo < ceil_div(w.min(), unit) || x.hi > w.max() / unit;
      });
    case BinaryOp::Rem:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::Shr:
    case BinaryOp::Ushr:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
      return false;
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

bool may_overflow(Op op, const Word& w, Interval x) {
  switch (expr::unary_op(op)) {
    case UnaryOp::Neg:
      return x.contains(w.min());
    case UnaryOp::Not:
    case UnaryOp::BitNot:
    case UnaryOp::TruncU:
    case UnaryOp::TruncS:
      return false;
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

bool may_divide_by_zero(Op op, Interval y) {
  return expr::info(op).may_fail && y.contains(0);
}

}  // namespace parley::domain
