// The completion steps between states of a closed set, and whether those of one owner make a cycle: then that
// owner can complete for ever. Used by closed_set_check.cpp only.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::verify {

struct CompletionStep {
  std::uint32_t owner = 0;
  std::uint64_t from = 0, to = 0;  // numbers of states
  friend auto operator<=>(const CompletionStep&, const CompletionStep&) = default;
};

// In any order, also several times the same.
bool has_cycle(std::vector<CompletionStep> steps);

}  // namespace parley::verify
