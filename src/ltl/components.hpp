// Strongly connected components of an automaton (tarjan1972), without recursion. Used by reductions,
// degeneralisation and the strength of automata.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/automaton.hpp"

namespace parley::ltl {

struct Components {
  std::vector<std::uint32_t> of;  // of each state; an edge never leads to a larger number
  std::vector<Marks> marks;       // all that are on edges inside
  std::vector<bool> cyclic;       // has an edge inside

  std::size_t count() const { return marks.size(); }
  // Some run inside passes all of these marks again and again.
  bool accepting(std::uint32_t component, Marks all) const {
    return cyclic[component] && (all & ~marks[component]) == 0;
  }
};

Components components_of(const Automaton& automaton);
// As if edges with one of these marks were not there.
Components components_without(const Automaton& automaton, Marks left_out);

// The states of each component.
std::vector<std::vector<State>> members_of(const Components& components);

}  // namespace parley::ltl
