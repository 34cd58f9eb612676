// The System with its queue capacities taken away: what the question "can this queue grow for ever?" is about
// [leue2005, section 2]. Comparisons of a queue's length with its capacity become what they are when there is
// always room; every id keeps its meaning, so traces and certificates fit both. A step that lowering could
// not follow (marks_cut) ends its run there. Used by bounds/ and by the checker of its certificates.
#pragma once

#include "system/system.hpp"

namespace parley::system {

// No channel but a mark: a send to it means that lowering had no room to follow the run (more Promela
// processes than slots).
bool marks_cut(const Queue& queue);

System without_capacities(const System& system);

}  // namespace parley::system
