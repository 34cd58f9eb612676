// From many marks to one: copies of the automaton, one for each mark that is waited for next (gastin2001,
// section 5), with the usual ways to need few copies (babiak2013): each component on its own, with the marks
// that it needs; several levels at once; a component is entered where it has been entered before; a mark that
// all edges of a state have counts on arrival. For searches that want one mark, and for comparison with
// Spin's claims.
#pragma once

#include "ltl/automaton.hpp"

namespace parley::ltl {

// Accepting states; reduced (ltl/reduce.hpp). Marks are waited for in the order that gives fewest states,
// among all for few marks.
Buchi degeneralise(const Automaton& automaton);

// One mark on edges, or none where the automaton has none.
Automaton degeneralise_to_edges(const Automaton& automaton);

}  // namespace parley::ltl
