// The System with its queue capacities taken away: what the question "can this queue grow for ever?" is about
// [leue2005, section 2]. Comparisons of a queue's length with the capacity of the run (QueueCap: a sender
// waits for room) become what they are when there is always room. A test whether a queue is full is none of
// them: it compares the length with the declared number, and keeps its meaning. A step that lowering could
// not follow (system::marks_cut) ends its run there. Used by bounds/, by the checker of its certificates, and
// to replay and narrate loops that grow.
//
// Preserved: every run in which no queue is ever full, with its states, lengths and choices; so if no run
// fills a queue, everything. Not preserved: what a full queue does (blocking, losing, failing). Every id
// keeps its meaning, so traces and certificates fit both.
#pragma once

#include "passes/back_map.hpp"

namespace parley::passes {

Passed without_capacities(const system::System& system);

}  // namespace parley::passes
