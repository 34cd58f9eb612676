#include "domain/interval_arithmetic.hpp"

#include "domain/may.hpp"
#include "expr/operators.hpp"

namespace parley::domain {
namespace {

constexpr Word kWord{32};

Interval of(const expr::Computed& c) {
  return c.error == expr::EvalError::None ? only(c.value) : kNothing;
}

}  // namespace

Interval values_of(const expr::Type& t) {
  const bool with_null = t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan;
  return with_null ? hull({t.lo, t.hi}, only(0)) : Interval{t.lo, t.hi};
}

Interval apply(expr::Op op, const Interval& x, std::uint32_t bits) {
  if (x.empty()) return kNothing;
  if (x.single()) return of(expr::compute(op, static_cast<std::int32_t>(x.lo), bits));
  return result_hull(op, kWord, x, bits);
}

Interval apply(expr::Op op, const Interval& x, const Interval& y) {
  if (x.empty() || y.empty()) return kNothing;
  if (x.single() && y.single())
    return of(expr::compute(op, static_cast<std::int32_t>(x.lo), static_cast<std::int32_t>(y.lo)));
  if (expr::info(op).may_fail && y == only(0)) return kNothing;  // a division
  return result_hull(op, kWord, x, y);
}

}  // namespace parley::domain
