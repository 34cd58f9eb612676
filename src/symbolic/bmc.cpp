// Incremental bounded model checking (biere1999) over one of the four relations: one solver, one more step
// per round, one query per open property and round, with the violation as an assumption; an unsatisfiable
// target is fixed to false. Sound for violations (every trace is replayed); complete for them as the bound
// grows; it proves something only when no run is longer than the bound.
#include <fmt/format.h>

#include "symbolic/engines.hpp"
#include "symbolic/session.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {
namespace {

using solver::sat::Answer;

class Bmc final : public engine::Engine {
 public:
  explicit Bmc(const BmcOptions& options) : options_(options) {}
  std::string name() const override { return "bmc"; }

  std::vector<verdict::PropertyResult> check(const engine::Request& request) override {
    Session session(request, name());
    try {
      search(session);
    } catch (const encode::Unsupported& e) {
      session.give_up(e.what());
    }
    return session.take();
  }

 private:
  void search(Session& session) const {
    const std::vector<std::size_t> open = session.open();
    if (open.empty()) return;
    std::vector<system::PropertyId> properties;
    for (const std::size_t i : open) properties.push_back(session.request().properties[i]);
    encode::Relation relation(
        session.request().system, session.request().queue_capacities, properties,
        {options_.steps, options_.order.value_or(default_action_order(options_.steps))});
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
        if (answer == Answer::Unknown) return stop(session);
        if (answer == Answer::Satisfiable) {
          session.violated(open[p], unrolling.trace(k, p), k);
          decided[p] = true;
        }
        // A decided property must not excuse empty steps.
        sink.add({-target});
      }
      session.reached_bound(k, fmt::format("{} steps, bound {}", describe(options_.steps), k));
      if (session.done()) return;
      if (session.limit()) return stop(session);
      if (options_.bound && k >= *options_.bound)
        return session.give_up(fmt::format("no violation within {} {} steps", k, describe(options_.steps)));
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
      stop(session);
      return true;
    }
    if (answer == Answer::Satisfiable) return false;
    if (options_.steps != encode::Steps::Interleaving) return false;  // the certificate speaks of actions
    for (const std::size_t i : session.open())
      session.holds(i, {"no-longer-runs", fmt::format("{{\"bound\":{}}}", k)},
                    assumptions(session.request().system));
    return true;
  }

  static std::vector<verdict::Assumption> assumptions(const system::System& s) {
    std::vector<verdict::Assumption> out;
    for (const system::Queue& q : s.queues)
      if (q.overflow == system::OverflowPolicy::Cut && out.empty()) out.push_back(capacity_assumption());
    if (s.integers == system::IntegerMode::AssumeNoOverflow) out.push_back(overflow_assumption());
    return out;
  }

  static void stop(Session& session) { session.give_up(session.limit().value_or("the solver gave up")); }

  BmcOptions options_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_bmc(const BmcOptions& options) {
  return std::make_unique<Bmc>(options);
}

}  // namespace parley::symbolic
