// Errors are always looked for. A run-time error or a failed assertion ends its run, and whatever is asked of
// a model is then answered for the rest of the runs only; so the loaded System asks whether there are any,
// also where the model does not. driver/load.cpp adds the properties, driver/check.cpp decides them beside
// the others and says what an answer rests on where nobody could tell.
#pragma once

#include "driver/board.hpp"
#include "system/system.hpp"
#include "verdict/verdict.hpp"

namespace parley::driver {

// Adds `no run-time errors` and `no assertion failures` (and `no overflow` where a full queue is an
// error) as implicit properties, each where the System can fail in that way and does not ask itself.
void add_error_search(system::System& system);

// A property that is looked for whatever the user picks.
bool looks_for_errors(const system::System& system, system::PropertyId property);

// To be added to every verdict that is not a violation when errors are not looked for. Absent: the System
// cannot fail, or these properties are among the wanted ones.
std::optional<verdict::Assumption> assumption_without_search(const system::System& system,
                                                             const std::vector<Board::Row>& wanted);

// Adds to the proofs among the results that errors were not excluded, where looking for them came to no
// answer. What a run shows needs nothing of the kind.
void assume_errors_excluded(const system::System& system, std::vector<verdict::PropertyResult>& results);

}  // namespace parley::driver
