#include "ltl/simulation.hpp"

#include <algorithm>

namespace parley::ltl {
namespace {

using EdgeLists = std::vector<std::vector<Edge>>;

// Edges that enter each state; the target of an entry is where the edge comes from.
EdgeLists reversed(const EdgeLists& lists) {
  EdgeLists back(lists.size());
  for (State s = 0; s < lists.size(); ++s)
    for (const Edge& edge : lists[s]) back[edge.target].push_back({edge.label, s, edge.marks});
  return back;
}

}  // namespace

Simulation::Simulation(const Automaton& automaton, Direction direction, const std::vector<bool>& kinds)
    : direction_(direction), above_(automaton.states(), std::vector<bool>(automaton.states(), true)) {
  const std::size_t n = automaton.states();
  for (State s = 0; s < n; ++s)
    for (State t = 0; t < n; ++t) {
      if (!kinds.empty() && kinds[s] != kinds[t]) above_[s][t] = false;
      if (direction == Direction::Backward && s == automaton.initial && t != s) above_[s][t] = false;
    }
  const EdgeLists lists = direction == Direction::Forward ? automaton.edges : reversed(automaton.edges);
  while (restrict_once(lists)) {
  }
}

bool Simulation::answers(const Edge& edge, const std::vector<Edge>& answers) const {
  std::vector<Cube> together;
  for (const Edge& answer : answers) {
    if ((edge.marks & ~answer.marks) != 0 || !above_[edge.target][answer.target]) continue;
    if (answer.label.includes(edge.label)) return true;
    together.push_back(answer.label);
  }
  return together.size() > 1 && covered(edge.label, together);
}

bool Simulation::restrict_once(const EdgeLists& lists) {
  bool changed = false;
  for (State s = 0; s < lists.size(); ++s)
    for (State t = 0; t < lists.size(); ++t) {
      if (s == t || !above_[s][t]) continue;
      if (std::all_of(lists[s].begin(), lists[s].end(),
                      [&](const Edge& edge) { return answers(edge, lists[t]); }))
        continue;
      above_[s][t] = false;
      changed = true;
    }
  return changed;
}

Simulation::Quotient Simulation::quotient(const Automaton& automaton) const {
  const std::size_t n = automaton.states();
  std::vector<State> representative(n), number(n);
  State classes = 0;
  for (State s = 0; s < n; ++s) {
    representative[s] = s;
    for (State t = 0; t < s; ++t)
      if (above_[s][t] && above_[t][s]) {
        representative[s] = t;
        break;
      }
    number[s] = representative[s] == s ? classes++ : number[representative[s]];
  }

  // Edges of a representative answer those of its class in the direction of the simulation, so only its own
  // are kept. An edge that another one of the same list answers is dropped; one by one, so that of two that
  // answer each other one stays.
  const bool forward = direction_ == Direction::Forward;
  EdgeLists lists = forward ? automaton.edges : reversed(automaton.edges);
  for (State s = 0; s < n; ++s) {
    std::vector<Edge>& edges = lists[s];
    if (representative[s] != s) edges.clear();
    for (Edge& edge : edges) edge.target = representative[edge.target];
    merge_labels(edges);
    for (std::size_t i = edges.size(); i-- > 0;) {
      const Edge edge = edges[i];
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
      if (!answers(edge, edges)) edges.insert(edges.begin() + static_cast<std::ptrdiff_t>(i), edge);
    }
  }
  if (!forward) lists = reversed(lists);

  Quotient made{{EdgeLists(classes), number[automaton.initial], automaton.marks}, number};
  for (State s = 0; s < n; ++s) {
    if (representative[s] != s) continue;
    for (Edge& edge : lists[s]) edge.target = number[edge.target];
    merge_labels(lists[s]);
    made.automaton.edges[number[s]] = std::move(lists[s]);
  }
  return made;
}

}  // namespace parley::ltl
