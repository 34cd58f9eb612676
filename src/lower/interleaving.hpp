// Things of orthogonal regions that may happen in any order: entries, exits, firings (PSSM lets them
// interleave; docs/semantics.md says how we coarsen that). With `regions = all` every order is a choice of
// the body, left out where the order cannot be told from outside.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

// Which cells and queues a statement may touch, and whether it may fail.
struct Effects {
  std::set<CellId> reads, writes;
  std::set<QueueId> puts;
  bool fails = false;
};
Effects effects_of(const Context& c, StmtId statement);
bool independent(const Effects& a, const Effects& b);

// Runs all parts: in the order given, or in any order, using `locals` free locals from `first` on (one per
// part).
StmtId in_any_order(Context& c, const std::vector<StmtId>& parts, std::uint32_t first);

}  // namespace parley::lower
