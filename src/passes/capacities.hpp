// The System with its queue capacities taken away: what the question "can this queue grow for ever?" is about
// [leue2005, section 2]. Comparisons of a queue's length with its capacity become what they are when there is
// always room; every id keeps its meaning, so traces and certificates fit both. A step that lowering could
// not follow (system::marks_cut) ends its run there. Used by bounds/ and by the checker of its certificates.
#pragma once

#include "system/system.hpp"

namespace parley::passes {

system::System without_capacities(const system::System& system);

}  // namespace parley::passes
