// Compares the search with the oracle on one System: counts, levels, verdicts, shortest traces, coverage;
// depth-first with breadth-first; the search over the reference interpreter with the search over bytecode.
// Returns every difference as text, so that a shrinker can ask again.
#pragma once

#include <string>
#include <vector>

#include "explore/oracle.hpp"

namespace parley::testing {

struct Comparison {
  bool decided = false;  // false: too large for the oracle
  std::size_t states = 0;
  std::vector<std::string> differences;
};

Comparison compare(const system::System& system, const std::vector<std::uint32_t>& capacities,
                   std::size_t most_states);

}  // namespace parley::testing
