// Temporal properties by the symbolic engines, one at a time: each is turned into a question about states and
// steps of the System with the property's automaton inside (passes/monitored.hpp). A session here has one
// property, a temporal one.
#pragma once

#include "symbolic/engines.hpp"
#include "symbolic/session.hpp"

namespace parley::symbolic {

// Looks for lassos, bound after bound. Every lasso is fair and is replayed. Proves something only when no run
// is longer than the bound, runs on which the property can no longer be violated left out.
void search_lassos(Session& session, const BmcOptions& options);

// k-liveness (claessen2012): for growing k, the prover is asked whether the automaton of the negated property
// completes fewer than k rounds. A proof goes back with k as its certificate; a run with k rounds may show a
// lasso. Fairness is taken as weak, so a property that needs strong fairness is not proved.
void count_rounds(Session& session, engine::Engine& prover);

}  // namespace parley::symbolic
