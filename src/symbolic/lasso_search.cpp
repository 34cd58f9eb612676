// Bounded search for lassos (biere1999): one more step per round, and the query whether a loop closes in its
// last state. In the interleaving relation a step is an action. In the chained one every owner may act in a
// step, one after another; each action takes the automaton with it, so this is right for every formula. The
// ∃-steps would join actions that all move the one automaton; they are replaced by interleaving steps.
#include <fmt/format.h>

#include "passes/trace_back.hpp"
#include "support/check.hpp"
#include "symbolic/certificate.hpp"
#include "symbolic/lasso.hpp"
#include "symbolic/temporal.hpp"

namespace parley::symbolic {
namespace {

using encode::Steps;
using solver::sat::Answer;

class LassoSearch {
 public:
  LassoSearch(Session& session, const BmcOptions& options, const passes::Monitored& monitored)
      : session_(session),
        options_(options),
        m_(monitored),
        steps_(options.steps == Steps::Chained ? Steps::Chained : Steps::Interleaving) {}

  void run() {
    encode::Relation relation(m_.system(), session_.request().queue_capacities, {},
                              {steps_, options_.order.value_or(default_action_order(steps_))});
    const std::vector<encode::Lit> could = Lasso::enabledness(relation);
    const auto solver = factory(options_.solver)();
    solver->interrupt_by(session_.interrupt());
    encode::ClauseSink sink(*solver);
    Unrolling unrolling(relation, sink, Unrolling::Start::Initial);
    unrolling.watch(could);
    Lasso lasso(relation, m_, unrolling, sink);
    for (std::uint32_t k = 1;; ++k) {
      const Literal closes = lasso.add_step();
      // No longer run: the automaton dies on all of them.
      const Answer longer = solver->solve({});
      if (longer == Answer::Unknown) return session_.stop();
      if (longer == Answer::Unsatisfiable) return no_longer_runs(k - 1);
      const Answer answer = solver->solve_with({closes});
      if (answer == Answer::Unknown) return session_.stop();
      if (answer == Answer::Satisfiable) return violated(lasso.trace(), k);
      sink.add({-closes});
      session_.reached_bound(k, fmt::format("lassos of {} {} steps", k, name_of(steps_)));
      if (session_.limit()) return session_.stop();
      if (options_.bound && k >= *options_.bound)
        return session_.give_up(
            {fmt::format("no violation within {} {} steps{}", k, name_of(steps_), fallback()),
             verdict::StopCause::BoundReached});
    }
  }

 private:
  std::string fallback() const {
    if (steps_ == options_.steps) return {};
    return fmt::format(" ({} steps would all share the property's automaton)", name_of(options_.steps));
  }

  void violated(const verdict::Trace& found, std::uint32_t k) {
    const semantics::Interpreter inside(m_.system(), session_.request().queue_capacities);
    const passes::TraceBack back = passes::trace_back(session_.interpreter(), inside, m_.passed.back, found);
    PARLEY_CHECK_MSG(back.trace.has_value(), "a lasso is no run of the model: " + back.why);
    session_.violated(0, *back.trace, k);
  }

  // Every action alone is a step of both relations, so no run has more than k actions, and at most k + 1
  // positions are read.
  void no_longer_runs(std::uint32_t k) {
    const verdict::Certificate inner{verdict::CertificateKind::NoLongerRuns,
                                     fmt::format("{{\"bound\":{}}}", k)};
    session_.holds(0, counting_certificate(session_.property(0), k + 2, inner),
                   possible_assumptions(session_.request().system));
  }

  Session& session_;
  const BmcOptions& options_;
  const passes::Monitored& m_;
  Steps steps_;
};

}  // namespace

void search_lassos(Session& session, const BmcOptions& options) {
  passes::MonitorOptions monitor;
  monitor.interrupted = [&] { return session.limit().has_value(); };
  const passes::Monitoring made =
      passes::monitored(session.request().system, session.request().properties[0], monitor);
  if (session.limit()) return session.stop();
  if (!made.monitored) return session.give_up({made.why_not});
  LassoSearch(session, options, *made.monitored).run();
}

}  // namespace parley::symbolic
