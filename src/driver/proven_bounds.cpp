#include "driver/proven_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "certify/patience.hpp"
#include "passes/capacities.hpp"
#include "semantics/interpreter.hpp"

namespace parley::driver {
namespace {

using system::OverflowPolicy;
using system::QueueId;

constexpr std::int64_t kLargest = 64;  // a proven limit beyond this makes states too wide to be worth it

// Whether any expression compares something with the queue's capacity.
bool asks_for_capacity(const system::System& s, QueueId q) {
  for (std::size_t e = 0; e < s.exprs.size(); ++e) {
    const expr::Node& n = s.exprs[system::ExprId(e)];
    if (n.op == expr::Op::QueueCap && n.a == q.index()) return true;
  }
  return false;
}

}  // namespace

RunCapacities run_capacities(const system::System& s, const CapacityOptions& options) {
  RunCapacities run;
  run.capacities = semantics::capacities(s, options.given);
  const auto cuts = [&](std::size_t q) { return s.queues[q].overflow == OverflowPolicy::Cut; };
  bool any_cut = false;
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    any_cut = any_cut || (cuts(q) && !system::marks_cut(s.queues[q]));
  if (!any_cut || options.seconds <= 0) return run;

  bounds::Options test;
  test.seconds = options.seconds;
  test.use_search = false;  // the engines search themselves
  const bounds::BoundsReport report = bounds::analyse(s, test);
  std::vector<std::optional<std::int64_t>> limit(s.queues.size());
  const certify::Patience patience(options.seconds / 2);  // for what takes longer nothing is proved
  for (const bounds::QueueReport& r : report.queues)
    if (r.answer == bounds::Answer::Bounded &&
        certify::check_bounded(s, r.queue, r.certified_limit, r.certificate, patience.left()).accepted)
      limit[r.queue.index()] = r.certified_limit;

  std::vector<std::uint32_t> capacities = run.capacities;
  bool never_cut = true;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    const QueueId id{q};
    if (s.queues[q].capacity == 0U) {
      never_cut = never_cut && !system::marks_cut(s.queues[q]);
      continue;  // a rendezvous, or runs that nobody follows
    }
    // What the queue needs so that its being full plays no part.
    std::optional<std::uint32_t> needed;
    if (limit[q]) {
      const std::uint64_t n = static_cast<std::uint64_t>(*limit[q]) + (asks_for_capacity(s, id) ? 1 : 0);
      if (n <= kLargest) needed = static_cast<std::uint32_t>(std::max<std::uint64_t>(n, 1));
    }
    const bool free = !s.queues[q].capacity && cuts(q);
    if (free && needed && (*needed <= capacities[q] || !(options.given || options.keep_default))) {
      capacities[q] = *needed;
    } else if (!needed || *needed > capacities[q]) {
      // A queue that blocks, loses or fails when full makes runs that the proof knows nothing about.
      if (!cuts(q)) return run;
      never_cut = false;
    }
  }
  run.capacities = std::move(capacities);
  run.never_cut = never_cut;
  std::map<std::int64_t, std::vector<std::string>> by_limit;
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    if (cuts(q) && s.queues[q].capacity != 0U && limit[q] && *limit[q] > 0 && *limit[q] <= run.capacities[q])
      by_limit[*limit[q]].push_back(s.queues[q].name);
  for (const auto& [n, names] : by_limit)
    run.lemmas.push_back(
        fmt::format("{} {} never {} more than {} message{} (boundedness proof, certificate checked)",
                    names.size() == 1 ? "queue" : "queues", fmt::join(names, ", "),
                    names.size() == 1 ? "holds" : "hold", n, n == 1 ? "" : "s"));
  return run;
}

}  // namespace parley::driver
