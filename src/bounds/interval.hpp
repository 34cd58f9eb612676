// Ranges of 32-bit values and what the operators of expr/ do to them: the values the boundedness test knows
// when it does not know a value. Best ranges for comparisons, sums and differences; safe ones for the rest.
// Used by abstract_run.cpp only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "expr/expr.hpp"

namespace parley::bounds {

struct Interval {
  std::int64_t lo = 0, hi = 0;

  static Interval all() { return {expr::kIntMin, expr::kIntMax}; }
  static Interval boolean() { return {0, 1}; }
  static Interval of(std::int64_t v) { return {v, v}; }
  static Interval of(const expr::Type& t);
  bool empty() const { return lo > hi; }
  bool single() const { return lo == hi; }
  bool contains(std::int64_t v) const { return lo <= v && v <= hi; }
  bool covers(const Interval& o) const { return lo <= o.lo && o.hi <= hi; }
  Interval meet(const Interval& o) const { return {std::max(lo, o.lo), std::min(hi, o.hi)}; }
  Interval join(const Interval& o) const { return {std::min(lo, o.lo), std::max(hi, o.hi)}; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Results of an operator without those that are errors; empty if it always fails. Wraps as Java does: a
// result that may leave 32 bits becomes any value.
Interval apply_unary(expr::Op op, std::uint32_t bits, const Interval& x);
Interval apply_binary(expr::Op op, const Interval& x, const Interval& y);

}  // namespace parley::bounds
