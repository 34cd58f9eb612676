#include "front/promela/lower_edges.hpp"

#include <fmt/format.h>

#include <set>

namespace parley::front::promela {

void EdgeCollector::collect() {
  for (const Slot& slot : layout_.slots) collect(slot);
}

void EdgeCollector::extend_all() {
  for (const Slot& slot : layout_.slots)
    for (Edge& e : edges_.by_slot[slot.index]) extend(e, slot);
  for (auto& list : edges_.receives)  // not senders: they lose the control
    for (Rendezvous& r : list) extend(r.edge, layout_.slots[r.slot]);
}

ElementId EdgeCollector::element(std::uint32_t proctype, const Transition& t) {
  auto& elements = elements_[proctype];
  const std::string& type_name = program_.proctypes[proctype].name;
  const std::uint32_t first_id = layout_.procs[proctype].first_id;
  const auto found = elements.find(t.element);
  if (found != elements.end()) return found->second;
  system::Element e;
  e.kind = system::ElementKind::Statement;
  e.type_name = type_name;
  const std::string text = t.is_end ? "-end-" : text_of(sources_, t.span);
  e.name = t.span.valid() ? fmt::format("{}, line {}: {}", type_name, sources_.position(t.span).line, text)
                          : type_name;
  e.ignorable = t.blocks_dstep;
  e.origin.span = t.span;
  // Spin's number of the step ("id" in the tables of pan -d, third number in its trails); all of a d_step is
  // one.
  e.origin.element =
      t.dstep ? fmt::format("d_step {}", first_id + t.dstep - 1) : fmt::format("{}", first_id + t.element);
  return elements[t.element] = s_.add(std::move(e));
}

void EdgeCollector::collect(const Slot& slot) {
  const Automaton& a = layout_.procs[slot.proctype].automaton;
  for (std::uint32_t state : a.reachable)
    for (std::size_t i = 0; i < a.states[state].transitions.size(); ++i) {
      const Transition& t = a.states[state].transitions[i];
      const ExprId first = enabledness_.before(a.states[state], i, slot);
      if (s_.exprs.is_const(first, 0)) continue;
      for (Alternative& alt : effects_.alternatives(t, slot)) {
        Edge e;
        e.from = state;
        e.to = t.target;
        e.atomic = t.atomic;
        e.dies = t.is_end;
        e.inside_dstep = a.states[state].in_dstep;
        e.elements = {element(slot.proctype, t)};
        e.span = t.span;
        e.locals = alt.locals;
        e.name = t.is_end ? "end" : t.blocks_dstep ? "stuck in d_step" : text_of(sources_, t.span);
        e.guard = alt.rendezvous_receive ? alt.guard : terms_.both(first, alt.guard);
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
          (sends ? edges_.sends : edges_.receives)[queue.index()].push_back(std::move(r));
          continue;
        }
        if (!s_.exprs.is_const(e.guard, 0)) edges_.by_slot[slot.index].push_back(std::move(e));
      }
    }
}

// After an atomic edge the same process goes on: as long as the next step is the only one and always
// possible, it is part of this action. The states between would not be stored anyway.
void EdgeCollector::extend(Edge& edge, const Slot& slot) {
  const Automaton& a = layout_.procs[slot.proctype].automaton;
  std::set<std::uint32_t> seen = {edge.to};
  while (edge.atomic && edge.to != 0) {
    const bool free = !program_.proctypes[slot.proctype].provided && !program_.uses_priority;
    if (!free && !a.states[edge.to].in_dstep) return;
    const Edge* only = nullptr;
    for (const Edge& e : edges_.by_slot[slot.index])
      if (e.from == edge.to) {
        if (only) return;
        only = &e;
      }
    if (!only || !only->plain || a.states[edge.to].transitions.size() != 1) {
      // Inside a d_step the error edge is folded away when the step is always possible.
      if (!only || !only->plain || !a.states[edge.to].in_dstep) return;
    }
    for (const auto& lists : {&edges_.sends, &edges_.receives})
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

}  // namespace parley::front::promela
