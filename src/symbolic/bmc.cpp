// Incremental bounded model checking (biere1999) over one of the four relations: one solver, one more step
// per round, one query per open property and round, with the violation as an assumption; an unsatisfiable
// target is fixed to false. Sound for violations (every trace is replayed); complete for them as the bound
// grows; it proves something only when no run is longer than the bound.
#include <fmt/format.h>

#include "symbolic/engines.hpp"
#include "symbolic/symbolic_engine.hpp"
#include "symbolic/temporal.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {
namespace {

using solver::sat::Answer;

class Bmc final : public SymbolicEngine {
 public:
  explicit Bmc(const BmcOptions& options) : options_(options) {}
  engine::EngineKind kind() const override { return engine::EngineKind::Bmc; }

 private:
  encode::RelationOptions relation_options() const override {
    return {options_.steps, options_.order.value_or(default_action_order(options_.steps))};
  }

  void search(Session& session, encode::Relation& relation,
              const std::vector<std::size_t>& open) const override {
    const auto solver = factory(options_.solver)();
    solver->interrupt_by(session.interrupt());
    encode::ClauseSink sink(*solver);
    Unrolling unrolling(relation, sink, Unrolling::Start::Initial);
    std::vector<bool> decided(open.size(), false);
    for (std::uint32_t k = 0;; ++k) {
      for (std::size_t p = 0; p < open.size(); ++p) {
        if (decided[p]) continue;
        const Literal target = unrolling.target(k, p);
        const Answer answer = solver->solve_with({target});
        if (answer == Answer::Unknown) return session.stop();
        if (answer == Answer::Satisfiable) {
          session.violated(open[p], unrolling.trace(k, p), k);
          decided[p] = true;
        }
        // A decided property must not excuse empty steps.
        sink.add({-target});
      }
      session.reached_bound(k, fmt::format("{} steps, bound {}", name_of(options_.steps), k));
      if (session.done()) return;
      if (session.limit()) return session.stop();
      if (options_.bound && k >= *options_.bound)
        return session.give_up({fmt::format("no violation within {} {} steps", k, name_of(options_.steps)),
                                verdict::StopCause::BoundReached});
      unrolling.add_step();
      for (std::size_t p = 0; p < open.size(); ++p)
        if (decided[p]) sink.add({-unrolling.target(k + 1, p)});
      if (longest_run_ended(session, *solver, k)) return;
    }
  }

  // The relation has no run of k + 1 steps: everything was seen.
  bool longest_run_ended(Session& session, solver::sat::Solver& solver, std::uint32_t k) const {
    const Answer answer = solver.solve({});
    if (answer == Answer::Unknown) {
      session.stop();
      return true;
    }
    if (answer == Answer::Satisfiable) return false;
    if (options_.steps != encode::Steps::Interleaving) return false;  // the certificate speaks of actions
    for (const std::size_t i : session.open())
      session.holds(i, {verdict::CertificateKind::NoLongerRuns, fmt::format("{{\"bound\":{}}}", k)},
                    possible_assumptions(session.request().system));
    return true;
  }

  void search_temporal(Session& session) override { search_lassos(session, options_); }

  BmcOptions options_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_bmc(const BmcOptions& options) {
  return std::make_unique<Bmc>(options);
}

}  // namespace parley::symbolic
