// The race: goes through the schedule and lets each argument have its turn. What they find becomes answers in
// settle.cpp.
#include "bounds/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/schedule.hpp"
#include "bounds/settle.hpp"
#include "bounds/weighing.hpp"
#include "passes/capacities.hpp"
#include "passes/message_order.hpp"

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

class Race {
 public:
  Race(const system::System& s, const Options& o, const engine::CancelToken* cancel, const Helpers& helpers)
      : s_(passes::without_capacities(s).system),
        o_(o),
        explorer_(helpers.explorer),
        prover_(helpers.prover),
        clock_(o.seconds, cancel),
        facts_(s_, clock_.until(kFactsUntil)),
        searcher_(s_, o.seed),
        weighing_(facts_, o_, clock_, report_),
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
      settle_without_start(report_, searcher_);
    else
      for (const Turn& turn : schedule())
        if (may_begin(turn)) take(turn);
    conclude(report_, searcher_.interpreter());
    tell_tests_of_fullness(report_, s_);
    leave_out_marks(report_, s_);
    report_.seconds = clock_.seconds();
    return std::move(report_);
  }

 private:
  bool may_begin(const Turn& turn) const {
    const Needs& n = turn.needs;
    if ((n.weights && !o_.use_weights) || (n.search && !o_.use_search) || (n.order && !o_.look_at_order))
      return false;
    if ((n.explorer && explorer_ == nullptr) || (n.prover && prover_ == nullptr)) return false;
    if ((n.beside && !o_.search_beside) || (n.instead_of_beside && beside_)) return false;
    if (n.graphs && !weighing_.has_graphs()) return false;
    if ((n.open_queue && !open()) || (n.no_growth && !may_close())) return false;
    if (n.unsettled_queue && unsettled().empty()) return false;
    return turn.begins_before >= 1 || !clock_.past(turn.begins_before);
  }

  void take(const Turn& turn) {
    switch (turn.argument) {
      case Argument::Weights:
        return weighing_.start(turn);
      case Argument::ShortSearch:
        return search_briefly(turn);
      case Argument::LengthTests:
        return look_at_length_tests(turn);
      case Argument::SearchBeside:
        return clock_.watch(&beside_.emplace(*explorer_, s_, o_.seed, clock_.left_until(turn.finish)));
      case Argument::Refining:
        return weighing_.refine_and_connect(turn, [this] { return unsettled(); });
      case Argument::WeightLimits:
        if (weighing_.ask_for_limits(turn))
          settle_by_weights(report_, facts_, weighing_, clock_.until(turn.finish));
        return;
      case Argument::LengthLimits:
        return settle_by_length_tests(report_, by_tests_);
      case Argument::Walks:
        return walk(turn.until, o_.walks, 1000);
      case Argument::MessageOrder:
        return remember_order(turn);
      case Argument::Activation:
        return ask_for_activation(turn);
      case Argument::Exhaustive:
        return take_over(see_everything(*explorer_, s_, o_.seed, std::max(0.1, clock_.left_until(turn.until)),
                                        clock_.cancel()));
      case Argument::LongSearch:
        return search(o_.search_states, turn.until, o_.walks, 1500);
      case Argument::EndOfSearchBeside:
        if (beside_) wait_for_search(turn);
        return;
      case Argument::Stories:
        return tell_stories(report_, weighing_, turn.finish);
    }
  }

  bool open() const { return has_open_queue(report_, o_.one_growing_queue_is_enough); }
  // A search cannot end where a queue grows for ever.
  bool may_close() const { return !report_.any(Answer::Unbounded); }

  // Queues that no argument has settled, by an answer or by what will become one.
  std::vector<QueueId> unsettled() const {
    std::vector<QueueId> list;
    for (const QueueReport& r : report_.queues)
      if (r.answer == Answer::Unknown && !weighing_.settles(r.queue) && !by_tests_.contains(r.queue))
        list.push_back(r.queue);
    return list;
  }
  std::vector<bool> wanted() const {
    std::vector<bool> marks(report_.queues.size(), false);
    for (QueueId q : unsettled()) marks[q.index()] = true;
    return marks;
  }

  void look_at_length_tests(const Turn& turn) {
    const double end = clock_.seconds() + clock_.given() * turn.own;
    for (const QueueReport& r : report_.queues) {
      const auto late = [&] { return clock_.past(turn.until) || clock_.seconds() > end; };
      if (r.answer == Answer::Unbounded || late()) continue;
      if (auto b = bound_by_tests(s_, r.queue, r.longest_seen, late)) by_tests_[r.queue] = std::move(*b);
    }
  }

  // The same test on the system that remembers the order of messages, for what is still open.
  void remember_order(const Turn& turn) {
    const std::vector<QueueId> queues = passes::with_visible_order(s_);
    if (queues.empty()) return;
    const passes::Passed ordered = passes::remembering_order(s_, queues);
    Options o = o_;
    o.use_search = false;
    o.look_at_order = false;
    o.seconds = clock_.given() * turn.own;
    const BoundsReport inner = Race(ordered.system, o, clock_.cancel(), {}).run();
    settle_by_order(report_, inner, ordered.back, queues);
  }

  // Actions on the cycles to blame for the queue.
  template <class F>
  void for_each_blamed_action(QueueId q, double finish, F&& f) {
    for (const CycleRun& run : weighing_.counterexample(q, finish))
      for (std::uint32_t e : run.edges) {
        const system::ActionId a = weighing_.graph().components[run.component].edges[e].action;
        if (a.valid()) f(a);
      }
  }

  void ask_for_activation(const Turn& turn) {
    if (!weighing_.complete()) return;
    std::set<system::ActionId> unseen;
    for (QueueId q : unsettled())
      for_each_blamed_action(q, turn.finish, [&](system::ActionId a) {
        if (!fired_[a.index()]) unseen.insert(a);
      });
    if (unseen.empty()) return;
    const auto proof = bounded_without(s_, unseen, fired_, o_, std::max(0.5, clock_.left_until(turn.until)),
                                       *prover_, clock_.cancel());
    if (proof) settle_by_activation(report_, *proof);
  }

  // --- search
  void search_briefly(const Turn& turn) {
    const double most = unsettled().empty() ? kShortSearchSecondsIfSettled : kShortSearchSeconds;
    search(3000, std::min(turn.until, most / clock_.given()), 6, 300);
  }

  void search(std::size_t states, double until, std::size_t walks, std::size_t length) {
    SearchResult result;
    SearchLimits limits;
    limits.states = states;
    limits.stop = clock_.until(until);
    searcher_.explore(wanted(), limits, result);
    take_over(result);
    if (!result.closed) walk(until + kWalksAfterSearch, walks, length);
  }

  // Random walks, some of them along the counterexamples.
  void walk(double until, std::size_t walks, std::size_t length) {
    const std::vector<bool> queues = wanted();
    if (std::find(queues.begin(), queues.end(), true) == queues.end()) return;
    std::vector<bool> hint(s_.actions.size(), false);
    if (weighing_.has_graphs() && weighing_.complete())
      for (std::size_t q = 0; q < queues.size(); ++q)
        if (queues[q])
          for_each_blamed_action(QueueId(q), until, [&](system::ActionId a) { hint[a.index()] = true; });
    SearchResult result;
    searcher_.walk(queues, hint, walks, length, clock_.until(until), result);
    take_over(result);
  }

  void take_over(const SearchResult& result) {
    for (std::size_t a = 0; a < result.fired.size(); ++a)
      if (result.fired[a]) fired_[a] = true;
    settle_by_search(report_, result, searcher_.relevant());
  }

  // The search beside may still see everything while there is time and anything left to say.
  void wait_for_search(const Turn& turn) {
    while (!beside_->done() && open() && may_close() && !clock_.past(turn.until))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (beside_->done()) take_over(beside_->result());
    clock_.watch(nullptr);
    beside_.reset();
  }

  const system::System s_;  // capacities taken away
  Options o_;
  engine::Engine *explorer_, *prover_;
  RaceClock clock_;
  SystemFacts facts_;
  Searcher searcher_;
  BoundsReport report_;
  Weighing weighing_;
  LengthBounds by_tests_;
  std::vector<bool> fired_;                 // by action: seen to
  std::optional<BackgroundSearch> beside_;  // last: it ends before what it looks at
};

}  // namespace

BoundsReport analyse(const system::System& system, const Options& options, const engine::CancelToken* cancel,
                     const Helpers& helpers) {
  return Race(system, options, cancel, helpers).run();
}

}  // namespace parley::bounds
