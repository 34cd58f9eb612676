#include "bounds/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bounds/activation.hpp"
#include "bounds/certificate.hpp"
#include "bounds/cycles.hpp"
#include "bounds/exhaustive.hpp"
#include "bounds/extract.hpp"
#include "bounds/phases.hpp"
#include "bounds/refine.hpp"
#include "bounds/weights.hpp"
#include "system/capacities.hpp"
#include "system/order.hpp"

namespace parley::bounds {

using system::QueueId;

const char* word(Answer answer) {
  switch (answer) {
    case Answer::Bounded:
      return "bounded";
    case Answer::Unbounded:
      return "unbounded";
    case Answer::Unknown:
      return "unknown";
  }
  return "?";
}

bool BoundsReport::all(Answer answer) const {
  return std::all_of(queues.begin(), queues.end(), [&](const QueueReport& q) { return q.answer == answer; });
}

bool BoundsReport::any(Answer answer) const {
  return std::any_of(queues.begin(), queues.end(), [&](const QueueReport& q) { return q.answer == answer; });
}

namespace {

using Clock = std::chrono::steady_clock;

// For the whole run, or phase by phase.
bool by_weights(const verdict::Certificate& c) {
  return c.kind == "weights" || c.kind == "phases";
}

class Analysis {
 public:
  Analysis(const system::System& s, const Options& o, const engine::CancelToken* cancel,
           const Helpers& helpers)
      : s_(system::without_capacities(s)),
        o_(o),
        cancel_(cancel),
        explorer_(helpers.explorer),
        prover_(helpers.prover),
        start_(Clock::now()),
        facts_(s_, until(0.15)),
        searcher_(s_, o.seed),
        fired_(s.actions.size(), false) {
    facts_.assume_dead(o.assumed_dead);
    for (std::size_t q = 0; q < s.queues.size(); ++q) {
      QueueReport r;
      r.queue = QueueId(q);
      r.declared = s.queues[q].capacity;
      report_.queues.push_back(std::move(r));
    }
  }

  BoundsReport run() {
    if (facts_.never_starts)
      settle_without_start();
    else
      decide_queues();
    suggest();
    leave_out_marks();
    report_.seconds = seconds();
    return std::move(report_);
  }

 private:
  void decide_queues() {
    if (o_.use_weights) start_weights();
    // A short search first: it settles small systems and finds obvious pumps before anything is refined.
    if (o_.use_search) search(3000, std::min(0.1, (unsettled().empty() ? 0.3 : 2.0) / o_.seconds), 6, 300);
    if (o_.use_weights) look_at_length_tests();
    if (o_.use_search && o_.search_beside && explorer_ != nullptr && may_close() && !unsettled().empty())
      running_ = &beside_.emplace(*explorer_, s_, o_.seed, o_.seconds * 0.9 - seconds());
    if (o_.use_weights && extraction_) refine_and_connect();
    if (o_.use_weights && extraction_) settle_bounds();
    settle_by_length_tests();
    // Loops that an exhaustive search would meet too late, then everything, then whatever time is left for.
    if (o_.use_search && open()) walk(0.34, o_.walks, 1000);
    if (o_.use_weights && o_.look_at_order && extraction_ && open()) remember_order();
    if (o_.use_weights && prover_ != nullptr && extraction_ && may_close() && open()) ask_for_activation();
    if (o_.use_search && explorer_ != nullptr && !beside_ && may_close() && open())
      take_over(
          see_everything(*explorer_, s_, o_.seed, std::max(0.1, o_.seconds * 0.8 - seconds()), cancel_));
    if (o_.use_search && open()) search(o_.search_states, 0.88, o_.walks, 1500);
    if (beside_) wait_for_search();
    tell_stories();
  }

  // The same test on the system that remembers the order of messages, for what is still open.
  void remember_order() {
    const std::vector<QueueId> queues = system::with_visible_order(s_);
    if (queues.empty() || past(0.5)) return;
    const system::System ordered = system::remembering_order(s_, queues);
    Options o = o_;
    o.use_search = false;
    o.look_at_order = false;
    o.seconds = o_.seconds * 0.6;
    const BoundsReport inner = Analysis(ordered, o, cancel_, {}).run();
    report_.counterexamples += inner.counterexamples;
    bool helped = false;
    for (const QueueReport& x : inner.queues) {
      QueueReport& r = report_.queues[x.queue.index()];
      if (r.answer != Answer::Unknown || x.answer != Answer::Bounded || !by_weights(x.certificate)) continue;
      helped = true;
      r.answer = Answer::Bounded;
      r.limit = r.certified_limit = x.certified_limit;
      r.phases = x.phases;
      r.certificate = ordered_certificate(queues, x.certificate);
    }
    if (!helped) return;
    report_.refinements += inner.refinements;
    report_.refinement_log.emplace_back("the order of messages is remembered");
    report_.refinement_log.insert(report_.refinement_log.end(), inner.refinement_log.begin(),
                                  inner.refinement_log.end());
  }

  // Whether cycles that nobody has seen can be entered at all.
  void ask_for_activation() {
    if (past(0.6) || !decision_.complete) return;
    std::set<system::ActionId> unseen;
    solver_share_ = 0.6;
    for (QueueId q : unsettled())
      for (const CycleRun& run : counterexample(q))
        for (std::uint32_t e : run.edges) {
          const system::ActionId a = extraction_->graph.components[run.component].edges[e].action;
          if (a.valid() && !fired_[a.index()]) unseen.insert(a);
        }
    if (unseen.empty()) return;
    const auto proof = bounded_without(s_, unseen, fired_, o_, std::max(0.5, o_.seconds * 0.85 - seconds()),
                                       *prover_, cancel_);
    if (!proof) return;
    for (const QueueReport& x : proof->queues) {
      QueueReport& r = report_.queues[x.queue.index()];
      if (r.answer != Answer::Unknown || x.answer != Answer::Bounded) continue;
      r.answer = Answer::Bounded;
      r.limit = r.certified_limit = x.certified_limit;
      r.certificate = proof->certificate;
    }
    report_.refinement_log.push_back(fmt::format("{} of the cycles' actions can never fire", proof->actions));
    report_.refinement_log.insert(report_.refinement_log.end(), proof->refinement_log.begin(),
                                  proof->refinement_log.end());
  }

  // No state, so nothing to prove: the search is over before it begins, and so is the checker's.
  void settle_without_start() {
    SearchResult nothing;
    nothing.closed = true;
    nothing.longest.assign(s_.queues.size(), 0);
    take_over(nothing);
    report_.note = "no run begins: every initialisation fails";
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool past(double share) const {
    return (cancel_ != nullptr && cancel_->cancelled()) || seconds() > o_.seconds * share ||
           (running_ != nullptr && running_->closed());
  }
  std::function<bool()> until(double share) const {
    return [this, share] { return past(share); };
  }
  bool open() const {
    if (o_.one_growing_queue_is_enough &&
        std::any_of(report_.queues.begin(), report_.queues.end(),
                    [](const QueueReport& r) { return r.answer == Answer::Unbounded; }))
      return false;
    return std::any_of(report_.queues.begin(), report_.queues.end(),
                       [](const QueueReport& r) { return r.answer == Answer::Unknown; });
  }

  // A search cannot end where a queue grows for ever.
  bool may_close() const { return !report_.any(Answer::Unbounded); }

  // --- weights
  void start_weights() {
    try {
      GraphLimits limits{o_.max_nodes * 5, 200000, until(0.25)};
      extraction_ = extract(facts_, coarsest(s_), limits);
    } catch (const TooWide& e) {
      report_.note = fmt::format("no linear program: {}", e.what());
      return;
    }
    const FlowGraph& g = extraction_->graph;
    report_.nodes = g.node_count();
    report_.edges = g.edge_count();
    report_.kinds = static_cast<std::size_t>(std::count_if(
        g.kinds.begin(), g.kinds.end(), [](const Kind& k) { return k.sort == KindSort::Message; }));
    const CycleList cycles = elementary_cycles(g, o_.max_cycles);
    report_.cycles = cycles.cycles.size();
    report_.cycles_complete = cycles.complete;
    decide(0.3);
  }

  // The solver gives up when this share of the time is over; who asks it later gives it more.
  void make_solver(double share) {
    solver_share_ = share;
    solver_ = std::make_unique<WeightSolver>(extraction_->graph, [this] { return past(solver_share_); });
  }
  void decide(double share) {
    make_solver(share);
    decision_ = solver_->decide();
  }
  bool weighed(QueueId q) const {
    if (!decision_.complete) return false;
    for (std::uint32_t k : extraction_->graph.kinds_of(q))
      if (!decision_.boundable[k]) return false;
    return true;
  }
  bool phased(QueueId q) const {
    if (!phases_ || phases_->bounded.empty()) return false;
    for (std::uint32_t k : extraction_->graph.kinds_of(q))
      if (!phases_->bounded[k]) return false;
    return true;
  }
  // Queues that neither weights nor a pump have settled.
  std::vector<QueueId> unsettled() const {
    std::vector<QueueId> list;
    for (const QueueReport& r : report_.queues)
      if (r.answer == Answer::Unknown && !weighed(r.queue) && !phased(r.queue) &&
          !by_tests_.contains(r.queue))
        list.push_back(r.queue);
    return list;
  }
  std::vector<CycleRun> counterexample(QueueId q) {
    std::vector<std::uint32_t> targets;
    for (std::uint32_t k : extraction_->graph.kinds_of(q))
      if (!decision_.boundable[k]) targets.push_back(k);
    return solver_->counterexample(targets);
  }

  // Refinement by data first: it gives the better limits. What is left may be settled by how cycles hang
  // together (phases.hpp); if not, the connected counterexamples show more that could be looked at.
  void refine_and_connect() {
    std::set<Refinement> banned;
    while (true) {
      refine(banned);
      if (!decision_.complete || unsettled().empty() || past(0.3)) return;
      connect(0.36);
      if (unsettled().empty() || past(0.25) || report_.refinements >= o_.max_refinements) return;
      bool advanced = false;
      for (const std::vector<CycleRun>& runs : std::vector(phases_->standing))
        if (apply_one(runs, banned)) {
          advanced = true;
          break;
        }
      if (!advanced) return;
    }
  }

  void connect(double share) {
    const FlowGraph graph = started(extraction_->graph, extraction_->components.size());
    phases_ = prove_by_phases(graph, {200, until(share)});
    report_.counterexamples += phases_->standing.size();
  }

  void refine(std::set<Refinement>& banned) {
    solver_share_ = 0.3;
    while (decision_.complete && report_.refinements < o_.max_refinements && !past(0.25)) {
      bool advanced = false;
      const std::vector<QueueId> todo = unsettled();
      if (todo.empty()) return;
      std::set<std::uint32_t> touched;
      for (QueueId q : todo) {
        if (past(0.25)) return;
        const std::vector<CycleRun> runs = counterexample(q);
        if (runs.empty()) continue;
        ++report_.counterexamples;
        if (apply_one(runs, banned)) {
          advanced = true;
          break;  // the graph has changed: ask again
        }
      }
      if (!advanced) return;
    }
  }

  // Refines by the cheapest candidate that does not blow up. Cells of other components that look alike (same
  // name behind the dot, same type of owner) come along, so that symmetric systems need one round.
  bool apply_one(const std::vector<CycleRun>& runs, std::set<Refinement>& banned) {
    while (true) {
      const std::vector<RatedRefinement> list = candidates(facts_, *extraction_, runs, banned);
      if (list.empty()) return false;
      const Refinement first = list.front().what;
      std::vector<Refinement> batch{first};
      if (const auto* t = std::get_if<TrackCell>(&first))
        for (const Refinement& twin : twins(*t))
          if (!banned.contains(twin)) batch.push_back(twin);
      banned.insert(batch.begin(), batch.end());
      if (!rebuild(batch)) continue;
      report_.refinements += 1;
      report_.refinement_log.push_back(
          describe(s_, extraction_->precision, first) +
          (batch.size() > 1 ? fmt::format(" (and {} alike)", batch.size() - 1) : ""));
      decide(0.3);
      return true;
    }
  }

  static std::string behind_dot(const std::string& name) { return name.substr(name.find('.') + 1); }
  std::vector<Refinement> twins(const TrackCell& t) const {
    std::vector<Refinement> found;
    const auto& plans = extraction_->precision.components;
    const system::Owner& mine = s_.owner(plans[t.component].owners[0]);
    const system::Cell& cell = s_.cell(t.cell);
    if (!cell.owner.valid() || cell.owner != plans[t.component].owners[0]) return found;
    for (std::uint32_t m = 0; m < plans.size(); ++m) {
      const system::OwnerId other = plans[m].owners[0];
      if (m == t.component || s_.owner(other).type_name != mine.type_name) continue;
      for (std::size_t c = 0; c < s_.cells.size(); ++c)
        if (s_.cells[c].owner == other && s_.cells[c].type == cell.type &&
            behind_dot(s_.cells[c].name) == behind_dot(cell.name) &&
            std::find(plans[m].tracked.begin(), plans[m].tracked.end(), system::CellId(c)) ==
                plans[m].tracked.end())
          found.push_back(TrackCell{m, system::CellId(c)});
    }
    return found;
  }

  bool rebuild(const std::vector<Refinement>& batch) {
    Precision next = extraction_->precision;
    for (const Refinement& r : batch) next = refined(std::move(next), r);
    ParamRanges sent;
    const GraphLimits limits{o_.max_nodes, 60000, until(0.25), facts_.params ? &sent : nullptr};
    try {
      auto parts = extraction_->components;
      if (std::holds_alternative<SplitParam>(batch[0])) {
        for (std::size_t m = 0; m < parts.size(); ++m)
          parts[m] = std::make_shared<const ComponentGraph>(
              build_component(facts_, next.components[m], next.splits, limits));
      } else {
        for (const Refinement& r : batch) {
          const std::uint32_t m = std::get<TrackCell>(r).component;
          parts[m] = std::make_shared<const ComponentGraph>(
              build_component(facts_, next.components[m], next.splits, limits));
        }
      }
      if (facts_.params && !covers(*facts_.params, sent)) return false;
      extraction_ = assemble(facts_, next, std::move(parts));
      phases_.reset();
      return true;
    } catch (const TooWide&) {
      return false;
    }
  }

  // Closer looks nearly always find less; ranges by widening may be an exception.
  static bool covers(const ParamRanges& all, const ParamRanges& some) {
    for (const auto& [key, ranges] : some.known) {
      const std::vector<Interval>* known = all.of(key.first, key.second);
      if (known == nullptr) return false;
      for (std::size_t i = 0; i < ranges.size(); ++i)
        if (!(*known)[i].contains(ranges[i])) return false;
    }
    return true;
  }

  void settle_bounds() {
    if (!decision_.complete) {
      if (report_.note.empty() && !(running_ != nullptr && running_->closed()))
        report_.note = "the linear program ran out of time";
      return;
    }
    make_solver(0.45);
    solver_->decide();
    std::optional<std::pair<std::vector<Rational>, std::string>> shared;  // the last certificate made
    if (phases_) settle_by_phases();
    for (QueueReport& r : report_.queues) {
      if (r.answer == Answer::Unbounded || !weighed(r.queue)) continue;
      const std::vector<std::uint32_t> kinds = extraction_->graph.kinds_of(r.queue);
      std::optional<WeightBound> b = solver_->bound(kinds);
      if (!b) continue;
      if (facts_.start) b->limit = std::max<std::int64_t>(b->limit, facts_.start->longest[r.queue.index()]);
      const std::int64_t before = r.answer == Answer::Bounded ? r.limit : b->limit;
      r.answer = Answer::Bounded;
      r.limit = std::min(before, b->limit);
      r.certified_limit = b->limit;
      if (!shared || shared->first != b->weights)
        shared = {b->weights, weights_payload(facts_, *extraction_, *b)};
      r.certificate = {"weights", shared->second};
      for (std::uint32_t k : kinds) {
        std::int64_t limit = b->limit;
        if (kinds.size() > 1 && kinds.size() <= 64)
          if (const auto own = solver_->bound({k})) limit = std::min(limit, own->limit);
        r.kinds.push_back({extraction_->graph.kinds[k].name, limit});
      }
    }
  }

  void settle_by_phases() {
    const FlowGraph graph = started(extraction_->graph, extraction_->components.size());
    std::optional<std::string> payload;
    for (QueueReport& r : report_.queues) {
      if (r.answer == Answer::Unbounded || weighed(r.queue) || !phased(r.queue)) continue;
      std::optional<std::int64_t> limit = phase_limit(graph, *phases_, graph.kinds_of(r.queue));
      if (!limit) continue;
      if (facts_.start) *limit = std::max<std::int64_t>(*limit, facts_.start->longest[r.queue.index()]);
      r.limit = r.answer == Answer::Bounded ? std::min(r.limit, *limit) : *limit;
      r.answer = Answer::Bounded;
      r.certified_limit = *limit;
      if (!payload) payload = phases_payload(facts_, *extraction_, *phases_);
      r.certificate = {"phases", *payload};
      r.phases = tell(graph, *phases_);
    }
  }

  // --- tests of lengths
  void look_at_length_tests() {
    const double end = seconds() + o_.seconds * 0.1;
    for (const QueueReport& r : report_.queues) {
      const auto late = [&] { return past(1) || seconds() > end; };
      if (r.answer == Answer::Unbounded || late()) continue;
      if (auto b = bound_by_tests(s_, r.queue, r.longest_seen, late)) by_tests_[r.queue] = std::move(*b);
    }
  }
  // They speak of one queue only, so they are the better evidence than having seen all states.
  void settle_by_length_tests() {
    for (QueueReport& r : report_.queues) {
      const auto found = by_tests_.find(r.queue);
      if (found == by_tests_.end()) continue;
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

  // --- search
  void search(std::size_t states, double share, std::size_t walks, std::size_t length) {
    const std::vector<bool> wanted = without_bound();
    SearchResult result;
    SearchLimits limits;
    limits.states = states;
    limits.stop = until(share);
    searcher_.explore(wanted, limits, result);
    take_over(result);
    if (!result.closed) walk(share + 0.07, walks, length);
  }

  // Queues that may have a pump.
  std::vector<bool> without_bound() const {
    std::vector<bool> wanted;
    for (const QueueReport& r : report_.queues)
      wanted.push_back(r.answer == Answer::Unknown &&
                       !(extraction_ && (weighed(r.queue) || phased(r.queue))) &&
                       !by_tests_.contains(r.queue));
    return wanted;
  }

  // Random walks, some of them along the counterexamples.
  void walk(double share, std::size_t walks, std::size_t length) {
    const std::vector<bool> wanted = without_bound();
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    std::vector<bool> hint(s_.actions.size(), false);
    solver_share_ = share;
    if (extraction_ && decision_.complete)
      for (std::size_t q = 0; q < wanted.size(); ++q) {
        if (!wanted[q]) continue;
        for (const CycleRun& run : counterexample(QueueId(q)))
          for (std::uint32_t e : run.edges) {
            const system::ActionId a = extraction_->graph.components[run.component].edges[e].action;
            if (a.valid()) hint[a.index()] = true;
          }
      }
    SearchResult result;
    searcher_.walk(wanted, hint, walks, length, until(share), result);
    take_over(result);
  }

  void take_over(const SearchResult& result) {
    for (std::size_t a = 0; a < result.fired.size(); ++a)
      if (result.fired[a]) fired_[a] = true;
    report_.states = std::max(report_.states, result.states);
    report_.search_closed = report_.search_closed || result.closed;
    for (std::size_t q = 0; q < report_.queues.size(); ++q) {
      QueueReport& r = report_.queues[q];
      if (q < result.longest.size()) r.longest_seen = std::max(r.longest_seen, result.longest[q]);
      if (result.closed) {
        r.answer = Answer::Bounded;
        r.limit = result.longest[q];
        r.exact = true;
        if (!r.certificate.kind.empty()) continue;
        r.certificate = exhaustive_certificate(result);
        r.certified_limit = r.limit;
      } else if (const auto pump = result.pumps.find(q); pump != result.pumps.end()) {
        r.answer = Answer::Unbounded;
        r.certificate = pump_certificate(pump->second, searcher_.relevant());
        r.pump = pump->second;
      }
    }
  }

  // The search beside may still see everything while there is time and anything left to say.
  void wait_for_search() {
    while (!beside_->done() && open() && may_close() && !past(0.92))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (beside_->done()) take_over(beside_->result());
    running_ = nullptr;
    beside_.reset();
  }

  // --- words
  void tell_stories() {
    if (!extraction_ || !decision_.complete) return;
    const FlowGraph& g = extraction_->graph;
    solver_share_ = 0.99;
    for (QueueReport& r : report_.queues) {
      if (r.answer != Answer::Unknown || weighed(r.queue) || phased(r.queue)) continue;
      for (const CycleRun& run : counterexample(r.queue)) {
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

  void suggest() {
    for (QueueReport& r : report_.queues) {
      if (r.pump) r.fairness = weak_fairness(searcher_.interpreter(), *r.pump);
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

  // Queues that only mark where lowering stopped are no queues; their names say what was left out.
  void leave_out_marks() {
    for (const QueueReport& r : report_.queues)
      if (system::marks_cut(s_.queue(r.queue))) report_.not_followed.push_back(s_.queue(r.queue).name);
    std::erase_if(report_.queues, [&](const QueueReport& r) { return system::marks_cut(s_.queue(r.queue)); });
  }

  const system::System s_;  // capacities taken away
  Options o_;
  const engine::CancelToken* cancel_;
  engine::Engine *explorer_, *prover_;
  Clock::time_point start_;
  const BackgroundSearch* running_ = nullptr;  // beside_; asked for from the first member's construction on
  SystemFacts facts_;
  Searcher searcher_;
  BoundsReport report_;
  std::optional<Extraction> extraction_;
  std::unique_ptr<WeightSolver> solver_;
  double solver_share_ = 0;
  Decision decision_;
  std::optional<PhaseProof> phases_;  // of this extraction
  std::map<QueueId, LengthBound> by_tests_;
  std::vector<bool> fired_;                 // by action: seen to
  std::optional<BackgroundSearch> beside_;  // last: it ends before what it looks at
};

}  // namespace

BoundsReport analyse(const system::System& system, const Options& options, const engine::CancelToken* cancel,
                     const Helpers& helpers) {
  return Analysis(system, options, cancel, helpers).run();
}

}  // namespace parley::bounds
