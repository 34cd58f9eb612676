// What the search should find, computed the obvious way: a map of states of the reference semantics, expanded
// in breadth-first order. Shares no code with src/explore. Used by every differential test of the search.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>

#include "semantics/interpreter.hpp"

namespace parley::testing {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;

struct Oracle {
  std::size_t states = 0;
  std::size_t transitions = 0;  // see expand
  std::vector<std::size_t> levels;
  bool complete = false;
  // Depth (steps between visible states) of the source of the first such event or state.
  std::optional<std::size_t> lost, overflow, assertion, error, deadlock;
  bool endless = false;
  bool cut = false, assumed_away = false;
  std::map<std::uint32_t, std::size_t> shown;  // property: depth of the first state that decides it
  std::vector<bool> reached;
  std::vector<std::uint32_t> longest;
};

class OracleSearch {
 public:
  OracleSearch(const Interpreter& in, std::size_t most_states)
      : in_(in), s_(in.system()), most_(most_states) {
    result_.reached.assign(s_.elements.size(), false);
    result_.longest.assign(s_.queues.size(), 0);
  }

  Oracle run() {
    for (const auto& i : in_.initial_states()) {
      note(i.result, nullptr, 0);
      if (i.result.outcome == Outcome::Done) meet(i.result.state, 0);
    }
    while (!todo_.empty() && depth_.size() <= most_) {
      const State state = todo_.front();
      todo_.pop_front();
      expand(state);
    }
    result_.complete = todo_.empty();
    result_.states = depth_.size();
    for (const auto& [state, d] : depth_) {
      if (result_.levels.size() <= d) result_.levels.resize(d + 1, 0);
      ++result_.levels[d];
    }
    result_.endless = result_.endless || has_completion_cycle();
    return result_;
  }

 private:
  void meet(const State& state, std::size_t depth) {
    if (!depth_.emplace(state, depth).second) return;
    todo_.push_back(state);
    for (std::uint32_t p = 0; p < s_.properties.size(); ++p) {
      const auto kind = s_.properties[p].kind;
      if (!s_.properties[p].expression.valid()) continue;
      const domain::Truth t = in_.truth(state, s_.properties[p].expression);
      if (kind == system::PropertyKind::Always ? t.may_be_false : t.may_be_true)
        result_.shown.try_emplace(p, depth);
    }
  }

  static void first(std::optional<std::size_t>& what, std::size_t depth) {
    if (!what) what = depth;
  }

  void note(const semantics::StepResult& r, const system::Action* action, std::size_t depth) {
    if (r.outcome == Outcome::Cut) {
      result_.cut = true;
      first(result_.overflow, depth);
    }
    if (r.outcome == Outcome::AssumedAway) result_.assumed_away = true;
    if (!semantics::happens(r.outcome)) return;
    for (std::size_t q = 0; q < r.state.queues.size(); ++q)  // in steps that fail too
      result_.longest[q] = std::max(result_.longest[q], static_cast<std::uint32_t>(r.state.queues[q].size()));
    bool lost = false;
    for (const auto& e : r.events) {
      if (e.kind == semantics::EventKind::Noted) result_.reached[e.element.index()] = true;
      lost = lost || e.kind == semantics::EventKind::Lost;
    }
    if (semantics::loses(action, r)) first(result_.lost, depth);
    if (lost || r.outcome == Outcome::QueueOverflow) first(result_.overflow, depth);
    if (r.outcome == Outcome::AssertionFailed) first(result_.assertion, depth);
    if (r.outcome == Outcome::RuntimeError) first(result_.error, depth);
  }

  // All inner states that stretches from `state` pass through; each is expanded once. An edge counts when it
  // ends in a visible state.
  void expand(const State& state) {
    const std::size_t depth = depth_.at(state);
    std::set<State> inner;
    std::deque<State> open{state};
    std::map<State, std::vector<State>> graph;
    bool moved = false;
    while (!open.empty()) {
      const State from = open.front();
      open.pop_front();
      for (const semantics::Successor& next : in_.successors(from)) {
        if (next.result.outcome != Outcome::Blocked) moved = true;
        note(next.result, &s_.action(next.step.action), depth);
        if (next.result.outcome != Outcome::Done) continue;
        if (!next.result.state.visible()) {
          graph[from].push_back(next.result.state);
          if (inner.insert(next.result.state).second) open.push_back(next.result.state);
          continue;
        }
        ++result_.transitions;
        meet(next.result.state, depth + 1);
      }
    }
    if (has_cycle(graph)) result_.endless = true;
    collect_completions(state);
    if (!moved && !in_.all_at_rest(state)) first(result_.deadlock, depth);
  }

  // Macro steps that start with a completion and stay with its owner.
  void collect_completions(const State& state) {
    for (const semantics::Successor& next : in_.successors(state)) {
      const system::Action& a = s_.action(next.step.action);
      if (next.result.outcome != Outcome::Done || a.kind != system::ActionKind::Complete) continue;
      std::set<State> seen;
      std::deque<State> open{next.result.state};
      while (!open.empty()) {
        const State at = open.front();
        open.pop_front();
        if (!seen.insert(at).second) continue;
        if (at.visible()) {
          completions_[a.owner.value][state].push_back(at);
          continue;
        }
        if (at.holder != a.owner) continue;
        for (const semantics::Successor& more : in_.successors(at))
          if (more.result.outcome == Outcome::Done) open.push_back(more.result.state);
      }
    }
  }

  static bool has_cycle(const std::map<State, std::vector<State>>& graph) {
    // Kahn: remove states without incoming edges; what is left has a cycle.
    std::map<State, std::size_t> incoming;
    for (const auto& [from, to] : graph) {
      incoming.try_emplace(from, 0);
      for (const State& t : to) ++incoming[t];
    }
    std::deque<State> free;
    for (const auto& [state, n] : incoming)
      if (n == 0) free.push_back(state);
    std::size_t removed = 0;
    while (!free.empty()) {
      const State state = free.front();
      free.pop_front();
      ++removed;
      const auto at = graph.find(state);
      if (at == graph.end()) continue;
      for (const State& t : at->second)
        if (--incoming[t] == 0) free.push_back(t);
    }
    return removed != incoming.size();
  }
  bool has_completion_cycle() const {
    for (const auto& [owner, graph] : completions_)
      if (has_cycle(graph)) return true;
    return false;
  }

  const Interpreter& in_;
  const system::System& s_;
  std::size_t most_;
  Oracle result_;
  std::map<State, std::size_t> depth_;
  std::deque<State> todo_;
  std::map<std::uint32_t, std::map<State, std::vector<State>>> completions_;
};

}  // namespace parley::testing
