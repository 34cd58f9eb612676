#include "lower/configuration.hpp"

#include <algorithm>

#include "lower/completion.hpp"
#include "lower/interleaving.hpp"
#include "support/check.hpp"

namespace parley::lower {

namespace {

enum Sequence : int { kExitState, kLeave, kExitRegion, kShell, kEnterState, kEnterRegion };
enum Pick : int { kExitPick, kEnterPick, kForkPick };

}  // namespace

void reserve_locals(Context&, Object& o) {
  // One per part of every order: contents of orthogonal states on exit and entry, arms of forks, and the
  // transitions that react to one event together. Nothing for machines without orthogonal regions.
  const model::Machine& m = o.machine->m();
  std::uint32_t most = static_cast<std::uint32_t>(m.top.size());
  bool orthogonal = m.top.size() > 1;
  for (std::size_t v = 0; v < m.vertices.size(); ++v) {
    const auto regions = static_cast<std::uint32_t>(m.vertices[v].regions.size());
    const auto arms = o.machine->is_fork(VertexId(v))
                          ? static_cast<std::uint32_t>(o.machine->outgoing(VertexId(v)).size())
                          : 0;
    orthogonal = orthogonal || regions > 1 || arms > 1;
    most = std::max({most, regions, arms});
  }
  if (!orthogonal) return;
  o.pick_size = std::max<std::uint32_t>(most, static_cast<std::uint32_t>(m.regions.size()));
  // Only states and forks that have something to order use their share; number those densely.
  o.pick_base.assign(m.vertices.size(), 0);
  std::uint32_t next = 2;  // 0: the machine's own regions, 1: transitions fired together
  for (std::size_t v = 0; v < m.vertices.size(); ++v)
    if (m.vertices[v].regions.size() > 1 || o.machine->is_fork(VertexId(v))) {
      o.pick_base[v] = next;
      next += 3;
    }
  o.first_local = next * o.pick_size;
}

Configuration::Configuration(Context& c, Object& o, std::vector<ExprId> parameters)
    : c_(c), o_(o), parameters_(std::move(parameters)) {}

template <class F>
StmtId Configuration::once(int kind, std::uint32_t key, F&& make) {
  const auto [it, fresh] = o_.sequences.emplace(std::pair(kind, key), StmtId{});
  if (!fresh && !it->second.valid()) {  // still being made: entering leads back to itself
    if (!c_.refused)
      c_.refuse("endless-entry", m().span,
                "entering a state of `" + c_.model.of(info().machine_class()).name + "` never ends",
                "an initial transition leads back to the state it enters");
    return c_.skip();
  }
  if (fresh) {
    const StmtId s = make();
    o_.sequences[{kind, key}] = s;
    return s;
  }
  return it->second;
}

StmtId Configuration::behaviour(const model::Behaviour& b, bool with_parameters) {
  Scope scope = scope_of(o_);
  if (with_parameters) scope.parameters = parameters_;
  Frame frame{o_.first_local, o_.first_local};
  return lower_behaviour(c_, b, std::move(scope), frame);
}

std::uint32_t Configuration::picks(VertexId state, int kind) const {
  if (o_.pick_size == 0) return 0;
  return (o_.pick_base[state.index()] + static_cast<std::uint32_t>(kind)) * o_.pick_size;
}

// --- leaving
// ---------------------------------------------------------------------------------------------------

bool Configuration::leaves_quietly(VertexId state) const {
  const model::Vertex& v = m().vertex(state);
  if (v.exit || !v.regions.empty() || o_.completion[state.index()].valid() || v.do_activity) return false;
  return std::none_of(info().outgoing(state).begin(), info().outgoing(state).end(), [&](TransitionId t) {
    return o_.after[t.index()].valid() || o_.armed[t.index()].valid();
  });
}

StmtId Configuration::exit_regions(VertexId state) {
  std::vector<StmtId> parts;
  for (RegionId r : m().vertex(state).regions) parts.push_back(exit_region(r));
  return in_any_order(c_, parts, picks(state, kExitPick));
}

StmtId Configuration::leave(VertexId state) {
  return once(kLeave, state.value, [&] {
    std::vector<StmtId> list = {exit_regions(state), behaviour(m().vertex(state).exit, false),
                                retract_completion(c_, o_, state)};
    if (o_.doing[state.index()].valid()) list.push_back(c_.assign(o_.doing[state.index()], 0));
    for (TransitionId t : info().outgoing(state)) {
      if (o_.after[t.index()].valid()) list.push_back(c_.assign(o_.after[t.index()], -1));
      if (o_.armed[t.index()].valid()) list.push_back(c_.assign(o_.armed[t.index()], 0));
    }
    return c_.block(std::move(list));
  });
}

StmtId Configuration::exit_state(VertexId state) {
  return once(kExitState, state.value, [&] {
    const RegionId r = m().vertex(state).region;
    std::vector<StmtId> list = {leave(state)};
    if (o_.history[r.index()].valid() && m().vertex(state).kind == VertexKind::State)
      list.push_back(c_.assign(o_.history[r.index()], static_cast<std::int32_t>(info().location(state))));
    list.push_back(c_.assign(o_.location[r.index()], 0));
    return c_.block(std::move(list));
  });
}

StmtId Configuration::exit_region(RegionId r) {
  return once(kExitRegion, r.value, [&] {
    StmtId cases = c_.skip();
    ExprId remembered = c_.pool().boolean(false);
    const auto states = info().states(r);
    for (auto it = states.rbegin(); it != states.rend(); ++it) {
      if (!leaves_quietly(*it)) cases = c_.when(c_.active(o_, *it), leave(*it), cases);
      if (m().vertex(*it).kind == VertexKind::State)
        remembered = c_.pool().either(remembered, c_.active(o_, *it));
    }
    const CellId at = o_.location[r.index()];
    std::vector<StmtId> list = {cases};
    if (o_.history[r.index()].valid())
      list.push_back(c_.when(remembered, c_.assign(o_.history[r.index()], c_.system.read(at)), c_.skip()));
    list.push_back(c_.assign(at, 0));
    return c_.block(std::move(list));
  });
}

// --- entering
// --------------------------------------------------------------------------------------------------

StmtId Configuration::enter_machine() {
  std::vector<StmtId> parts;
  for (RegionId r : m().top) parts.push_back(enter_region(r));
  return in_any_order(c_, parts, 0);
}

StmtId Configuration::shell(VertexId state) {
  return once(kShell, state.value, [&] {
    const model::Vertex& v = m().vertex(state);
    std::vector<StmtId> list;
    list.push_back(
        c_.assign(o_.location[v.region.index()], static_cast<std::int32_t>(info().location(state))));
    list.push_back(c_.note(c_.state_elements.at(info().machine_class())[state.index()]));
    list.push_back(behaviour(v.entry, false));
    if (o_.doing[state.index()].valid()) list.push_back(c_.assign(o_.doing[state.index()], 1));
    Scope scope = scope_of(o_);
    for (TransitionId id : info().outgoing(state)) {
      for (const model::Trigger& trigger : m().transition(id).triggers) {
        if (trigger.kind == model::TriggerKind::After) {
          const ExprId ticks = pure(c_, *trigger.value, scope);
          list.push_back(c_.when(c_.pool().binary(Op::Ge, ticks, c_.pool().constant(0)), c_.skip(),
                                 c_.fail(system::RuntimeError::RangeExceeded,
                                         "a time event after a negative time", origin_of(trigger.span))));
          list.push_back(c_.assign(o_.after[id.index()], ticks, origin_of(trigger.span)));
        } else if (trigger.kind == model::TriggerKind::Change) {
          list.push_back(c_.assign(o_.armed[id.index()], c_.pool().negate(pure(c_, *trigger.value, scope)),
                                   origin_of(trigger.span)));
        }
      }
    }
    return c_.block(std::move(list));
  });
}

StmtId Configuration::enter_regions(VertexId state, const std::set<RegionId>& except, StmtId also) {
  std::vector<StmtId> parts;
  bool placed = also == c_.skip();
  for (RegionId r : m().vertex(state).regions) {
    if (!except.contains(r)) {
      parts.push_back(enter_region(r));
    } else if (!placed) {
      parts.push_back(also);
      placed = true;
    }
  }
  if (!placed) parts.push_back(also);
  return in_any_order(c_, parts, picks(state, kEnterPick));
}

StmtId Configuration::enter_state(VertexId state) {
  return once(kEnterState, state.value, [&] {
    const bool finished = info().completes_on_entry(state) && !m().vertex(state).do_activity;
    return c_.block(
        {shell(state), finished ? generate_completion(c_, o_, state) : enter_regions(state, {}, c_.skip())});
  });
}

StmtId Configuration::enter_region(RegionId r) {
  const VertexId initial = info().initial(r);
  if (!initial.valid() || info().outgoing(initial).empty()) return c_.skip();
  return once(kEnterRegion, r.value, [&] {
    // Entering by default knows nothing of the message, whatever compound transition it is part of.
    Configuration plain(c_, o_);
    plain.pending_ = pending_;
    const auto& out = info().outgoing(initial);
    std::vector<Route> list;
    for (TransitionId t : out) {
      auto more = plain.routes(t, out);
      list.insert(list.end(), more.begin(), more.end());
    }
    return plain.choose(list, origin_of(m().transition(out.front()).span), "no way into the region is open");
  });
}

StmtId Configuration::do_activity(VertexId state) {
  ExprId ended = c_.pool().boolean(true);
  for (RegionId r : m().vertex(state).regions) ended = c_.pool().both(ended, region_done(c_, o_, r));
  return c_.block({c_.assign(o_.doing[state.index()], 0), behaviour(m().vertex(state).do_activity, false),
                   c_.when(ended, generate_completion(c_, o_, state), c_.skip())});
}

StmtId Configuration::enter_final(VertexId state) {
  const RegionId r = m().vertex(state).region;
  std::vector<StmtId> list;
  list.push_back(c_.assign(o_.location[r.index()], static_cast<std::int32_t>(info().location(state))));
  list.push_back(c_.note(c_.state_elements.at(info().machine_class())[state.index()]));
  if (o_.history[r.index()].valid()) list.push_back(c_.assign(o_.history[r.index()], 0));
  list.push_back(after_region_end(c_, o_, r));
  return c_.block(std::move(list));
}

StmtId Configuration::restore(RegionId r, bool deep, StmtId otherwise) {
  StmtId result = otherwise;
  const auto states = info().states(r);
  for (auto it = states.rbegin(); it != states.rend(); ++it) {
    if (m().vertex(*it).kind != VertexKind::State) continue;
    StmtId entered;
    if (deep && info().is_composite(*it)) {
      std::vector<StmtId> parts;
      for (RegionId inner : m().vertex(*it).regions)
        parts.push_back(restore(inner, true, enter_region(inner)));
      entered = c_.block({shell(*it), in_any_order(c_, parts, picks(*it, kEnterPick))});
    } else {
      entered = enter_state(*it);
    }
    result = c_.when(c_.is(o_.history[r.index()], static_cast<std::int32_t>(info().location(*it))), entered,
                     result);
  }
  return result;
}

StmtId Configuration::terminate() {
  std::vector<StmtId> list;
  for (CellId cell : o_.location) list.push_back(c_.assign(cell, 0));
  for (const auto* cells : {&o_.history, &o_.completion, &o_.armed, &o_.doing})
    for (CellId cell : *cells)
      if (cell.valid()) list.push_back(c_.assign(cell, 0));
  for (CellId cell : o_.after)
    if (cell.valid()) list.push_back(c_.assign(cell, -1));
  for (const auto& cells : o_.attributes)
    for (CellId cell : cells)
      if (c_.system.cell(cell).is_timer) list.push_back(c_.assign(cell, -1));
  list.push_back(c_.assign(o_.location[m().top.front().index()],
                           static_cast<std::int32_t>(info().terminated_location())));
  return c_.block(std::move(list));
}

}  // namespace parley::lower
