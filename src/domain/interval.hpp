// Integer intervals and the word they live in. The word's width is a parameter so that every operator can be
// tested exhaustively on 6-bit integers; the tool itself always uses 32 bits. Bounds are 64-bit so that
// arithmetic on them does not overflow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace parley::domain {

struct Interval {
  std::int64_t lo = 0;
  std::int64_t hi = 0;

  bool empty() const { return hi < lo; }
  bool single() const { return lo == hi; }
  bool contains(std::int64_t v) const { return lo <= v && v <= hi; }
  bool contains(const Interval& x) const { return lo <= x.lo && x.hi <= hi; }
  bool meets(const Interval& x) const { return std::max(lo, x.lo) <= std::min(hi, x.hi); }
  std::int64_t size() const { return hi - lo + 1; }
  friend bool operator==(const Interval&, const Interval&) = default;
  friend auto operator<=>(const Interval&, const Interval&) = default;
};

// Just this value.
constexpr Interval only(std::int64_t v) {
  return {v, v};
}
inline Interval intersect(const Interval& x, const Interval& y) {
  return {std::max(x.lo, y.lo), std::min(x.hi, y.hi)};
}
inline Interval hull(const Interval& x, const Interval& y) {
  return {std::min(x.lo, y.lo), std::max(x.hi, y.hi)};
}

// Two's complement integers of `bits` bits. Shift counts are masked as in Java: the low 5 bits for 32.
struct Word {
  unsigned bits = 32;

  std::int64_t modulus() const { return std::int64_t{1} << bits; }
  std::int64_t min() const { return -(std::int64_t{1} << (bits - 1)); }
  std::int64_t max() const { return (std::int64_t{1} << (bits - 1)) - 1; }
  Interval all() const { return {min(), max()}; }
  bool fits(std::int64_t v) const { return min() <= v && v <= max(); }
  std::int64_t wrap(std::int64_t v) const {
    const std::int64_t m = modulus();
    std::int64_t r = v % m;
    if (r < 0) r += m;
    return r > max() ? r - m : r;
  }
  std::int64_t shift_mask() const { return static_cast<std::int64_t>(std::bit_ceil(bits)) - 1; }
};

}  // namespace parley::domain
