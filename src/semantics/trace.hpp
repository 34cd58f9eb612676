// A run written down: what replay takes, engines hand out and passes map back. Means nothing until it was
// replayed on the reference semantics (verdict/replay.hpp).
#pragma once

#include <optional>
#include <vector>

#include "semantics/state.hpp"

namespace parley::semantics {

// The choices of the initial body, then steps. For a lasso the last state equals the state before step
// `loop_start`, so steps loop_start.. repeat for ever.
struct Trace {
  std::vector<std::uint64_t> initial_choices;
  std::vector<Step> steps;
  std::optional<std::size_t> loop_start;
  friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace parley::semantics
