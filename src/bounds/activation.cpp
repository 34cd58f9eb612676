#include "bounds/activation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "passes/activation.hpp"
#include "passes/capacities.hpp"

namespace parley::bounds {

namespace {

constexpr std::size_t kMostRounds = 4;
constexpr std::int64_t kLongest = 200;  // more makes states too wide for a prover

}  // namespace

std::optional<InactiveCycles> bounded_without(const system::System& endless,
                                              std::set<system::ActionId> actions,
                                              const std::vector<bool>& fired, const Options& options,
                                              double seconds, engine::Engine& prover,
                                              const engine::CancelToken* cancel) {
  // Runs that are assumed away would be no part of the proof.
  if (endless.integers == system::IntegerMode::AssumeNoOverflow) return std::nullopt;
  Options o = options;
  o.use_search = o.look_at_order = o.search_beside = false;
  o.seconds = seconds * 0.4;
  BoundsReport report;
  const auto open = [](const QueueReport& q) { return q.declared != 0U && q.answer != Answer::Bounded; };
  // Without these cycles there may be others; those that nobody has seen either are left out too.
  for (std::size_t round = 0;; ++round) {
    o.assumed_dead.assign(actions.begin(), actions.end());
    report = analyse(endless, o, cancel);
    if (std::none_of(report.queues.begin(), report.queues.end(), open)) break;
    const std::size_t before = actions.size();
    for (const QueueReport& q : report.queues)
      for (const BlamedCycle& c : q.cycles)
        for (system::ActionId a : c.actions)
          if (!fired[a.index()]) actions.insert(a);
    if (actions.size() == before || round == kMostRounds) return std::nullopt;
  }
  std::vector<std::uint32_t> room(endless.queues.size(), 0);
  nlohmann::json bounds = nlohmann::json::array();
  for (const QueueReport& q : report.queues) {
    if (endless.queue(q.queue).capacity == 0U) continue;  // a rendezvous
    if (q.certified_limit > kLongest) return std::nullopt;
    room[q.queue.index()] = static_cast<std::uint32_t>(q.certified_limit) + 1;
    bounds.push_back({{"queue", q.queue.index()},
                      {"limit", q.certified_limit},
                      {"kind", name_of(q.certificate.kind)},
                      {"payload", nlohmann::json::parse(q.certificate.payload)}});
  }
  const system::System asking = passes::asking_for(endless, o.assumed_dead).system;
  engine::Request request{asking, {system::PropertyId(0)}, room, {}, options.seed, cancel, {}, {}};
  request.limits.seconds = seconds * 0.5;
  request.limits.memory_bytes = std::uint64_t{2} << 30;
  const verdict::PropertyResult r = prover.check(request).front();
  const auto* holds = std::get_if<verdict::Holds>(&r.verdict);
  if (holds == nullptr) return std::nullopt;
  nlohmann::json never = nlohmann::json::array();
  for (system::ActionId a : actions) never.push_back(a.index());
  const nlohmann::json payload = {
      {"never", never},
      {"bounds", bounds},
      {"proof", {{"kind", name_of(holds->certificate.kind)}, {"payload", holds->certificate.payload}}}};
  return InactiveCycles{report.queues,
                        actions.size(),
                        {verdict::CertificateKind::Activation, payload.dump()},
                        report.refinement_log};
}

}  // namespace parley::bounds
