// Interval arithmetic on 32-bit values: for each operator one interval that contains all its results. The
// only one of the engines: explore/ranges.cpp packs states with it, bounds/ runs actions on ranges with it,
// and the abstract domain (interval_domain.hpp) takes its hulls from the same place, may_hull.cpp.
//
// The certificate checker does not use it. What the boundedness test claims about ranges is checked with
// arithmetic written a second time (certify/range_arithmetic.hpp), so that a mistake here is found there.
#pragma once

#include "domain/interval.hpp"
#include "expr/expr.hpp"

namespace parley::domain {

inline constexpr Interval kNothing{1, 0};
inline constexpr Interval kBoth{0, 1};  // either truth value
inline constexpr Interval kWord32{expr::kIntMin, expr::kIntMax};

// Quotients rounded down and up; b is not 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return -floor_div(-a, b);
}
constexpr Interval mirrored(const Interval& x) {  // all -v
  return {-x.hi, -x.lo};
}

// The values of a type; references and channels with 0.
Interval values_of(const expr::Type& type);

// Results of a strict operator without those that are errors, wrapped as in Java; empty if an operand is, or
// if it always fails.
Interval apply(expr::Op op, const Interval& x, std::uint32_t bits);
Interval apply(expr::Op op, const Interval& x, const Interval& y);

}  // namespace parley::domain
