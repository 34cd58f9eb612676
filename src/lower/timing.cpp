#include "lower/timing.hpp"

#include <algorithm>

#include "lower/completion.hpp"
#include "lower/steps.hpp"

namespace parley::lower {

using model::TriggerKind;
using system::ActionKind;

namespace {

struct TimeEvent {
  Event event;
  ExprId waits;  // the event is there
  StmtId consume;
  std::string name;  // "time", "timeout t", "change"
  system::Origin origin;
  ExprId rearm;  // Change: when to watch for it again
  CellId armed;
};

std::vector<TimeEvent> time_events(Context& c, Object& o) {
  std::vector<TimeEvent> result;
  std::set<std::uint32_t> timers;
  const model::Machine& m = o.machine->m();
  for (std::size_t t = 0; t < m.transitions.size(); ++t)
    for (const model::Trigger& trigger : m.transitions[t].triggers) {
      TimeEvent e;
      e.event.transition = TransitionId(t);
      e.origin = origin_of(trigger.span);
      if (trigger.kind == TriggerKind::After) {
        e.event.kind = Event::Kind::After;
        e.waits = c.is(o.after[t], 0);
        e.consume = c.assign(o.after[t], -1);
        e.name = "time";
      } else if (trigger.kind == TriggerKind::Timeout) {
        if (!timers.insert(trigger.timer).second) continue;
        e.event.kind = Event::Kind::Timeout;
        e.event.timer = trigger.timer;
        const CellId cell = o.attributes[trigger.timer].front();
        e.waits = c.is(cell, 0);
        e.consume = c.assign(cell, -1);
        e.name = "timeout " + trigger.name;
      } else if (trigger.kind == TriggerKind::Change) {
        e.event.kind = Event::Kind::Change;
        Scope scope = scope_of(o);
        const ExprId condition = pure(c, *trigger.value, scope);
        e.waits = c.pool().both(c.is(o.armed[t], 1), condition);
        e.consume = c.assign(o.armed[t], 0);
        e.name = "change";
        e.armed = o.armed[t];
        e.rearm = c.pool().both(c.pool().both(c.active(o, m.transitions[t].source), c.is(o.armed[t], 0)),
                                c.pool().negate(condition));
      } else {
        continue;
      }
      result.push_back(std::move(e));
    }
  return result;
}

// No object can move: no message is there to dispatch, and nothing that needs none is enabled. What the
// environment might do does not hold time up. Only where a full queue blocks may an object with a message be
// unable to move; time passes then when nobody at all can move, the environment included (docs/semantics.md
// says so).
ExprId objects_rest(Context& c) {
  ExprId rest = c.pool().boolean(true);
  bool blocks = false;
  for (std::size_t q = 0; q < c.system.queues.size(); ++q) {
    const system::Queue& queue = c.system.queues[q];
    blocks = blocks || queue.overflow == system::OverflowPolicy::Block;
    const ExprId empty =
        queue.deferrals.empty()
            ? c.pool().equals(c.pool().queue_len(QueueId(q)), 0)
            : c.pool().negate(c.pool().head_is(QueueId(q), SignalId{}, c.pool().boolean(true)));
    rest = c.pool().both(rest, empty);
  }
  for (const system::Action& a : c.system.actions)
    if (!a.trigger && c.system.owner(a.owner).kind == system::OwnerKind::Object)
      rest = c.pool().both(rest, c.pool().negate(a.guard));
  return blocks ? c.pool().either(rest, c.pool().idle()) : rest;
}

}  // namespace

void add_time_events(Context& c, Object& o) {
  for (const TimeEvent& e : time_events(c, o)) {
    Configuration configuration(c, o);
    Selection selection(c, o, configuration, e.event);
    const ExprId ready = c.pool().both(e.waits, may_start(c, o));
    for (const Option& option : selection.options()) {
      if (c.refused) return;
      system::Action a;
      a.owner = o.owner;
      a.kind = ActionKind::Fire;
      a.name = option_name(o, option, e.name);
      a.origin = e.origin;
      for (const Reaction& r : option.fired)
        for (TransitionId t : r.route.segments)
          a.elements.push_back(c.transition_elements.at(o.machine->machine_class())[t.index()]);
      a.guard = c.pool().both(ready, option.condition);
      a.body = c.block({start_step(c, o), e.consume, fire_all(c, o, configuration, option)});
      c.add(std::move(a), fired_by(o, option));
    }
    // Nobody takes it: the event is gone, like a completion event, and not counted as a lost message.
    system::Action lost;
    lost.owner = o.owner;
    lost.kind = ActionKind::Internal;
    lost.name = e.name + " event passes, no transition enabled";
    lost.origin = e.origin;
    lost.guard = c.pool().both(ready, c.pool().negate(selection.any()));
    lost.body = e.consume;
    c.add(std::move(lost));
    if (e.armed.valid()) {
      system::Action watch;
      watch.owner = o.owner;
      watch.kind = ActionKind::Internal;
      watch.name = "sees that the change condition is false";
      watch.origin = e.origin;
      watch.guard = e.rearm;
      watch.body = c.assign(e.armed, 1);
      c.add(std::move(watch));
    }
  }
}

ExprId pending_time_event(Context& c, Object& o) {
  ExprId result = c.pool().boolean(false);
  for (const TimeEvent& e : time_events(c, o)) {
    Configuration configuration(c, o);
    Selection selection(c, o, configuration, e.event);
    result = c.pool().either(result, c.pool().both(e.waits, selection.any()));
  }
  return result;
}

void add_clock(Context& c) {
  std::vector<CellId> timers;
  for (std::size_t i = 0; i < c.system.cells.size(); ++i)
    if (c.system.cells[i].is_timer) timers.push_back(CellId(i));
  if (timers.empty()) return;
  if (c.switches().time == model::TimeMode::None) {
    const auto& origin = c.system.cell(timers.front()).origin;
    return c.refuse("no-time", origin.span, "the model uses time, but its semantics say `time = none`",
                    "use `time = lazy` or `time = free`");
  }
  system::Owner owner;
  owner.name = "clock";
  owner.type_name = "clock";
  owner.kind = system::OwnerKind::Clock;
  owner.may_rest = c.pool().boolean(true);
  c.map.owner_objects.push_back(Id<void>::kNone);
  c.clock = c.system.add(std::move(owner));
  system::Action tick;
  tick.owner = c.clock;
  tick.kind = ActionKind::Tick;
  tick.name = "tick";
  tick.guard = c.pool().boolean(false);
  std::vector<StmtId> list;
  for (CellId cell : timers) {
    const ExprId runs = c.pool().binary(Op::Gt, c.system.read(cell), c.pool().constant(0));
    tick.guard = c.pool().either(tick.guard, runs);
    list.push_back(c.when(
        runs, c.assign(cell, c.pool().binary(Op::Sub, c.system.read(cell), c.pool().constant(1))), c.skip()));
  }
  if (c.switches().time == model::TimeMode::Lazy) {
    tick.guard = c.pool().both(tick.guard, objects_rest(c));
    c.system.assumptions.push_back(
        {diag::AssumptionCode::LazyTime,
         "everybody is faster than the clock: time passes only when no object can move (time = lazy)"});
  }
  tick.body = c.block(std::move(list));
  c.add(std::move(tick));
}

}  // namespace parley::lower
