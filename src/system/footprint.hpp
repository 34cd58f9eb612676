// Which cells and queues an action may read and write: derived from its guard and body, never declared by
// hand. Partial-order reduction, step encodings, slicing and the boundedness test rest on it; the checking
// wrapper of semantics/ verifies it while tests run.
#pragma once

#include <vector>

#include "system/system.hpp"

namespace parley::system {

// All lists are sorted and free of duplicates.
struct Footprint {
  std::vector<CellId>
      guard_reads;            // cells that decide enabledness (guard, and deferrals of the trigger's queue)
  std::vector<CellId> reads;  // everything read, guard included
  std::vector<CellId> writes;
  std::vector<QueueId> takes;  // removes a message from (or looks at the head of)
  std::vector<QueueId> puts;   // may append to
  std::vector<QueueId> tests;  // reads length, capacity or contents of
  bool reads_idle = false;
};

Footprint footprint(const System& system, ActionId action);
// Cells and queues an expression may read (deferral conditions of inspected queues included).
void collect_reads(const System& system, ExprId expression, Footprint& into);

}  // namespace parley::system
