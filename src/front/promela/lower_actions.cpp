#include <fmt/format.h>

#include <algorithm>

#include "front/promela/lowering.hpp"

namespace parley::front::promela {

using SysKind = system::StmtKind;

ElementId Lowering::element(Proc& proc, const Transition& t, const std::string& type_name) {
  const auto found = proc.elements.find(t.element);
  if (found != proc.elements.end()) return found->second;
  system::Element e;
  e.kind = system::ElementKind::Statement;
  e.type_name = type_name;
  const std::string text = t.is_end ? "-end-" : text_of(t.span);
  e.name = t.span.valid() ? fmt::format("{}, line {}: {}", type_name, sources_.position(t.span).line, text)
                          : type_name;
  e.ignorable = t.blocks_dstep;
  e.origin.span = t.span;
  // Spin's number of the step ("id" in the tables of pan -d, third number in its trails); all of a d_step is
  // one.
  e.origin.element = t.dstep ? fmt::format("d_step {}", proc.first_id + t.dstep - 1)
                             : fmt::format("{}", proc.first_id + t.element);
  return proc.elements[t.element] = s_.add(std::move(e));
}

void Lowering::collect_edges() {
  edges_.resize(slots_.size());
  for (Slot& slot : slots_) collect_edges(slot);
  if (options_.check_promises && !options_.ignore_assertions) collect_promises();
  for (Slot& slot : slots_)
    for (Edge& e : edges_[slot.index]) extend(e, slot);
  for (auto& list : receives_)  // not senders: they lose the control
    for (Rendezvous& r : list) extend(r.edge, slots_[r.slot]);
}

void Lowering::collect_edges(Slot& slot) {
  Proc& proc = procs_[slot.proctype];
  const Proctype& type = program_.proctypes[slot.proctype];
  const Automaton& a = proc.automaton;
  for (std::uint32_t state : a.reachable)
    for (std::size_t i = 0; i < a.states[state].transitions.size(); ++i) {
      const Transition& t = a.states[state].transitions[i];
      const ExprId first = before(a.states[state], i, slot);
      if (s_.exprs.is_const(first, 0)) continue;
      for (Alternative& alt : alternatives(t, slot)) {
        Edge e;
        e.from = state;
        e.to = t.target;
        e.atomic = t.atomic;
        e.dies = t.is_end;
        e.inside_dstep = a.states[state].in_dstep;
        e.elements = {element(proc, t, type.name)};
        e.span = t.span;
        e.locals = alt.locals;
        e.name = t.is_end ? "end" : t.blocks_dstep ? "stuck in d_step" : text_of(t.span);
        e.guard = alt.rendezvous_receive ? alt.guard : both(first, alt.guard);
        e.trigger = alt.trigger;
        e.body = alt.body;
        e.plain = s_.exprs.is_const(e.guard, 1) && !e.trigger && !e.dies;
        if (alt.rendezvous_send || alt.rendezvous_receive) {
          Rendezvous r;
          r.slot = slot.index;
          r.edge = std::move(e);
          r.transition = &t;
          for (std::size_t k = 0; k < i; ++k) {
            const Transition& u = a.states[state].transitions[k];
            if (alt.rendezvous_receive && u.escape != 0 && u.escape != t.escape) r.earlier.push_back(&u);
          }
          const QueueId queue = alt.queue;
          const bool sends = alt.rendezvous_send;
          r.alternative = std::move(alt);
          (sends ? sends_ : receives_)[queue.index()].push_back(std::move(r));
          continue;
        }
        if (!s_.exprs.is_const(e.guard, 0)) edges_[slot.index].push_back(std::move(e));
      }
    }
}

// After an atomic edge the same process goes on: as long as the next step is the only one and always
// possible, it is part of this action. The states between would not be stored anyway.
void Lowering::extend(Edge& edge, const Slot& slot) {
  const Automaton& a = procs_[slot.proctype].automaton;
  std::set<std::uint32_t> seen = {edge.to};
  while (edge.atomic && edge.to != 0) {
    const bool free = !program_.proctypes[slot.proctype].provided && !program_.uses_priority;
    if (!free && !a.states[edge.to].in_dstep) return;
    const Edge* only = nullptr;
    for (const Edge& e : edges_[slot.index])
      if (e.from == edge.to) {
        if (only) return;
        only = &e;
      }
    if (!only || !only->plain || a.states[edge.to].transitions.size() != 1) {
      // Inside a d_step the error edge is folded away when the step is always possible.
      if (!only || !only->plain || !a.states[edge.to].in_dstep) return;
    }
    for (const auto& lists : {&sends_, &receives_})
      for (const auto& list : *lists)
        for (const Rendezvous& r : list)
          if (r.slot == slot.index && r.edge.from == edge.to) return;
    if (!seen.insert(only->to).second || edge.elements.size() > 200) return;
    // Locals of the appended part are renumbered by nobody: only a part without locals is appended.
    if (only->locals > 0 || &edge == only) return;
    edge.body.insert(edge.body.end(), only->body.begin(), only->body.end());
    edge.elements.insert(edge.elements.end(), only->elements.begin(), only->elements.end());
    edge.atomic = only->atomic;
    edge.to = only->to;
  }
}

// The conditions that hold for every step of a process: where it stands, provided, priorities.
ExprId Lowering::step_condition(const Slot& slot, const Edge& edge) {
  ExprId c = at_state(slot, edge.from);
  if (edge.inside_dstep) return c;
  if (const ExprPtr& provided = program_.proctypes[slot.proctype].provided)
    c = both(c, boolean(*provided, &slot));
  return both(c, highest_priority(slot));
}

std::vector<StmtId> Lowering::move(const Slot& slot, const Edge& edge) {
  std::vector<StmtId> body;
  const Proc& proc = procs_[slot.proctype];
  if (edge.to != edge.from && edge.to != 0)
    body.push_back(assign(slot.pc, s_.exprs.constant(proc.location[edge.to], proc.location_type), edge.span));
  if (last_.valid() && !edge.dies) body.push_back(assign(last_, pid_of(slot), edge.span));
  return body;
}

void Lowering::add_action(const Slot& slot, const Edge& edge, std::optional<StmtId> extra) {
  system::Action action;
  action.name = edge.name;
  action.owner = slot.owner;
  action.trigger = edge.trigger;
  action.guard = both(step_condition(slot, edge), edge.guard);
  if (s_.exprs.is_const(action.guard, 0)) return;
  std::vector<StmtId> body = edge.body;
  if (extra) body.push_back(*extra);
  for (StmtId st : move(slot, edge)) body.push_back(st);
  if (!edge.atomic) clear_scratch(slot, body, edge.span);
  action.body = block(std::move(body), edge.span);
  action.locals = edge.locals;
  if (edge.atomic) action.hold = slot.owner;
  action.elements = edge.elements;
  action.origin.span = edge.span;
  s_.add(std::move(action));
}

void Lowering::emit_edges() {
  for (const Slot& slot : slots_) {
    // States that only stretches passed through, and that are now part of longer actions, have no use any
    // more.
    const Automaton& a = procs_[slot.proctype].automaton;
    std::set<std::uint32_t> used = {a.start};
    for (bool grown = true; grown;) {
      const std::size_t before_round = used.size();
      for (const Edge& e : edges_[slot.index])
        if (used.count(e.from)) used.insert(e.to);
      for (const auto& lists : {&sends_, &receives_})
        for (const auto& list : *lists)
          for (const Rendezvous& r : list)
            if (r.slot == slot.index && used.count(r.edge.from)) used.insert(r.edge.to);
      grown = used.size() != before_round;
    }
    for (const Edge& e : edges_[slot.index]) {
      if (!used.count(e.from)) continue;
      if (e.dies)
        emit_death(slot, e);
      else
        add_action(slot, e);
    }
  }
}

// --- dying
// --------------------------------------------------------------------------------------------------

void Lowering::death_body(const Slot& slot, std::vector<StmtId>& body, diag::Span span) {
  const ExprId zero = constant(0);
  if (last_.valid()) body.push_back(assign(last_, pid_of(slot), span));  // while it still has a number
  body.push_back(assign(slot.pc, s_.exprs.constant(0, procs_[slot.proctype].location_type), span));
  for (const auto* list :
       {&program_.proctypes[slot.proctype].parameters, &program_.proctypes[slot.proctype].locals})
    for (const VariablePtr& v : *list)
      for (const auto& [path, lc] : slot.variables.at(v.get()))
        for (CellId cell : lc.cells)
          body.push_back(assign(cell, s_.exprs.constant(0, s_.cell(cell).type), span));
  if (slot.pid.valid()) body.push_back(assign(slot.pid, zero, span));
  if (slot.priority.valid()) body.push_back(assign(slot.priority, zero, span));
  if (nr_pr_.valid())
    body.push_back(assign(nr_pr_, s_.exprs.binary(Op::Sub, s_.read(nr_pr_), constant(1)), span));
}

// The youngest process ends: its variables become zero and its channels vanish. A channel that still holds
// messages is emptied first, in a stretch during which nobody else moves.
void Lowering::emit_death(const Slot& slot, const Edge& edge) {
  const Proc& proc = procs_[slot.proctype];
  std::vector<ExprId> empty;
  std::vector<QueueId> drained;
  for (QueueId q : slot.queues) {
    if (rendezvous_[q.index()]) continue;
    drained.push_back(q);
    empty.push_back(s_.exprs.binary(Op::Eq, s_.exprs.queue_len(q), constant(0)));
  }
  Edge gone = edge;
  gone.to = 0;
  gone.atomic = false;
  gone.guard = both(edge.guard, all_of(empty));
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
  system::Action enter =
      action("end", all_of({step_condition(slot, edge), edge.guard, negate(all_of(empty))}),
             assign(slot.pc, draining, edge.span), true);
  enter.elements = edge.elements;
  s_.add(std::move(enter));
  for (QueueId q : drained) {
    system::Action drain =
        action(fmt::format("drop a message of {}", s_.queue(q).name), here, block({}, edge.span), true);
    drain.kind = system::ActionKind::Discard;
    drain.trigger = system::Trigger{q, queue_shapes_[q.index()].signal, system::Selection::Selected, true};
    s_.add(std::move(drain));
  }
  std::vector<StmtId> body;
  death_body(slot, body, edge.span);
  s_.add(action("gone", both(here, all_of(empty)), block(std::move(body), edge.span), false));
}

// --- rendezvous
// ---------------------------------------------------------------------------------------------

void Lowering::emit_rendezvous() {
  for (std::size_t q = 0; q < sends_.size(); ++q)
    for (const Rendezvous& send : sends_[q])
      for (const Rendezvous& receive : receives_[q])
        if (send.slot != receive.slot) emit_pair(send, receive);
}

// Both processes move at once. Control stays with the receiver if it is in an atomic sequence, and is lost
// otherwise, whatever the sender is in.
void Lowering::emit_pair(const Rendezvous& send, const Rendezvous& receive) {
  const Slot& sender = slots_[send.slot];
  const Slot& receiver = slots_[receive.slot];
  const auto& args = send.alternative.args;
  const auto& wanted = receive.alternative.patterns;
  system::Action a;
  a.name = fmt::format("{} with {}", send.edge.name, receive.edge.name);
  a.owner = sender.owner;
  a.partner = receiver.owner;
  std::vector<ExprId> conditions = {step_condition(sender, send.edge), at_state(receiver, receive.edge.from),
                                    send.edge.guard};
  if (const ExprPtr& provided = program_.proctypes[receiver.proctype].provided)
    conditions.push_back(boolean(*provided, &receiver));
  conditions.push_back(receive.edge.guard);
  conditions.push_back(pattern_condition(wanted, args));
  for (const Transition* u : receive.earlier) {
    if (!u->statement || u->statement->kind != StmtKind::Receive) continue;
    const std::size_t bodies = s_.stmts.size();
    for (const Alternative& other : alternatives(*u, receiver))
      if (other.rendezvous_receive && other.queue == receive.alternative.queue &&
          other.patterns.size() == args.size())
        conditions.push_back(negate(both(other.guard, pattern_condition(other.patterns, args))));
    s_.stmts.resize(bodies);
  }
  a.guard = all_of(conditions);
  if (s_.exprs.is_const(a.guard, 0)) return;
  std::vector<StmtId> body;
  const diag::Span span = receive.edge.span;
  if (wanted.size() != args.size()) {
    body.push_back(failure(system::RuntimeError::Other,
                           fmt::format("{} values are received, {} are sent", wanted.size(), args.size()),
                           span));
  } else {
    // The message is complete before the receiver changes anything.
    std::vector<ExprId> values = args;
    std::size_t stores = 0;
    for (const Pattern& p : wanted) stores += p.target != nullptr && !p.compare.valid();
    if (stores > 1)
      for (ExprId& v : values) {
        if (s_.exprs[v].op == Op::Const) continue;
        system::Stmt keep;
        keep.kind = SysKind::SetLocal;
        keep.local = a.locals;
        keep.value = v;
        keep.origin.span = span;
        v = s_.exprs.local(a.locals++, s_.exprs[v].type);
        body.push_back(s_.add(std::move(keep)));
      }
    for (std::size_t i = 0; i < wanted.size(); ++i) store(wanted[i], values[i], receiver, span, body);
  }
  for (StmtId st : move(sender, send.edge)) body.push_back(st);
  body.insert(body.end(), receive.edge.body.begin(), receive.edge.body.end());
  for (StmtId st : move(receiver, receive.edge)) body.push_back(st);
  if (!receive.edge.atomic) {
    clear_scratch(sender, body, span);
    clear_scratch(receiver, body, span);
  }
  a.body = block(std::move(body), send.edge.span);
  if (receive.edge.atomic) a.hold = receiver.owner;
  a.elements = send.edge.elements;
  a.elements.insert(a.elements.end(), receive.edge.elements.begin(), receive.edge.elements.end());
  a.origin.span = send.edge.span;
  s_.add(std::move(a));
}

// --- the rest
// -----------------------------------------------------------------------------------------------

// Coverage: each action says which statements it executes.
void Lowering::note_elements() {
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
    a.body = block(std::move(body), a.origin.span);
  }
}

void Lowering::finish_owners() {
  for (const Slot& slot : slots_) {
    std::vector<ExprId> rest = {negate(alive(slot))};
    const Automaton& a = procs_[slot.proctype].automaton;
    for (std::uint32_t state : a.reachable)
      if (a.states[state].end_label && !a.states[state].in_dstep) rest.push_back(at_state(slot, state));
    s_.owners[slot.owner.index()].may_rest = any_of(rest);
  }
}

void Lowering::add_properties() {
  for (system::PropertyKind kind :
       {system::PropertyKind::NoDeadlock, system::PropertyKind::NoAssertionFailure,
        system::PropertyKind::NoRuntimeError}) {
    system::Property p;
    p.kind = kind;
    p.name = system::describe(kind);
    s_.add(std::move(p));
  }
  if (options_.lose_messages) {
    system::Property p;
    p.kind = system::PropertyKind::NoLostMessages;
    p.name = system::describe(p.kind);
    s_.add(std::move(p));
  }
  add_temporal_properties();
}

Lowering::Lowering(const Program& program, const diag::SourceMap& sources, diag::Diagnostics& diagnostics,
                   const Options& options, bool wide_channels)
    : program_(program),
      sources_(sources),
      diagnostics_(diagnostics),
      options_(options),
      channels_(program),
      wide_channels_(wide_channels) {}
std::optional<system::System> Lowering::run() {
  if (!prepare_processes() || !create_queues()) return std::nullopt;
  create_cells();
  if (diagnostics_.has_errors()) return std::nullopt;
  set_initial_values();
  find_scratch();
  collect_edges();
  if (diagnostics_.has_errors()) return std::nullopt;
  emit_edges();
  emit_rendezvous();
  note_elements();
  finish_owners();
  add_properties();
  if (diagnostics_.has_errors()) return std::nullopt;
  return std::move(s_);
}

}  // namespace parley::front::promela
