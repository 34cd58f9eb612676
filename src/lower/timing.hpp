// Discrete time: `after n` and timer attributes count down by ticks of one clock, 0 is a time event that
// waits, -1 is off. Change events `when (e)` are polled: they fire when e is true after it was seen false.
// Both are extensions of ours (PSSM excludes them); docs/semantics.md says how they
// behave.
#pragma once

#include "lower/selection.hpp"

namespace parley::lower {

void add_time_events(Context& c, Object& o);
// A time event that waits and would fire.
ExprId pending_time_event(Context& c, Object& o);
// The clock and its tick, if the model has timers at all.
void add_clock(Context& c);

}  // namespace parley::lower
