#include <fmt/format.h>

#include "passes/monitored.hpp"
#include "passes/trace_back.hpp"
#include "symbolic/certificate.hpp"
#include "symbolic/temporal.hpp"
#include "verdict/replay.hpp"

namespace parley::symbolic {
namespace {

constexpr std::uint32_t kMostRounds = 1024;
// Of a run with k rounds, how many pairs of equal states are tried as the ends of a loop.
constexpr std::size_t kMostLoops = 100;

using verdict::Trace;

// A piece of the run that violates the property when repeated for ever, or when the run ends behind it.
std::optional<Trace> lasso_in(const semantics::Interpreter& in, system::PropertyId property,
                              const Trace& trace) {
  const verdict::Replay replayed = verdict::replay(in, trace);
  if (!replayed.complete) return std::nullopt;
  const auto& states = replayed.states;
  std::size_t tried = 0;
  for (std::size_t end = 0; end < states.size(); ++end)
    for (std::size_t begin = end + 1; begin-- > 0;) {
      if (!(states[begin] == states[end])) continue;
      if (begin == end && end + 1 < states.size()) continue;  // it does not end there
      if (++tried > kMostLoops) return std::nullopt;
      Trace candidate = trace;
      candidate.steps.resize(end);
      candidate.loop_start = begin;
      if (verdict::confirm(in, property, candidate).confirmed) return candidate;
    }
  return std::nullopt;
}

class Counting {
 public:
  Counting(Session& session, engine::Engine& prover)
      : session_(session), prover_(prover), property_(session.request().properties[0]) {}

  void run() {
    for (std::uint32_t k = 1; k <= kMostRounds; k *= 2)
      if (asked(k)) return;
    session_.give_up(
        {fmt::format("there are runs with {} rounds of what violates it, and none of them shows a "
                     "loop",
                     kMostRounds)});
  }

 private:
  // True: there is an answer.
  bool asked(std::uint32_t k) {
    passes::MonitorOptions options;
    options.count_to = k;
    options.interrupted = [&] { return session_.limit().has_value(); };
    const passes::Monitoring made = passes::monitored(session_.request().system, property_, options);
    if (session_.limit()) return answered([&] { session_.stop(); });
    if (!made.monitored) return answered([&] { session_.give_up({made.why_not}); });
    const passes::Monitored& m = *made.monitored;
    engine::Request inner = session_.inner_request(m.system(), m.question);
    const verdict::PropertyResult r = prover_.check(inner).front();
    session_.reached_bound(k, fmt::format("{} rounds", k));
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict)) {
      if (u->stopped == verdict::StopCause::OutOfTime || u->stopped == verdict::StopCause::Cancelled)
        return answered([&] { session_.stop(); });
      return answered([&] { session_.give_up({fmt::format("k = {}: {}", k, u->reason), u->stopped}); });
    }
    if (const auto* h = std::get_if<verdict::Holds>(&r.verdict))
      return answered([&] { proved(k, m, r, *h); });
    return refuted(m, *std::get<verdict::Violated>(r.verdict).trace);
  }

  template <class Tell>
  static bool answered(Tell tell) {
    tell();
    return true;
  }

  void proved(std::uint32_t k, const passes::Monitored& m, const verdict::PropertyResult& r,
              const verdict::Holds& holds) {
    std::vector<verdict::Assumption> assumptions = r.assumptions;
    for (const std::size_t f : m.rests_on)
      assumptions.push_back(
          {verdict::AssumptionCode::Fairness, session_.request().system.fairness[f].shown + " is given"});
    session_.holds(0, counting_certificate(session_.property(0), k, holds.certificate),
                   std::move(assumptions));
  }

  bool refuted(const passes::Monitored& m, const Trace& found) {
    const semantics::Interpreter inside(m.system(), session_.request().queue_capacities);
    const passes::TraceBack back = passes::trace_back(session_.interpreter(), inside, m.passed.back, found);
    if (!back.trace) return false;
    const auto lasso = lasso_in(session_.interpreter(), property_, *back.trace);
    if (!lasso) return false;
    return answered([&] { session_.violated(0, *lasso, static_cast<std::uint32_t>(lasso->steps.size())); });
  }

  Session& session_;
  engine::Engine& prover_;
  system::PropertyId property_;
};

}  // namespace

void count_rounds(Session& session, engine::Engine& prover) {
  Counting(session, prover).run();
}

}  // namespace parley::symbolic
