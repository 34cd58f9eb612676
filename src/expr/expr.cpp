#include "expr/expr.hpp"

#include <algorithm>

#include "expr/operators.hpp"
#include "support/check.hpp"

namespace parley::expr {
namespace {

std::size_t mix(std::size_t h, std::size_t v) {
  return (h ^ (v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2))) * 0xff51afd7ed558ccdull;
}

std::size_t hash_node(const Node& n) {
  std::size_t h = static_cast<std::size_t>(n.op);
  h = mix(h, static_cast<std::size_t>(n.type.kind));
  h = mix(h, static_cast<std::uint32_t>(n.type.lo));
  h = mix(h, static_cast<std::uint32_t>(n.type.hi));
  h = mix(h, n.a);
  h = mix(h, n.b);
  h = mix(h, static_cast<std::uint32_t>(n.value));
  for (ExprId id : n.operands) h = mix(h, id.value);
  return h;
}

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.type == y.type && x.a == y.a && x.b == y.b && x.value == y.value &&
         std::equal(std::begin(x.operands), std::end(x.operands), std::begin(y.operands));
}

}  // namespace

std::uint64_t Type::size() const {
  const auto span = static_cast<std::uint64_t>(static_cast<std::int64_t>(hi) - lo) + 1;
  const bool extra_null = (kind == TypeKind::Ref || kind == TypeKind::Chan) && (lo > 0 || hi < 0);
  return span + (extra_null ? 1 : 0);
}

ExprId Pool::intern(const Node& node) {
  auto& bucket = buckets_[hash_node(node)];
  for (std::uint32_t id : bucket)
    if (same(nodes_[id], node)) return ExprId(id);
  nodes_.push_back(node);
  bucket.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
  return ExprId(nodes_.size() - 1);
}

TableId Pool::add_table(Table table) {
  PARLEY_CHECK(table.columns > 0 && table.cells.size() % table.columns == 0);
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (tables_[i].cells == table.cells && tables_[i].columns == table.columns &&
        tables_[i].name == table.name && tables_[i].by_reference == table.by_reference)
      return TableId(i);
  tables_.push_back(std::move(table));
  return TableId(tables_.size() - 1);
}

ExprId Pool::constant(std::int32_t value, Type type) {
  Node n;
  n.op = Op::Const;
  n.type = type;
  n.value = value;
  return intern(n);
}

ExprId Pool::cell(CellId cell, Type type) {
  Node n;
  n.op = Op::Cell;
  n.type = type;
  n.a = cell.value;
  return intern(n);
}

ExprId Pool::local(std::uint32_t index, Type type) {
  Node n;
  n.op = Op::Local;
  n.type = type;
  n.a = index;
  return intern(n);
}

ExprId Pool::param(std::uint32_t index, Type type) {
  Node n;
  n.op = Op::Param;
  n.type = type;
  n.a = index;
  return intern(n);
}

ExprId Pool::elem(TableId table_id, ExprId row, ExprId column, Type type) {
  const Table& t = table(table_id);
  // A known place is an ordinary cell.
  const Node& r = (*this)[row];
  const Node& c = (*this)[column];
  if (r.op == Op::Const && c.op == Op::Const && r.value >= 0 && c.value >= 0 &&
      static_cast<std::uint32_t>(r.value) < t.rows() && static_cast<std::uint32_t>(c.value) < t.columns) {
    const CellId found =
        t.cells[static_cast<std::size_t>(r.value) * t.columns + static_cast<std::size_t>(c.value)];
    if (found.valid()) return cell(found, type);
  }
  Node n;
  n.op = Op::Elem;
  n.type = type;
  n.a = table_id.value;
  n.operands[0] = row;
  n.operands[1] = column;
  return intern(n);
}

ExprId Pool::queue_len(QueueId queue) {
  Node n;
  n.op = Op::QueueLen;
  n.a = queue.value;
  return intern(n);
}

ExprId Pool::queue_cap(QueueId queue) {
  Node n;
  n.op = Op::QueueCap;
  n.a = queue.value;
  return intern(n);
}

ExprId Pool::queue_has(QueueId queue, SignalId signal, ExprId predicate) {
  Node n;
  n.op = Op::QueueHas;
  n.type = Type::boolean();
  n.a = queue.value;
  n.b = signal.value;
  n.operands[0] = predicate;
  return intern(n);
}

ExprId Pool::head_is(QueueId queue, SignalId signal, ExprId predicate) {
  Node n;
  n.op = Op::HeadIs;
  n.type = Type::boolean();
  n.a = queue.value;
  n.b = signal.value;
  n.operands[0] = predicate;
  return intern(n);
}

ExprId Pool::idle() {
  Node n;
  n.op = Op::Idle;
  n.type = Type::boolean();
  return intern(n);
}

ExprId Pool::unary(Op op, ExprId x, std::uint32_t bits) {
  PARLEY_CHECK(is_unary(op));
  const Node nx = (*this)[x];
  Type type = op == Op::Not ? Type::boolean() : Type::integer();
  if (op == Op::TruncU && bits < 31) type = Type::range(0, static_cast<std::int32_t>((1u << bits) - 1));
  if (op == Op::TruncS && bits < 32)
    type = Type::range(-static_cast<std::int32_t>(1u << (bits - 1)),
                       static_cast<std::int32_t>((1u << (bits - 1)) - 1));
  if (nx.op == Op::Const) {
    const Computed c = compute(op, nx.value, bits);
    if (!c.overflowed) return constant(c.value, type);
  }
  if (op == Op::Not && nx.op == Op::Not && (*this)[nx.operands[0]].type.kind == TypeKind::Bool)
    return nx.operands[0];
  Node n;
  n.op = op;
  n.type = type;
  n.a = bits;
  n.operands[0] = x;
  return intern(n);
}

ExprId Pool::binary(Op op, ExprId x, ExprId y) {
  const Node nx = (*this)[x];
  const Node ny = (*this)[y];
  if (op == Op::AndAlso) {
    if (nx.op == Op::Const) return nx.value == 0 ? boolean(false) : y;
    if (is_const(y, 1) && nx.type.kind == TypeKind::Bool) return x;
    if (x == y) return x;
  } else if (op == Op::OrElse) {
    if (nx.op == Op::Const) return nx.value != 0 ? boolean(true) : y;
    if (is_const(y, 0) && nx.type.kind == TypeKind::Bool) return x;
    if (x == y) return x;
  } else {
    PARLEY_CHECK(is_binary(op));
    if (nx.op == Op::Const && ny.op == Op::Const) {
      const Computed c = compute(op, nx.value, ny.value);
      if (c.error == EvalError::None && !c.overflowed) {
        const bool boolean_result =
            is_comparison(op) || (nx.type.kind == TypeKind::Bool && ny.type.kind == TypeKind::Bool);
        return constant(c.value, boolean_result ? Type::boolean() : Type::integer());
      }
    }
  }
  Node n;
  n.op = op;
  const bool on_booleans = nx.type.kind == TypeKind::Bool && ny.type.kind == TypeKind::Bool;
  const bool bitwise = op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
  n.type = is_comparison(op) || is_short_circuit(op) || (bitwise && on_booleans) ? Type::boolean()
                                                                                 : Type::integer();
  n.operands[0] = x;
  n.operands[1] = y;
  return intern(n);
}

ExprId Pool::cond(ExprId c, ExprId x, ExprId y) {
  const Node nc = (*this)[c];
  if (nc.op == Op::Const) return nc.value != 0 ? x : y;
  if (x == y) return x;
  Node n;
  n.op = Op::Cond;
  const Type& tx = (*this)[x].type;
  const Type& ty = (*this)[y].type;
  n.type = tx;
  n.type.lo = std::min(tx.lo, ty.lo);
  n.type.hi = std::max(tx.hi, ty.hi);
  n.operands[0] = c;
  n.operands[1] = x;
  n.operands[2] = y;
  return intern(n);
}

ExprId Pool::all(std::span<const ExprId> xs) {
  ExprId result = boolean(true);
  for (ExprId x : xs) result = both(result, x);
  return result;
}

ExprId Pool::any(std::span<const ExprId> xs) {
  ExprId result = boolean(false);
  for (ExprId x : xs) result = either(result, x);
  return result;
}

bool Pool::is_const(ExprId x, std::int32_t value) const {
  const Node& n = (*this)[x];
  return n.op == Op::Const && n.value == value;
}

std::span<const ExprId> Pool::operands(ExprId id) const {
  const Node& n = (*this)[id];
  std::size_t count = 0;
  while (count < 3 && n.operands[count].valid()) ++count;
  return {n.operands, count};
}

}  // namespace parley::expr
