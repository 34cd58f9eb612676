#include "lower/steps.hpp"

#include <algorithm>

#include "lower/completion.hpp"
#include "lower/interleaving.hpp"
#include "lower/timing.hpp"

namespace parley::lower {

using model::CompletionMode;
using system::ActionKind;

bool is_split(const Context& c) {
  return c.model.switches.run_to_completion == model::RunToCompletion::Split;
}

namespace {

ExprId running(Context& c, const Object& o) {
  return c.is(c.threads[o.thread].running, static_cast<std::int32_t>(o.place));
}

// The parameters of a message as guards and effects see them: of the message itself, or as kept after
// dispatch.
std::vector<ExprId> parameters_of(Context& c, const Object& o, SignalDeclId signal) {
  std::vector<ExprId> result;
  const system::Signal s = c.system.signal(o.signals[signal.index()]);
  for (std::size_t i = 0; i < s.params.size(); ++i)
    result.push_back(is_split(c) ? c.system.read(o.parameters[signal.index()][i])
                                 : c.pool().param(static_cast<std::uint32_t>(i), s.params[i]));
  return result;
}

// Split: the message is worked off.
StmtId forget_message(Context& c, const Object& o, SignalDeclId signal) {
  std::vector<StmtId> list = {c.assign(o.dispatched, 0)};
  for (CellId cell : o.parameters[signal.index()])
    list.push_back(c.assign(cell, c.system.cell(cell).initial));
  return c.block(std::move(list));
}

std::set<SignalDeclId> signals_of(const Context& c, const Object& o) {
  std::set<SignalDeclId> result;
  for (const model::Transition& t : o.machine->m().transitions)
    for (const model::Trigger& x : t.triggers) {
      if (x.kind == model::TriggerKind::Signal) result.insert(x.signal);
      if (x.kind == model::TriggerKind::AnySignal)
        for (std::size_t k = 0; k < c.model.signals.size(); ++k) result.insert(SignalDeclId(k));
    }
  for (const model::Vertex& v : o.machine->m().vertices) result.insert(v.deferred.begin(), v.deferred.end());
  return result;
}

system::Action action_of(const Object& o, ActionKind kind, std::string name) {
  system::Action a;
  a.owner = o.owner;
  a.kind = kind;
  a.name = std::move(name);
  return a;
}

void set_elements(Context& c, const Object& o, system::Action& a, const Option& option) {
  for (const Reaction& r : option.fired)
    for (TransitionId t : r.route.segments)
      a.elements.push_back(c.transition_elements.at(o.machine->machine_class())[t.index()]);
  const model::Transition& first = o.machine->m().transition(option.fired.front().route.segments.front());
  a.origin = origin_of(first.span, first.element_id);
}

// Deferral (docs/semantics.md rule 11): a state holds a signal back unless a transition of its own, or of
// what it contains, is enabled for it; `any-enabled`: unless any transition is.
void add_deferral(Context& c, Object& o, SignalDeclId signal, Selection& selection) {
  ExprId held = c.pool().boolean(false);
  ExprId some = c.pool().boolean(false);
  for (std::size_t v = 0; v < o.machine->m().vertices.size(); ++v) {
    const auto& deferred = o.machine->m().vertices[v].deferred;
    if (std::find(deferred.begin(), deferred.end(), signal) == deferred.end()) continue;
    const ExprId active = c.active(o, VertexId(v));
    some = c.pool().either(some, active);
    held = c.pool().either(held, c.pool().both(active, c.pool().negate(selection.any_in(VertexId(v)))));
  }
  if (c.pool().is_const(some, 0)) return;
  if (c.switches().deferral == model::DeferralMode::AnyEnabled)
    held = c.pool().both(some, c.pool().negate(selection.any()));
  c.system.queues[c.threads[o.thread].queue.index()].deferrals.push_back({o.signals[signal.index()], held});
}

void add_message_reactions(Context& c, Object& o, SignalDeclId signal) {
  Event event;
  event.signal = signal;
  // Deferral conditions are read when a message is looked at, before it is dispatched.
  if (is_split(c)) {
    std::vector<ExprId> as_message;
    const system::Signal s = c.system.signal(o.signals[signal.index()]);
    for (std::size_t i = 0; i < s.params.size(); ++i)
      as_message.push_back(c.pool().param(static_cast<std::uint32_t>(i), s.params[i]));
    Configuration waiting(c, o, as_message);
    Selection selection(c, o, waiting, event);
    add_deferral(c, o, signal, selection);
  }
  Configuration configuration(c, o, parameters_of(c, o, signal));
  Selection selection(c, o, configuration, event);
  if (!is_split(c)) add_deferral(c, o, signal, selection);
  const std::string& name = c.model.signals[signal.index()].name;
  for (const Option& option : selection.options()) {
    if (c.refused) return;
    system::Action a = action_of(o, ActionKind::Fire, option_name(o, option, name));
    set_elements(c, o, a, option);
    const StmtId body = fire_all(c, o, configuration, option);
    if (is_split(c)) {
      const ExprId has_it = c.is(o.dispatched, static_cast<std::int32_t>(signal.index()) + 1);
      a.guard = c.pool().both(c.pool().both(running(c, o), has_it), option.condition);
      a.body = c.block({body, forget_message(c, o, signal)});
    } else {
      a.trigger = system::Trigger{c.threads[o.thread].queue, o.signals[signal.index()],
                                  system::Selection::Selected, true};
      std::vector<VertexId> sources;
      for (const Reaction& r : option.fired) sources.push_back(r.source);
      a.guard = c.pool().both(thread_has_no_completion(c, o, sources), option.condition);
      a.body = body;
    }
    c.add(std::move(a), fired_by(o, option));
  }
}

// Transitions without trigger: on their completion event, or (free) whenever the state has finished.
void add_completion(Context& c, Object& o, VertexId state) {
  const bool first = c.switches().completion == CompletionMode::First;
  Configuration configuration(c, o);
  std::vector<TransitionId> siblings;
  for (TransitionId t : o.machine->outgoing(state))
    if (o.machine->is_completion(t)) siblings.push_back(t);
  ExprId ready = first ? completion_is_next(c, o, state) : finished(c, o, state);
  if (is_split(c)) {
    const ExprId free_thread = c.is(c.threads[o.thread].running, 0);
    const ExprId turn = first ? c.pool().either(running(c, o), free_thread) : running(c, o);
    ready = c.pool().both(c.pool().both(turn, c.is(o.dispatched, 0)), ready);
  }
  ExprId any = c.pool().boolean(false);
  for (TransitionId t : siblings)
    for (Route& r : configuration.routes(t, siblings)) {
      any = c.pool().either(any, r.condition);
      if (c.refused || c.pool().is_const(r.condition, 0)) continue;
      const Option option{{{state, r}}, r.condition};
      const bool in_step = first || is_split(c);
      system::Action a =
          action_of(o, in_step ? ActionKind::Complete : ActionKind::Fire, option_name(o, option, ""));
      set_elements(c, o, a, option);
      a.guard = c.pool().both(ready, r.condition);
      const bool stays = o.machine->m().transition(t).kind == model::TransitionKind::Local;
      a.body = c.block(
          {start_step(c, o), stays ? retract_completion(c, o, state) : c.skip(), configuration.fire(r)});
      c.add(std::move(a), fired_by(o, option));
    }
  if (!first || !o.completion[state.index()].valid() || c.pool().is_const(any, 1)) return;
  system::Action lost =
      action_of(o, ActionKind::Complete, o.machine->name(state) + " completed, no transition enabled");
  lost.guard = c.pool().both(ready, c.pool().negate(any));
  lost.body = c.block({start_step(c, o), retract_completion(c, o, state)});
  lost.origin = origin_of(o.machine->m().vertex(state).span, o.machine->m().vertex(state).element_id);
  c.add(std::move(lost));
}

}  // namespace

ExprId may_start(Context& c, const Object& o) {
  const ExprId quiet = thread_has_no_completion(c, o);
  return is_split(c) ? c.pool().both(c.is(c.threads[o.thread].running, 0), quiet) : quiet;
}

StmtId start_step(Context& c, const Object& o) {
  return is_split(c) ? c.assign(c.threads[o.thread].running, static_cast<std::int32_t>(o.place)) : c.skip();
}

StmtId fire_all(Context& c, Object& o, Configuration& configuration, const Option& option) {
  if (option.fired.size() == 1) return configuration.fire(option.fired[0].route);
  std::vector<StmtId> parts;
  for (const Reaction& r : option.fired)  // a join completed by an earlier one may have left the source
    parts.push_back(c.when(c.active(o, r.source), configuration.fire(r.route), c.skip()));
  return in_any_order(c, parts, o.pick_size);
}

std::vector<BackMap::Fired> fired_by(const Object& o, const Option& option) {
  std::vector<BackMap::Fired> result;
  for (const Reaction& r : option.fired)
    for (TransitionId t : r.route.segments) result.push_back({o.number, o.machine->machine_class(), t});
  return result;
}

std::string option_name(const Object& o, const Option& option, const std::string& event) {
  std::string text;
  for (const Reaction& r : option.fired) {
    const model::Transition& t = o.machine->m().transition(r.route.segments.front());
    if (!text.empty()) text += " & ";
    if (!t.name.empty()) text += t.name + ": ";
    text += o.machine->name(r.source);
    text += t.kind == model::TransitionKind::Internal ? " (internal)" : " -> " + o.machine->name(r.route.end);
  }
  return event.empty() ? text : text + " on " + event;
}

ExprId spontaneous(Context& c, Object& o) {
  ExprId result = pending_time_event(c, o);
  if (c.switches().completion == CompletionMode::First)
    return c.pool().either(result, c.pool().negate(no_completion(c, o)));
  Configuration configuration(c, o);
  for (std::size_t v = 0; v < o.machine->m().vertices.size(); ++v) {
    if (!o.machine->has_completion(VertexId(v))) continue;
    std::vector<TransitionId> siblings;
    for (TransitionId t : o.machine->outgoing(VertexId(v)))
      if (o.machine->is_completion(t)) siblings.push_back(t);
    ExprId any = c.pool().boolean(false);
    for (TransitionId t : siblings)
      for (const Route& r : configuration.routes(t, siblings)) any = c.pool().either(any, r.condition);
    result = c.pool().either(result, c.pool().both(finished(c, o, VertexId(v)), any));
  }
  return result;
}

void add_reactions(Context& c, Object& o) {
  for (SignalDeclId signal : signals_of(c, o)) add_message_reactions(c, o, signal);
  for (std::size_t v = 0; v < o.machine->m().vertices.size() && !c.refused; ++v)
    if (o.machine->has_completion(VertexId(v))) add_completion(c, o, VertexId(v));
  for (std::size_t v = 0; v < o.machine->m().vertices.size() && !c.refused; ++v) {
    if (!o.doing[v].valid()) continue;
    system::Action a =
        action_of(o, ActionKind::Internal, o.machine->name(VertexId(v)) + " does its activity");
    a.guard = c.is(o.doing[v], 1);
    a.body = Configuration(c, o).do_activity(VertexId(v));
    a.origin = origin_of(o.machine->m().vertices[v].do_activity.span, o.machine->m().vertices[v].element_id);
    c.add(std::move(a));
  }
  add_time_events(c, o);
}

void add_arrivals(Context& c, Object& o, const std::set<SignalId>& arriving) {
  const QueueId queue = c.threads[o.thread].queue;
  for (std::size_t k = 0; k < c.model.signals.size() && !c.refused; ++k) {
    if (!arriving.contains(o.signals[k])) continue;
    const SignalDeclId signal(k);
    const std::string& name = c.model.signals[k].name;
    Event event;
    event.signal = signal;
    Configuration configuration(c, o, parameters_of(c, o, signal));
    Selection selection(c, o, configuration, event);
    ExprId nobody = c.pool().negate(selection.any());
    if (c.switches().discard == model::DiscardMode::NoTransition && !is_split(c))
      nobody = c.pool().both(nobody, c.pool().negate(spontaneous(c, o)));
    if (is_split(c)) {
      system::Action a = action_of(o, ActionKind::Dispatch, "dispatches " + name);
      a.trigger = system::Trigger{queue, o.signals[k], system::Selection::Selected, true};
      a.guard = may_start(c, o);
      std::vector<StmtId> list = {start_step(c, o), c.assign(o.dispatched, static_cast<std::int32_t>(k) + 1)};
      for (std::size_t i = 0; i < o.parameters[k].size(); ++i)
        list.push_back(c.assign(o.parameters[k][i], c.pool().param(static_cast<std::uint32_t>(i),
                                                                   c.system.cell(o.parameters[k][i]).type)));
      a.body = c.block(std::move(list));
      c.add(std::move(a));
    }
    if (c.pool().is_const(nobody, 0)) continue;
    system::Action a = action_of(o, ActionKind::Discard, "discards " + name);
    a.origin = origin_of(c.model.signals[k].span, c.model.signals[k].element_id);
    if (is_split(c)) {  // the end of a step whose message nobody took (004, EndRTC)
      a.guard = c.pool().both(
          c.pool().both(running(c, o), c.is(o.dispatched, static_cast<std::int32_t>(k) + 1)), nobody);
      a.body = c.block({forget_message(c, o, signal), c.assign(c.threads[o.thread].running, 0)});
      a.drops = system::KeptMessage{o.signals[k], parameters_of(c, o, signal)};
    } else {
      a.trigger = system::Trigger{queue, o.signals[k], system::Selection::Selected, true};
      a.guard = c.pool().both(thread_has_no_completion(c, o), nobody);
    }
    c.add(std::move(a));
  }
}

void add_end_of_step(Context& c, Object& o) {
  if (!is_split(c)) return;
  system::Action a = action_of(o, ActionKind::EndStep, "ends its step");
  const ExprId idle = c.switches().completion == CompletionMode::First ? no_completion(c, o)
                                                                       : c.pool().negate(spontaneous(c, o));
  a.guard = c.pool().both(c.pool().both(running(c, o), c.is(o.dispatched, 0)), idle);
  a.body = c.assign(c.threads[o.thread].running, 0);
  c.add(std::move(a));
}

}  // namespace parley::lower
