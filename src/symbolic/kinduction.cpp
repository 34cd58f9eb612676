// k-induction (sheeran2000) on the interleaving relation: no violation within k steps of the start, and no
// violation after k good steps from anywhere well-formed. Strengthened with simple paths (added when a model
// repeats a state) and with inductive facts about one or two bits (symbolic/houdini.hpp). Complete for finite
// systems in principle, useful when k is small.
#include <fmt/format.h>

#include <algorithm>

#include "symbolic/certificate.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/houdini.hpp"
#include "symbolic/symbolic_engine.hpp"
#include "symbolic/temporal.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {
namespace {

using solver::sat::Answer;

class KInduction final : public SymbolicEngine {
 public:
  explicit KInduction(const InductionOptions& options) : options_(options) {}
  engine::EngineKind kind() const override { return engine::EngineKind::KInduction; }

 private:
  struct Side {
    std::unique_ptr<solver::sat::Solver> solver;
    std::unique_ptr<encode::ClauseSink> sink;
    std::unique_ptr<Unrolling> unrolling;
  };
  Side make_side(const Session& session, encode::Relation& relation, Unrolling::Start start) const {
    Side s;
    s.solver = factory(options_.solver)();
    s.solver->interrupt_by(session.interrupt());
    s.sink = std::make_unique<encode::ClauseSink>(*s.solver);
    s.unrolling = std::make_unique<Unrolling>(relation, *s.sink, start);
    return s;
  }

  void search(Session& session, encode::Relation& relation,
              const std::vector<std::size_t>& open) const override {
    std::vector<Cube> invariants;
    if (options_.invariants)
      invariants =
          inductive_facts(relation, session.interpreter(), factory(options_.solver), session.interrupt());
    Side base = make_side(session, relation, Unrolling::Start::Initial);
    Side step = make_side(session, relation, Unrolling::Start::AnyWellFormed);
    strengthen(step, invariants, 0);
    std::vector<bool> decided(open.size(), false);
    for (std::uint32_t k = 0;; ++k) {
      for (std::size_t p = 0; p < open.size(); ++p) {
        if (decided[p]) continue;
        const Answer answer = base.solver->solve_with({base.unrolling->target(k, p)});
        if (answer == Answer::Unknown) return session.stop();
        if (answer == Answer::Satisfiable) {
          session.violated(open[p], base.unrolling->trace(k, p), k);
          decided[p] = true;
        }
        base.sink->add({-base.unrolling->target(k, p)});
      }
      session.reached_bound(k, fmt::format("k = {}", k));
      if (session.done()) return;
      for (std::size_t p = 0; p < open.size(); ++p) {
        // Place 0 of the step case knows no step, so it says nothing about properties of steps.
        if (decided[p] || k == 0) continue;
        const std::optional<bool> inductive = is_inductive(step, k, p);
        if (!inductive) return session.stop();
        if (!*inductive) continue;
        decided[p] = true;
        session.holds(open[p],
                      induction_certificate(relation, relation.system().property(relation.properties()[p]), k,
                                            options_.simple_path, invariants),
                      assumptions(session, relation, invariants));
      }
      if (session.done()) return;
      if (session.limit()) return session.stop();
      if (options_.bound && k >= *options_.bound)
        return session.give_up({fmt::format("neither violated within {} steps nor {}-inductive", k, k),
                                verdict::StopCause::BoundReached});
      for (Side* side : {&base, &step}) {
        side->unrolling->add_step();
        for (std::size_t p = 0; p < open.size(); ++p)
          if (decided[p]) side->sink->add({-side->unrolling->target(k + 1, p)});
      }
      strengthen(step, invariants, k + 1);
    }
  }

  // Every state of the step case satisfies the invariants.
  static void strengthen(Side& side, const std::vector<Cube>& invariants, std::size_t k) {
    const std::vector<Literal>& state = side.unrolling->state(k);
    for (const Cube& cube : invariants) {
      std::vector<Literal> clause;
      for (const int l : cube) {
        const Literal x = state[static_cast<std::size_t>(std::abs(l)) - 1];
        clause.push_back(l > 0 ? -x : x);
      }
      side.sink->add(std::move(clause));
    }
  }

  // k good steps are followed by a good one: places 0..k-1 are good, place k is bad.
  std::optional<bool> is_inductive(Side& side, std::uint32_t k, std::size_t p) const {
    std::vector<Literal> assumptions{side.unrolling->target(k, p)};
    for (std::uint32_t j = 0; j < k; ++j)
      for (const Literal bad : side.unrolling->places(j, p)) assumptions.push_back(-bad);
    for (;;) {
      const Answer answer = side.solver->solve(assumptions);
      if (answer == Answer::Unknown) return std::nullopt;
      if (answer == Answer::Unsatisfiable) return true;
      if (!options_.simple_path || !forbid_repetition(side, k)) return false;
    }
  }

  // Adds "the two states differ" for pairs that are equal in the model; false if there is none. The last
  // state does not count: in a failing step nothing fires, and the state stays.
  static bool forbid_repetition(Side& side, std::uint32_t k) {
    std::vector<std::vector<bool>> states;
    for (std::uint32_t j = 0; j < k; ++j) {
      states.emplace_back();
      for (const Literal l : side.unrolling->state(j)) states.back().push_back(side.solver->value(l));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> equal;
    for (std::uint32_t i = 0; i < k; ++i)
      for (std::uint32_t j = i + 1; j < k; ++j)
        if (states[i] == states[j]) equal.emplace_back(i, j);
    for (const auto& [i, j] : equal) {
      std::vector<Literal> clause;
      const auto& x = side.unrolling->state(i);
      const auto& y = side.unrolling->state(j);
      for (std::size_t b = 0; b < x.size(); ++b) {
        if (x[b] == y[b]) continue;
        const Literal d = side.sink->fresh();
        side.sink->add({-d, x[b], y[b]});
        side.sink->add({-d, -x[b], -y[b]});
        clause.push_back(d);
      }
      side.sink->add(std::move(clause));
    }
    return !equal.empty();
  }

  // What the proof rests on, decided over the invariants alone.
  std::vector<verdict::Assumption> assumptions(const Session& session, encode::Relation& relation,
                                               const std::vector<Cube>& invariants) const {
    Side side = make_side(session, relation, Unrolling::Start::AnyWellFormed);
    strengthen(side, invariants, 0);
    std::vector<verdict::Assumption> out;
    const auto possible = [&](encode::Lit f) {
      return f != encode::kFalse &&
             side.solver->solve_with({side.unrolling->last(f)}) != Answer::Unsatisfiable;
    };
    if (possible(relation.cut_possible())) out.push_back(capacity_assumption());
    if (possible(relation.assumed_possible())) out.push_back(overflow_assumption());
    return out;
  }

  void search_temporal(Session& session) override { count_rounds(session, *this); }

  InductionOptions options_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_kind(const InductionOptions& options) {
  return std::make_unique<KInduction>(options);
}

}  // namespace parley::symbolic
