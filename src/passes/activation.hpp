// Whether an action ever fires, as a question that any engine can answer: the System in which taking one of
// the given actions is a failed assertion, and nothing else is. Used by the boundedness test for cycles that
// no search has seen (bounds/activation.hpp), and by the checker of its certificates. Not a question about
// guards: those of timeouts, of exclusive stretches and of messages mean something in a step only.
#pragma once

#include "system/system.hpp"

namespace parley::passes {

// Every id keeps its meaning; the only property is "no assertion failures". Assertions of the model end a run
// as before, as run-time errors.
system::System asking_for(const system::System& system, const std::vector<system::ActionId>& actions);

}  // namespace parley::passes
