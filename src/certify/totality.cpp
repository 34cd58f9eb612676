#include "certify/totality.hpp"

#include <algorithm>

#include "certify/worlds.hpp"
#include "support/check.hpp"

namespace parley::certify {

using expr::Op;

bool total(Op op, system::IntegerMode integers) {
  const bool wraps = integers == system::IntegerMode::Wrap;
  switch (op) {
    case Op::Const:
    case Op::Cell:
    case Op::Local:
    case Op::Param:
    case Op::QueueLen:
    case Op::QueueCap:
    case Op::QueueHas:
    case Op::HeadIs:
    case Op::Idle:
      return true;
    case Op::Elem:
      return false;  // null, or beyond the array
    case Op::Not:
    case Op::BitNot:
    case Op::TruncU:
    case Op::TruncS:
      return true;
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Shl:
      return wraps;
    case Op::Div:
    case Op::Rem:
      return false;
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shr:
    case Op::Ushr:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::AndAlso:
    case Op::OrElse:
    case Op::Cond:
      return true;
  }
  internal_error("operator", __FILE__, __LINE__);
}

bool total(const system::System& s, system::ExprId e) {
  const expr::Node& n = s.exprs[e];
  const bool division = n.op == Op::Rem || (n.op == Op::Div && s.integers == system::IntegerMode::Wrap);
  const bool by_number =
      division && s.exprs[n.operands[1]].op == Op::Const && s.exprs[n.operands[1]].value != 0;
  if (!total(n.op, s.integers) && !by_number) return false;
  if (n.op == Op::HeadIs)
    for (const system::Deferral& d : s.queue(system::QueueId(n.a)).deferrals)
      if (!total(s, d.condition)) return false;
  const auto operands = s.exprs.operands(e);
  return std::all_of(operands.begin(), operands.end(), [&](system::ExprId o) { return total(s, o); });
}

namespace {

using system::StmtKind;

// All values that an expression can have, as far as its outermost operator tells.
Interval values_of(const system::System& s, system::ExprId e) {
  const expr::Node& n = s.exprs[e];
  const Interval anything{expr::kIntMin, expr::kIntMax}, truth{0, 1};
  switch (n.op) {
    case Op::Const:
      return {n.value, n.value};
    case Op::Cell:
      return interval_of(s.cell(system::CellId(n.a)).type);
    case Op::Param:
    case Op::Elem:
      return interval_of(n.type);
    case Op::QueueHas:
    case Op::HeadIs:
    case Op::Idle:
    case Op::Not:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::AndAlso:
    case Op::OrElse:
      return truth;
    case Op::TruncU:
      return n.a < 31 ? Interval{0, (std::int64_t{1} << n.a) - 1} : anything;
    case Op::TruncS:
      return n.a >= 1 && n.a < 32
                 ? Interval{-(std::int64_t{1} << (n.a - 1)), (std::int64_t{1} << (n.a - 1)) - 1}
                 : anything;
    case Op::Cond:
      return hull(values_of(s, n.operands[1]), values_of(s, n.operands[2]));
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
      return n.type.kind == expr::TypeKind::Bool ? truth : anything;
    case Op::Local:
    case Op::QueueLen:
    case Op::QueueCap:
    case Op::Neg:
    case Op::BitNot:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Rem:
    case Op::Shl:
    case Op::Shr:
    case Op::Ushr:
      return anything;
  }
  internal_error("operator", __FILE__, __LINE__);
}

bool all_total(const system::System& s, const std::vector<system::ExprId>& list) {
  return std::all_of(list.begin(), list.end(), [&](system::ExprId e) { return total(s, e); });
}

// Whether the value can be stored whatever it is. References are compared with references: between null and
// the first of them their type has a gap.
bool storable(const system::System& s, system::ExprId e, const system::Type& to) {
  const expr::Node& n = s.exprs[e];
  if (n.op == Op::Cond) return storable(s, n.operands[1], to) && storable(s, n.operands[2], to);
  const Interval room{to.lo, to.hi}, values = values_of(s, e);
  if (values.single()) return to.contains(static_cast<std::int32_t>(values.lo));
  if (n.op != Op::Cell && n.op != Op::Param && n.op != Op::Elem) return room.contains(values);
  const system::Type& from = n.op == Op::Cell ? s.cell(system::CellId(n.a)).type : n.type;
  return room.contains(Interval{from.lo, from.hi}) && (!from.contains(0) || to.contains(0));
}

bool send_is_total(const system::System& s, const system::Stmt& st) {
  if (!total(s, st.target) || !all_total(s, st.args)) return false;
  const Interval targets = values_of(s, st.target);
  if (targets.lo < 0 || targets.hi >= static_cast<std::int64_t>(st.routes.size())) return false;
  for (std::int64_t t = targets.lo; t <= targets.hi; ++t) {
    const system::Route& r = st.routes[static_cast<std::size_t>(t)];
    if (!r.queue.valid()) return false;
    const auto& types = s.signal(r.signal).params;
    for (std::size_t i = 0; i < st.args.size() && i < types.size(); ++i)
      if (!storable(s, st.args[i], types[i])) return false;
  }
  return true;
}

}  // namespace

bool total(const system::System& s, system::StmtId id) {
  const system::Stmt& st = s.stmt(id);
  const auto parts = [&] {
    return std::all_of(st.children.begin(), st.children.end(), [&](system::StmtId c) { return total(s, c); });
  };
  switch (st.kind) {
    case StmtKind::Block:
      return parts();
    case StmtKind::Assign:
      return st.place.cell.valid() && total(s, st.value) && storable(s, st.value, s.cell(st.place.cell).type);
    case StmtKind::SetLocal:
      return total(s, st.value);
    case StmtKind::Choose:
      return total(s, st.lo) && total(s, st.hi) && values_of(s, st.lo).hi <= values_of(s, st.hi).lo;
    case StmtKind::Send:
      return send_is_total(s, st);
    case StmtKind::Assert:
      return values_of(s, st.value) == Interval{1, 1};
    case StmtKind::If:
      return total(s, st.value) && parts();
    case StmtKind::Branch:
      return st.has_else && all_total(s, st.conditions) && parts();
    case StmtKind::While:
    case StmtKind::Fail:
      return false;
    case StmtKind::Note:
      return true;
    case StmtKind::Print:
      return all_total(s, st.args);
  }
  internal_error("statement", __FILE__, __LINE__);
}

}  // namespace parley::certify
