// The most precise abstract operators on intervals, as decision procedures: may `x op y` fall into z for some
// x in X and y in Y? Asking this for every cell of a partition gives exactly the cells an abstract operator
// of ojala2008 (sections 3.1.1 and 5.3) returns. Each answer comes from a closed form, a Euclid-like search
// or a digit-by-digit automaton; nothing is enumerated value by value except the smaller factor of a product
// that wraps, and that only up to a budget, after which the answer is `true` (sound, no longer most precise).
//
// Used by interval_domain.hpp. It does not know partitions, systems or choices.
#pragma once

#include "domain/interval.hpp"
#include "expr/operators.hpp"

namespace parley::domain {

// Wrapped: the result is taken modulo the word, as in Java. Exact: only pairs whose mathematical result fits
// the word count; the others are asked for by may_overflow.
enum class Arithmetic : std::uint8_t { Wrapped, Exact };

// Binary operators of expr::is_binary; comparisons yield 0 or 1. Pairs with division by zero yield nothing.
bool may_be(expr::Op op, const Word& w, Arithmetic a, Interval x, Interval y, Interval z);
// Unary operators; `bits` is the width of TruncU and TruncS.
bool may_be(expr::Op op, const Word& w, Arithmetic a, Interval x, std::uint32_t bits, Interval z);

bool may_overflow(expr::Op op, const Word& w, Interval x, Interval y);
bool may_overflow(expr::Op op, const Word& w, Interval x);
bool may_divide_by_zero(expr::Op op, Interval y);

// An interval that contains every result (wrapped); the smallest one for everything but products, shifts and
// bitwise operators that cross the word's border.
Interval result_hull(expr::Op op, const Word& w, Interval x, Interval y);
Interval result_hull(expr::Op op, const Word& w, Interval x, std::uint32_t bits);

}  // namespace parley::domain
