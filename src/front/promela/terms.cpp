#include "front/promela/terms.hpp"

namespace parley::front::promela {

using system::Type;

ExprId Terms::any_of(std::vector<ExprId> list) {
  if (list.empty()) return s_.exprs.boolean(false);
  while (list.size() > 1) {
    std::vector<ExprId> next;
    for (std::size_t i = 0; i < list.size(); i += 2)
      next.push_back(i + 1 < list.size() ? s_.exprs.either(list[i], list[i + 1]) : list[i]);
    list = std::move(next);
  }
  return list[0];
}

ExprId Terms::all_of(std::vector<ExprId> list) {
  if (list.empty()) return s_.exprs.boolean(true);
  while (list.size() > 1) {
    std::vector<ExprId> next;
    for (std::size_t i = 0; i < list.size(); i += 2)
      next.push_back(i + 1 < list.size() ? both(list[i], list[i + 1]) : list[i]);
    list = std::move(next);
  }
  return list[0];
}

ExprId Terms::as_boolean(ExprId e) {
  const expr::Node& n = s_.exprs[e];
  if (n.type.kind == expr::TypeKind::Bool) return e;
  if (n.op == Op::Const) return s_.exprs.boolean(n.value != 0);
  return s_.exprs.binary(Op::Ne, e, constant(0));
}

ExprId Terms::as_integer(ExprId e) {
  const expr::Node& n = s_.exprs[e];
  if (n.type.kind == expr::TypeKind::Int) return e;
  if (n.op == Op::Const) return constant(n.value);
  if (n.type.kind == expr::TypeKind::Bool)
    return s_.exprs.cond(e, s_.exprs.constant(1, Type::range(0, 1)), s_.exprs.constant(0, Type::range(0, 1)));
  return e;
}

ExprId Terms::pid_of(const Slot& slot) {
  return slot.static_pid >= 0 ? constant(slot.static_pid) : s_.read(slot.pid);
}

ExprId Terms::alive(const Slot& slot) {
  return s_.exprs.binary(Op::Ne, s_.read(slot.pc),
                         s_.exprs.constant(0, layout_.procs[slot.proctype].location_type));
}

ExprId Terms::at_state(const Slot& slot, std::uint32_t state) {
  return s_.exprs.equals(s_.read(slot.pc), layout_.procs[slot.proctype].location[state]);
}

ExprId Terms::at_label(bool AutomatonState::*labelled) {
  std::vector<ExprId> ways;
  for (const Slot& slot : layout_.slots) {
    const Automaton& a = layout_.procs[slot.proctype].automaton;
    for (const std::uint32_t state : a.reachable)
      if (a.states[state].*labelled) ways.push_back(both(alive(slot), at_state(slot, state)));
  }
  return any_of(std::move(ways));
}

ExprId Terms::process_count() {
  return layout_.nr_pr.valid() ? s_.read(layout_.nr_pr) : constant(layout_.initial_processes);
}

}  // namespace parley::front::promela
