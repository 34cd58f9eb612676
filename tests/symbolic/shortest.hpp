// The length in actions of the shortest run that violates each property (or reaches it), by breadth-first
// search with the reference semantics alone: what interleaving bounds are compared with.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "semantics/interpreter.hpp"

namespace parley::testing {

struct Shortest {
  bool complete = false;  // all states were seen
  std::size_t states = 0;
  std::size_t depth = 0;  // every run up to this length was seen
  std::map<std::uint32_t, std::size_t> length;
};

inline void note_step(const system::System& s, const system::Action* action, const semantics::StepResult& r,
                      std::size_t length, Shortest& out) {
  using semantics::Outcome;
  const bool lost = std::any_of(r.events.begin(), r.events.end(),
                                [](const auto& e) { return e.kind == semantics::EventKind::Lost; });
  const bool shown = semantics::happens(r.outcome) || (r.outcome == Outcome::Cut && length > 0);
  for (std::uint32_t p = 0; p < s.properties.size(); ++p) {
    bool bad = false;
    switch (s.properties[p].kind) {
      case system::PropertyKind::NoAssertionFailure:
        bad = r.outcome == Outcome::AssertionFailed;
        break;
      case system::PropertyKind::NoRuntimeError:
        bad = r.outcome == Outcome::RuntimeError;
        break;
      case system::PropertyKind::NoOverflow:
        bad = shown && (lost || r.outcome == Outcome::QueueOverflow || r.outcome == Outcome::Cut);
        break;
      case system::PropertyKind::NoLostMessages:
        bad = semantics::loses(action, r);
        break;
      default:
        break;
    }
    if (bad) out.length.try_emplace(p, length);
  }
}

inline Shortest shortest_runs(const semantics::Interpreter& in, std::size_t most_states) {
  using semantics::Outcome;
  using semantics::State;
  const system::System& s = in.system();
  Shortest out;
  std::map<State, std::size_t> depth;
  std::deque<State> open;
  const auto meet = [&](const State& state, std::size_t d) {
    if (!depth.emplace(state, d).second) return;
    open.push_back(state);
    if (!state.visible()) return;
    for (std::uint32_t p = 0; p < s.properties.size(); ++p) {
      const auto kind = s.properties[p].kind;
      bool bad = false;
      if (kind == system::PropertyKind::NoDeadlock) {
        bad = in.is_deadlock(state);
      } else if (s.properties[p].expression.valid()) {
        const auto t = in.truth(state, s.properties[p].expression);
        bad = kind == system::PropertyKind::Always ? t.may_be_false : t.may_be_true;
      }
      if (bad) out.length.try_emplace(p, d);
    }
  };
  for (const auto& i : in.initial_states()) {
    note_step(s, nullptr, i.result, 0, out);
    if (i.result.outcome == Outcome::Done) meet(i.result.state, 0);
  }
  while (!open.empty() && depth.size() <= most_states) {
    const State state = open.front();
    open.pop_front();
    const std::size_t d = depth.at(state);
    out.depth = d;
    for (const auto& next : in.successors(state)) {
      note_step(s, &s.action(next.step.action), next.result, d + 1, out);
      if (next.result.outcome == Outcome::Done) meet(next.result.state, d + 1);
    }
  }
  out.complete = open.empty();
  out.states = depth.size();
  return out;
}

}  // namespace parley::testing
