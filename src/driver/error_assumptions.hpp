// What answers rest on where errors that end runs were not looked for, or where looking for them came to no
// answer. Every loaded System asks for them (load/error_search.hpp). Used by driver/check.cpp.
#pragma once

#include <optional>
#include <vector>

#include "driver/board.hpp"

namespace parley::driver {

// To be added to every verdict that is not a violation when errors are not looked for. Absent: the System
// cannot fail, or these properties are among the wanted ones.
std::optional<verdict::Assumption> assumption_without_search(const system::System& system,
                                                             const std::vector<Board::Row>& wanted);

// Adds to the proofs among the results that errors were not excluded, where looking for them came to no
// answer. What a run shows needs nothing of the kind.
void assume_errors_excluded(const system::System& system, std::vector<verdict::PropertyResult>& results);

}  // namespace parley::driver
