// Which runs temporal checks are asked of: assumptions of fairness as sets of actions, and how runs that end
// are read. Private to lowering.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

// After all actions were added.
void add_fairness(Context& c);

}  // namespace parley::lower
