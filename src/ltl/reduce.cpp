#include "ltl/reduce.hpp"

#include <algorithm>
#include <unordered_map>

#include "ltl/components.hpp"
#include "ltl/simulation.hpp"

namespace parley::ltl {
namespace {

std::size_t size_of(const Automaton& automaton) {
  return automaton.states() + automaton.edge_count();
}

// A component as an automaton of its own.
Automaton inside(const Automaton& automaton, const Components& components,
                 const std::vector<State>& members) {
  std::unordered_map<State, State> number;
  for (const State s : members) number.emplace(s, static_cast<State>(number.size()));
  Automaton part{std::vector<std::vector<Edge>>(members.size()), 0, automaton.marks};
  for (const State s : members)
    for (const Edge& edge : automaton.edges[s])
      if (components.of[edge.target] == components.of[s])
        part.edges[number.at(s)].push_back({edge.label, number.at(edge.target), edge.marks});
  return part;
}

// Whether every run inside that passes the other marks again and again passes this one too.
bool says_nothing(const Automaton& part, Marks mark, Marks others) {
  const Components without = components_without(part, mark);
  for (std::uint32_t c = 0; c < without.count(); ++c)
    if (without.accepting(c, others)) return false;
  return true;
}

// Which marks an accepting component needs; the others come by themselves.
Marks needed_marks(const Automaton& part) {
  Marks needed = part.all_marks();
  for (unsigned m = part.marks; m-- > 0;) {
    const Marks mark = Marks{1} << m;
    if (says_nothing(part, mark, needed & ~mark)) needed &= ~mark;
  }
  return needed;
}

// The bits of `marks` at the places of `kept`, moved together.
Marks compressed(Marks marks, Marks kept) {
  Marks out = 0;
  for (unsigned to = 0; kept != 0; ++to, kept &= kept - 1)
    if ((marks & kept & (~kept + 1)) != 0) out |= Marks{1} << to;
  return out;
}

void simulate(Automaton& automaton, Direction direction) {
  if (automaton.edge_count() > kMostEdgesForSimulation) return;
  automaton = Simulation(automaton, direction, {}).quotient(automaton).automaton;
  prune(automaton);
}

}  // namespace

void prune(Automaton& automaton) {
  drop_unreachable(automaton);
  const Components components = components_of(automaton);
  std::vector<bool> useful(components.count());
  for (std::uint32_t c = 0; c < components.count(); ++c)
    useful[c] = components.accepting(c, automaton.all_marks());
  // Edges lead to smaller numbers, so a component is known when those that lead to it are looked at.
  const std::vector<std::vector<State>> members = members_of(components);
  for (std::uint32_t c = 0; c < components.count(); ++c)
    for (const State s : members[c])
      for (const Edge& edge : automaton.edges[s])
        if (useful[components.of[edge.target]]) useful[c] = true;
  for (auto& edges : automaton.edges)
    std::erase_if(edges, [&](const Edge& edge) { return !useful[components.of[edge.target]]; });
  drop_unreachable(automaton);
}

void simplify_marks(Automaton& automaton, FreeMarks free) {
  const Components components = components_of(automaton);
  const std::vector<std::vector<State>> members = members_of(components);
  std::vector<Marks> needed(components.count());
  Marks anywhere = 0;
  unsigned most = 0;
  for (std::uint32_t c = 0; c < components.count(); ++c)
    if (components.accepting(c, automaton.all_marks())) {
      needed[c] = needed_marks(inside(automaton, components, members[c]));
      anywhere |= needed[c];
    } else if (components.cyclic[c]) {
      most = 1;  // to tell these cycles from accepting ones
    }
  for (const Marks marks : needed) most = std::max(most, static_cast<unsigned>(std::popcount(marks)));
  // The same number for the same mark everywhere, where that costs nothing: components stay comparable.
  const bool same_everywhere = static_cast<unsigned>(std::popcount(anywhere)) == most;
  const Automaton before = automaton;
  automaton.marks = most;
  const Marks all = automaton.all_marks();
  for (State s = 0; s < automaton.states(); ++s) {
    const std::uint32_t c = components.of[s];
    const bool accepting = components.accepting(c, before.all_marks());
    for (Edge& edge : automaton.edges[s]) {
      if (components.of[edge.target] != c) {
        edge.marks = free == FreeMarks::All ? all : 0;
      } else if (!accepting) {
        edge.marks = 0;
      } else {
        const Marks kept = same_everywhere ? anywhere : needed[c];
        // What this component does not need is on all of its edges.
        const Marks given = same_everywhere ? compressed(anywhere & ~needed[c], anywhere)
                                            : all & ~compressed(needed[c], needed[c]);
        edge.marks = compressed(edge.marks, kept) | given;
      }
    }
    merge_labels(automaton.edges[s]);
  }
}

void reduce(Automaton& automaton) {
  prune(automaton);
  for (std::size_t before = 0; before != size_of(automaton);) {
    before = size_of(automaton);
    for (const FreeMarks free : {FreeMarks::All, FreeMarks::None}) {
      simplify_marks(automaton, free);
      simulate(automaton, Direction::Forward);
      simulate(automaton, Direction::Backward);
    }
  }
  simplify_marks(automaton, FreeMarks::None);
}

namespace {

std::vector<bool> accepting_states(const Automaton& automaton) {
  std::vector<bool> accepting(automaton.states());
  for (State s = 0; s < automaton.states(); ++s)
    accepting[s] = !automaton.edges[s].empty() && automaton.edges[s].front().marks != 0;
  return accepting;
}

void mark_state(Automaton& automaton, State state, bool accepting) {
  for (Edge& edge : automaton.edges[state]) edge.marks = accepting ? 1 : 0;
}

// With one mark that is on all edges of a state or on none: states on no accepting cycle may be either, and
// where every cycle accepts all states may.
void choose_accepting(Automaton& automaton, FreeMarks free) {
  const Components components = components_of(automaton);
  const std::vector<std::vector<State>> members = members_of(components);
  std::vector<bool> every_cycle(components.count());
  for (std::uint32_t c = 0; c < components.count(); ++c)
    every_cycle[c] =
        components.accepting(c, 1) && says_nothing(inside(automaton, components, members[c]), 1, 0);
  for (State s = 0; s < automaton.states(); ++s) {
    const std::uint32_t c = components.of[s];
    if (every_cycle[c])
      mark_state(automaton, s, true);
    else if (!components.cyclic[c])
      mark_state(automaton, s, free == FreeMarks::All);
    else if (!components.accepting(c, 1))
      mark_state(automaton, s, false);
  }
}

void simulate_states(Automaton& automaton, Direction direction) {
  if (automaton.edge_count() > kMostEdgesForSimulation) return;
  automaton = Simulation(automaton, direction, accepting_states(automaton)).quotient(automaton).automaton;
  prune(automaton);
}

}  // namespace

void reduce(Buchi& buchi) {
  Automaton automaton = with_marks(buchi);
  prune(automaton);
  for (std::size_t before = 0; before != size_of(automaton);) {
    before = size_of(automaton);
    for (const FreeMarks free : {FreeMarks::All, FreeMarks::None}) {
      choose_accepting(automaton, free);
      simulate_states(automaton, Direction::Forward);
      simulate_states(automaton, Direction::Backward);
    }
  }
  buchi.accepting = accepting_states(automaton);
  buchi.initial = automaton.initial;
  for (auto& edges : automaton.edges)
    for (Edge& edge : edges) edge.marks = 0;
  buchi.edges = std::move(automaton.edges);
}

}  // namespace parley::ltl
