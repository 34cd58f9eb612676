#include "verdict/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "passes/capacities.hpp"
#include "verdict/temporal.hpp"

namespace parley::verdict {

using semantics::EventKind;
using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;
using semantics::StepResult;
using system::ActionKind;
using system::PropertyKind;

const char* word(const Verdict& verdict) {
  if (std::holds_alternative<Holds>(verdict)) return "holds";
  return std::holds_alternative<Violated>(verdict) ? "violated" : "unknown";
}

Replay replay(const Interpreter& interpreter, const Trace& trace) {
  Replay r;
  r.initial = interpreter.initial_state(trace.initial_choices);
  // As below: the start may itself be where a run is cut.
  const bool ends_at_once = trace.steps.empty() && r.initial.outcome == Outcome::Cut;
  if (!semantics::happens(r.initial.outcome) && !ends_at_once) {
    r.why = "the initial choices do not fit the model";
    return r;
  }
  if (r.initial.outcome == Outcome::Done) r.states.push_back(r.initial.state);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (r.states.size() != i + 1) {
      r.stopped_at = i;
      r.why = "the run has already ended in a failure";
      return r;
    }
    StepResult result = interpreter.run(r.states.back(), trace.steps[i]);
    // Overflow of a queue with policy Cut is where a run may end, never where it goes on.
    const bool last = i + 1 == trace.steps.size();
    const bool fits = semantics::happens(result.outcome) || (last && result.outcome == Outcome::Cut);
    if (!fits) {
      r.stopped_at = i;
      const auto& actions = interpreter.system().actions;
      const std::string name =
          trace.steps[i].action.index() < actions.size() ? actions[trace.steps[i].action.index()].name : "?";
      r.why = fmt::format("step {} ({}) is {} there", i + 1, name, semantics::describe(result.outcome));
      r.results.push_back(std::move(result));
      return r;
    }
    if (result.outcome == Outcome::Done) r.states.push_back(result.state);
    r.results.push_back(std::move(result));
  }
  r.complete = true;
  r.stopped_at = trace.steps.size();
  return r;
}

Interpreter unlimited_interpreter(const system::System& roomy) {
  return {roomy, std::vector<std::uint32_t>(roomy.queues.size(), 1U << 24)};
}

namespace {

Confirmation yes() {
  return {true, {}};
}
Confirmation no(std::string why) {
  return {false, std::move(why)};
}

Confirmation confirm_lasso(const system::System& s, const Trace& trace, const Replay& r) {
  if (!trace.loop_start || *trace.loop_start >= trace.steps.size()) return no("the trace has no loop");
  const std::size_t from = *trace.loop_start;
  if (r.states.size() != trace.steps.size() + 1 || !(r.states[from] == r.states.back()))
    return no("the loop does not return to the same state");
  // An exclusive stretch that never ends shuts everybody else out, whoever its steps belong to.
  if (std::all_of(r.states.begin() + static_cast<std::ptrdiff_t>(from), r.states.end(),
                  [](const State& state) { return state.holder.valid(); }))
    return yes();
  const system::OwnerId owner = s.action(trace.steps[from].action).owner;
  for (std::size_t i = from; i < trace.steps.size(); ++i) {
    const system::Action& a = s.action(trace.steps[i].action);
    const bool inside_stretch = r.states[i].holder.valid();
    if (a.owner != owner) return no("the loop has steps of several objects");
    if (a.kind != ActionKind::Complete && !inside_stretch)
      return no("the loop is not made of completion steps");
  }
  return yes();
}

// A loop that makes some queue longer every time, taken a number of rounds with capacities taken away. (That
// it goes on for ever is the certificate's claim, checked in certify/.)
Confirmation confirm_growth(const system::System& original, const Trace& trace) {
  constexpr int kRounds = 20;
  if (!trace.loop_start || *trace.loop_start >= trace.steps.size()) return no("the trace has no loop");
  const system::System s = passes::without_capacities(original).system;
  const Interpreter in = unlimited_interpreter(s);
  StepResult r = in.initial_state(trace.initial_choices);
  if (r.outcome != Outcome::Done) return no("the run does not start");
  for (std::size_t i = 0; i < *trace.loop_start; ++i) {
    r = in.run(r.state, trace.steps[i]);
    if (r.outcome != Outcome::Done) return no("the run to the loop cannot be taken");
  }
  std::vector<bool> grows(s.queues.size(), true);
  for (int round = 0; round < kRounds; ++round) {
    const State before = r.state;
    for (std::size_t i = *trace.loop_start; i < trace.steps.size(); ++i) {
      r = in.run(r.state, trace.steps[i]);
      if (r.outcome != Outcome::Done) return no("the loop cannot be repeated");
    }
    for (std::size_t q = 0; q < grows.size(); ++q)
      grows[q] = grows[q] && r.state.queues[q].size() > before.queues[q].size();
  }
  return std::find(grows.begin(), grows.end(), true) != grows.end() ? yes()
                                                                    : no("no queue grows in every round");
}

}  // namespace

Confirmation confirm(const Interpreter& interpreter, system::PropertyId id, const Trace& trace) {
  const system::System& s = interpreter.system();
  const system::Property& p = s.property(id);
  if (p.kind == PropertyKind::NoUnboundedQueues) return confirm_growth(s, trace);
  if (p.kind == PropertyKind::Temporal) return confirm_temporal(interpreter, id, trace);
  const Replay r = replay(interpreter, trace);
  if (!r.complete) return no(r.why);
  const StepResult& last = r.results.empty() ? r.initial : r.results.back();
  const bool ends_in_state = last.outcome == Outcome::Done;
  switch (p.kind) {
    case PropertyKind::NoDeadlock:
      if (!ends_in_state || !last.state.visible()) return no("the run does not end in a stable state");
      return interpreter.is_deadlock(last.state) ? yes() : no("the last state is no deadlock");
    case PropertyKind::NoLostMessages:
      return semantics::loses(trace.steps.empty() ? nullptr : &s.action(trace.steps.back().action), last)
                 ? yes()
                 : no("the last step loses no message");
    case PropertyKind::NoAssertionFailure:
      return last.outcome == Outcome::AssertionFailed ? yes() : no("no assertion fails");
    case PropertyKind::NoRuntimeError:
      return last.outcome == Outcome::RuntimeError ? yes() : no("no run-time error happens");
    case PropertyKind::NoOverflow: {
      const bool lost = std::any_of(last.events.begin(), last.events.end(),
                                    [](const semantics::Event& e) { return e.kind == EventKind::Lost; });
      return last.outcome == Outcome::QueueOverflow || last.outcome == Outcome::Cut || lost
                 ? yes()
                 : no("no queue overflows");
    }
    case PropertyKind::NoEndlessCompletion:
      return confirm_lasso(s, trace, r);
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable: {
      if (!ends_in_state || !last.state.visible()) return no("the run does not end in a stable state");
      const domain::Truth t = interpreter.truth(last.state, p.expression);
      const bool wanted = p.kind == PropertyKind::Always ? t.may_be_false : t.may_be_true;
      return wanted ? yes() : no("the last state does not show it");
    }
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Temporal:
      return no("this kind of property has no trace of this form");
  }
  return no("unknown kind of property");
}

}  // namespace parley::verdict
