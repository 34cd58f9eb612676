// What the strict operators do to ranges of 32-bit values, written for the checker alone: the boundedness
// test computes its ranges with domain/interval_arithmetic.hpp, and a certificate is worth little if the one
// who checks it makes the same mistake. Shared with the engines are only the pair of numbers
// (domain::Interval) and the meaning of an operator on single values (expr/operators.hpp). A test holds it
// against that meaning, and against the engines: it must never be wider, or true claims would be refused.
//
// The approach is one for all: the exact results span a range of 64-bit numbers, taken at the corners; that
// range is brought back to 32 bits if all of it wraps equally often.
#pragma once

#include "domain/interval.hpp"
#include "expr/expr.hpp"

namespace parley::certify {

// All values of the operator for operands in these ranges, which are not empty; errors give no value. Empty
// if there is none.
domain::Interval range_of(expr::Op op, const domain::Interval& x, std::uint32_t bits);
domain::Interval range_of(expr::Op op, const domain::Interval& x, const domain::Interval& y);

}  // namespace parley::certify
