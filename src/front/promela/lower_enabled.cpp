#include "front/promela/lower_enabled.hpp"

namespace parley::front::promela {

ExprId Enabledness::executable(const Transition& t, const Slot& slot, bool needs_partner) {
  if (t.statement && t.statement->kind == StmtKind::Else) return s_.exprs.boolean(true);
  std::vector<ExprId> ways;
  // Only the guards are wanted: the bodies made on the way are dropped again.
  const std::size_t bodies = s_.stmts.size();
  for (const Alternative& a : effects_.alternatives(t, slot)) {
    if (a.rendezvous_receive) continue;
    if (a.rendezvous_send) {
      ways.push_back(needs_partner ? terms_.both(a.guard, partner_exists(a, slot)) : a.guard);
    } else if (a.trigger) {
      ways.push_back(a.trigger->selection == system::Selection::FirstMatching
                         ? s_.exprs.queue_has(a.trigger->queue, a.trigger->signal, a.guard)
                         : s_.exprs.head_is(a.trigger->queue, a.trigger->signal, a.guard));
    } else {
      ways.push_back(a.guard);
    }
  }
  s_.stmts.resize(bodies);
  return terms_.any_of(ways);
}

ExprId Enabledness::partner_exists(const Alternative& send, const Slot& sender) {
  std::vector<ExprId> ways;
  for (const Slot& other : layout_.slots) {
    if (&other == &sender) continue;
    const Automaton& a = layout_.procs[other.proctype].automaton;
    for (std::uint32_t state : a.reachable)
      for (const Transition& t : a.states[state].transitions) {
        if (!t.statement || t.statement->kind != StmtKind::Receive) continue;
        for (const Alternative& r : effects_.alternatives(t, other)) {
          if (!r.rendezvous_receive || r.queue != send.queue || r.patterns.size() != send.args.size())
            continue;
          ways.push_back(terms_.all_of({terms_.at_state(other, state), r.guard,
                                        expressions_.pattern_condition(r.patterns, send.args)}));
        }
      }
  }
  return terms_.any_of(ways);
}

ExprId Enabledness::slot_enabled(const Slot& slot) {
  const Automaton& a = layout_.procs[slot.proctype].automaton;
  std::vector<ExprId> ways;
  for (std::uint32_t state : a.reachable) {
    if (a.states[state].in_dstep) continue;
    std::vector<ExprId> here;
    for (const Transition& t : a.states[state].transitions) here.push_back(executable(t, slot, false));
    ways.push_back(terms_.both(terms_.at_state(slot, state), terms_.any_of(here)));
  }
  return terms_.any_of(ways);
}

ExprId Enabledness::highest_priority(const Slot& slot) {
  if (!program_.uses_priority) return s_.exprs.boolean(true);
  std::vector<ExprId> rivals;
  for (const Slot& other : layout_.slots)
    if (&other != &slot)
      rivals.push_back(terms_.all_of(
          {terms_.alive(other), s_.exprs.binary(Op::Gt, s_.read(other.priority), s_.read(slot.priority)),
           slot_enabled(other)}));
  return terms_.negate(terms_.any_of(rivals));
}

ExprId Enabledness::before(const AutomatonState& state, std::size_t index, const Slot& slot) {
  const Transition& t = state.transitions[index];
  const bool is_else = t.statement && t.statement->kind == StmtKind::Else;
  std::vector<ExprId> conditions;
  for (std::size_t i = 0; i < index; ++i) {
    const Transition& u = state.transitions[i];
    const bool outranks = u.escape != 0 && u.escape != t.escape;
    const bool same_dstep = t.dstep != 0 && u.dstep == t.dstep;
    if (outranks || same_dstep || (is_else && t.dstep == 0))
      conditions.push_back(terms_.negate(executable(u, slot, true)));
  }
  return terms_.all_of(conditions);
}

}  // namespace parley::front::promela
