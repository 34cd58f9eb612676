#include "verdict/reason.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.hpp"
#include "verdict/temporal.hpp"

namespace parley::verdict {
namespace {

using semantics::EventKind;
using system::PropertyKind;

std::string listed(std::vector<std::string> names, std::size_t most) {
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  if (more > 0) names.resize(most);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

std::vector<std::string> active_states(const system::System& s, const semantics::State& state,
                                       const system::Owner& owner) {
  std::vector<std::string> names;
  for (system::CellId c : owner.locations) {
    const std::string name = system::show_value(s, s.cell(c).type, state.cells[c.index()]);
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

Reason deadlock(const semantics::Interpreter& in, const semantics::State& state, std::size_t steps) {
  const system::System& s = in.system();
  std::vector<std::string> stuck;
  Reason r;
  for (const system::Owner& o : s.owners) {
    if (!in.truth(state, o.may_rest).may_be_false) continue;
    if (stuck.empty()) r.origin = o.origin;
    const std::vector<std::string> places = active_states(s, state, o);
    stuck.push_back(places.empty() ? o.name : fmt::format("{} in {}", o.name, fmt::join(places, "/")));
  }
  r.text = fmt::format("after {} step{} nothing can move; stuck: {}", steps, steps == 1 ? "" : "s",
                       listed(stuck, 6));
  return r;
}

// Where the receiver was that did not react: that is what the user drew, and where the remedy goes.
void tell_receiver(const system::System& s, const system::Owner& owner, const semantics::State& before,
                   Reason& r) {
  const std::vector<std::string> active = active_states(s, before, owner);
  if (active.empty()) return;
  r.text += fmt::format(" in {}", fmt::join(active, "/"));
  for (const system::Element& e : s.elements)
    if (e.kind == system::ElementKind::State && e.type_name == owner.type_name &&
        e.name == fmt::format("{}: {}", owner.type_name, active.back())) {
      r.origin = e.origin;
      return;
    }
}

Reason lost(const system::System& s, const Trace& trace, const Replay& replayed) {
  const semantics::StepResult& last = replayed.results.empty() ? replayed.initial : replayed.results.back();
  Reason r;
  if (!trace.steps.empty()) r.origin = s.action(trace.steps.back().action).origin;
  for (const semantics::Event& e : last.events) {
    if (e.kind != EventKind::Lost && e.kind != EventKind::Discarded) continue;
    const char* how = e.kind == EventKind::Lost ? "does not fit into the full queue of" : "is discarded by";
    r.text = fmt::format("message {} {} {}", semantics::show(s, e.message), how, s.queue(e.queue).name);
    if (e.kind == EventKind::Discarded && !trace.steps.empty() &&
        replayed.states.size() >= trace.steps.size())
      tell_receiver(s, s.owner(s.action(trace.steps.back().action).owner),
                    replayed.states[trace.steps.size() - 1], r);
    return r;
  }
  r.text = "a message is lost";
  return r;
}

}  // namespace

Reason reason_for(const semantics::Interpreter& in, system::PropertyId id, const Trace& trace) {
  const system::System& s = in.system();
  const system::Property& p = s.property(id);
  const Replay replayed = replay(in, trace);
  const semantics::StepResult& last = replayed.results.empty() ? replayed.initial : replayed.results.back();
  switch (p.kind) {
    case PropertyKind::NoDeadlock:
      return replayed.states.empty() ? Reason{} : deadlock(in, replayed.states.back(), trace.steps.size());
    case PropertyKind::NoLostMessages:
      return lost(s, trace, replayed);
    case PropertyKind::NoOverflow:
      if (last.outcome == semantics::Outcome::Done) return lost(s, trace, replayed);
      return {last.failure.message, last.failure.origin};
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
      return {last.failure.message, last.failure.origin};
    case PropertyKind::NoEndlessCompletion: {
      if (!trace.loop_start || *trace.loop_start >= trace.steps.size()) return {};
      const system::Action& a = s.action(trace.steps[*trace.loop_start].action);
      return {fmt::format("{} can complete for ever: {} steps repeat", s.owner(a.owner).name,
                          trace.steps.size() - *trace.loop_start),
              a.origin};
    }
    case PropertyKind::Always:
      return {fmt::format("{} is false", system::show(s, p.expression)), p.origin};
    case PropertyKind::Never:
      return {fmt::format("{} is true", system::show(s, p.expression)), p.origin};
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Reachable:
      return {"", p.origin};
    case PropertyKind::Temporal: {
      const auto run = temporal_run(in, id, trace);
      return {run ? temporal_reason(*run, trace) : "", p.origin};
    }
  }
  internal_error("kind of property", __FILE__, __LINE__);
}

std::string reason_for_unreached(const system::System& system, const std::vector<ElementId>& elements) {
  std::vector<std::string> names;
  for (ElementId e : elements) names.push_back(system.element(e).name);
  return fmt::format("never reached: {}", listed(names, 6));
}

}  // namespace parley::verdict
