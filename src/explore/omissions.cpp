#include "explore/omissions.hpp"

#include <fmt/format.h>

namespace parley::explore {

using verdict::AssumptionCode;

std::vector<verdict::Assumption> assumptions(const engine::Request& request, const Omissions& omissions) {
  std::vector<verdict::Assumption> out;
  for (const std::uint32_t q : omissions.cut_queues) {
    const system::Queue& queue = request.system.queues[q];
    out.push_back({AssumptionCode::QueueCapacity,
                   queue.limit.empty()
                       ? fmt::format("only runs count in which the queue of {} never needs more than {} "
                                     "place{} (there are others, which were not followed)",
                                     queue.name, request.queue_capacities[q],
                                     request.queue_capacities[q] == 1 ? "" : "s")
                       : fmt::format("{} (runs that need more were not followed)", queue.limit)});
  }
  if (omissions.assumed_no_overflow)
    out.push_back(
        {AssumptionCode::NoIntegerOverflow, "runs in which an integer overflows were not followed"});
  if (omissions.blocked_at_start)
    out.push_back({AssumptionCode::BlockedStart,
                   "some choices of the start are blocked by a full queue and were not followed"});
  return out;
}

}  // namespace parley::explore
