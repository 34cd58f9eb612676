#include "driver/relay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace parley::driver {

using verdict::PropertyResult;

namespace {

bool has_wide_integers(const system::System& s) {
  constexpr std::uint64_t kWide = 4096;
  const auto wide = [](const system::Type& t) { return t.kind == expr::TypeKind::Int && t.size() > kWide; };
  return std::any_of(s.cells.begin(), s.cells.end(), [&](const system::Cell& c) { return wide(c.type); }) ||
         std::any_of(s.signals.begin(), s.signals.end(), [&](const system::Signal& g) {
           return std::any_of(g.params.begin(), g.params.end(), wide);
         });
}

}  // namespace

std::vector<PropertyResult> Relay::check(const engine::Request& request) {
  const engine::Deadline deadline(request);
  std::vector<PropertyResult> results;
  for (system::PropertyId id : request.properties) {
    PropertyResult r;
    r.property = id;
    r.engine = kind();
    r.verdict = verdict::Unknown::because(verdict::cancelled());
    results.push_back(r);
  }
  while (deadline.seconds() < head_start_) {
    if (deadline.reached()) return results;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const bool wide = has_wide_integers(request.system);
  for (Leg& leg : legs_) {
    if (leg.for_wide_integers && !wide) continue;
    engine::Request part = request;
    part.properties.clear();
    for (const PropertyResult& r : results)
      if (r.unknown()) part.properties.push_back(r.property);
    if (part.properties.empty() || deadline.reached()) break;
    if (request.limits.seconds)
      part.limits.seconds = std::max(0.0, *request.limits.seconds - deadline.seconds());
    if (leg.seconds) part.limits.seconds = std::min(part.limits.seconds.value_or(*leg.seconds), *leg.seconds);
    for (PropertyResult& r : leg.engine->check(part))
      for (PropertyResult& have : results) {
        if (have.property != r.property || !have.unknown()) continue;
        auto& so_far = std::get<verdict::Unknown>(have.verdict);
        if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict)) {
          const bool first = so_far.stopped == verdict::StopCause::Cancelled;  // no leg has run before
          so_far = {(first ? "" : so_far.reason + "; ") + fmt::format("{}: {}", r.engine_name(), u->reason)};
          if (!have.story) have.story = std::move(r.story);
        } else {
          have = std::move(r);
        }
      }
  }
  return results;
}

}  // namespace parley::driver
