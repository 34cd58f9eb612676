// Typed, shared, domain-blind expressions. A Pool owns hash-consed nodes: equal expressions have equal ids,
// and constants are folded while building. Leaves name cells, queues, locals and message parameters of a
// System by id; what a value is belongs to a domain (domain/), what an operator means to expr/operators.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "expr/op_views.hpp"
#include "support/ids.hpp"

namespace parley::expr {

using ExprId = Id<struct ExprTag>;
using CellId = Id<struct CellTag>;
using QueueId = Id<struct QueueTag>;
using SignalId = Id<struct SignalTag>;
using TableId = Id<struct TableTag>;

inline constexpr std::int32_t kIntMin = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kIntMax = std::numeric_limits<std::int32_t>::max();

// A finite domain of 32-bit values. Bool is {0, 1}; Enum and Location count from 0; Ref is 0 (null) or the
// object's number plus one; Chan is 0 (none) or the queue's number plus one.
enum class TypeKind : std::uint8_t { Bool, Int, Enum, Ref, Location, Chan };

struct Type {
  TypeKind kind = TypeKind::Int;
  std::int32_t lo = kIntMin;
  std::int32_t hi = kIntMax;
  std::uint32_t names = Id<void>::kNone;  // index of the name table that prints the values, if any

  static Type boolean() { return {TypeKind::Bool, 0, 1, Id<void>::kNone}; }
  static Type integer() { return {}; }
  static Type range(std::int32_t lo, std::int32_t hi) { return {TypeKind::Int, lo, hi, Id<void>::kNone}; }
  // Ref and Chan types always contain 0; their other values are lo..hi.
  bool contains(std::int32_t v) const {
    return (v >= lo && v <= hi) || (v == 0 && (kind == TypeKind::Ref || kind == TypeKind::Chan));
  }
  // Number of values, as 64 bits since a full int has 2^32.
  std::uint64_t size() const;
  friend bool operator==(const Type&, const Type&) = default;
};

struct Node {
  Op op = Op::Const;
  Type type;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int32_t value = 0;  // Const
  ExprId operands[3];
};

// Cells found by reference and index: rows are values of a reference (row 0 is null), columns the elements of
// an array. A missing cell (invalid id) in row 0 is a null dereference, elsewhere an index error.
struct Table {
  std::vector<CellId> cells;  // row-major
  std::uint32_t columns = 1;
  bool by_reference = false;  // rows are reference values
  std::string name;           // for messages, e.g. "left.state"
  std::uint32_t rows() const { return static_cast<std::uint32_t>(cells.size() / columns); }
};

class Pool {
 public:
  const Node& operator[](ExprId id) const { return nodes_[id.index()]; }
  std::size_t size() const { return nodes_.size(); }
  const Table& table(TableId id) const { return tables_[id.index()]; }
  std::size_t table_count() const { return tables_.size(); }
  TableId add_table(Table table);

  ExprId constant(std::int32_t value, Type type = Type::integer());
  ExprId boolean(bool value) { return constant(value ? 1 : 0, Type::boolean()); }
  ExprId cell(CellId cell, Type type);
  ExprId local(std::uint32_t index, Type type);
  ExprId param(std::uint32_t index, Type type);
  ExprId elem(TableId table, ExprId row, ExprId column, Type type);
  ExprId queue_len(QueueId queue);
  ExprId queue_cap(QueueId queue);
  ExprId queue_has(QueueId queue, SignalId signal, ExprId predicate);
  ExprId head_is(QueueId queue, SignalId signal, ExprId predicate);
  ExprId idle();
  ExprId unary(Op op, ExprId x, std::uint32_t bits = 0);
  ExprId binary(Op op, ExprId x, ExprId y);
  ExprId cond(ExprId c, ExprId x, ExprId y);

  ExprId negate(ExprId x) { return unary(Op::Not, x); }
  ExprId both(ExprId x, ExprId y) { return binary(Op::AndAlso, x, y); }
  ExprId either(ExprId x, ExprId y) { return binary(Op::OrElse, x, y); }
  ExprId equals(ExprId x, std::int32_t value) { return binary(Op::Eq, x, constant(value, (*this)[x].type)); }
  ExprId all(std::span<const ExprId> xs);
  ExprId any(std::span<const ExprId> xs);
  bool is_const(ExprId x, std::int32_t value) const;

  // The operands of a node, 0 to 3 of them.
  std::span<const ExprId> operands(ExprId id) const;
  // Rebuilds an expression with leaves replaced: `leaf` gets Cell/Local/Param/… nodes and returns the
  // replacement, or an invalid id to keep the node. Predicates inside queue tests are rewritten too.
  template <class F>
  ExprId rewrite(ExprId root, F&& leaf);

 private:
  ExprId intern(const Node& node);
  struct Hash {
    const Pool* pool;
    std::size_t operator()(std::uint32_t id) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> buckets_;
  std::vector<Table> tables_;
};

template <class F>
ExprId Pool::rewrite(ExprId root, F&& leaf) {
  const ExprId replaced = leaf(root);
  if (replaced.valid()) return replaced;
  const Node node = nodes_[root.index()];  // a copy: the pool may grow below
  const auto count = operands(root).size();
  if (count == 0) return root;
  ExprId ops[3];
  bool changed = false;
  for (std::size_t i = 0; i < count; ++i) {
    ops[i] = rewrite(node.operands[i], leaf);
    changed = changed || ops[i] != node.operands[i];
  }
  if (!changed) return root;
  switch (form(node.op)) {
    case Form::Elem:
      return elem(TableId(node.a), ops[0], ops[1], node.type);
    case Form::QueueHas:
      return queue_has(QueueId(node.a), SignalId(node.b), ops[0]);
    case Form::HeadIs:
      return head_is(QueueId(node.a), SignalId(node.b), ops[0]);
    case Form::Unary:
      return unary(node.op, ops[0], node.a);
    case Form::Binary:
    case Form::AndAlso:
    case Form::OrElse:
      return binary(node.op, ops[0], ops[1]);
    case Form::Cond:
      return cond(ops[0], ops[1], ops[2]);
    case Form::Const:
    case Form::Cell:
    case Form::Local:
    case Form::Param:
    case Form::QueueLen:
    case Form::QueueCap:
    case Form::Idle:
      break;
  }
  internal_error("a leaf has no operands", __FILE__, __LINE__);
}

}  // namespace parley::expr
