#include "cegar/feasibility.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "semantics/interpreter_run.hpp"

namespace parley::cegar {

using domain::Interval;
using domain::Variable;
using semantics::Choices;
using semantics::Interpreter;
using semantics::Outcome;
using semantics::Step;

namespace {

// The concrete domain, remembering the bounds of wide choices in the order they were asked for.
class Watched : public domain::Concrete {
 public:
  struct Wide {
    std::int32_t lo, hi;
  };
  Watched(const System& s, std::uint64_t wide_from, std::vector<Wide>* log)
      : Concrete(s), wide_from_(wide_from), log_(log) {}
  std::uint64_t choice_count(Value lo, Value hi) const {
    const std::uint64_t n = Concrete::choice_count(lo, hi);
    if (n >= wide_from_) log_->push_back({lo, hi});
    return n;
  }

 private:
  std::uint64_t wide_from_;
  std::vector<Wide>* log_;
};

class Follower {
 public:
  Follower(const Interpreter& concrete, const AbstractSystem& a, PropertyId property, const AbstractTrace& t,
           const FeasibilityOptions& o)
      : concrete_(concrete),
        watched_(concrete.system(), Watched(concrete.system(), o.wide_from, &log_),
                 concrete.queue_capacities()),
        a_(a),
        property_(property),
        trace_(t),
        options_(o) {
    interesting_values();
  }

  Feasibility run() {
    std::vector<Run> beam;
    each_choice([&](Choices& c) { return watched_.attempt_initial(c); },
                [&](const std::vector<std::uint64_t>& choices) {
                  const StepResult r = concrete_.initial_state(choices);
                  Run run{{choices, {}, std::nullopt}, r.state, 0};
                  if (!can_end_a_run(r.outcome) || note(run, {}, r)) return;
                  if (r.outcome == Outcome::Done && !trace_.states.empty()) {
                    run.distance = distance(a_, r.state, trace_.states[0]);
                    beam.push_back(std::move(run));
                  }
                });
    for (std::size_t i = 0; i < trace_.steps.size() && !result_.feasible; ++i) {
      keep_best(beam);
      if (beam.empty()) return finish();
      result_.trace = beam.front().trace;
      result_.executed = i;
      beam = follow(beam, i);
    }
    if (result_.feasible) return finish();
    keep_best(beam);
    if (beam.empty()) return finish();
    result_.trace = beam.front().trace;
    result_.executed = trace_.steps.size();
    if (property_.valid() && concerns_states(concrete_.system().property(property_).kind))
      for (const Run& r : beam)
        if (!result_.feasible && shows(r)) {
          result_.feasible = true;
          result_.trace = r.trace;
        }
    return finish();
  }

 private:
  struct Run {
    verdict::Trace trace;
    State state;
    std::size_t distance = 0;
  };

  // Steps and starts that are cut do not happen, but they are what a violation of `no overflow` ends with.
  static bool can_end_a_run(Outcome outcome) {
    return semantics::happens(outcome) || outcome == Outcome::Cut;
  }

  bool out_of_time() {
    if (options_.deadline == nullptr || (++polls_ % 256) != 0) return late_;
    late_ = late_ || options_.deadline->reached().has_value();
    return late_;
  }

  // Constants of expressions and borders of cells, with their neighbours.
  void interesting_values() {
    const System& s = concrete_.system();
    const auto add = [this](std::int64_t v) {
      for (std::int64_t x : {v - 1, v, v + 1})
        if (domain::Word{}.fits(x)) values_.insert(x);
    };
    for (std::size_t i = 0; i < s.exprs.size(); ++i) {
      const expr::Node& n = s.exprs[expr::ExprId(i)];
      if (n.op == expr::Op::Const && n.type.kind == expr::TypeKind::Int) add(n.value);
    }
    for (const auto& [v, p] : a_.domain().precision().partitions())
      for (std::int64_t start : p.starts()) add(start);
  }

  std::vector<std::uint64_t> alternatives(std::uint64_t count, const Watched::Wide* wide) {
    std::vector<std::uint64_t> ks;
    if (wide == nullptr) {
      for (std::uint64_t k = 0; k < count; ++k) ks.push_back(k);
      return ks;
    }
    result_.exhausted = false;
    std::set<std::int64_t> chosen{wide->lo, wide->hi};
    for (std::int64_t v : {0, 1, -1})
      if (v >= wide->lo && v <= wide->hi) chosen.insert(v);
    for (std::int64_t v : options_.suggested)
      if (v >= wide->lo && v <= wide->hi) chosen.insert(v);
    // Spread the candidates over the interesting values inside the range.
    std::vector<std::int64_t> inside;
    for (std::int64_t v : values_)
      if (v >= wide->lo && v <= wide->hi) inside.push_back(v);
    const std::size_t step = std::max<std::size_t>(1, inside.size() / options_.candidates);
    for (std::size_t i = 0; i < inside.size(); i += step) chosen.insert(inside[i]);
    for (std::int64_t v : chosen) ks.push_back(static_cast<std::uint64_t>(v - wide->lo));
    return ks;
  }

  // Calls `emit` with every list of choices of a run that is worth trying.
  template <class Attempt, class Emit>
  void each_choice(Attempt&& attempt, Emit&& emit) {
    std::vector<std::vector<std::uint64_t>> open{{}};
    std::size_t tried = 0;
    while (!open.empty()) {
      const std::vector<std::uint64_t> prefix = std::move(open.back());
      open.pop_back();
      if (++tried > 2500 || out_of_time()) {
        result_.exhausted = false;
        return;
      }
      log_.clear();
      Choices c(prefix);
      attempt(c);
      const std::vector<std::uint64_t> sizes = c.sizes();
      if (sizes.size() <= prefix.size()) {
        emit(prefix);
        continue;
      }
      // The wide positions are, in order, the entries of the log.
      const std::size_t at = prefix.size();
      const Watched::Wide* wide = nullptr;
      if (sizes[at] >= options_.wide_from) {
        const auto before = static_cast<std::size_t>(
            std::count_if(sizes.begin(), sizes.begin() + static_cast<long>(at),
                          [this](std::uint64_t n) { return n >= options_.wide_from; }));
        if (before < log_.size()) wide = &log_[before];
      }
      const Watched::Wide kept = wide != nullptr ? *wide : Watched::Wide{0, 0};
      const std::vector<std::uint64_t> ks = alternatives(sizes[at], wide != nullptr ? &kept : nullptr);
      for (auto k = ks.rbegin(); k != ks.rend(); ++k) {
        open.push_back(prefix);
        open.back().push_back(*k);
      }
    }
  }

  std::vector<Run> follow(const std::vector<Run>& beam, std::size_t i) {
    std::vector<Run> next;
    std::map<State, std::size_t> seen;
    const AbstractStep& step = trace_.steps[i];
    for (const Run& r : beam) {
      each_choice([&](Choices& c) { return watched_.attempt(r.state, step.action, step.idle, c); },
                  [&](const std::vector<std::uint64_t>& choices) {
                    if (result_.feasible) return;
                    const Step concrete{step.action, choices};
                    const StepResult result = concrete_.run(r.state, concrete);
                    if (!can_end_a_run(result.outcome)) return;
                    Run longer{r.trace, result.state, 0};
                    longer.trace.steps.push_back(concrete);
                    if (note(longer, step.action, result) || result.outcome != Outcome::Done) return;
                    if (!seen.try_emplace(result.state, next.size()).second) return;
                    if (i + 1 < trace_.states.size())
                      longer.distance = distance(a_, result.state, trace_.states[i + 1]);
                    next.push_back(std::move(longer));
                  });
      if (result_.feasible) break;
    }
    return next;
  }

  // True: the run ends here, in a violation of the property or another failure.
  bool note(const Run& run, ActionId action, const StepResult& r) {
    if (step_shows(concrete_.system(), property_, action, r)) {
      result_.feasible = true;
      result_.trace = run.trace;
      return true;
    }
    if (!semantics::is_failure(r.outcome)) return false;
    if (!result_.on_the_way) {
      result_.on_the_way = run.trace;
      result_.on_the_way_outcome = r.outcome;
    }
    return true;
  }

  bool shows(const Run& r) { return verdict::confirm(concrete_, property_, r.trace).confirmed; }

  void keep_best(std::vector<Run>& beam) {
    std::stable_sort(beam.begin(), beam.end(),
                     [](const Run& x, const Run& y) { return x.distance < y.distance; });
    if (beam.size() > options_.beam) {
      beam.resize(options_.beam);
      result_.exhausted = false;
    }
  }

  Feasibility finish() { return std::move(result_); }

  const Interpreter& concrete_;
  std::vector<Watched::Wide> log_;
  semantics::BasicInterpreter<Watched> watched_;
  const AbstractSystem& a_;
  PropertyId property_;
  const AbstractTrace& trace_;
  const FeasibilityOptions& options_;
  std::set<std::int64_t> values_;
  std::uint64_t polls_ = 0;
  bool late_ = false;
  Feasibility result_;
};

}  // namespace

Feasibility is_counterexample_feasible(const Interpreter& concrete, const AbstractSystem& a,
                                       PropertyId property, const AbstractTrace& trace,
                                       const FeasibilityOptions& options) {
  return Follower(concrete, a, property, trace, options).run();
}

std::size_t distance(const AbstractSystem& a, const State& concrete, const State& abstract_state) {
  std::size_t d = 0;
  const domain::IntervalDomain& dom = a.domain();
  for (std::size_t i = 0; i < concrete.cells.size(); ++i)
    if (!dom.meaning(Variable::cell(expr::CellId(i)), abstract_state.cells[i]).contains(concrete.cells[i]))
      ++d;
  for (std::size_t q = 0; q < concrete.queues.size(); ++q) {
    const auto &x = concrete.queues[q], &y = abstract_state.queues[q];
    d += x.size() > y.size() ? x.size() - y.size() : y.size() - x.size();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (x[i].signal != y[i].signal) {
        ++d;
        continue;
      }
      for (std::size_t k = 0; k < x[i].args.size(); ++k)
        if (!dom.meaning(Variable::param(x[i].signal, static_cast<std::uint32_t>(k)), y[i].args[k])
                 .contains(x[i].args[k]))
          ++d;
    }
  }
  return d;
}

}  // namespace parley::cegar
