#include "front/promela/lower_expr.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::promela {

ExprId Expressions::integer(const Expr& e, const Slot* slot) {
  return terms_.as_integer(build(e, slot));
}

ExprId Expressions::boolean(const Expr& e, const Slot* slot) {
  return terms_.as_boolean(build(e, slot));
}

ExprId Expressions::build(const Expr& e, const Slot* slot) {
  switch (e.kind) {
    case ExprKind::Const:
      return terms_.constant(e.value);
    case ExprKind::Var:
      return read(e.ref, slot);
    case ExprKind::Special:
      if (e.name == "_pid") return slot ? terms_.pid_of(*slot) : terms_.constant(0);
      if (e.name == "_nr_pr") return terms_.process_count();
      if (e.name == "_last") return s_.read(layout_.last);
      if (e.name == "_priority") return slot ? s_.read(slot->priority) : terms_.constant(1);
      diagnostics_.error("type", e.span, "'_' can only be written to");
      return terms_.constant(0);
    case ExprKind::Unary:
      if (e.op == Tok::Bang) return terms_.negate(boolean(*e.args[0], slot));
      return s_.exprs.unary(e.op == Tok::Minus ? Op::Neg : Op::BitNot, integer(*e.args[0], slot));
    case ExprKind::Binary:
      return operation(e, slot);
    case ExprKind::Cond: {
      const ExprId c = boolean(*e.args[0], slot);
      return s_.exprs.cond(c, integer(*e.args[1], slot), integer(*e.args[2], slot));
    }
    case ExprKind::Run:
      if (run_.expression != &e) {
        diagnostics_.error("unsupported", e.span, "only one run is possible in an expression",
                           "use one statement for each process");
        return terms_.constant(1);
      }
      return run_.value;
    case ExprKind::Len:
    case ExprKind::Full:
    case ExprKind::Empty:
    case ExprKind::Nfull:
    case ExprKind::Nempty:
    case ExprKind::Poll:
      return poll(e, slot);
    case ExprKind::Eval:
      return build(*e.args[0], slot);
    case ExprKind::Timeout:
      return s_.exprs.idle();
    case ExprKind::Enabled: {
      const ExprId which = integer(*e.args[0], slot);
      std::vector<ExprId> ways;
      for (const Slot& other : layout_.slots)
        if (&other != slot)
          ways.push_back(terms_.both(
              terms_.both(terms_.alive(other), s_.exprs.binary(Op::Eq, terms_.pid_of(other), which)),
              enabled_->slot_enabled(other)));
      return terms_.any_of(ways);
    }
    case ExprKind::GetPriority: {
      const ExprId which = integer(*e.args[0], slot);
      ExprId result = terms_.constant(0);
      for (const Slot& other : layout_.slots)
        result = s_.exprs.cond(
            terms_.both(terms_.alive(other), s_.exprs.binary(Op::Eq, terms_.pid_of(other), which)),
            s_.read(other.priority), result);
      return result;
    }
    case ExprKind::RemoteLabel:
      return remote_label(e, slot);
    case ExprKind::RemoteVar:
      return remote_variable(e, slot);
    case ExprKind::NonProgress:
      if (slot != nullptr && is_process(*slot)) {
        diagnostics_.error("unsupported", e.span, "this operator only makes sense in a never claim");
        return terms_.constant(0);
      }
      return terms_.negate(terms_.at_label(&AutomatonState::progress_label));
    case ExprKind::PcValue:
      diagnostics_.error("unsupported", e.span, "this operator only makes sense in a never claim");
      return terms_.constant(0);
    case ExprKind::Temporal:
      diagnostics_.error("unsupported", e.span, "a temporal operator cannot stand in a statement");
      return terms_.constant(0);
  }
  return terms_.constant(0);
}

ExprId Expressions::operation(const Expr& e, const Slot* slot) {
  if (e.op == Tok::AndAnd || e.op == Tok::OrOr) {
    const ExprId x = boolean(*e.args[0], slot);
    const ExprId y = boolean(*e.args[1], slot);
    return s_.exprs.binary(e.op == Tok::AndAnd ? Op::AndAlso : Op::OrElse, x, y);
  }
  Op op = Op::Add;
  switch (e.op) {
    case Tok::Plus:
      op = Op::Add;
      break;
    case Tok::Minus:
      op = Op::Sub;
      break;
    case Tok::Star:
      op = Op::Mul;
      break;
    case Tok::Slash:
      op = Op::Div;
      break;
    case Tok::Percent:
      op = Op::Rem;
      break;
    case Tok::Amp:
      op = Op::BitAnd;
      break;
    case Tok::Pipe:
      op = Op::BitOr;
      break;
    case Tok::Caret:
      op = Op::BitXor;
      break;
    case Tok::Shl:
      op = Op::Shl;
      break;
    case Tok::Shr:
      op = Op::Shr;
      break;
    case Tok::EqEq:
      op = Op::Eq;
      break;
    case Tok::NotEq:
      op = Op::Ne;
      break;
    case Tok::Lt:
      op = Op::Lt;
      break;
    case Tok::Le:
      op = Op::Le;
      break;
    case Tok::Gt:
      op = Op::Gt;
      break;
    case Tok::Ge:
      op = Op::Ge;
      break;
    default:
      diagnostics_.error("syntax", e.span, "this operator cannot stand here");
      return terms_.constant(0);
  }
  const ExprId x = integer(*e.args[0], slot);
  const ExprId y = integer(*e.args[1], slot);
  return s_.exprs.binary(op, x, y);
}

std::vector<ExprId> Expressions::indices_of(const Ref& ref, const Slot* slot) {
  std::vector<ExprId> result;
  for (const Ref::Part& part : ref.parts)
    if (part.variable->is_array)
      result.push_back(part.index ? integer(*part.index, slot) : terms_.constant(0));
  return result;
}

ExprId Expressions::read(const Ref& ref, const Slot* slot) {
  const LeafCells* lc = variables_.find_leaf(ref, slot);
  if (!lc) return terms_.constant(0);
  return variables_.read_leaf(*lc, ref.parts[0].variable->name + path_of(ref), indices_of(ref, slot));
}

// Whoever watches has a slot too, but none of the layout's.
bool Expressions::is_process(const Slot& slot) const {
  return std::any_of(layout_.slots.begin(), layout_.slots.end(),
                     [&](const Slot& other) { return &other == &slot; });
}

ExprId Expressions::remote_label(const Expr& e, const Slot* slot) {
  std::vector<ExprId> ways;
  const ExprId which = e.indexed ? integer(*e.args[0], slot) : ExprId();
  bool known = false, label_known = false;
  std::vector<ExprId> earlier;
  for (const Slot& other : layout_.slots) {
    const Proctype& p = program_.proctypes[other.proctype];
    if (p.name != e.name) continue;
    known = true;
    const Automaton& a = layout_.procs[other.proctype].automaton;
    std::uint32_t state = 0;
    for (const auto& [name, s] : a.labels)
      if (name == e.label) state = s;
    if (state == 0) continue;
    label_known = true;
    if (std::find(a.reachable.begin(), a.reachable.end(), state) == a.reachable.end()) continue;
    // Without a number the first instance is meant.
    const ExprId selected =
        which.valid() ? s_.exprs.binary(Op::Eq, terms_.pid_of(other), which) : terms_.all_of(earlier);
    ways.push_back(terms_.both(terms_.both(terms_.alive(other), selected), terms_.at_state(other, state)));
    earlier.push_back(terms_.negate(terms_.alive(other)));
  }
  const bool declared = std::any_of(program_.proctypes.begin(), program_.proctypes.end(),
                                    [&](const Proctype& p) { return p.name == e.name; });
  if (!known && !declared)
    diagnostics_.error("unknown-name", e.span, fmt::format("there is no proctype '{}'", e.name));
  else if (known && !label_known)
    diagnostics_.error("unknown-name", e.span,
                       fmt::format("there is no label '{}' in '{}'", e.label, e.name));
  return terms_.any_of(ways);
}

ExprId Expressions::remote_variable(const Expr& e, const Slot* slot) {
  ExprId result = terms_.constant(0);
  const ExprId which = e.indexed ? integer(*e.args[0], slot) : ExprId();
  const std::size_t index_at = e.indexed ? 1 : 0;
  for (std::size_t i = layout_.slots.size(); i-- > 0;) {
    const Slot& other = layout_.slots[i];
    const Proctype& p = program_.proctypes[other.proctype];
    if (p.name != e.name) continue;
    const LeafCells* lc = nullptr;
    for (const auto& list : {p.parameters, p.locals})
      for (const VariablePtr& v : list)
        if (v->name == e.label && v->type.base != Base::Struct && !lc)
          lc = &other.variables.at(v.get()).begin()->second;
    if (!lc) {
      diagnostics_.error("unknown-name", e.span,
                         fmt::format("proctype '{}' has no variable '{}'", e.name, e.label));
      return result;
    }
    std::vector<ExprId> indices;
    if (!lc->leaf.dims.empty())
      indices.push_back(e.args.size() > index_at ? integer(*e.args[index_at], slot) : terms_.constant(0));
    ExprId here = terms_.alive(other);
    if (which.valid()) here = terms_.both(here, s_.exprs.binary(Op::Eq, terms_.pid_of(other), which));
    result = s_.exprs.cond(here, terms_.as_integer(variables_.read_leaf(*lc, e.label, indices)), result);
  }
  return result;
}

}  // namespace parley::front::promela
