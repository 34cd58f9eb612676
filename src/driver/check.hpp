// Checking a loaded system: chooses engines, runs them side by side, confirms every trace on the reference
// semantics before it counts, and merges the answers. The first conclusive answer per property wins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "system/system.hpp"

namespace parley::driver {

class LiveReport;

struct CheckOptions {
  std::optional<std::uint32_t> capacity;  // default queue capacity of the run
  engine::Limits limits;
  std::uint64_t seed = 0;
  engine::ProgressSink progress;
  std::vector<std::string> properties;  // names or 1-based numbers; empty: all
  LiveReport* live = nullptr;           // told the answers while the check runs
  bool assume_no_errors = false;        // errors that nobody asks about are not looked for, and that is said
};

struct CheckReport {
  std::vector<verdict::PropertyResult> results;  // one per property, in order of the system
  std::vector<std::uint32_t> queue_capacities;   // of the run
  double seconds = 0;
};

// Runs the given engines on the properties. Throws InternalError if an engine's trace does not replay.
CheckReport check(const system::System& system, std::vector<std::unique_ptr<engine::Engine>> engines,
                  const CheckOptions& options);

// 0, 1 or 2: the exit status that the results mean. What nobody asked for and stays unknown is an assumption
// of the others, not an open question.
int exit_status(const CheckReport& report);

}  // namespace parley::driver
