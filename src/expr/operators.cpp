#include "expr/operators.hpp"

#include "support/check.hpp"

namespace parley::expr {
namespace {

std::int32_t wrap(std::int64_t v) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(v));
}
Computed exact(std::int64_t v) {
  return {wrap(v), v != wrap(v), EvalError::None};
}
Computed plain(std::int32_t v) {
  return {v, false, EvalError::None};
}

}  // namespace

const char* describe(EvalError error) {
  switch (error) {
    case EvalError::None:
      return "no error";
    case EvalError::DivisionByZero:
      return "division by zero";
    case EvalError::NullDereference:
      return "null dereference";
    case EvalError::IndexOutOfRange:
      return "array index out of range";
    case EvalError::Overflow:
      return "integer overflow";
  }
  return "?";
}

Computed compute(Op op, std::int32_t x, std::uint32_t bits) {
  switch (unary_op(op)) {
    case UnaryOp::Not:
      return plain(x == 0 ? 1 : 0);
    case UnaryOp::Neg:
      return exact(-static_cast<std::int64_t>(x));
    case UnaryOp::BitNot:
      return plain(~x);
    case UnaryOp::TruncU: {
      if (bits >= 32) return plain(x);
      return plain(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) & ((1u << bits) - 1)));
    }
    case UnaryOp::TruncS: {
      if (bits >= 32) return plain(x);
      const auto up = static_cast<std::uint32_t>(x) << (32 - bits);
      return plain(static_cast<std::int32_t>(up) >> (32 - bits));
    }
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

Computed compute(Op op, std::int32_t x, std::int32_t y) {
  const std::int64_t a = x, b = y;
  const auto shift = static_cast<std::uint32_t>(y) & 31u;
  switch (binary_op(op)) {
    case BinaryOp::Add:
      return exact(a + b);
    case BinaryOp::Sub:
      return exact(a - b);
    case BinaryOp::Mul:
      return exact(a * b);
    case BinaryOp::Div:
      return y == 0 ? Computed{0, false, EvalError::DivisionByZero} : exact(a / b);
    case BinaryOp::Rem:
      return y == 0 ? Computed{0, false, EvalError::DivisionByZero} : plain(wrap(a % b));
    case BinaryOp::BitAnd:
      return plain(x & y);
    case BinaryOp::BitOr:
      return plain(x | y);
    case BinaryOp::BitXor:
      return plain(x ^ y);
    case BinaryOp::Shl:
      return exact(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << shift));
    case BinaryOp::Shr:
      return plain(x >> shift);
    case BinaryOp::Ushr:
      return plain(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) >> shift));
    case BinaryOp::Eq:
      return plain(x == y);
    case BinaryOp::Ne:
      return plain(x != y);
    case BinaryOp::Lt:
      return plain(x < y);
    case BinaryOp::Le:
      return plain(x <= y);
    case BinaryOp::Gt:
      return plain(x > y);
    case BinaryOp::Ge:
      return plain(x >= y);
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

}  // namespace parley::expr
