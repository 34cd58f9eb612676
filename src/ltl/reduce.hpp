// Smaller automata for the same words: states that cannot accept are removed, marks that say nothing are
// dropped, states that simulate each other are merged (ltl/simulation.hpp), until nothing changes. Used by
// ltl/build.hpp after every translation. Every step keeps the language; none makes the automaton larger.
#pragma once

#include "ltl/automaton.hpp"

namespace parley::ltl {

// Simulation is quadratic in the edges; larger automata are only pruned.
inline constexpr std::size_t kMostEdgesForSimulation = 1'500;

void reduce(Automaton& automaton);
void reduce(Buchi& automaton);

// The steps, for tests. Removes unreachable states and those from which no accepting run exists; the initial
// state stays.
void prune(Automaton& automaton);

// On edges that no accepting run passes again and again any marks mean the same; what suits simulation best
// differs.
enum class FreeMarks : std::uint8_t { None, All };

// Drops marks that every accepting run passes anyway, and numbers the others per component, so that there are
// no more of them than the component with the most needs.
void simplify_marks(Automaton& automaton, FreeMarks free);

}  // namespace parley::ltl
