// Whether an automaton accepts a lasso, in the most obvious way: the positions of runs from which every mark
// can be passed again and again, as a greatest fixpoint on the product with the word. For tests and for
// looking at counterexamples; it shares nothing with the reductions it is used to test.
#pragma once

#include "ltl/automaton.hpp"

namespace parley::ltl {

bool accepts(const Automaton& automaton, const Lasso& word);
bool accepts(const Buchi& automaton, const Lasso& word);

}  // namespace parley::ltl
