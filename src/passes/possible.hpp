// Whether an action can be taken, as an expression of states: its trigger's message is there, its guard is
// true, and what it sends finds room. Judged by the System alone, where guards and bodies allow it. Used by
// passes/monitored.hpp: weak fairness asks who could have moved, the end of a run that nobody can.
#pragma once

#include <optional>

#include "system/system.hpp"

namespace parley::passes {

// True only where the action can be taken while nobody holds an exclusive stretch, whether or not others can
// move; false wherever that cannot be said.
system::ExprId surely_possible(system::System& system, system::ActionId action);

// True exactly where the action can be taken, given that nobody else can move. Nothing: it cannot be said.
std::optional<system::ExprId> possible_when_idle(system::System& system, system::ActionId action);

}  // namespace parley::passes
