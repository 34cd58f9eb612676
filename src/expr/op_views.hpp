// The operators seen by those who give them a meaning. A switch over one of these enumerations names every
// operator of its class and needs no `default`, so that a new operator does not compile (-Wswitch) before
// each of these places has said what it means there:
//   Form        evaluation: every leaf, queue test and lazy operator by itself, the strict ones as two forms
//   UnaryOp, BinaryOp   what a strict operator does to its values
//   Comparison  comparisons only
// The values are those of Op; that no operator is missing is asserted below against the table (expr/op.hpp).
#pragma once

#include <algorithm>

#include "expr/op.hpp"
#include "support/check.hpp"

namespace parley::expr {

namespace views {
constexpr std::uint8_t of(Op op) {
  return static_cast<std::uint8_t>(op);
}
}  // namespace views

enum class Form : std::uint8_t {
  Const = views::of(Op::Const),
  Cell = views::of(Op::Cell),
  Local = views::of(Op::Local),
  Param = views::of(Op::Param),
  Elem = views::of(Op::Elem),
  QueueLen = views::of(Op::QueueLen),
  QueueCap = views::of(Op::QueueCap),
  QueueHas = views::of(Op::QueueHas),
  HeadIs = views::of(Op::HeadIs),
  Idle = views::of(Op::Idle),
  AndAlso = views::of(Op::AndAlso),
  OrElse = views::of(Op::OrElse),
  Cond = views::of(Op::Cond),
  Unary = 0xfe,
  Binary = 0xff
};

enum class UnaryOp : std::uint8_t {
  Not = views::of(Op::Not),
  Neg = views::of(Op::Neg),
  BitNot = views::of(Op::BitNot),
  TruncU = views::of(Op::TruncU),
  TruncS = views::of(Op::TruncS)
};

enum class BinaryOp : std::uint8_t {
  Add = views::of(Op::Add),
  Sub = views::of(Op::Sub),
  Mul = views::of(Op::Mul),
  Div = views::of(Op::Div),
  Rem = views::of(Op::Rem),
  BitAnd = views::of(Op::BitAnd),
  BitOr = views::of(Op::BitOr),
  BitXor = views::of(Op::BitXor),
  Shl = views::of(Op::Shl),
  Shr = views::of(Op::Shr),
  Ushr = views::of(Op::Ushr),
  Eq = views::of(Op::Eq),
  Ne = views::of(Op::Ne),
  Lt = views::of(Op::Lt),
  Le = views::of(Op::Le),
  Gt = views::of(Op::Gt),
  Ge = views::of(Op::Ge)
};

enum class Comparison : std::uint8_t {
  Eq = views::of(Op::Eq),
  Ne = views::of(Op::Ne),
  Lt = views::of(Op::Lt),
  Le = views::of(Op::Le),
  Gt = views::of(Op::Gt),
  Ge = views::of(Op::Ge)
};

constexpr Form form(Op op) {
  if (is_unary(op)) return Form::Unary;
  if (is_binary(op)) return Form::Binary;
  return static_cast<Form>(op);
}
inline UnaryOp unary_op(Op op) {
  PARLEY_CHECK(is_unary(op));
  return static_cast<UnaryOp>(op);
}
inline BinaryOp binary_op(Op op) {
  PARLEY_CHECK(is_binary(op));
  return static_cast<BinaryOp>(op);
}
inline Comparison comparison(Op op) {
  PARLEY_CHECK(is_comparison(op));
  return static_cast<Comparison>(op);
}

// Every operator of the table is named above in its view. The lists below hold enumerators, so that an
// operator can be added to a list only after it was added to the enumeration.
namespace views {

inline constexpr Form kForms[] = {Form::Const,    Form::Cell,     Form::Local,    Form::Param,  Form::Elem,
                                  Form::QueueLen, Form::QueueCap, Form::QueueHas, Form::HeadIs, Form::Idle,
                                  Form::AndAlso,  Form::OrElse,   Form::Cond};
inline constexpr UnaryOp kUnary[] = {UnaryOp::Not, UnaryOp::Neg, UnaryOp::BitNot, UnaryOp::TruncU,
                                     UnaryOp::TruncS};
inline constexpr BinaryOp kBinary[] = {
    BinaryOp::Add,   BinaryOp::Sub,    BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem,  BinaryOp::BitAnd,
    BinaryOp::BitOr, BinaryOp::BitXor, BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Ushr, BinaryOp::Eq,
    BinaryOp::Ne,    BinaryOp::Lt,     BinaryOp::Le,  BinaryOp::Gt,  BinaryOp::Ge};
inline constexpr Comparison kComparisons[] = {Comparison::Eq, Comparison::Ne, Comparison::Lt,
                                              Comparison::Le, Comparison::Gt, Comparison::Ge};

template <class View, std::size_t N>
constexpr bool lists(const View (&list)[N], Op op) {
  return std::find(std::begin(list), std::end(list), static_cast<View>(op)) != std::end(list);
}
constexpr bool complete() {
  for (const OpInfo& i : kOps) {
    const bool unary = i.kind == OpClass::Unary, binary = i.kind == OpClass::Binary;
    if (lists(kUnary, i.op) != unary || lists(kBinary, i.op) != binary) return false;
    if (lists(kForms, i.op) != (!unary && !binary) || lists(kComparisons, i.op) != i.comparison) return false;
  }
  return true;
}
static_assert(complete(), "every operator is in the view of its class, and only there");

}  // namespace views

}  // namespace parley::expr
