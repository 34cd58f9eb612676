// What a full queue hides: with overflow policy `cut` a run ends in the middle of the step that would
// overfill its queue, and an error later in the same step is never seen. Before `holds` is said about errors
// and assertions, steps that were cut are run on with room for all they send. Nothing is claimed of what
// follows such a step: the assumption about the queue says that such runs were not followed. Used by
// driver/check.cpp.
//
// The look is a breadth-first search of the reference semantics with limits of its own; it is made only where
// an action that may fail sends to a queue of that policy. Not seeing a failure within the limits proves
// nothing, and nothing is made of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "semantics/interpreter.hpp"

namespace parley::driver {

struct HiddenFailure {
  semantics::Outcome outcome;  // AssertionFailed, RuntimeError or QueueOverflow
  std::string sentence;        // "the step that the full queue of q cuts short would fail: ..."
};

// The first failure of each outcome in `wanted` behind a cut. `stop` ends the look.
std::vector<HiddenFailure> failures_beyond_cuts(const semantics::Interpreter& interpreter,
                                                const std::vector<semantics::Outcome>& wanted,
                                                const std::function<bool()>& stop);

}  // namespace parley::driver
