// The operators of the System's expressions and what is known about each of them, in one table: how many
// operands, how it is written, how tightly it binds, whether it can fail or overflow, what its opposite is.
// Everything that used to be a list of operators by hand is a question to this table. What an operator
// computes is not here (expr/operators.hpp), nor what an engine makes of it: those places switch over the
// enumerations of expr/op_views.hpp, and the compiler names each of them when a row is added.
//
// The certificate checker (certify/) shares nothing with engines and so keeps its own judgement of what may
// fail; a test compares the two operator by operator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley::expr {

enum class Op : std::uint8_t {
  // leaves
  Const,     // value
  Cell,      // a: cell
  Local,     // a: local of the running action
  Param,     // a: parameter of the triggering (or, inside a queue predicate, the examined) message
  Elem,      // table a, row operand 0, column operand 1: a cell found by reference and/or index
  QueueLen,  // a: queue
  QueueCap,  // a: queue; the capacity of this run
  QueueHas,  // queue a, signal b (kNone: any), operand 0: predicate over Param; some message satisfies it
  HeadIs,    // queue a, signal b (kNone: any), operand 0: predicate over Param; the selected message does
  Idle,      // true when nothing else in the whole system can move (Promela's timeout, lazy ticks)
  // unary
  Not,
  Neg,
  BitNot,
  TruncU,  // keep the a low bits, as unsigned
  TruncS,  // keep the a low bits, as signed
  // binary; arithmetic is 32-bit two's complement as in Java, bitwise operators also work on Bool
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Ushr,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  AndAlso,
  OrElse,  // short-circuit
  Cond,    // operand 0 ? operand 1 : operand 2; stays the last one, the table is counted by it
};

enum class OpClass : std::uint8_t {
  Leaf,       // names something; Elem evaluates the row and the column first
  QueueTest,  // its operand is evaluated for messages, not for the state
  Unary,
  Binary,        // strict: both operands are evaluated, whatever the first one is
  ShortCircuit,  // the second operand may be left out
  Conditional    // one of the last two operands is left out
};

// How tightly a written operator binds, loosest first: the order of Java. The first two and Until belong to
// formulas over expressions (model/operators.hpp); they stand here because there is one order.
enum class Precedence : std::uint8_t {
  None,
  Iff,
  Implies,
  Conditional,
  Or,
  And,
  Until,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Postfix
};

struct OpInfo {
  Op op = Op::Const;
  OpClass kind = OpClass::Leaf;
  std::uint8_t arity = 0;
  const char* spelling = "";  // empty: not written as an operator
  Precedence precedence = Precedence::Postfix;
  bool may_fail = false;      // for some operands it is a run-time error, whatever integers do
  bool may_overflow = false;  // for some operands the mathematical result is not the wrapped one
  bool asks_queue = false;    // Node::a names a queue
  bool comparison = false;
  Op negation = Op::Const;  // comparisons: !(x op y) is x negation y
  Op mirrored = Op::Const;  // comparisons: x op y is y mirrored x
};

namespace table {

constexpr OpInfo leaf(Op op, std::uint8_t arity = 0) {
  return {.op = op, .kind = OpClass::Leaf, .arity = arity};
}
constexpr OpInfo queue_leaf(Op op) {
  return {.op = op, .kind = OpClass::Leaf, .asks_queue = true};
}
constexpr OpInfo queue_test(Op op) {
  return {.op = op, .kind = OpClass::QueueTest, .arity = 1, .asks_queue = true};
}
constexpr OpInfo unary(Op op, const char* spelling) {
  return {
      .op = op, .kind = OpClass::Unary, .arity = 1, .spelling = spelling, .precedence = Precedence::Unary};
}
constexpr OpInfo binary(Op op, const char* spelling, Precedence precedence) {
  return {.op = op, .kind = OpClass::Binary, .arity = 2, .spelling = spelling, .precedence = precedence};
}
constexpr OpInfo compares(Op op, const char* spelling, Precedence precedence, Op negation, Op mirrored) {
  OpInfo i = binary(op, spelling, precedence);
  i.comparison = true;
  i.negation = negation;
  i.mirrored = mirrored;
  return i;
}
constexpr OpInfo short_circuit(Op op, const char* spelling, Precedence precedence) {
  OpInfo i = binary(op, spelling, precedence);
  i.kind = OpClass::ShortCircuit;
  return i;
}
constexpr OpInfo overflowing(OpInfo i) {
  i.may_overflow = true;
  return i;
}
constexpr OpInfo failing(OpInfo i) {
  i.may_fail = true;
  return i;
}

}  // namespace table

inline constexpr std::array kOps{
    table::leaf(Op::Const),
    table::leaf(Op::Cell),
    table::leaf(Op::Local),
    table::leaf(Op::Param),
    table::failing(table::leaf(Op::Elem, 2)),
    table::queue_leaf(Op::QueueLen),
    table::queue_leaf(Op::QueueCap),
    table::queue_test(Op::QueueHas),
    table::queue_test(Op::HeadIs),
    table::leaf(Op::Idle),
    table::unary(Op::Not, "!"),
    table::overflowing(table::unary(Op::Neg, "-")),
    table::unary(Op::BitNot, "~"),
    table::unary(Op::TruncU, ""),
    table::unary(Op::TruncS, ""),
    table::overflowing(table::binary(Op::Add, "+", Precedence::Additive)),
    table::overflowing(table::binary(Op::Sub, "-", Precedence::Additive)),
    table::overflowing(table::binary(Op::Mul, "*", Precedence::Multiplicative)),
    table::failing(table::overflowing(table::binary(Op::Div, "/", Precedence::Multiplicative))),
    table::failing(table::binary(Op::Rem, "%", Precedence::Multiplicative)),
    table::binary(Op::BitAnd, "&", Precedence::BitAnd),
    table::binary(Op::BitOr, "|", Precedence::BitOr),
    table::binary(Op::BitXor, "^", Precedence::BitXor),
    table::overflowing(table::binary(Op::Shl, "<<", Precedence::Shift)),
    table::binary(Op::Shr, ">>", Precedence::Shift),
    table::binary(Op::Ushr, ">>>", Precedence::Shift),
    table::compares(Op::Eq, "==", Precedence::Equality, Op::Ne, Op::Eq),
    table::compares(Op::Ne, "!=", Precedence::Equality, Op::Eq, Op::Ne),
    table::compares(Op::Lt, "<", Precedence::Relational, Op::Ge, Op::Gt),
    table::compares(Op::Le, "<=", Precedence::Relational, Op::Gt, Op::Ge),
    table::compares(Op::Gt, ">", Precedence::Relational, Op::Le, Op::Lt),
    table::compares(Op::Ge, ">=", Precedence::Relational, Op::Lt, Op::Le),
    table::short_circuit(Op::AndAlso, "&&", Precedence::And),
    table::short_circuit(Op::OrElse, "||", Precedence::Or),
    OpInfo{.op = Op::Cond,
           .kind = OpClass::Conditional,
           .arity = 3,
           .spelling = "?",
           .precedence = Precedence::Conditional},
};

constexpr std::size_t index(Op op) {
  return static_cast<std::size_t>(op);
}

namespace table {

constexpr bool in_order() {
  for (std::size_t i = 0; i < kOps.size(); ++i)
    if (index(kOps[i].op) != i) return false;
  return true;
}
constexpr bool consistent() {
  for (const OpInfo& i : kOps) {
    const OpInfo &n = kOps[index(i.negation)], &m = kOps[index(i.mirrored)];
    if (i.comparison && (n.negation != i.op || m.mirrored != i.op || !n.comparison || !m.comparison))
      return false;
    const bool two = i.kind == OpClass::Binary || i.kind == OpClass::ShortCircuit;
    if (i.kind == OpClass::QueueTest && !i.asks_queue) return false;
    if (i.kind == OpClass::Unary && i.arity != 1) return false;
    if (two && (i.arity != 2 || *i.spelling == '\0')) return false;
  }
  return true;
}

static_assert(kOps.size() == index(Op::Cond) + 1, "a row for every operator; Cond is the last one");
static_assert(in_order(), "the rows stand in the order of the enumeration");
static_assert(consistent(), "opposites are opposite to each other; operators have a spelling");

}  // namespace table

constexpr const OpInfo& info(Op op) {
  return kOps[index(op)];
}
constexpr bool is_unary(Op op) {
  return info(op).kind == OpClass::Unary;
}
constexpr bool is_binary(Op op) {  // strict
  return info(op).kind == OpClass::Binary;
}
constexpr bool is_short_circuit(Op op) {
  return info(op).kind == OpClass::ShortCircuit;
}
constexpr bool is_comparison(Op op) {
  return info(op).comparison;
}
constexpr const char* spelling(Op op) {
  return info(op).spelling;
}

}  // namespace parley::expr
