#include "bounds/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace parley::bounds {

namespace {

verdict::Verdict verdict_of(const system::System& s, const BoundsReport& r) {
  std::string open;
  nlohmann::json certificates = nlohmann::json::array();
  for (const QueueReport& q : r.queues) {
    if (q.answer == Answer::Unbounded) {
      verdict::Violated v;
      verdict::Trace trace = q.pump->prefix;
      trace.loop_start = trace.steps.size();
      trace.steps.insert(trace.steps.end(), q.pump->loop.begin(), q.pump->loop.end());
      v.trace = std::move(trace);
      std::uint32_t per_round = 0;
      for (const Growth& g : q.pump->growth)
        if (g.queue == q.queue) per_round = g.per_round;
      v.reason =
          fmt::format("queue {} grows by {} in every round of a loop", s.queue(q.queue).name, per_round);
      v.origin = s.queue(q.queue).origin;
      v.certificate = q.certificate;
      return v;
    }
    if (q.answer == Answer::Unknown) {
      open += fmt::format("{}{}", open.empty() ? "" : ", ", s.queue(q.queue).name);
      continue;
    }
    certificates.push_back({{"queue", q.queue.index()},
                            // The certificate proves its own limit; a search may have found a smaller one.
                            {"limit", q.certified_limit},
                            {"kind", name_of(q.certificate.kind)},
                            {"payload", q.certificate.payload}});
  }
  if (!open.empty()) return verdict::Unknown{fmt::format("no bound and no growing loop found for {}", open)};
  return verdict::Holds{{verdict::CertificateKind::Bounds, certificates.dump()}, {}};
}

}  // namespace

verdict::PropertyResult result_of(const system::System& system, system::PropertyId property,
                                  const BoundsReport& report) {
  verdict::PropertyResult r;
  r.property = property;
  r.engine = engine::EngineKind::Bounds;
  r.verdict = verdict_of(system, report);
  if (r.holds()) {
    for (const std::string& what : report.not_followed)
      r.assumptions.push_back({verdict::AssumptionCode::QueueCapacity,
                               "no run needs more " + what + ": such runs were not followed"});
    for (const std::string& what : report.assumptions)
      r.assumptions.push_back({verdict::AssumptionCode::QueueCapacity, what});
  }
  r.coverage.states = report.states;
  for (const QueueReport& q : report.queues) r.coverage.max_queue_length.push_back(q.longest_seen);
  r.coverage.seconds = report.seconds;
  r.story = std::make_shared<const BoundsStory>(report);
  return r;
}

std::vector<verdict::PropertyResult> BoundsEngine::check(const engine::Request& request) {
  std::vector<verdict::PropertyResult> results;
  std::optional<BoundsReport> report;
  for (system::PropertyId id : request.properties) {
    verdict::PropertyResult r;
    r.property = id;
    r.engine = kind();
    if (!verdict::decides(kind(), request.system.property(id).kind)) {
      r.verdict = verdict::Unknown{"not a question about queue lengths"};
      results.push_back(std::move(r));
      continue;
    }
    if (!report) {
      Options options;
      options.seconds = std::min(request.limits.seconds.value_or(30.0), 60.0);
      options.seed = request.seed;
      options.one_growing_queue_is_enough = true;
      report = analyse(request.system, options, request.cancel, {explorer_.get(), prover_.get()});
    }
    r = result_of(request.system, id, *report);
    if (request.decided && !r.unknown()) request.decided(r);
    results.push_back(std::move(r));
  }
  return results;
}

}  // namespace parley::bounds
