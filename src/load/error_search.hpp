// Errors are always looked for. A run-time error or a failed assertion ends its run, and whatever is asked of
// a model is then answered for the rest of the runs only; so every loaded System asks whether there are any,
// also where the model does not. load.cpp adds the properties; driver/check.cpp decides them beside the
// others, and driver/error_assumptions.hpp says what an answer rests on where nobody could tell.
#pragma once

#include <vector>

#include "system/system.hpp"

namespace parley::load {

// Adds `no run-time errors` and `no assertion failures` (and `no overflow` where a full queue is an
// error) as implicit properties, each where the System can fail in that way and does not ask itself.
void add_error_search(system::System& system);

// The ways in which runs of the System can end.
std::vector<system::PropertyKind> endings_of_runs(const system::System& system);

// A property that is looked for whatever the user picks.
bool looks_for_errors(const system::System& system, system::PropertyId property);

}  // namespace parley::load
