// Whether an action is ever enabled, as a question that any engine can answer: the System with one property,
// that none of the given actions can be taken. Used by the boundedness test for cycles that no search has
// seen (bounds/activation.hpp), and by the checker of its certificates.
#pragma once

#include "system/system.hpp"

namespace parley::system {

// Every id keeps its meaning; the only property is "never (one of them is enabled)". An action whose being
// enabled cannot be said in an expression counts as always enabled.
System asking_for(const System& system, const std::vector<ActionId>& actions);

}  // namespace parley::system
