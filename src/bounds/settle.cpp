#include "bounds/settle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/certificate.hpp"
#include "bounds/failing_steps.hpp"
#include "bounds/queue_tests.hpp"

namespace parley::bounds {

using system::QueueId;
using verdict::CertificateKind;

namespace {

// For the whole run, or phase by phase.
bool by_weights(const verdict::Certificate& c) {
  return c.kind == CertificateKind::Weights || c.kind == CertificateKind::Phases;
}

void settle_by_phases(BoundsReport& report, const SystemFacts& facts, Weighing& weighing,
                      const FailingSteps& failing) {
  const PhaseProof& phases = *weighing.phases();
  const FlowGraph graph = started(weighing.graph(), weighing.extraction().components.size());
  std::optional<std::string> payload;
  for (QueueReport& r : report.queues) {
    if (r.answer == Answer::Unbounded || weighing.weighed(r.queue) || !weighing.phased(r.queue)) continue;
    std::optional<std::int64_t> limit = phase_limit(graph, phases, graph.kinds_of(r.queue));
    if (!limit) continue;
    *limit = std::max(*limit + failing.added(r.queue), failing.sent_at_start(r.queue));
    if (facts.start) *limit = std::max<std::int64_t>(*limit, facts.start->longest[r.queue.index()]);
    r.limit = r.answer == Answer::Bounded ? std::min(r.limit, *limit) : *limit;
    r.answer = Answer::Bounded;
    r.certified_limit = *limit;
    if (!payload) payload = phases_payload(facts, weighing.extraction(), phases);
    r.certificate = {CertificateKind::Phases, *payload};
    r.phases = tell(graph, phases);
  }
}

}  // namespace

bool has_open_queue(const BoundsReport& report, bool one_growing_queue_is_enough) {
  return !(one_growing_queue_is_enough && report.any(Answer::Unbounded)) && report.any(Answer::Unknown);
}

void settle_by_search(BoundsReport& report, const SearchResult& result, const Relevance& relevance) {
  report.states = std::max(report.states, result.states);
  report.search_closed = report.search_closed || result.closed;
  for (std::size_t q = 0; q < report.queues.size(); ++q) {
    QueueReport& r = report.queues[q];
    if (q < result.longest.size()) r.longest_seen = std::max(r.longest_seen, result.longest[q]);
    if (result.closed) {
      r.answer = Answer::Bounded;
      r.limit = result.longest[q];
      r.exact = true;
      if (r.certificate.kind != CertificateKind::None) continue;
      r.certificate = exhaustive_certificate(result);
      r.certified_limit = r.limit;
    } else if (const auto pump = result.pumps.find(q); pump != result.pumps.end()) {
      r.answer = Answer::Unbounded;
      r.certificate = pump_certificate(pump->second, relevance);
      r.pump = pump->second;
    }
  }
}

void settle_without_start(BoundsReport& report, const Searcher& searcher) {
  SearchResult nothing;
  searcher.explore(std::vector<bool>(report.queues.size(), false), {}, nothing);
  settle_by_search(report, nothing, searcher.relevant());
  report.note = "no run begins: every initialisation fails";
}

void settle_by_weights(BoundsReport& report, const SystemFacts& facts, Weighing& weighing,
                       const std::function<bool()>& stop) {
  std::optional<std::pair<std::vector<Rational>, std::string>> shared;  // the last certificate made
  std::optional<FailingSteps> failing;
  try {
    failing.emplace(facts, weighing.extraction(), stop);
  } catch (const TooWide&) {
    return;  // nothing is said about lengths within them, so nothing at all
  }
  if (weighing.phases()) settle_by_phases(report, facts, weighing, *failing);
  for (QueueReport& r : report.queues) {
    if (r.answer == Answer::Unbounded || !weighing.weighed(r.queue)) continue;
    const std::vector<std::uint32_t> kinds = weighing.graph().kinds_of(r.queue);
    std::optional<WeightBound> b = weighing.solver().bound(kinds);
    if (!b) continue;
    b->limit = failing->limit(r.queue, *b);
    if (facts.start) b->limit = std::max<std::int64_t>(b->limit, facts.start->longest[r.queue.index()]);
    const std::int64_t before = r.answer == Answer::Bounded ? r.limit : b->limit;
    r.answer = Answer::Bounded;
    r.limit = std::min(before, b->limit);
    r.certified_limit = b->limit;
    if (!shared || shared->first != b->weights)
      shared = {b->weights, weights_payload(facts, weighing.extraction(), *b)};
    r.certificate = {CertificateKind::Weights, shared->second};
    for (std::uint32_t k : kinds) {
      std::int64_t limit = b->limit;
      if (kinds.size() > 1 && kinds.size() <= 64)
        if (const auto own = weighing.solver().bound({k}))
          limit = std::min(limit, failing->limit_of_kind(k, *own));
      r.kinds.push_back({weighing.graph().kinds[k].name, limit});
    }
  }
}

void settle_by_length_tests(BoundsReport& report, const LengthBounds& bounds) {
  for (QueueReport& r : report.queues) {
    const auto found = bounds.find(r.queue);
    if (found == bounds.end()) continue;
    const LengthBound& b = found->second;
    if (r.answer == Answer::Unbounded || (by_weights(r.certificate) && r.certified_limit <= b.limit))
      continue;
    r.limit = r.answer == Answer::Bounded ? std::min(r.limit, b.limit) : b.limit;
    r.answer = Answer::Bounded;
    r.certified_limit = b.limit;
    r.certificate = b.certificate;
    r.senders = b.senders;
    r.phases.clear();
    r.kinds.clear();
  }
}

void settle_by_order(BoundsReport& report, const BoundsReport& inner, const passes::BackMap& back,
                     const std::vector<QueueId>& queues) {
  report.counterexamples += inner.counterexamples;
  bool helped = false;
  for (const QueueReport& x : inner.queues) {
    QueueReport& r = report.queues[back.queues[x.queue.index()].index()];
    if (r.answer != Answer::Unknown || x.answer != Answer::Bounded || !by_weights(x.certificate)) continue;
    helped = true;
    r.answer = Answer::Bounded;
    r.limit = r.certified_limit = x.certified_limit;
    r.phases = x.phases;
    r.certificate = ordered_certificate(queues, x.certificate);
  }
  if (!helped) return;
  report.refinements += inner.refinements;
  report.refinement_log.emplace_back("the order of messages is remembered");
  report.refinement_log.insert(report.refinement_log.end(), inner.refinement_log.begin(),
                               inner.refinement_log.end());
}

void settle_by_activation(BoundsReport& report, const InactiveCycles& proof) {
  for (const QueueReport& x : proof.queues) {
    QueueReport& r = report.queues[x.queue.index()];
    if (r.answer != Answer::Unknown || x.answer != Answer::Bounded) continue;
    r.answer = Answer::Bounded;
    r.limit = r.certified_limit = x.certified_limit;
    r.certificate = proof.certificate;
  }
  report.refinement_log.push_back(fmt::format("{} of the cycles' actions can never fire", proof.actions));
  report.refinement_log.insert(report.refinement_log.end(), proof.refinement_log.begin(),
                               proof.refinement_log.end());
}

void tell_stories(BoundsReport& report, Weighing& weighing, double finish) {
  if (!weighing.has_graphs() || !weighing.complete()) return;
  const FlowGraph& g = weighing.graph();
  for (QueueReport& r : report.queues) {
    if (r.answer != Answer::Unknown || weighing.settles(r.queue)) continue;
    for (const CycleRun& run : weighing.counterexample(r.queue, finish)) {
      const Component& c = g.components[run.component];
      r.story.push_back(fmt::format("{} goes round {} {}: {}", c.name, show_cycle(c, run.edges),
                                    run.times == 1 ? "once" : fmt::format("{} times", run.times),
                                    show_effect(g, run.effect)));
      BlamedCycle cycle{c.owners, {}, run.times, show_cycle(c, run.edges), show_effect(g, run.effect)};
      for (std::uint32_t e : run.edges)
        if (c.edges[e].action.valid()) cycle.actions.push_back(c.edges[e].action);
      r.cycles.push_back(std::move(cycle));
    }
  }
}

void conclude(BoundsReport& report, const semantics::Interpreter& interpreter) {
  for (QueueReport& r : report.queues) {
    if (r.pump) r.fairness = weak_fairness(interpreter, *r.pump);
    if (r.answer != Answer::Unknown) {  // the search has found out since
      r.story.clear();
      r.cycles.clear();
    }
    if (r.answer == Answer::Bounded && (r.exact || r.longest_seen == r.limit)) r.exact = true;
    if (r.answer == Answer::Bounded && r.limit == 0 && r.declared != 0U)
      r.suggestion = "never used";
    else if (r.answer == Answer::Bounded && r.declared && *r.declared > static_cast<std::uint64_t>(r.limit))
      r.suggestion = fmt::format("capacity {} is enough", r.limit);
    else if (r.answer == Answer::Bounded && r.declared && *r.declared < static_cast<std::uint64_t>(r.limit))
      r.suggestion = fmt::format("capacity {} {}; {} is always enough", *r.declared,
                                 r.longest_seen > *r.declared ? "is exceeded" : "may be exceeded", r.limit);
    else if (r.answer == Answer::Bounded && !r.declared)
      r.suggestion = fmt::format("declare capacity {}", std::max<std::int64_t>(r.limit, 1));
    else if (r.answer == Answer::Unbounded)
      r.suggestion = "make the sender wait for an answer, or drop messages on purpose";
    else if (r.answer == Answer::Unknown)
      r.suggestion = "see the cycles; a larger time limit may help";
  }
}

void tell_tests_of_fullness(BoundsReport& report, const system::System& s) {
  std::vector<char> asked(s.queues.size(), 0);
  for (std::size_t a = 0; a < s.actions.size(); ++a)
    for (const QueueTest& test : queue_tests(s, system::ActionId(a)))
      if (const auto& declared = report.queues[test.queue.index()].declared; declared > 0U)
        asked[test.queue.index()] = asked[test.queue.index()] || asks_whether_full(test, *declared);
  for (const QueueReport& r : report.queues) {
    const bool fits =
        r.answer == Answer::Bounded && r.limit <= static_cast<std::int64_t>(r.declared.value_or(0));
    if (asked[r.queue.index()] && !fits)
      report.assumptions.push_back(fmt::format(
          "a test whether {} is full asks for the declared {} message{}, though without capacities "
          "it may hold more",
          s.queue(r.queue).name, *r.declared, *r.declared == 1 ? "" : "s"));
  }
}

void leave_out_marks(BoundsReport& report, const system::System& s) {
  for (const QueueReport& r : report.queues)
    if (system::marks_cut(s.queue(r.queue))) report.not_followed.push_back(s.queue(r.queue).name);
  std::erase_if(report.queues, [&](const QueueReport& r) { return system::marks_cut(s.queue(r.queue)); });
}

}  // namespace parley::bounds
