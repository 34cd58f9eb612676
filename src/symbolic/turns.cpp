#include "symbolic/turns.hpp"

#include <algorithm>
#include <map>

namespace parley::symbolic {

using system::PropertyId;
using verdict::PropertyResult;
using verdict::Unknown;

namespace {

constexpr double kFirstShare = 2.0;
constexpr double kGrowth = 4.0;

// It might have found an answer with more time.
bool stopped_by_time(const PropertyResult& r) {
  const auto* u = std::get_if<Unknown>(&r.verdict);
  return u != nullptr && u->stopped == verdict::StopCause::OutOfTime;
}

}  // namespace

std::vector<PropertyResult> take_turns(const engine::Request& request, Groups groups,
                                       const GroupSearch& search) {
  const engine::Deadline deadline(request);
  std::map<PropertyId, PropertyResult> results;
  const auto turn = [&](std::vector<PropertyId>& group, std::optional<double> share) {
    engine::Request part = request;
    part.properties = group;
    if (request.limits.seconds) {
      const double left = std::max(0.0, *request.limits.seconds - deadline.seconds());
      share = std::min(share.value_or(left), left);
    }
    part.limits.seconds = share;
    part.decided = [&](const PropertyResult& r) {
      if (request.decided && !r.unknown()) request.decided(r);
    };
    group.clear();
    for (PropertyResult& r : search(part)) {
      if (stopped_by_time(r)) group.push_back(r.property);
      results.insert_or_assign(r.property, std::move(r));
    }
  };
  bool first = true;
  for (double share = kFirstShare; !groups.empty(); share *= kGrowth, first = false) {
    const bool alone = groups.size() == 1;
    for (std::vector<PropertyId>& group : groups)
      if (first || !deadline.reached()) turn(group, alone ? std::nullopt : std::optional(share));
    std::erase_if(groups, [](const std::vector<PropertyId>& group) { return group.empty(); });
    if (deadline.reached()) break;
  }
  std::vector<PropertyResult> ordered;
  for (const PropertyId id : request.properties) {
    ordered.push_back(std::move(results.at(id)));
    // Its share was not what ended it.
    if (const auto stop = deadline.reached(); stop && stopped_by_time(ordered.back()))
      ordered.back().verdict = Unknown::because(*stop);
  }
  return ordered;
}

}  // namespace parley::symbolic
