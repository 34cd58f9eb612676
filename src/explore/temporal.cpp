#include "explore/temporal.hpp"

#include <fmt/format.h>

#include "explore/compiled.hpp"
#include "explore/explore.hpp"
#include "explore/lasso.hpp"
#include "explore/vacuity.hpp"
#include "ltl/build.hpp"
#include "ltl/strength.hpp"
#include "system/fairness.hpp"
#include "verdict/reason.hpp"

namespace parley::explore {

using verdict::AssumptionCode;
using verdict::Holds;
using verdict::PropertyResult;
using verdict::Unknown;
using verdict::Violated;

namespace {

// One search: an automaton that must not accept any fair run of an observed System.
struct Searched {
  std::optional<engine::Stop> stopped;
  std::optional<semantics::Trace> bad;
  Omissions omissions;
  bool met_end = false;
  std::uint64_t states = 0, transitions = 0, memory_bytes = 0;
};

constexpr double kMoment = 0.3;
constexpr std::size_t kLongRun = 200;  // steps
// States of the product that are searched breadth first for a shortest violation of a safety formula.
constexpr std::uint32_t kMostBreadthFirst = 500'000;

class Searcher {
 public:
  Searcher(const engine::Request& request, const engine::Deadline& deadline)
      : request_(request), deadline_(deadline) {}

  Searched run(const passes::Observed& observed, const ltl::Automaton& automaton, const FairActions& fair,
               double until) {
    Searched s;
    CompiledModel model(observed.system(), request_.queue_capacities, Stretches::Shown);
    TemporalProduct<CompiledModel> product(model, observed, automaton, fair, s.omissions);
    StateStore store(product.words(), request_.limits.memory_bytes.value_or(default_memory_limit()));
    Emptiness search(product, store, fair.strong(),
                     [&](std::uint64_t states) { return limit_reached(states, store, until); });
    look(product, store, search, automaton, s);
    s.stopped = search.stopped();
    s.met_end = product.met_end();
    s.states = store.size();
    s.transitions = search.transitions();
    s.memory_bytes = store.bytes();
    return s;
  }

 private:
  // Where the automaton accepts whatever follows, the nearest such place makes the shortest violation; it
  // still has to go on for ever somehow.
  template <class P, class E>
  void look(P& product, StateStore& store, E& search, const ltl::Automaton& automaton, Searched& s) {
    std::optional<std::uint32_t> from;
    std::optional<BadComponent> bad;
    if (ltl::strength_of(automaton) == ltl::Strength::Terminal) {
      const std::uint32_t trap = search.nearest_trap(ltl::accepts_everything(automaton), kMostBreadthFirst);
      if (search.stopped() || (trap == StateStore::kNoState && !search.gave_up())) return;
      if (trap != StateStore::kNoState) {
        from = trap;
        bad = search.run_from(trap);
      }
    }
    if (!bad) {
      from.reset();
      bad = search.run();
    }
    if (bad && !search.stopped()) s.bad = LassoMaker(product, store, search).make(*bad, from);
    if (s.bad && search.gave_up() && s.bad->steps.size() > kLongRun)
      shorten(product, search.strong(), ltl::accepts_everything(automaton), s);
  }

  // What depth first found may be a thousand times longer than needed: breadth first once more, for as long
  // as the first search took.
  template <class P>
  void shorten(P& product, std::uint64_t strong, const std::vector<bool>& traps, Searched& s) {
    const double until = 2 * deadline_.seconds() + kMoment;
    StateStore store(product.words(), request_.limits.memory_bytes.value_or(default_memory_limit()));
    Emptiness search(product, store, strong,
                     [&](std::uint64_t states) { return limit_reached(states, store, until); });
    const std::uint32_t trap = search.nearest_trap(traps, ~0U);
    if (trap == StateStore::kNoState || search.stopped()) return;
    const auto bad = search.run_from(trap);
    if (!bad || search.stopped()) return;
    if (auto shorter = LassoMaker(product, store, search).make(*bad, trap)) s.bad = std::move(shorter);
  }

  std::optional<engine::Stop> limit_reached(std::uint64_t states, const StateStore& store, double until) {
    if (auto reason = deadline_.reached()) return reason;
    if (deadline_.seconds() > until)
      return engine::Stop{verdict::StopCause::OutOfTime, "the time for a second look is over"};
    if (request_.limits.states && states >= *request_.limits.states)
      return engine::Stop{verdict::StopCause::StateLimit,
                          fmt::format("state limit ({}) reached", *request_.limits.states)};
    if (request_.progress && deadline_.seconds() >= next_progress_) {
      next_progress_ = deadline_.seconds() + 0.2;
      engine::Progress p;
      p.engine = engine::EngineKind::Temporal;
      p.states = states;
      p.memory_bytes = store.bytes();
      p.seconds = deadline_.seconds();
      p.states_per_second = static_cast<double>(states) / std::max(p.seconds, 1e-9);
      request_.progress(p);
    }
    return std::nullopt;
  }

  const engine::Request& request_;
  const engine::Deadline& deadline_;
  double next_progress_ = 0;
};

class Decider {
 public:
  Decider(const engine::Request& request, const TemporalOptions& options, const engine::Deadline& deadline,
          const semantics::Interpreter& interpreter, system::PropertyId property)
      : request_(request),
        options_(options),
        deadline_(deadline),
        interpreter_(interpreter),
        property_(property) {
    result_.property = property;
    result_.engine = engine::EngineKind::Temporal;
  }

  PropertyResult run() {
    passes::Observation observation = passes::observe(request_.system, property_);
    if (!observation.observed) return unknown(Unknown{observation.why_not});
    observed_ = std::move(*observation.observed);
    const auto automaton = bad_runs(observed_.formula);
    if (!automaton) return std::move(result_);
    if (!marks_fit(*automaton, request_.system)) return std::move(result_);
    const FairActions fair(observed_.system());
    const Searched s =
        Searcher(request_, deadline_).run(observed_, *automaton, fair, std::numeric_limits<double>::max());
    result_.coverage.states = s.states;
    result_.coverage.transitions = s.transitions;
    result_.coverage.memory_bytes = s.memory_bytes;
    result_.coverage.seconds = deadline_.seconds();
    result_.coverage.complete = !s.stopped && !s.bad;
    conclude(s);
    return std::move(result_);
  }

 private:
  PropertyResult unknown(Unknown why) {
    result_.verdict = std::move(why);
    return std::move(result_);
  }

  // The automaton of what must not happen; none: the result says why.
  std::optional<ltl::Automaton> bad_runs(ltl::FormulaId formula) {
    if (observed_.claim) return observed_.claim;
    ltl::TranslationLimits limits;
    limits.interrupted = [&] { return deadline_.reached().has_value(); };
    ltl::Translation made = ltl::automaton_of(observed_.formulas, observed_.formulas.negate(formula), limits);
    if (auto* automaton = std::get_if<ltl::Automaton>(&made)) return std::move(*automaton);
    if (auto stop = deadline_.reached()) {
      result_.verdict = Unknown::because(std::move(*stop));
    } else {
      result_.verdict =
          Unknown{"the automaton of the formula is too large: " + std::get<ltl::TooLarge>(made).reason};
    }
    return std::nullopt;
  }

  bool marks_fit(const ltl::Automaton& automaton, const system::System& system) {
    if (automaton.marks + system.fairness.size() <= ltl::kMostMarks) return true;
    result_.verdict = Unknown{fmt::format("{} fairness assumptions are more than this search can keep apart",
                                          system.fairness.size())};
    return false;
  }

  void conclude(const Searched& s) {
    // Second looks may take as long as the first, and a moment.
    second_look_ends_ = 2 * deadline_.seconds() + kMoment;
    if (s.stopped) {
      result_.verdict = Unknown::because(*s.stopped);
      result_.assumptions = assumptions(request_, s.omissions);
      return;
    }
    if (s.met_end) say_how_runs_end();
    if (!s.bad) {
      result_.assumptions = assumptions(request_, s.omissions);
      for (const system::Fairness& f : request_.system.fairness)
        result_.assumptions.push_back({AssumptionCode::Fairness, f.shown + " is given"});
      Holds h;
      h.certificate.kind = verdict::CertificateKind::Ranking;
      result_.verdict = std::move(h);
      if (options_.try_vacuity) look_for_vacuity();
      return;
    }
    Violated v;
    v.trace = s.bad;
    verdict::Reason reason = verdict::reason_for(interpreter_, property_, *s.bad);
    v.reason = std::move(reason.text);
    v.origin = std::move(reason.origin);
    result_.verdict = std::move(v);
    if (options_.try_fairness && request_.system.fairness.empty() && *s.bad->loop_start < s.bad->steps.size())
      try_with_fairness();
  }

  std::optional<bool> holds(ltl::FormulaId formula, const FairActions& fair) {
    ltl::TranslationLimits limits;
    limits.interrupted = [&] { return deadline_.seconds() > second_look_ends_; };
    const ltl::Translation made =
        ltl::automaton_of(observed_.formulas, observed_.formulas.negate(formula), limits);
    const auto* automaton = std::get_if<ltl::Automaton>(&made);
    return automaton == nullptr ? std::nullopt : holds(*automaton, fair);
  }
  std::optional<bool> holds(const ltl::Automaton& automaton, const FairActions& fair) {
    if (automaton.marks + static_cast<unsigned>(std::popcount(fair.weak())) > ltl::kMostMarks)
      return std::nullopt;
    const Searched s = Searcher(request_, deadline_).run(observed_, automaton, fair, second_look_ends_);
    if (s.stopped) return std::nullopt;
    return !s.bad.has_value();
  }

  // Does it fail only because somebody is passed over for ever?
  void try_with_fairness() {
    system::System scheduled = observed_.system();
    scheduled.fairness = system::fair_scheduling(scheduled, system::Fairness::Strength::Weak);
    const FairActions fair(scheduled);
    if (scheduled.fairness.empty() || scheduled.fairness.size() > ltl::kMostMarks) return;
    const auto answer = observed_.claim ? holds(*observed_.claim, fair) : holds(observed_.formula, fair);
    if (!answer) return;
    result_.notes.push_back(
        *answer ? "violated without fairness; holds under weak fairness of every object (--fair weak)"
                : "violated under weak fairness of every object too");
  }

  void look_for_vacuity() {
    if (!observed_.formula.valid() || request_.system.run_end != system::RunEnd::Stutters) return;
    const FairActions fair(observed_.system());
    for (const Strengthening& s : strengthenings(observed_.formulas, observed_.formula)) {
      if (deadline_.seconds() > second_look_ends_) return;
      if (holds(s.formula, fair) != true) continue;
      result_.notes.push_back(fmt::format("vacuous: it would hold just as well if {} were never true",
                                          observed_.propositions[s.proposition].shown));
    }
  }

  void say_how_runs_end() {
    result_.notes.push_back(request_.system.run_end == system::RunEnd::Stutters
                                ? "a run that ends is read as staying in its last state for ever"
                                : "a run that ends is read as a finite sequence of states");
  }

  const engine::Request& request_;
  const TemporalOptions& options_;
  const engine::Deadline& deadline_;
  const semantics::Interpreter& interpreter_;
  system::PropertyId property_;
  passes::Observed observed_;
  double second_look_ends_ = 0;
  PropertyResult result_;
};

}  // namespace

std::vector<PropertyResult> TemporalExplorer::check(const engine::Request& request) {
  const engine::Deadline deadline(request);
  const semantics::Interpreter interpreter(request.system, request.queue_capacities);
  std::vector<PropertyResult> results;
  for (const system::PropertyId id : request.properties) {
    if (!verdict::decides(kind(), request.system.property(id).kind)) {
      PropertyResult r;
      r.property = id;
      r.engine = kind();
      r.verdict = Unknown{"no engine"};
      results.push_back(std::move(r));
      continue;
    }
    results.push_back(Decider(request, options_, deadline, interpreter, id).run());
    if (request.decided && !results.back().unknown()) request.decided(results.back());
  }
  return results;
}

}  // namespace parley::explore
