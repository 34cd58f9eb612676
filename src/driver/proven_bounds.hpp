// Queue capacities of a run: the declared ones, and for queues that declare none what the boundedness test
// proves to be enough, so that an answer need not assume that runs with longer queues do not matter. Where
// nothing is proved the default stays, and so does the assumption. Used by driver/check.cpp.
//
// When a limit n, proved for the System without capacities, may be used: every queue that can be full in the
// run is covered. Take a run of the real System and its first step that differs from the System without
// capacities; some queue was full then. A queue whose proven limit is at most its capacity (below it, if
// somebody asks whether it is full) never gets there. So all queues that are declared, or that block or lose,
// need such a limit before any limit counts. Limits are about steps that fail as well, so that no error is
// cut off.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "system/system.hpp"

namespace parley::driver {

struct RunCapacities {
  std::vector<std::uint32_t> capacities;  // by queue
  std::vector<std::string> lemmas;        // what was proved and checked, one sentence per queue
  bool never_cut = false;                 // no run is cut short at a full queue: proved
};

struct CapacityOptions {
  std::optional<std::uint32_t> given;  // by the user, for queues that declare none; never exceeded
  double seconds = 2;                  // for the proof; 0: none is tried
  bool keep_default = false;           // never more than the default: a property asks about full queues
};

RunCapacities run_capacities(const system::System& system, const CapacityOptions& options);

}  // namespace parley::driver
