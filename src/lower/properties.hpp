// Checks as properties; with no check written, everything that needs no formula.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

void add_properties(Context& c);
// When an object may rest: its machine has ended, or it is in a state marked as a place to wait.
void add_resting(Context& c);

}  // namespace parley::lower
