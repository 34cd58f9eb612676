#include "system/system.hpp"

#include <fmt/format.h>

#include "support/check.hpp"

namespace parley::system {

const char* describe(RuntimeError error) {
  switch (error) {
    case RuntimeError::DivisionByZero:
      return "division by zero";
    case RuntimeError::NullDereference:
      return "null dereference";
    case RuntimeError::IndexOutOfRange:
      return "array index out of range";
    case RuntimeError::ArithmeticOverflow:
      return "integer overflow";
    case RuntimeError::SendToNull:
      return "message sent to null";
    case RuntimeError::RangeExceeded:
      return "value outside the variable's range";
    case RuntimeError::NoBranchEnabled:
      return "no branch of a choice is enabled";
    case RuntimeError::LoopLimit:
      return "loop limit exceeded";
    case RuntimeError::ProcessLimit:
      return "too many processes";
    case RuntimeError::Other:
      return "run-time error";
  }
  return "?";
}

const char* describe(ActionKind kind) {
  switch (kind) {
    case ActionKind::Fire:
      return "fire";
    case ActionKind::Complete:
      return "complete";
    case ActionKind::Discard:
      return "discard";
    case ActionKind::Dispatch:
      return "dispatch";
    case ActionKind::EndStep:
      return "end of step";
    case ActionKind::Environment:
      return "environment";
    case ActionKind::Tick:
      return "tick";
    case ActionKind::Internal:
      return "internal";
  }
  return "?";
}

const char* describe(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoDeadlock:
      return "no deadlock";
    case PropertyKind::NoLostMessages:
      return "no lost messages";
    case PropertyKind::NoAssertionFailure:
      return "no assertion failures";
    case PropertyKind::NoRuntimeError:
      return "no run-time errors";
    case PropertyKind::NoOverflow:
      return "no overflow";
    case PropertyKind::NoUnreachableStates:
      return "no unreachable states";
    case PropertyKind::NoUnreachableTransitions:
      return "no unreachable transitions";
    case PropertyKind::NoEndlessCompletion:
      return "no endless completion";
    case PropertyKind::NoUnboundedQueues:
      return "no unbounded queues";
    case PropertyKind::Always:
      return "always";
    case PropertyKind::Never:
      return "never";
    case PropertyKind::Reachable:
      return "reachable";
    case PropertyKind::Temporal:
      return "temporal";
  }
  return "?";
}

namespace {

class Validator {
 public:
  explicit Validator(const System& s) : s_(s) {}

  void run() {
    for (const Queue& q : s_.queues) {
      for (const Deferral& d : q.deferrals) {
        PARLEY_CHECK(d.signal.index() < s_.signals.size());
        expression(d.condition);
      }
      for (SignalId signal : q.signals) PARLEY_CHECK(signal.index() < s_.signals.size());
    }
    for (const Cell& c : s_.cells) {
      PARLEY_CHECK_MSG(c.type.contains(c.initial), c.name);
      PARLEY_CHECK(!c.owner.valid() || c.owner.index() < s_.owners.size());
    }
    for (const Owner& o : s_.owners) {
      PARLEY_CHECK_MSG(o.may_rest.valid(), o.name);
      expression(o.may_rest);
    }
    if (s_.initial_body.valid()) statement(s_.initial_body, s_.initial_locals);
    for (const Action& a : s_.actions) {
      PARLEY_CHECK_MSG(a.guard.valid() && a.body.valid() && a.owner.valid(), a.name);
      PARLEY_CHECK(a.owner.index() < s_.owners.size());
      if (a.trigger) {
        PARLEY_CHECK(a.trigger->queue.index() < s_.queues.size());
        PARLEY_CHECK(a.trigger->signal.index() < s_.signals.size());
      }
      expression(a.guard);
      statement(a.body, a.locals);
    }
    for (const Property& p : s_.properties)
      if (p.expression.valid()) expression(p.expression);
  }

 private:
  void expression(ExprId root) {
    PARLEY_CHECK(root.index() < s_.exprs.size());
    const expr::Node& n = s_.exprs[root];
    if (n.op == expr::Op::Cell) PARLEY_CHECK(n.a < s_.cells.size());
    if (expr::info(n.op).asks_queue) PARLEY_CHECK(n.a < s_.queues.size());
    // Operands have smaller ids, so a shared subterm was checked when first met; depth stays small enough
    // because lowering builds balanced or list-shaped terms of bounded size per action.
    if (root.index() < checked_.size() && checked_[root.index()]) return;
    if (root.index() >= checked_.size()) checked_.resize(s_.exprs.size());
    checked_[root.index()] = true;
    for (ExprId x : s_.exprs.operands(root)) {
      PARLEY_CHECK(x.index() < root.index());
      expression(x);
    }
  }

  void statement(StmtId id, std::uint32_t locals) {
    PARLEY_CHECK(id.index() < s_.stmts.size());
    const Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Assign:
        if (st.place.cell.valid()) {
          PARLEY_CHECK(st.place.cell.index() < s_.cells.size());
        } else {
          PARLEY_CHECK(st.place.table.index() < s_.exprs.table_count());
          expression(st.place.row);
          expression(st.place.column);
        }
        expression(st.value);
        break;
      case StmtKind::SetLocal:
        PARLEY_CHECK(st.local < locals);
        expression(st.value);
        break;
      case StmtKind::Choose:
        PARLEY_CHECK(st.local < locals);
        expression(st.lo);
        expression(st.hi);
        break;
      case StmtKind::Send:
        expression(st.target);
        for (const Route& r : st.routes) {
          if (!r.queue.valid()) continue;
          PARLEY_CHECK(r.queue.index() < s_.queues.size() && r.signal.index() < s_.signals.size());
          PARLEY_CHECK_MSG(s_.signal(r.signal).params.size() == st.args.size(), s_.signal(r.signal).name);
        }
        break;
      case StmtKind::Assert:
        expression(st.value);
        break;
      case StmtKind::If:
        expression(st.value);
        PARLEY_CHECK(st.children.size() == 1 || st.children.size() == 2);
        break;
      case StmtKind::Branch:
        PARLEY_CHECK(st.children.size() == st.conditions.size() + (st.has_else ? 1 : 0));
        for (ExprId c : st.conditions) expression(c);
        break;
      case StmtKind::While:
        PARLEY_CHECK(st.children.size() == 1);
        expression(st.value);
        break;
      case StmtKind::Note:
        PARLEY_CHECK(st.element.index() < s_.elements.size());
        break;
      case StmtKind::Block:
      case StmtKind::Fail:
      case StmtKind::Print:
        break;
    }
    for (ExprId a : st.args) expression(a);
    for (StmtId child : st.children) statement(child, locals);
  }

  const System& s_;
  std::vector<bool> checked_;
};

}  // namespace

void validate(const System& system) {
  Validator(system).run();
}

bool marks_cut(const Queue& q) {
  return q.capacity == 0U && q.overflow == OverflowPolicy::Cut;
}

bool has_message_type(const System& s, const Signal& signal) {
  constexpr std::size_t kMostNames = 64;
  return !signal.params.empty() && signal.params[0].kind != expr::TypeKind::Ref &&
         signal.params[0].kind != expr::TypeKind::Chan && signal.params[0].names < s.name_tables.size() &&
         s.name_tables[signal.params[0].names].names.size() <= kMostNames;
}

std::string show_value(const System& system, const Type& type, std::int32_t value) {
  if (type.kind == expr::TypeKind::Bool) return value != 0 ? "true" : "false";
  if (type.names < system.name_tables.size()) {
    const NameTable& t = system.name_tables[type.names];
    const std::int64_t at = static_cast<std::int64_t>(value) - t.first;
    if (at >= 0 && at < static_cast<std::int64_t>(t.names.size()))
      return t.names[static_cast<std::size_t>(at)];
  }
  if (type.kind == expr::TypeKind::Ref) {
    if (value == 0) return "null";
    const auto at = static_cast<std::size_t>(value - 1);
    if (at < system.owners.size()) return system.owners[at].name;
  }
  if (type.kind == expr::TypeKind::Chan) {
    if (value == 0) return "none";
    const auto at = static_cast<std::size_t>(value - 1);
    if (at < system.queues.size()) return system.queues[at].name;
  }
  return std::to_string(value);
}

std::string show(const System& system, ExprId id) {
  using expr::Form;
  using expr::Op;
  using expr::UnaryOp;
  const expr::Node& n = system.exprs[id];
  const auto operand = [&](std::size_t i) {
    const ExprId x = n.operands[i];
    const Op op = system.exprs[x].op;
    const bool compound = expr::info(op).arity > 1 && op != Op::Elem;
    return compound ? "(" + show(system, x) + ")" : show(system, x);
  };
  switch (form(n.op)) {
    case Form::Const:
      return show_value(system, n.type, n.value);
    case Form::Cell:
      return system.cells[n.a].name;
    case Form::Local:
      return fmt::format("local{}", n.a);
    case Form::Param:
      return fmt::format("param{}", n.a);
    case Form::Elem: {
      const expr::Table& t = system.exprs.table(TableId(n.a));
      std::string text = t.name;
      if (t.rows() > 1) text = fmt::format("({}).{}", show(system, n.operands[0]), t.name);
      if (t.columns > 1) text += fmt::format("[{}]", show(system, n.operands[1]));
      return text;
    }
    case Form::QueueLen:
      return fmt::format("len({})", system.queues[n.a].name);
    case Form::QueueCap:
      return fmt::format("capacity({})", system.queues[n.a].name);
    case Form::QueueHas:
    case Form::HeadIs: {
      const std::string signal = SignalId(n.b).valid() ? system.signals[n.b].name : "any";
      std::string text =
          fmt::format("{} {} {}", system.queues[n.a].name, n.op == Op::HeadIs ? "next" : "has", signal);
      if (!system.exprs.is_const(n.operands[0], 1)) text += fmt::format(" with {}", operand(0));
      return text;
    }
    case Form::Idle:
      return "idle";
    case Form::Unary:
      switch (expr::unary_op(n.op)) {
        case UnaryOp::Not:
        case UnaryOp::Neg:
        case UnaryOp::BitNot:
          return expr::spelling(n.op) + operand(0);
        case UnaryOp::TruncU:
          return fmt::format("unsigned{}({})", n.a, show(system, n.operands[0]));
        case UnaryOp::TruncS:
          return fmt::format("signed{}({})", n.a, show(system, n.operands[0]));
      }
      break;
    case Form::Cond:
      return fmt::format("{} ? {} : {}", operand(0), operand(1), operand(2));
    case Form::Binary:
    case Form::AndAlso:
    case Form::OrElse:
      break;
  }
  // `location == state` reads as "object in state".
  if ((n.op == Op::Eq || n.op == Op::Ne) && system.exprs[n.operands[0]].op == Op::Cell &&
      system.exprs[n.operands[0]].type.kind == expr::TypeKind::Location) {
    const std::string text = fmt::format("{} in {}", operand(0), operand(1));
    return n.op == Op::Eq ? text : "!(" + text + ")";
  }
  return fmt::format("{} {} {}", operand(0), expr::spelling(n.op), operand(1));
}

}  // namespace parley::system
