// The one place that knows what an operator computes on concrete values: Java's 32-bit arithmetic.
// Bit-blasted and generated code is tested against these functions, operator by operator.
#pragma once

#include <cstdint>

#include "expr/expr.hpp"

namespace parley::expr {

enum class EvalError : std::uint8_t { None, DivisionByZero, NullDereference, IndexOutOfRange, Overflow };
const char* describe(EvalError error);

struct Computed {
  std::int32_t value = 0;
  bool overflowed = false;  // the mathematical result differs from the wrapped one
  EvalError error = EvalError::None;
};

Computed compute(Op op, std::int32_t x, std::uint32_t bits = 0);  // unary
Computed compute(Op op, std::int32_t x, std::int32_t y);          // strict binary

}  // namespace parley::expr
