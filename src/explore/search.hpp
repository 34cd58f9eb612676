// Exhaustive search, breadth-first or depth-first, as a template over the next-state seam. All properties in
// one pass; goes on after a violation until every property is decided. Breadth-first traces are shortest
// (counted in steps between stored states). Single-threaded. It reads no System: properties are the
// tracker's, meaning is the model's. What it asks of a model, and answers to it, is said in seam.hpp.
//
// Invariants: a state's number is its place in the order of discovery; breadth-first, the states of a level
// are a range of numbers, and everything below the current number has been expanded. Sound and complete for
// finite systems within the limits; a limit ends the search with a reason and the tracker turns that into
// Unknown.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

#include "explore/completion.hpp"
#include "explore/store.hpp"
#include "explore/tracker.hpp"
#include "support/check.hpp"

namespace parley::explore {

enum class SearchOrder : std::uint8_t { BreadthFirst, DepthFirst };
constexpr engine::EngineKind kind_of(SearchOrder order) {
  return order == SearchOrder::BreadthFirst ? engine::EngineKind::BreadthFirst
                                            : engine::EngineKind::DepthFirst;
}

struct SearchOptions {
  SearchOrder order = SearchOrder::BreadthFirst;
  bool whole = false;  // go on when every property is decided: for counting
};

template <NextState M>
class Search {
 public:
  Search(M& model, Tracker& tracker, const engine::Request& request, SearchOptions options)
      : model_(model),
        tracker_(tracker),
        request_(request),
        options_(options),
        deadline_(request),
        store_(model.words(), request.limits.memory_bytes.value_or(0)),
        cycles_(model) {}

  // Searches; returns why it stopped early, or nothing.
  std::optional<engine::Stop> run();
  const Statistics& statistics() const { return statistics_; }
  const StateStore& store() const { return store_; }

 private:
  static constexpr std::uint32_t kBatch = 64;
  static constexpr std::uint32_t kNone = Id<void>::kNone;

  // Something seen while a state was being expanded, to be worked out when the model is free again.
  struct Finding {
    Event event;
    std::uint32_t source;
    Path path;
  };
  // A completion step into a known state: if its owner can complete for ever, the last such step closes the
  // cycle.
  struct Suspect {
    std::uint32_t target, owner;
  };
  // What the model talks to while the search runs.
  struct Ear {
    Search& search;
    std::uint32_t* room() { return search.room(); }
    Arrival arrive(std::uint32_t completing) { return search.arrive(completing); }
    void happen(Event event) { search.happen(event); }
    void omit(semantics::Outcome outcome, std::uint32_t queue) { search.omit(outcome, queue); }
    bool enough() { return search.enough(); }
  };
  // Finds the path to one given successor again.
  struct Retrace {
    M& model;
    const std::uint32_t* wanted;
    std::vector<std::uint32_t> buffer;
    std::optional<Path> found;
    std::uint32_t* room() { return buffer.data(); }
    Arrival arrive(std::uint32_t) {
      if (!found && std::equal(buffer.begin(), buffer.end(), wanted)) found = model.path();
      return Arrival::Expanded;
    }
    void happen(Event) {}
    void omit(semantics::Outcome, std::uint32_t) {}
    bool enough() { return found.has_value(); }
  };
  struct Pending {
    std::uint64_t hash;
    std::uint32_t source;
    std::uint32_t completing;
  };

  std::uint32_t* room() { return batch_.data() + std::size_t{pending_count_} * model_.words(); }
  Arrival arrive(std::uint32_t completing);
  void happen(Event event);
  void omit(semantics::Outcome outcome, std::uint32_t queue);
  // Asked between the runs of one action: a choice from 2^32 values must not outlive the limits.
  bool enough() {
    if ((++runs_ & 0xfff) == 0) check_limits();
    return stopped_.has_value();
  }
  void flush();
  StateStore::Inserted settle(const std::uint32_t* words, const Pending& pending);
  Arrival standing(std::uint32_t id) const;
  void expand(std::uint32_t id);
  void look_at(std::uint32_t id, bool moved);
  void work_out();
  void check_limits();
  void report_progress(double seconds);
  verdict::Trace trace_to(std::uint32_t id);
  verdict::Trace extend(std::uint32_t source, const Path& path);
  void breadth_first();
  void depth_first();
  bool finished() const { return stopped_ || (tracker_.all_decided() && !options_.whole); }
  void finish();
  static engine::Stop too_many_states() {  // numbers of states have 32 bits
    return {verdict::StopCause::StateLimit, "more than 2^32 states"};
  }

  M& model_;
  Tracker& tracker_;
  const engine::Request& request_;
  SearchOptions options_;
  engine::Deadline deadline_;
  StateStore store_;
  CompletionCycles<M> cycles_;
  Statistics statistics_;
  std::optional<engine::Stop> stopped_;
  std::optional<engine::Stop> incomplete_;  // something was not followed: no proof, but the search goes on
  std::uint32_t source_ = kNone;
  std::vector<std::uint32_t> batch_;
  Pending pending_[kBatch];
  std::uint32_t pending_count_ = 0;
  std::vector<std::uint32_t>* collecting_ = nullptr;  // depth-first: successors go here instead of the store
  std::vector<bool> on_path_;                         // depth-first, by id; only if the model asks
  std::vector<Finding> findings_;
  std::vector<Suspect> suspects_;
  double next_progress_ = 0.2;
  std::uint32_t until_check_ = 0;
  std::uint64_t runs_ = 0;
  bool all_done_ = false;
};

template <NextState M>
std::optional<engine::Stop> Search<M>::run() {
  batch_.assign(std::size_t{kBatch} * model_.words(), 0);
  Ear ear{*this};
  if (options_.order == SearchOrder::BreadthFirst) {
    model_.initial(ear);
    flush();
    work_out();
    breadth_first();
  } else {
    depth_first();
  }
  finish();
  return stopped_ ? stopped_ : incomplete_;
}

template <NextState M>
Arrival Search<M>::arrive(std::uint32_t completing) {
  const std::uint32_t* words = room();
  if (source_ != kNone) ++statistics_.transitions;
  if (collecting_ != nullptr) {
    collecting_->insert(collecting_->end(), words, words + model_.words());
    collecting_->push_back(completing);
    if constexpr (AsksForArrivals<M>) return standing(store_.find(words, store_.hash(words)));
    return Arrival::Unasked;
  }
  Pending& p = pending_[pending_count_];
  p.hash = store_.hash(words);
  p.source = source_;
  p.completing = completing;
  if constexpr (AsksForArrivals<M>) {
    const auto inserted = settle(words, p);
    return inserted.outcome == StateStore::Outcome::Found ? standing(inserted.id) : Arrival::New;
  }
  store_.prefetch_bucket(p.hash);
  if (++pending_count_ == kBatch) flush();
  return Arrival::Unasked;
}

// Where a stored state stands. Breadth-first everything below the number being expanded is expanded;
// depth-first a state is expanded when it is stored, and left when its subtree is done.
template <NextState M>
Arrival Search<M>::standing(std::uint32_t id) const {
  if (id == StateStore::kNoState) return Arrival::New;
  if (id == source_) return Arrival::OnPath;
  if (collecting_ != nullptr) return on_path_[id] ? Arrival::OnPath : Arrival::Expanded;
  return source_ == kNone || id > source_ ? Arrival::Waiting : Arrival::Expanded;
}

// Probes a batch: first fetch the records that tags point at, then compare and insert.
template <NextState M>
void Search<M>::flush() {
  for (std::uint32_t i = 0; i < pending_count_; ++i) store_.prefetch_record(pending_[i].hash);
  for (std::uint32_t i = 0; i < pending_count_; ++i) {
    const auto inserted = settle(batch_.data() + std::size_t{i} * model_.words(), pending_[i]);
    if (inserted.outcome != StateStore::Outcome::New && inserted.outcome != StateStore::Outcome::Found) break;
  }
  pending_count_ = 0;
}

template <NextState M>
inline StateStore::Inserted Search<M>::settle(const std::uint32_t* words, const Pending& p) {
  const auto inserted = store_.insert(words, p.hash, p.source);
  if (inserted.outcome == StateStore::Outcome::Found) {
    if (p.completing != kNone && p.source != kNone && tracker_.wants_completion_cycles() &&
        model_.may_complete_forever(p.completing))
      suspects_.push_back({inserted.id, p.completing});
  } else if (inserted.outcome == StateStore::Outcome::NoMemory) {
    stopped_ = engine::Stop{
        verdict::StopCause::OutOfMemory,
        fmt::format("out of memory ({} MB used by {} states)", store_.bytes() / 1'000'000, store_.size())};
  } else if (inserted.outcome == StateStore::Outcome::TooMany) {
    stopped_ = too_many_states();
  }
  return inserted;
}

template <NextState M>
void Search<M>::happen(Event event) {
  if (event == Event::LongStretch) {
    incomplete_ = engine::Stop{verdict::StopCause::BoundReached,
                               "an exclusive stretch is too long to be followed to its end"};
    return;
  }
  if (!tracker_.wants(event)) return;
  for (const Finding& f : findings_)
    if (f.event == event) return;  // one is enough, the first is as short as any
  findings_.push_back({event, source_, model_.path()});
}

template <NextState M>
void Search<M>::omit(semantics::Outcome outcome, std::uint32_t queue) {
  tracker_.omitted(outcome, queue);
  // The message that does not fit is itself the violation of `no overflow`.
  if (outcome == semantics::Outcome::Cut) happen(Event::Overflowed);
}

template <NextState M>
void Search<M>::expand(std::uint32_t id) {
  source_ = id;
  Ear ear{*this};
  const bool moved = model_.successors(store_.record(id), ear);
  look_at(id, moved);
  source_ = kNone;
  if (!findings_.empty() || !suspects_.empty()) work_out();
  if (until_check_-- == 0) check_limits();
}

// The properties of the state itself.
template <NextState M>
void Search<M>::look_at(std::uint32_t id, bool moved) {
  if (!moved && tracker_.wants_deadlock() && !model_.at_rest(store_.record(id)))
    tracker_.deadlock(trace_to(id));
  if (tracker_.watched().empty()) return;
  for (std::size_t i = 0; i < tracker_.watched().size();) {
    const system::PropertyId property = tracker_.watched()[i];
    if (tracker_.decides(property, model_.inspect(store_.record(id), property)))
      tracker_.shown(property, trace_to(id));  // leaves the list
    else
      ++i;
  }
}

template <NextState M>
void Search<M>::work_out() {
  for (const Finding& f : std::exchange(findings_, {})) tracker_.happened(f.event, extend(f.source, f.path));
  for (const Suspect& s : std::exchange(suspects_, {})) {
    if (!tracker_.wants_completion_cycles()) break;
    const auto lasso = cycles_.find(store_.record(s.target), s.owner, [this] { return enough(); });
    if (!lasso) continue;
    verdict::Trace trace = trace_to(s.target);
    trace.loop_start = trace.steps.size() + lasso->loop_start;
    trace.steps.insert(trace.steps.end(), lasso->steps.begin(), lasso->steps.end());
    tracker_.completion_cycle(trace);
  }
}

template <NextState M>
verdict::Trace Search<M>::trace_to(std::uint32_t id) {
  std::vector<std::uint32_t> chain{id};
  while (store_.parent(chain.back()) != kNone) chain.push_back(store_.parent(chain.back()));
  verdict::Trace trace;
  Retrace first{model_, store_.record(chain.back()), std::vector<std::uint32_t>(model_.words()), {}};
  model_.initial(first);
  PARLEY_CHECK(first.found.has_value());
  trace.initial_choices = first.found->initial_choices;
  for (std::size_t i = chain.size() - 1; i > 0; --i) {
    Retrace next{model_, store_.record(chain[i - 1]), std::vector<std::uint32_t>(model_.words()), {}};
    model_.successors(store_.record(chain[i]), next);
    PARLEY_CHECK(next.found.has_value());
    trace.steps.insert(trace.steps.end(), next.found->steps.begin(), next.found->steps.end());
  }
  return trace;
}

template <NextState M>
verdict::Trace Search<M>::extend(std::uint32_t source, const Path& path) {
  if (source == kNone) {
    verdict::Trace trace;
    trace.initial_choices = path.initial_choices;
    return trace;
  }
  verdict::Trace trace = trace_to(source);
  if (path.loop_start) trace.loop_start = trace.steps.size() + *path.loop_start;
  trace.steps.insert(trace.steps.end(), path.steps.begin(), path.steps.end());
  return trace;
}

template <NextState M>
void Search<M>::check_limits() {
  until_check_ = 255;
  if (auto reason = deadline_.reached()) stopped_ = std::move(reason);
  if (request_.limits.states && store_.size() >= *request_.limits.states)
    stopped_ = engine::Stop{verdict::StopCause::StateLimit,
                            fmt::format("state limit ({}) reached", *request_.limits.states)};
  if (!request_.progress) return;
  const double now = deadline_.seconds();
  if (now < next_progress_) return;
  next_progress_ = now + 0.2;
  report_progress(now);
}

template <NextState M>
void Search<M>::report_progress(double seconds) {
  engine::Progress p;
  p.engine = kind_of(options_.order);
  p.states = store_.size();
  p.depth = statistics_.depth;
  p.memory_bytes = store_.bytes();
  p.seconds = seconds;
  p.states_per_second = static_cast<double>(store_.size()) / std::max(seconds, 1e-9);
  request_.progress(p);
}

template <NextState M>
void Search<M>::breadth_first() {
  std::uint32_t level_end = store_.size();
  statistics_.states_at_depth.push_back(level_end);
  for (std::uint32_t id = 0; !finished(); ++id) {
    if (id == level_end) {
      flush();
      work_out();
      if (finished() || store_.size() == level_end) {
        all_done_ = !stopped_ && store_.size() == level_end;
        break;
      }
      statistics_.states_at_depth.push_back(store_.size() - level_end);
      level_end = store_.size();
      ++statistics_.depth;
      tracker_.covered(model_.reached());
    }
    expand(id);
  }
}

template <NextState M>
void Search<M>::depth_first() {
  // One entry per state on the path; its successors, with their completing owner, wait on `waiting`.
  struct Frame {
    std::uint32_t id;
    std::size_t begin;  // in `waiting`
  };
  std::vector<Frame> path;
  std::vector<std::uint32_t> waiting;
  collecting_ = &waiting;
  Ear ear{*this};
  model_.initial(ear);
  work_out();
  const std::size_t size = model_.words() + 1;
  while (!finished()) {
    const std::size_t begin = path.empty() ? 0 : path.back().begin;
    if (waiting.size() == begin) {
      if (path.empty()) break;
      if constexpr (AsksForArrivals<M>) on_path_[path.back().id] = false;
      path.pop_back();
      continue;
    }
    // The last one waiting is next.
    const std::vector<std::uint32_t> next(waiting.end() - static_cast<std::ptrdiff_t>(size), waiting.end());
    waiting.resize(waiting.size() - size);
    const std::uint32_t parent = path.empty() ? kNone : path.back().id;
    const auto inserted = store_.insert(next.data(), store_.hash(next.data()), parent);
    if (inserted.outcome == StateStore::Outcome::Found) {
      const std::uint32_t completing = next.back();
      if (completing != kNone && parent != kNone && tracker_.wants_completion_cycles() &&
          model_.may_complete_forever(completing)) {
        suspects_.push_back({inserted.id, completing});
        work_out();
      }
      continue;
    }
    if (inserted.outcome != StateStore::Outcome::New) {
      stopped_ = inserted.outcome == StateStore::Outcome::TooMany
                     ? too_many_states()
                     : engine::Stop{verdict::StopCause::OutOfMemory, "out of memory"};
      break;
    }
    path.push_back({inserted.id, waiting.size()});
    if constexpr (AsksForArrivals<M>) on_path_.push_back(true);  // its number is the next
    statistics_.depth = std::max<std::uint64_t>(statistics_.depth, path.size() - 1);
    expand(inserted.id);
  }
  collecting_ = nullptr;
  all_done_ = !stopped_ && waiting.empty() && path.empty();
}

template <NextState M>
void Search<M>::finish() {
  statistics_.states = store_.size();
  statistics_.memory_bytes = store_.bytes();
  statistics_.seconds = deadline_.seconds();
  statistics_.states_per_second = static_cast<double>(store_.size()) / std::max(statistics_.seconds, 1e-9);
  statistics_.bytes_per_state =
      store_.size() == 0 ? 0 : static_cast<double>(store_.bytes()) / static_cast<double>(store_.size());
  statistics_.complete = all_done_ && !incomplete_;
  statistics_.reached = model_.reached();
  statistics_.longest = model_.longest();
}

}  // namespace parley::explore
