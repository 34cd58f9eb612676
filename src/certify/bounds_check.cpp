#include "certify/bounds_check.hpp"

#include <fmt/format.h>

#include <set>

#include "certify/pump_check.hpp"
#include "certify/weights_check.hpp"
#include "semantics/interpreter.hpp"
#include "system/capacities.hpp"

namespace parley::certify {

using nlohmann::json;

namespace {

// A closed search, done again depth first with an ordinary set of states.
Check check_exhaustive(const system::System& system, system::QueueId queue, std::int64_t limit) {
  constexpr std::size_t kMost = 2'000'000;
  const semantics::Interpreter in(system, std::vector<std::uint32_t>(system.queues.size(), 1U << 30));
  std::set<semantics::State> seen;
  std::vector<const semantics::State*> open;
  const auto visit = [&](const semantics::StepResult& r) {
    if (r.outcome == semantics::Outcome::AssumedAway)
      return std::string("an integer overflow is assumed away");
    if (r.outcome != semantics::Outcome::Done) return std::string();
    if (static_cast<std::int64_t>(r.state.queues[queue.index()].size()) > limit)
      return fmt::format("queue {} holds {} messages", system.queue(queue).name,
                         r.state.queues[queue.index()].size());
    if (const auto [at, fresh] = seen.insert(r.state); fresh) open.push_back(&*at);
    return seen.size() > kMost ? fmt::format("more than {} states", kMost) : std::string();
  };
  for (const semantics::InitialState& i : in.initial_states())
    if (std::string why = visit(i.result); !why.empty()) return Check::no(why);
  while (!open.empty()) {
    const semantics::State& state = *open.back();
    open.pop_back();
    for (const semantics::Successor& s : in.successors(state))
      if (std::string why = visit(s.result); !why.empty()) return Check::no(why);
  }
  return Check::yes();
}

}  // namespace

Check check_bounded(const system::System& system, system::QueueId queue, std::int64_t limit,
                    const verdict::Certificate& certificate) {
  if (queue.index() >= system.queues.size()) return Check::no("no such queue");
  const system::System endless = system::without_capacities(system);
  if (certificate.kind == "exhaustive") return check_exhaustive(endless, queue, limit);
  if (certificate.kind != "weights") return Check::no("not a certificate of boundedness");
  const json j = json::parse(certificate.payload, nullptr, false);
  return j.is_object() ? check_weights(endless, queue, limit, j) : Check::no("malformed certificate");
}

Check check_unbounded(const system::System& system, system::QueueId queue,
                      const verdict::Certificate& certificate) {
  if (queue.index() >= system.queues.size()) return Check::no("no such queue");
  if (certificate.kind != "pump") return Check::no("not a certificate of unboundedness");
  const json j = json::parse(certificate.payload, nullptr, false);
  return j.is_object() ? check_pump(system::without_capacities(system), queue, j)
                       : Check::no("malformed certificate");
}

}  // namespace parley::certify
