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

#define PARLEY_VIEW(op) op = views::of(Op::op),
enum class Form : std::uint8_t {
  PARLEY_LEAVES_AND_QUEUE_TESTS(PARLEY_VIEW) PARLEY_LAZY_OPS(PARLEY_VIEW)  //
  Unary = 0xfe,
  Binary = 0xff
};
enum class UnaryOp : std::uint8_t { PARLEY_UNARY_OPS(PARLEY_VIEW) };
enum class BinaryOp : std::uint8_t { PARLEY_BINARY_OPS(PARLEY_VIEW) };
enum class Comparison : std::uint8_t { PARLEY_COMPARISONS(PARLEY_VIEW) };
#undef PARLEY_VIEW

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

// Every operator of the table is in the list of its class.
namespace views {

#define PARLEY_FORM(op) Form::op,
#define PARLEY_UNARY(op) UnaryOp::op,
#define PARLEY_BINARY(op) BinaryOp::op,
#define PARLEY_COMPARISON(op) Comparison::op,
inline constexpr Form kForms[] = {PARLEY_LEAVES_AND_QUEUE_TESTS(PARLEY_FORM) PARLEY_LAZY_OPS(PARLEY_FORM)};
inline constexpr UnaryOp kUnary[] = {PARLEY_UNARY_OPS(PARLEY_UNARY)};
inline constexpr BinaryOp kBinary[] = {PARLEY_BINARY_OPS(PARLEY_BINARY)};
inline constexpr Comparison kComparisons[] = {PARLEY_COMPARISONS(PARLEY_COMPARISON)};
#undef PARLEY_FORM
#undef PARLEY_UNARY
#undef PARLEY_BINARY
#undef PARLEY_COMPARISON

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
