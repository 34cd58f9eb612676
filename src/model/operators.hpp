// The operators of the action language and of checks, as values: those that a System's expressions have too
// (their spelling and precedence are the ones of expr/op.hpp), and those that only the language has, which
// stand for a conditional or for a formula. One table, complete by static_assert in both directions. Used by
// the parsers, the printer, resolve and lowering; what an operator computes is in expr/operators.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/op.hpp"

namespace parley::model {

using expr::Precedence;

enum class Operator : std::uint8_t {
  None,  // an Expr that is no operation; a Stmt that assigns without one
  PARLEY_WRITTEN_UNARY_OPS(PARLEY_NAME) PARLEY_BINARY_OPS(PARLEY_NAME)  //
  AndAlso,
  OrElse,
  Choice,   // a ? b : c
  Implies,  // in checks `a -> b` is a ? b : true
  // Only while a check is parsed; then they are formulas (or `==`).
  Iff,
  Globally,
  Finally,
  Next,
  Until,
  WeakUntil,
  Release
};

struct OperatorInfo {
  Operator op = Operator::None;
  std::uint8_t arity = 0;
  std::string_view spelling;
  Precedence precedence = Precedence::None;
  std::optional<expr::Op> meaning;  // nothing: only the language has it
  bool assigns = false;             // x op= y is a statement
  bool in_checks = false;           // stands in checks only
  std::string_view word = {};       // another way to write it, in checks
};

namespace operator_table {

constexpr OperatorInfo shared(Operator op, expr::Op meaning) {
  const expr::OpInfo& i = expr::info(meaning);
  return {op, i.arity, i.spelling, i.precedence, meaning};
}
constexpr OperatorInfo assigning(Operator op, expr::Op meaning) {
  OperatorInfo i = shared(op, meaning);
  i.assigns = true;
  return i;
}
constexpr OperatorInfo check(Operator op, std::uint8_t arity, std::string_view spelling,
                             Precedence precedence, std::string_view word = {}) {
  return {op, arity, spelling, precedence, std::nullopt, false, true, word};
}

}  // namespace operator_table

inline constexpr std::array kOperators{
    OperatorInfo{},
    operator_table::shared(Operator::Not, expr::Op::Not),
    operator_table::shared(Operator::Neg, expr::Op::Neg),
    operator_table::shared(Operator::BitNot, expr::Op::BitNot),
    operator_table::assigning(Operator::Add, expr::Op::Add),
    operator_table::assigning(Operator::Sub, expr::Op::Sub),
    operator_table::assigning(Operator::Mul, expr::Op::Mul),
    operator_table::assigning(Operator::Div, expr::Op::Div),
    operator_table::assigning(Operator::Rem, expr::Op::Rem),
    operator_table::assigning(Operator::BitAnd, expr::Op::BitAnd),
    operator_table::assigning(Operator::BitOr, expr::Op::BitOr),
    operator_table::assigning(Operator::BitXor, expr::Op::BitXor),
    operator_table::assigning(Operator::Shl, expr::Op::Shl),
    operator_table::assigning(Operator::Shr, expr::Op::Shr),
    operator_table::assigning(Operator::Ushr, expr::Op::Ushr),
    operator_table::shared(Operator::Eq, expr::Op::Eq),
    operator_table::shared(Operator::Ne, expr::Op::Ne),
    operator_table::shared(Operator::Lt, expr::Op::Lt),
    operator_table::shared(Operator::Le, expr::Op::Le),
    operator_table::shared(Operator::Gt, expr::Op::Gt),
    operator_table::shared(Operator::Ge, expr::Op::Ge),
    operator_table::shared(Operator::AndAlso, expr::Op::AndAlso),
    operator_table::shared(Operator::OrElse, expr::Op::OrElse),
    operator_table::shared(Operator::Choice, expr::Op::Cond),
    operator_table::check(Operator::Implies, 2, "->", Precedence::Implies),
    operator_table::check(Operator::Iff, 2, "<->", Precedence::Iff),
    operator_table::check(Operator::Globally, 1, "G", Precedence::Unary, "always"),
    operator_table::check(Operator::Finally, 1, "F", Precedence::Unary, "eventually"),
    operator_table::check(Operator::Next, 1, "X", Precedence::Unary, "next"),
    operator_table::check(Operator::Until, 2, "U", Precedence::Until, "until"),
    operator_table::check(Operator::WeakUntil, 2, "W", Precedence::Until, "unless"),
    operator_table::check(Operator::Release, 2, "R", Precedence::Until, "releases"),
};

namespace operator_table {

constexpr bool in_order() {
  for (std::size_t i = 0; i < kOperators.size(); ++i)
    if (static_cast<std::size_t>(kOperators[i].op) != i) return false;
  return true;
}
// Whatever has a spelling in expr/ can be written, once.
constexpr bool writes_all() {
  for (const expr::OpInfo& i : expr::kOps) {
    int rows = 0;
    for (const OperatorInfo& o : kOperators) rows += o.meaning == i.op ? 1 : 0;
    if (rows != (*i.spelling == '\0' ? 0 : 1)) return false;
  }
  return true;
}

static_assert(kOperators.size() == static_cast<std::size_t>(Operator::Release) + 1,
              "a row for every operator; Release is the last one");
static_assert(in_order(), "the rows stand in the order of the enumeration");
static_assert(writes_all(), "every operator of expr/op.hpp with a spelling has a row here");

}  // namespace operator_table

constexpr const OperatorInfo& info(Operator op) {
  return kOperators[static_cast<std::size_t>(op)];
}
constexpr std::string_view spelling(Operator op) {
  return info(op).spelling;
}
// The next tighter level: what the right operand of a left-associative operator must be.
constexpr Precedence tighter(Precedence p) {
  return static_cast<Precedence>(static_cast<int>(p) + 1);
}

// The operator written so with this many operands; None if there is no such.
constexpr Operator operator_spelled(std::string_view text, std::uint8_t arity) {
  for (const OperatorInfo& i : kOperators)
    if (i.arity == arity && i.spelling == text && arity != 0) return i.op;
  return Operator::None;
}
// The same for operators of checks that are written as a word.
constexpr Operator operator_worded(std::string_view text, std::uint8_t arity) {
  for (const OperatorInfo& i : kOperators)
    if (i.arity == arity && i.word == text && !text.empty()) return i.op;
  return Operator::None;
}
// `+=` gives Add, `=` None; nothing if the text does not assign.
constexpr std::optional<Operator> assignment_spelled(std::string_view text) {
  if (text == "=") return Operator::None;
  if (!text.ends_with('=')) return std::nullopt;
  const Operator op = operator_spelled(text.substr(0, text.size() - 1), 2);
  return info(op).assigns ? std::optional(op) : std::nullopt;
}

// For lexers: what operators and assignments are written with, as far as it has several characters, and the
// other tokens given, longest first. Operators of checks only are among the others or not.
std::vector<std::string> tokens_with(std::vector<std::string> others);

}  // namespace parley::model
