#include "cegar/loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cegar/precision_json.hpp"
#include "system/footprint.hpp"

namespace parley::cegar {

using domain::Precision;
using domain::Variable;
using semantics::Interpreter;
using verdict::AssumptionCode;
using verdict::CertificateKind;
using verdict::Holds;
using verdict::StopCause;
using verdict::Unknown;
using verdict::Violated;

LoopOptions LoopOptions::published() {
  LoopOptions o;
  o.start.start = domain::Start::Sign;
  o.start.exact_up_to = 1;
  o.intermediate = domain::Intermediate::Cells;
  o.weakest_preconditions = o.resimulate = o.weak_message_correspondence = false;
  o.analyse_propagation = o.values_per_location = false;
  o.solve_choices = o.accelerate = false;
  o.exact_after = 0;
  o.whole_class = true;
  return o;
}

namespace {

// Certificates with more are not written out: nobody could check them in reasonable time.
constexpr std::size_t kMostStatesInCertificate = 5'000;

constexpr std::size_t kMostSuggestions = 32;  // of values for wide choices: each is tried for each choice

class Loop {
 public:
  Loop(const engine::Request& request, PropertyId property, const LoopOptions& options)
      : request_(request),
        s_(request.system),
        property_(property),
        goal_(property),
        o_(options),
        deadline_(request),
        concrete_(s_, request.queue_capacities) {
    limits_.deadline = &deadline_;
    limits_.keep_states = true;
    limits_.states = std::min(o_.max_states, request.limits.states.value_or(o_.max_states));
  }

  LoopResult run() {
    out_.result.property = property_;
    out_.result.engine = engine::EngineKind::Cegar;
    out_.precision = domain::initial_precision(s_, property_, o_.start);
    for (std::size_t round = 1; open_; ++round) {
      if (round > o_.max_rounds) {
        unknown(
            {fmt::format("not decided in {} rounds of refinement", o_.max_rounds), StopCause::BoundReached});
        break;
      }
      try {
        one_round(round);
      } catch (const domain::PrecisionLimit& limit) {
        if (!give_up_exactness(limit)) unknown({limit.what(), StopCause::GaveUp});
      }
      report_progress(round);
    }
    out_.result.coverage.seconds = deadline_.seconds();
    return std::move(out_);
  }

 private:
  void one_round(std::size_t round) {
    RoundReport& report = out_.rounds.emplace_back();
    report.round = round;
    report.variables = out_.precision.partitions().size();
    report.cells = out_.precision.cells();
    const double started = deadline_.seconds();
    auto abstract = std::make_unique<AbstractSystem>(make_abstract());
    AbstractAnswer answer = abstract_check(*abstract, property_, limits_);
    report.states = answer.states;
    report.transitions = answer.transitions;
    out_.result.coverage.states = answer.states;
    out_.result.coverage.transitions = answer.transitions;
    out_.result.coverage.depth = answer.depth;
    if (answer.stopped) {
      unknown(
          {fmt::format("{} in round {} of refinement", answer.stopped->text, round), answer.stopped->cause});
    } else if (answer.complete) {
      conclude(std::move(abstract), answer, report);
    } else {
      report.counterexample = true;
      report.length = answer.trace->steps.size();
      treat(std::move(abstract), std::move(*answer.trace), report);
    }
    report.seconds = deadline_.seconds() - started;
  }

  // Nothing bad is left. If a queue that cuts may be full, that too is a suspicion to be judged: a real one
  // becomes an assumption of the verdict, a spurious one is refined away.
  void conclude(std::unique_ptr<AbstractSystem> abstract, const AbstractAnswer& answer, RoundReport& report) {
    if (answer.cut && !cut_is_real_) {
      AbstractAnswer cut = abstract_check(*abstract, PropertyId{}, limits_);
      if (cut.trace) {
        report.counterexample = true;
        report.length = cut.trace->steps.size();
        goal_ = PropertyId{};
        treat(std::make_unique<AbstractSystem>(*abstract), std::move(*cut.trace), report);
        goal_ = property_;
        if (!cut_is_real_) return;
      } else if (!cut.complete) {
        return unknown(Unknown::because(*cut.stopped));
      }
    }
    holds(*abstract, answer);
  }

  AbstractSystem make_abstract() const {
    return {s_, out_.precision, request_.queue_capacities, {o_.intermediate, 16, 1 << 16}};
  }

  // Judges a counterexample and refines until this event sequence is gone (or once, if not asked to).
  void treat(std::unique_ptr<AbstractSystem> abstract, AbstractTrace trace, RoundReport& report) {
    for (std::size_t times = 0; times < o_.max_resimulations; ++times) {
      Feasibility f = follow(*abstract, trace);
      while (!f.feasible && !f.exhausted && o_.solve_choices && suggest(*abstract, trace, f))
        f = follow(*abstract, trace);
      if (f.feasible) {
        report.feasible = true;
        if (goal_.valid()) return violated(f.trace);
        cut_is_real_ = true;
        return;
      }
      RefinementReport& r = report.refinements.emplace_back();
      r.length = trace.steps.size();
      r.executed = f.executed;
      if (!refine(*abstract, trace, f, r)) return give_up(r.why);
      if (!o_.resimulate) return;
      if (const auto stop = deadline_.reached()) return unknown(Unknown::because(*stop));
      abstract = std::make_unique<AbstractSystem>(make_abstract());
      auto again = resimulate(*abstract, goal_, trace, limits_);
      if (!again) return;
      trace = std::move(*again);
    }
  }

  Feasibility follow(const AbstractSystem& abstract, const AbstractTrace& trace) const {
    FeasibilityOptions options = o_.feasibility;
    options.deadline = &deadline_;
    options.suggested = suggested_;
    return is_counterexample_feasible(concrete_, abstract, goal_, trace, options);
  }

  // Values for wide choices that might get further; false if there are none that were not tried before.
  bool suggest(const AbstractSystem& abstract, const AbstractTrace& trace, const Feasibility& f) {
    if (suggested_.size() >= kMostSuggestions || deadline_.reached()) return false;
    const auto analysis = transform(concrete_, abstract, goal_, trace, f);
    if (!analysis) return false;
    bool fresh = false;
    for (const std::int64_t v : solve_choices(s_, *analysis))
      if (std::find(suggested_.begin(), suggested_.end(), v) == suggested_.end()) {
        suggested_.push_back(v);
        fresh = true;
      }
    return fresh;
  }

  // Every refiner was asked. That a queue may be cut then stays an assumption.
  void give_up(const std::string& why) {
    if (!goal_.valid())
      cut_is_real_ = true;
    else
      unknown({fmt::format("the counterexample cannot be followed and no refiner removes it: {}", why),
               StopCause::GaveUp});
  }

  bool refine(const AbstractSystem& abstract, const AbstractTrace& trace, const Feasibility& f,
              RefinementReport& report) {
    const auto analysis = transform(concrete_, abstract, goal_, trace, f);
    if (analysis) {
      report.why = analysis->why;
      Relevance relevance(s_, *analysis, {o_.weak_message_correspondence, o_.analyse_propagation});
      if (relevance.compute()) {
        describe(*analysis, relevance, report);
        if (o_.interpolants && use(interpolating_refinement(s_, *analysis, relevance, &deadline_), report))
          return true;
        if (o_.weakest_preconditions && use(wp_refinement(s_, *analysis, relevance), report)) return true;
        if (use(find_refinement(s_, *analysis, relevance, {o_.values_per_location}), report)) return true;
      }
    } else {
      report.why = "the runs never part at a statement";
    }
    return split_at_the_run(abstract, trace, f, report) || make_something_exact(trace, f, report);
  }

  void describe(const AnalysisTrace& t, const Relevance& relevance, RefinementReport& report) {
    report.initial_number = relevance.initial_number();
    for (const Location& l : relevance.initial()) report.initial.push_back(show(s_, t, l));
    for (std::size_t i = t.steps.size(); i >= 1; --i)
      for (const Location& l : relevance.before(i))
        report.relevant.push_back(fmt::format("({}, {})", i, show(s_, t, l)));
  }

  bool use(const Refinement& r, RefinementReport& report) {
    if (r.empty()) return false;
    const auto changed = apply(s_, r, o_.whole_class, out_.precision);
    if (changed.empty()) return false;
    report.refiner = r.refiner;
    report.step = r.step;
    report.expression = r.expression;
    for (const auto& [v, values] : changed)
      report.split.push_back(fmt::format("{}: {}", domain::show(s_, v), fmt::join(values, ", ")));
    if (o_.accelerate) accelerate(changed, report);
    tame(report);
    return true;
  }

  // Three refinements of one variable in a row whose cuts lie the same stride apart: a loop is being unrolled
  // round by round. What the model compares the variable with may be where the loop ends, so these constants
  // come first; if they are there already, the cuts of the loop's next iterations come at once, twice as many
  // each time.
  void accelerate(const std::map<Variable, std::vector<std::int64_t>>& changed, RefinementReport& report) {
    for (const auto& [v, values] : changed) {
      std::vector<std::int64_t>& past = cuts_of_[v];
      past.push_back(values.front());
      const std::size_t n = past.size();
      if (n < 3) continue;
      const std::int64_t stride = past[n - 1] - past[n - 2];
      if (stride == 0 || past[n - 2] - past[n - 3] != stride) continue;
      if (cut_at_constants(v, report)) {
        past.clear();
        continue;
      }
      std::size_t& ahead = ahead_[v];
      ahead = ahead == 0 ? 4 : std::min<std::size_t>(ahead * 2, 4096);
      std::int64_t last = past.back();
      for (std::size_t i = 0; i < ahead; ++i) {
        if (!out_.precision.cut_below(v, last + stride)) break;
        last += stride;
      }
      past = {last - 2 * stride, last - stride, last};
      report.split.push_back(fmt::format("{}: on by {} to {}", domain::show(s_, v), stride, last));
    }
  }

  bool cut_at_constants(const Variable& v, RefinementReport& report) {
    if (!constants_) {
      domain::StartOptions start = o_.start;
      start.start = domain::Start::Constants;
      constants_ = domain::initial_precision(s_, property_, start);
    }
    const domain::Partition *now = out_.precision.find(v), *wanted = constants_->find(v);
    if (now == nullptr || wanted == nullptr) return false;
    domain::Partition finer = *now;
    if (!finer.refine_with(*wanted)) return false;
    out_.precision.set(v, finer);
    report.split.push_back(fmt::format("{}: what it is compared with, {}", domain::show(s_, v),
                                       fmt::join(wanted->starts(), ", ")));
    return true;
  }

  // A variable whose splitting runs away is cheaper exact (loop counters; ojala2008, section 7.1, last idea).
  void tame(RefinementReport& report) {
    if (o_.exact_after == 0) return;
    std::vector<Variable> many;
    for (const auto& [v, p] : out_.precision.partitions())
      if (p.size() > o_.exact_after && v.kind != Variable::Kind::Local && !never_exact_.contains(v))
        many.push_back(v);
    for (const Variable& v : many) exact(v, report);
  }
  void exact(const Variable& v, RefinementReport& report) {
    before_exact_.insert_or_assign(v, *out_.precision.find(v));
    out_.precision.make_exact(v);
    report.split.push_back(fmt::format("{}: exact", domain::show(s_, v)));
  }

  // Exact turned out to be too much: back to the cells it had, and never again.
  bool give_up_exactness(const domain::PrecisionLimit& limit) {
    if (!limit.variable) return false;
    const auto at = before_exact_.find(*limit.variable);
    if (at == before_exact_.end()) return false;
    out_.precision.set(at->first, at->second);
    never_exact_.insert(at->first);
    before_exact_.erase(at);
    return true;
  }

  // Without an explanation: make the values of the concrete run distinct, first where it leaves the abstract
  // one, then everywhere.
  bool split_at_the_run(const AbstractSystem& abstract, const AbstractTrace& trace, const Feasibility& f,
                        RefinementReport& report) {
    const verdict::Replay replayed = verdict::replay(concrete_, f.trace);
    Refinement r;
    r.refiner = "values of the concrete run";
    const std::size_t n = std::min(replayed.states.size(), trace.states.size());
    for (std::size_t i = 0; i < n && r.empty(); ++i) {
      const State &c = replayed.states[i], &a = trace.states[i];
      for (std::size_t k = 0; k < c.cells.size(); ++k) {
        const Variable v = Variable::cell(expr::CellId(k));
        if (!abstract.domain().meaning(v, a.cells[k]).contains(c.cells[k])) r.values[v] = {c.cells[k]};
      }
    }
    if (use(r, report)) return true;
    r.values.clear();
    if (n > 0)
      for (std::size_t k = 0; k < replayed.states[n - 1].cells.size(); ++k)
        r.values[Variable::cell(expr::CellId(k))] = {replayed.states[n - 1].cells[k]};
    return use(r, report);
  }

  // The last resort: exact values for a variable that the failing action reads, else for any.
  bool make_something_exact(const AbstractTrace& trace, const Feasibility& f, RefinementReport& report) {
    report.refiner = "exact values";
    const auto may = [this](const Variable& v) {
      return v.kind != Variable::Kind::Local && out_.precision.is_abstracted(v) && !never_exact_.contains(v);
    };
    if (f.executed < trace.steps.size())
      for (expr::CellId c : system::footprint(s_, trace.steps[f.executed].action).reads)
        if (may(Variable::cell(c))) return exact(Variable::cell(c), report), true;
    const Precision now = out_.precision;
    for (const auto& [v, p] : now.partitions())
      if (may(v)) return exact(v, report), true;
    return false;
  }

  // The abstract states as boxes of concrete ones, for the independent checker (certify/closure.hpp).
  nlohmann::ordered_json boxes(const AbstractSystem& abstract, const std::vector<State>& states) const {
    using json = nlohmann::ordered_json;
    const auto interval = [&abstract](const Variable& v, std::int32_t code) -> json {
      const domain::Interval i = abstract.domain().meaning(v, code);
      return i.single() ? json(i.lo) : json{i.lo, i.hi};
    };
    json all = json::array();
    for (const State& state : states) {
      json one, cells = json::array(), queues = json::array();
      for (std::size_t i = 0; i < state.cells.size(); ++i)
        cells.push_back(interval(Variable::cell(expr::CellId(i)), state.cells[i]));
      for (const auto& queue : state.queues) {
        json messages = json::array();
        for (const semantics::Message& m : queue) {
          json args = json::array();
          for (std::size_t k = 0; k < m.args.size(); ++k)
            args.push_back(interval(Variable::param(m.signal, static_cast<std::uint32_t>(k)), m.args[k]));
          messages.push_back({{"signal", m.signal.value}, {"args", std::move(args)}});
        }
        queues.push_back(std::move(messages));
      }
      one["cells"] = std::move(cells);
      one["queues"] = std::move(queues);
      if (state.holder.valid()) one["holder"] = state.holder.value;
      all.push_back(std::move(one));
    }
    return all;
  }

  void holds(const AbstractSystem& abstract, const AbstractAnswer& answer) {
    open_ = false;
    const bool reachable = s_.property(property_).kind == system::PropertyKind::Reachable;
    if (answer.cut)
      out_.result.assumptions.push_back({AssumptionCode::QueueCapacity,
                                         "only runs count in which no queue needs more than its capacity "
                                         "(there may be others, which were not "
                                         "followed)"});
    if (answer.assumed_away)
      out_.result.assumptions.push_back(
          {AssumptionCode::NoIntegerOverflow, "runs in which an integer overflows were not followed"});
    if (answer.blocked_at_start)
      out_.result.assumptions.push_back(
          {AssumptionCode::BlockedStart,
           "some choices of the start are blocked by a full queue and were not followed"});
    if (reachable && !out_.result.assumptions.empty()) {
      out_.result.verdict = Unknown{"not reached, but " + out_.result.assumptions.front().text};
      return;
    }
    nlohmann::ordered_json payload;
    payload["property"] = s_.property(property_).name;
    payload["capacities"] = request_.queue_capacities;
    payload["abstract_states"] = answer.states;
    payload["transitions"] = answer.transitions;
    payload["precision"] = to_json(s_, out_.precision);
    if (answer.reached.size() <= kMostStatesInCertificate)
      payload["states"] = boxes(abstract, answer.reached);
    verdict::Certificate certificate{CertificateKind::AbstractClosure, payload.dump()};
    if (reachable) {
      Violated v;
      v.certificate = std::move(certificate);
      v.origin = s_.property(property_).origin;
      v.reason = fmt::format("no reachable state satisfies it ({} abstract states cover all)", answer.states);
      out_.result.verdict = std::move(v);
      return;
    }
    out_.result.verdict = Holds{std::move(certificate), std::nullopt};
  }

  void violated(const verdict::Trace& trace) {
    open_ = false;
    if (s_.property(property_).kind == system::PropertyKind::Reachable) {
      out_.result.verdict = Holds{{CertificateKind::Witness, ""}, trace};
      return;
    }
    Violated v;
    v.trace = trace;
    v.origin = s_.property(property_).origin;
    v.reason = reason(trace, v.origin);
    out_.result.verdict = std::move(v);
  }

  std::string reason(const verdict::Trace& trace, system::Origin& origin) {
    const verdict::Replay r = verdict::replay(concrete_, trace);
    const StepResult& last = r.results.empty() ? r.initial : r.results.back();
    if (last.failure.message.empty()) return fmt::format("violated after {} steps", trace.steps.size());
    if (last.failure.origin.span.valid()) origin = last.failure.origin;
    return last.failure.message;
  }

  void unknown(Unknown why) {
    open_ = false;
    out_.result.verdict = std::move(why);
  }

  void report_progress(std::size_t round) {
    if (!request_.progress) return;
    engine::Progress p;
    p.engine = engine::EngineKind::Cegar;
    p.states = out_.result.coverage.states;
    p.seconds = deadline_.seconds();
    p.note = fmt::format("round {}: {} cells", round, out_.precision.cells());
    request_.progress(p);
  }

  const engine::Request& request_;
  const System& s_;
  PropertyId property_;
  PropertyId goal_;  // what is looked for now: the property, or a queue that is cut
  const LoopOptions& o_;
  engine::Deadline deadline_;
  Interpreter concrete_;
  SearchLimits limits_;
  std::map<Variable, domain::Partition> before_exact_;
  std::set<Variable> never_exact_;
  std::vector<std::int64_t> suggested_;                    // for wide choices
  std::map<Variable, std::vector<std::int64_t>> cuts_of_;  // in order of refinement
  std::map<Variable, std::size_t> ahead_;
  std::optional<Precision> constants_;  // what `--start constants` would begin with
  bool open_ = true;
  bool cut_is_real_ = false;
  LoopResult out_;
};

}  // namespace

LoopResult refine_and_check(const engine::Request& request, PropertyId property, const LoopOptions& options) {
  return Loop(request, property, options).run();
}

}  // namespace parley::cegar
