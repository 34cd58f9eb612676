#include "front/promela/lower_actions.hpp"

#include <fmt/format.h>

#include <set>

namespace parley::front::promela {

// The conditions that hold for every step of a process: where it stands, provided, priorities.
ExprId Actions::step_condition(const Slot& slot, const Edge& edge) {
  ExprId c = terms_.at_state(slot, edge.from);
  if (edge.inside_dstep) return c;
  if (const ExprPtr& provided = program_.proctypes[slot.proctype].provided)
    c = terms_.both(c, expressions_.boolean(*provided, &slot));
  return terms_.both(c, enabledness_.highest_priority(slot));
}

std::vector<StmtId> Actions::move(const Slot& slot, const Edge& edge) {
  std::vector<StmtId> body;
  const Proc& proc = layout_.procs[slot.proctype];
  if (edge.to != edge.from && edge.to != 0)
    body.push_back(statements_.assign(slot.pc, s_.exprs.constant(proc.location[edge.to], proc.location_type),
                                      edge.span));
  if (layout_.last.valid() && !edge.dies)
    body.push_back(statements_.assign(layout_.last, terms_.pid_of(slot), edge.span));
  return body;
}

void Actions::add_action(const Slot& slot, const Edge& edge) {
  system::Action action;
  action.name = edge.name;
  action.owner = slot.owner;
  action.trigger = edge.trigger;
  action.guard = terms_.both(step_condition(slot, edge), edge.guard);
  if (s_.exprs.is_const(action.guard, 0)) return;
  std::vector<StmtId> body = edge.body;
  for (StmtId st : move(slot, edge)) body.push_back(st);
  if (!edge.atomic) scratch_.clear(slot, body, edge.span);
  action.body = statements_.block(std::move(body), edge.span);
  action.locals = edge.locals;
  if (edge.atomic) action.hold = slot.owner;
  action.elements = edge.elements;
  action.origin.span = edge.span;
  s_.add(std::move(action));
}

void Actions::emit_edges() {
  for (const Slot& slot : layout_.slots) {
    // States that only stretches passed through, and that are now part of longer actions, have no use any
    // more.
    const Automaton& a = layout_.procs[slot.proctype].automaton;
    std::set<std::uint32_t> used = {a.start};
    for (bool grown = true; grown;) {
      const std::size_t before_round = used.size();
      for (const Edge& e : edges_.by_slot[slot.index])
        if (used.count(e.from)) used.insert(e.to);
      for (const auto& lists : {&edges_.sends, &edges_.receives})
        for (const auto& list : *lists)
          for (const Rendezvous& r : list)
            if (r.slot == slot.index && used.count(r.edge.from)) used.insert(r.edge.to);
      grown = used.size() != before_round;
    }
    for (const Edge& e : edges_.by_slot[slot.index]) {
      if (!used.count(e.from)) continue;
      if (e.dies)
        emit_death(slot, e);
      else
        add_action(slot, e);
    }
  }
}

void Actions::death_body(const Slot& slot, std::vector<StmtId>& body, diag::Span span) {
  const ExprId zero = terms_.constant(0);
  if (layout_.last.valid())
    body.push_back(
        statements_.assign(layout_.last, terms_.pid_of(slot), span));  // while it still has a number
  body.push_back(
      statements_.assign(slot.pc, s_.exprs.constant(0, layout_.procs[slot.proctype].location_type), span));
  for (const auto* list :
       {&program_.proctypes[slot.proctype].parameters, &program_.proctypes[slot.proctype].locals})
    for (const VariablePtr& v : *list)
      for (const auto& [path, lc] : slot.variables.at(v.get()))
        for (CellId cell : lc.cells)
          body.push_back(statements_.assign(cell, s_.exprs.constant(0, s_.cell(cell).type), span));
  if (slot.pid.valid()) body.push_back(statements_.assign(slot.pid, zero, span));
  if (slot.priority.valid()) body.push_back(statements_.assign(slot.priority, zero, span));
  if (layout_.nr_pr.valid())
    body.push_back(statements_.assign(
        layout_.nr_pr, s_.exprs.binary(Op::Sub, s_.read(layout_.nr_pr), terms_.constant(1)), span));
}

// The youngest process ends: its variables become zero and its channels vanish. A channel that still holds
// messages is emptied first, in a stretch during which nobody else moves.
void Actions::emit_death(const Slot& slot, const Edge& edge) {
  const Proc& proc = layout_.procs[slot.proctype];
  std::vector<ExprId> empty;
  std::vector<QueueId> drained;
  for (QueueId q : slot.queues) {
    if (layout_.rendezvous[q.index()]) continue;
    drained.push_back(q);
    empty.push_back(s_.exprs.binary(Op::Eq, s_.exprs.queue_len(q), terms_.constant(0)));
  }
  Edge gone = edge;
  gone.to = 0;
  gone.atomic = false;
  gone.guard = terms_.both(edge.guard, terms_.all_of(empty));
  gone.body.clear();
  death_body(slot, gone.body, edge.span);
  add_action(slot, gone);
  if (drained.empty()) return;
  const auto action = [&](const std::string& name, ExprId guard, StmtId body, bool hold) {
    system::Action a;
    a.name = name;
    a.owner = slot.owner;
    a.kind = system::ActionKind::Internal;
    a.guard = guard;
    a.body = body;
    if (hold) a.hold = slot.owner;
    a.origin.span = edge.span;
    return a;
  };
  const ExprId draining = s_.exprs.constant(proc.draining, proc.location_type);
  const ExprId here = s_.exprs.binary(Op::Eq, s_.read(slot.pc), draining);
  system::Action enter = action(
      "end", terms_.all_of({step_condition(slot, edge), edge.guard, terms_.negate(terms_.all_of(empty))}),
      statements_.assign(slot.pc, draining, edge.span), true);
  enter.elements = edge.elements;
  s_.add(std::move(enter));
  for (QueueId q : drained) {
    system::Action drain = action(fmt::format("drop a message of {}", s_.queue(q).name), here,
                                  statements_.block({}, edge.span), true);
    drain.kind = system::ActionKind::Discard;
    drain.trigger =
        system::Trigger{q, layout_.queue_shapes[q.index()].signal, system::Selection::Selected, true};
    s_.add(std::move(drain));
  }
  std::vector<StmtId> body;
  death_body(slot, body, edge.span);
  s_.add(action("gone", terms_.both(here, terms_.all_of(empty)),
                statements_.block(std::move(body), edge.span), false));
}

void Actions::emit_rendezvous() {
  for (std::size_t q = 0; q < edges_.sends.size(); ++q)
    for (const Rendezvous& send : edges_.sends[q])
      for (const Rendezvous& receive : edges_.receives[q])
        if (send.slot != receive.slot) emit_pair(send, receive);
}

// Both processes move at once. Control stays with the receiver if it is in an atomic sequence, and is lost
// otherwise, whatever the sender is in.
void Actions::emit_pair(const Rendezvous& send, const Rendezvous& receive) {
  const Slot& sender = layout_.slots[send.slot];
  const Slot& receiver = layout_.slots[receive.slot];
  const auto& args = send.alternative.args;
  const auto& wanted = receive.alternative.patterns;
  system::Action a;
  a.name = fmt::format("{} with {}", send.edge.name, receive.edge.name);
  a.owner = sender.owner;
  a.partner = receiver.owner;
  std::vector<ExprId> conditions = {step_condition(sender, send.edge),
                                    terms_.at_state(receiver, receive.edge.from), send.edge.guard};
  if (const ExprPtr& provided = program_.proctypes[receiver.proctype].provided)
    conditions.push_back(expressions_.boolean(*provided, &receiver));
  conditions.push_back(receive.edge.guard);
  conditions.push_back(expressions_.pattern_condition(wanted, args));
  for (const Transition* u : receive.earlier) {
    if (!u->statement || u->statement->kind != StmtKind::Receive) continue;
    const std::size_t bodies = s_.stmts.size();
    for (const Alternative& other : effects_.alternatives(*u, receiver))
      if (other.rendezvous_receive && other.queue == receive.alternative.queue &&
          other.patterns.size() == args.size())
        conditions.push_back(
            terms_.negate(terms_.both(other.guard, expressions_.pattern_condition(other.patterns, args))));
    s_.stmts.resize(bodies);
  }
  a.guard = terms_.all_of(conditions);
  if (s_.exprs.is_const(a.guard, 0)) return;
  std::vector<StmtId> body;
  const diag::Span span = receive.edge.span;
  if (wanted.size() != args.size()) {
    body.push_back(statements_.failure(
        system::RuntimeError::Other,
        fmt::format("{} values are received, {} are sent", wanted.size(), args.size()), span));
  } else {
    // The message is complete before the receiver changes anything.
    std::vector<ExprId> values = args;
    std::size_t stores = 0;
    for (const Pattern& p : wanted) stores += p.target != nullptr && !p.compare.valid();
    if (stores > 1)
      for (ExprId& v : values) {
        if (s_.exprs[v].op == Op::Const) continue;
        v = statements_.keep(v, a.locals, span, body);
      }
    for (std::size_t i = 0; i < wanted.size(); ++i)
      messages_.store(wanted[i], values[i], receiver, span, body);
  }
  for (StmtId st : move(sender, send.edge)) body.push_back(st);
  body.insert(body.end(), receive.edge.body.begin(), receive.edge.body.end());
  for (StmtId st : move(receiver, receive.edge)) body.push_back(st);
  if (!receive.edge.atomic) {
    scratch_.clear(sender, body, span);
    scratch_.clear(receiver, body, span);
  }
  a.body = statements_.block(std::move(body), send.edge.span);
  if (receive.edge.atomic) a.hold = receiver.owner;
  a.elements = send.edge.elements;
  a.elements.insert(a.elements.end(), receive.edge.elements.begin(), receive.edge.elements.end());
  a.origin.span = send.edge.span;
  s_.add(std::move(a));
}

// Coverage: each action says which statements it executes.
void Actions::note_elements() {
  for (system::Action& a : s_.actions) {
    if (a.elements.empty()) continue;
    std::vector<StmtId> body;
    for (ElementId e : a.elements) {
      system::Stmt note;
      note.kind = system::StmtKind::Note;
      note.element = e;
      note.origin = a.origin;
      body.push_back(s_.add(std::move(note)));
    }
    body.push_back(a.body);
    a.body = statements_.block(std::move(body), a.origin.span);
  }
}

void Actions::finish_owners() {
  for (const Slot& slot : layout_.slots) {
    std::vector<ExprId> rest = {terms_.negate(terms_.alive(slot))};
    const Automaton& a = layout_.procs[slot.proctype].automaton;
    for (std::uint32_t state : a.reachable)
      if (a.states[state].end_label && !a.states[state].in_dstep)
        rest.push_back(terms_.at_state(slot, state));
    s_.owners[slot.owner.index()].may_rest = terms_.any_of(rest);
  }
}

}  // namespace parley::front::promela
