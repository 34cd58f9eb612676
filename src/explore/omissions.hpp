// What a search met and did not follow, and the assumptions that its answers then have. Kept by the trackers
// of both searches (explore/tracker.hpp, explore/temporal.hpp).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "engine/engine.hpp"

namespace parley::explore {

struct Omissions {
  std::set<std::uint32_t> cut_queues;
  bool assumed_no_overflow = false;
  bool blocked_at_start = false;

  void note(semantics::Outcome outcome, std::uint32_t queue) {
    if (outcome == semantics::Outcome::Cut)
      cut_queues.insert(queue);
    else if (outcome == semantics::Outcome::AssumedAway)
      assumed_no_overflow = true;
    else
      blocked_at_start = true;
  }
};

std::vector<verdict::Assumption> assumptions(const engine::Request& request, const Omissions& omissions);

}  // namespace parley::explore
