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

// The operators by class. Every enumeration that names all of a class is made from its list, so that none of
// them can lack one, and so that the table below can be counted. Of a node a and b name:
//   Cell, QueueLen, QueueCap (the capacity of this run)   a: the cell, the queue
//   Local, Param   a: which one of the running action; of the triggering (inside a queue predicate: the
//                  examined) message
//   Elem           a: the table; a cell found by row (operand 0) and column (operand 1)
//   QueueHas       a: queue, b: signal (kNone: any); some message satisfies the predicate over Param
//   HeadIs         likewise; the selected message does
//   Idle           nothing else in the whole system can move (Promela's timeout, lazy ticks)
#define PARLEY_LEAVES_AND_QUEUE_TESTS(X) \
  X(Const) X(Cell) X(Local) X(Param) X(Elem) X(QueueLen) X(QueueCap) X(QueueHas) X(HeadIs) X(Idle)

// Those that people write, and truncation to the a low bits as unsigned or signed.
#define PARLEY_WRITTEN_UNARY_OPS(X) X(Not) X(Neg) X(BitNot)
#define PARLEY_UNARY_OPS(X) PARLEY_WRITTEN_UNARY_OPS(X) X(TruncU) X(TruncS)

// Strict; arithmetic is 32-bit two's complement as in Java, bitwise operators also work on Bool.
#define PARLEY_COMPARISONS(X) X(Eq) X(Ne) X(Lt) X(Le) X(Gt) X(Ge)
#define PARLEY_BINARY_OPS(X) \
  X(Add) X(Sub) X(Mul) X(Div) X(Rem) X(BitAnd) X(BitOr) X(BitXor) X(Shl) X(Shr) X(Ushr) PARLEY_COMPARISONS(X)

// Short-circuit, and operand 0 ? operand 1 : operand 2.
#define PARLEY_LAZY_OPS(X) X(AndAlso) X(OrElse) X(Cond)

#define PARLEY_OPS(X) \
  PARLEY_LEAVES_AND_QUEUE_TESTS(X) PARLEY_UNARY_OPS(X) PARLEY_BINARY_OPS(X) PARLEY_LAZY_OPS(X)

#define PARLEY_NAME(op) op,
enum class Op : std::uint8_t { PARLEY_OPS(PARLEY_NAME) };

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

#define PARLEY_ONE(op) +1
static_assert(kOps.size() == 0 PARLEY_OPS(PARLEY_ONE), "a row for every operator");
#undef PARLEY_ONE
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
