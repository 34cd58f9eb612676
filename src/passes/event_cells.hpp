// The System with a memory for events: one boolean cell per event atom, true exactly in the states that a
// step with that event has just led to (or, at the start, in the initial states whose start had it). So that
// "atm receives card" is a predicate of states like any other, and whoever decides predicates of states
// (every engine, the replay, the certificate checkers) decides events too. Used by passes/observe.hpp.
//
// Preserved: all runs, step by step with the same choices; so all verdicts and the lengths of shortest runs,
// not the number of states, which differ in what has just happened. Every id keeps its meaning, the new
// cells come last.
//
// A message that finds no room and is lost was sent all the same. What an action does when it fails is never
// seen: there is no state after it.
#pragma once

#include "passes/back_map.hpp"

namespace parley::passes {

struct WithEvents {
  Passed passed;
  std::vector<system::CellId> cells;  // one per atom
};

WithEvents with_event_cells(const system::System& system, const std::vector<system::EventAtom>& atoms);

}  // namespace parley::passes
