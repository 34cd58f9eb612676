#include "bounds/interval.hpp"

#include <initializer_list>

#include "expr/operators.hpp"

namespace parley::bounds {

using expr::Op;

namespace {

Interval fitted(Interval r) {
  return Interval::all().covers(r) ? r : Interval::all();
}

Interval compare(bool always, bool never) {
  return {always ? 1 : 0, never ? 0 : 1};
}

}  // namespace

Interval Interval::of(const expr::Type& t) {
  Interval r{t.lo, t.hi};
  if (t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan) r = r.join(of(0));
  return r;
}

Interval apply_unary(Op op, std::uint32_t bits, const Interval& x) {
  if (x.single()) {
    const expr::Computed c = expr::compute(op, static_cast<std::int32_t>(x.lo), bits);
    return c.error == expr::EvalError::None ? Interval::of(c.value) : Interval{1, 0};
  }
  switch (op) {
    case Op::Not:
      return {1 - std::min<std::int64_t>(x.hi, 1), 1 - std::max<std::int64_t>(x.lo, 0)};
    case Op::Neg:
      return fitted({-x.hi, -x.lo});
    case Op::BitNot:
      return {-x.hi - 1, -x.lo - 1};
    case Op::TruncU: {
      const Interval range{0, bits >= 32 ? expr::kIntMax : (std::int64_t{1} << bits) - 1};
      return range.covers(x) ? x : (bits >= 32 ? Interval::all() : range);
    }
    case Op::TruncS: {
      if (bits == 0 || bits >= 32) return x;
      const Interval range{-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
      return range.covers(x) ? x : range;
    }
    default:
      return Interval::all();
  }
}

Interval apply_binary(Op op, const Interval& x, const Interval& y) {
  if (x.single() && y.single()) {
    const expr::Computed c =
        expr::compute(op, static_cast<std::int32_t>(x.lo), static_cast<std::int32_t>(y.lo));
    return c.error == expr::EvalError::None ? Interval::of(c.value) : Interval{1, 0};
  }
  const bool booleans = Interval::boolean().covers(x) && Interval::boolean().covers(y);
  switch (op) {
    case Op::Add:
      return fitted({x.lo + y.lo, x.hi + y.hi});
    case Op::Sub:
      return fitted({x.lo - y.hi, x.hi - y.lo});
    case Op::Mul: {
      const auto products = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
      return fitted({std::min(products), std::max(products)});
    }
    case Op::Div:
      if (y.single() && y.lo > 0) return {x.lo / y.lo, x.hi / y.lo};
      return Interval::all();
    case Op::Rem:
      if (y.lo > 0) {
        const std::int64_t most = y.hi - 1;
        return {x.lo >= 0 ? 0 : std::max(-most, x.lo), x.hi <= 0 ? 0 : std::min(most, x.hi)};
      }
      return Interval::all();
    case Op::BitAnd:
      if (booleans) return {std::min(x.lo, y.lo) == 1 ? 1 : 0, std::min(x.hi, y.hi)};
      if (x.lo >= 0 || y.lo >= 0)
        return {0, x.lo >= 0 && y.lo >= 0 ? std::min(x.hi, y.hi) : (x.lo >= 0 ? x.hi : y.hi)};
      return Interval::all();
    case Op::BitOr:
    case Op::BitXor:
      if (booleans)
        return op == Op::BitOr ? Interval{std::max(x.lo, y.lo), std::max(x.hi, y.hi)} : Interval::boolean();
      return Interval::all();
    case Op::Eq:
      return compare(false, x.meet(y).empty());
    case Op::Ne:
      return compare(x.meet(y).empty(), false);
    case Op::Lt:
      return compare(x.hi < y.lo, x.lo >= y.hi);
    case Op::Le:
      return compare(x.hi <= y.lo, x.lo > y.hi);
    case Op::Gt:
      return compare(x.lo > y.hi, x.hi <= y.lo);
    case Op::Ge:
      return compare(x.lo >= y.hi, x.hi < y.lo);
    default:
      return Interval::all();
  }
}

}  // namespace parley::bounds
