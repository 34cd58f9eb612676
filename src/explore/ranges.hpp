// Which values cells and message parameters can have at most, by intervals: flow-insensitive, guards ignored,
// widened after a few rounds (cousot1977, section 9.1, without the flow graph). Only for packing: an `int`
// that is only ever 0 takes no room, a copy of a small value takes a small one. Sound because every
// assignment and every send is looked at; it decides nothing else.
#pragma once

#include <vector>

#include "explore/layout.hpp"

namespace parley::explore {

struct Ranges {
  std::vector<CodeRange> cells;                // by cell
  std::vector<std::vector<CodeRange>> params;  // by signal and position; unsent ones have their type's filler
};

Ranges infer_ranges(const system::System& system, const std::vector<std::uint32_t>& capacities);

}  // namespace parley::explore
