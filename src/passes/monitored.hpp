// The System with the automaton of a negated temporal property running inside it, so that engines which know
// only states and steps (bounded model checking, IC3, k-induction, the certificate checkers) decide temporal
// properties: a cell is the automaton's state, the start and every action end with one step of the automaton
// over the position just reached (docs/temporal.md), by a choice among the edges that are open there. Where
// none is, the step fails: the automaton has died, and such runs are of no interest. One added action goes on
// where a run has ended: it is possible only where nobody can move, and takes away what the last step did.
//
// Which runs are accepted is said in one of two ways. Marks: a cell for each acceptance mark of the
// automaton, true where the last step passed an edge with it; a run that violates the property is one with
// each of them true infinitely often. Counting (claessen2012): a round is complete when every mark was
// passed, and for every weak fairness its actions were taken or impossible; an assertion fails when the k-th
// round is complete. If it never does, no fair run violates the property.
//
// Preserved: the runs on which the automaton lives, step by step, with the choices of the original first and
// then the automaton's: its reachable pairs of states and automaton states are those of the product. Enabled
// and blocked steps are the same, so everybody's `Idle` is. Counting turns the System's own assertions into
// run-time errors; both end a run. Fairness is approximated from the weak side (more runs count as fair):
// strong fairness counts as weak, and an action whose possibility cannot be said in a guard as impossible.
//
// Refused, with a reason: atoms that may fail in a way that no expression avoids, and Systems in which it
// cannot be said when those who wait for idleness (Promela's timeout) cannot move either.
#pragma once

#include <functional>

#include "passes/observe.hpp"

namespace parley::passes {

struct MonitorOptions {
  std::optional<std::uint32_t> count_to;  // k, at least 1; absent: marks
  std::function<bool()> interrupted;      // asked while the automaton is made
};

struct Monitored {
  Passed passed;  // back to the System that was given
  system::ActionId stutters;
  system::CellId automaton;  // its state, the position reached being read
  system::CellId ended;      // nobody can move any more
  // What no later step depends on: what happened in the last one.
  std::vector<system::CellId> forgotten;
  std::vector<system::CellId> marks;  // not when counting
  system::PropertyId question;        // counting: the assertion never fails
  std::vector<std::size_t> rests_on;  // counting: which of the System's fairness makes a difference

  const system::System& system() const { return passed.system; }
};

struct Monitoring {
  std::optional<Monitored> monitored;
  std::string why_not;  // a sentence, if there is none
};
Monitoring monitored(const system::System& system, system::PropertyId property,
                     const MonitorOptions& options = {});

}  // namespace parley::passes
