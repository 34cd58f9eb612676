#include "system/may_fail.hpp"

#include <algorithm>

namespace parley::system {

bool may_fail(expr::Op op, IntegerMode integers) {
  const expr::OpInfo& i = expr::info(op);
  return i.may_fail || (i.may_overflow && integers != IntegerMode::Wrap);
}

namespace {

// A strict operator that fails for a divisor of zero, and this one is another number.
bool divides_by_number(const System& s, const expr::Node& n) {
  if (!expr::info(n.op).may_fail || !expr::is_binary(n.op)) return false;
  const expr::Node& y = s.exprs[n.operands[1]];
  return y.op == expr::Op::Const && y.value != 0;
}

}  // namespace

bool outermost_may_fail(const System& s, ExprId e) {
  const expr::Node& n = s.exprs[e];
  const bool overflows = expr::info(n.op).may_overflow && s.integers != IntegerMode::Wrap;
  return may_fail(n.op, s.integers) && (overflows || !divides_by_number(s, n));
}

bool may_fail(const System& s, ExprId e) {
  if (!e.valid()) return false;
  const expr::Node& n = s.exprs[e];
  if (outermost_may_fail(s, e)) return true;
  if (n.op == expr::Op::HeadIs)
    for (const Deferral& d : s.queue(QueueId(n.a)).deferrals)
      if (may_fail(s, d.condition)) return true;
  const auto operands = s.exprs.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return may_fail(s, o); });
}

namespace {

bool within(std::int64_t lo, std::int64_t hi, const Type& to) {
  return to.lo <= lo && hi <= to.hi;
}

// Whether the second type has every value of the first. Null is a value of every reference.
bool includes(const Type& to, const Type& from) {
  return within(from.lo, from.hi, to) && (!from.contains(0) || to.contains(0));
}

// Whether the type has every value that the expression can have.
bool fits(const System& s, ExprId e, const Type& to) {
  using expr::Op;
  const expr::Node& n = s.exprs[e];
  if (n.op == Op::Const) return to.contains(n.value);
  if (n.op == Op::Cell) return includes(to, s.cell(CellId(n.a)).type);
  if (n.op == Op::Param || n.op == Op::Elem) return includes(to, n.type);
  if (n.op == Op::TruncU && n.a < 31) return within(0, (std::int64_t{1} << n.a) - 1, to);
  if (n.op == Op::TruncS && n.a >= 1 && n.a < 32)
    return within(-(std::int64_t{1} << (n.a - 1)), (std::int64_t{1} << (n.a - 1)) - 1, to);
  if (n.op == Op::Cond) return fits(s, n.operands[1], to) && fits(s, n.operands[2], to);
  // A local has whatever was put there.
  const bool truth = n.type.kind == expr::TypeKind::Bool && n.op != Op::Local;
  return truth ? within(0, 1, to) : within(expr::kIntMin, expr::kIntMax, to);
}

bool any_may_fail(const System& s, const std::vector<ExprId>& list) {
  return std::any_of(list.begin(), list.end(), [&](ExprId e) { return may_fail(s, e); });
}

bool send_may_fail(const System& s, const Stmt& st) {
  if (may_fail(s, st.target) || any_may_fail(s, st.args)) return true;
  const expr::Node& target = s.exprs[st.target];
  std::vector<Route> routes = st.routes;
  if (target.op == expr::Op::Const) {
    if (target.value < 0 || static_cast<std::size_t>(target.value) >= routes.size()) return true;
    routes = {st.routes[static_cast<std::size_t>(target.value)]};
  } else if (!fits(s, st.target, Type::range(0, static_cast<std::int32_t>(routes.size()) - 1))) {
    return true;
  }
  return std::any_of(routes.begin(), routes.end(), [&](const Route& r) {
    if (!r.queue.valid()) return true;
    const std::vector<Type>& types = s.signal(r.signal).params;
    for (std::size_t i = 0; i < st.args.size() && i < types.size(); ++i)
      if (!fits(s, st.args[i], types[i])) return true;
    return false;
  });
}

}  // namespace

bool may_fail(const System& s, StmtId id) {
  const Stmt& st = s.stmt(id);
  const auto parts = [&] {
    return std::any_of(st.children.begin(), st.children.end(), [&](StmtId c) { return may_fail(s, c); });
  };
  switch (st.kind) {
    case StmtKind::Fail:
    case StmtKind::While:  // its limit
      return true;
    case StmtKind::Assert:
      return !s.exprs.is_const(st.value, 1);
    case StmtKind::Assign:
      return !st.place.cell.valid() || may_fail(s, st.value) ||
             !fits(s, st.value, s.cell(st.place.cell).type);
    case StmtKind::SetLocal:
      return may_fail(s, st.value);
    case StmtKind::Choose: {
      const expr::Node &lo = s.exprs[st.lo], &hi = s.exprs[st.hi];
      return lo.op != expr::Op::Const || hi.op != expr::Op::Const || lo.value > hi.value;
    }
    case StmtKind::Send:
      return send_may_fail(s, st);
    case StmtKind::If:
      return may_fail(s, st.value) || parts();
    case StmtKind::Branch:
      return !st.has_else || any_may_fail(s, st.conditions) || parts();
    case StmtKind::Block:
      return parts();
    case StmtKind::Print:
      return any_may_fail(s, st.args);
    case StmtKind::Note:
      return false;
  }
  return true;
}

}  // namespace parley::system
