// Whether an action ever fires, as a question that any engine can answer: the System in which taking one of
// the given actions is a failed assertion, and nothing else is. Used by the boundedness test for cycles that
// no search has seen (bounds/activation.hpp), and by the checker of its certificates. Not a question about
// guards: those of timeouts, of exclusive stretches and of messages mean something in a step only.
//
// Preserved: runs up to the first of the actions, with the same choices; the assertions of the model end a
// run as before, as run-time errors. The only property, "no assertion failures", is no property of the
// original: if it holds, none of the actions ever fires. If it is violated, the last step of the run is one
// of them, and it fires unless its body finds a full queue or leaves what is followed. Every id keeps its
// meaning.
#pragma once

#include "passes/back_map.hpp"

namespace parley::passes {

Passed asking_for(const system::System& system, const std::vector<system::ActionId>& actions);

}  // namespace parley::passes
