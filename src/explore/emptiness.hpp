// Whether a product (explore/temporal_product.hpp) has a run with every mark infinitely often: a depth-first
// search that merges what it finds to be strongly connected and unites the marks inside (Couvreur's
// algorithm, couvreur1999), so that a violation is seen as soon as its cycle is closed, whatever the number
// of marks. With strong fairness a component is looked at when it is complete, and split where it stays
// unfair (emerson1987: states in which something can be taken that is never taken inside are removed).
// Products whose automaton accepts for good once it reaches certain states are searched breadth first
// instead, by `nearest_trap`.
//
// Afterwards the part of the component that was seen is a set of states from which explore/lasso.hpp makes a
// short lasso. Invariants: a state's order is 0 while it waits, kDone once no cycle through it can matter.
#pragma once

#include <functional>

#include "engine/engine.hpp"
#include "explore/fair_part.hpp"
#include "explore/store.hpp"
#include "explore/temporal_product.hpp"

namespace parley::explore {

template <class Product>
class Emptiness {
 public:
  using Poll = std::function<std::optional<engine::Stop>(std::uint64_t states)>;

  Emptiness(Product& product, StateStore& store, std::uint64_t strong, Poll poll)
      : product_(product), store_(store), strong_(strong), poll_(std::move(poll)) {}

  // From the initial states, or from one that is stored already.
  std::optional<BadComponent> run();
  std::optional<BadComponent> run_from(std::uint32_t state);
  // The first state, breadth first, in which the automaton's state is one of these; kNoState: there is none,
  // or there were more than `most` states before it (`gave_up`): what lies so deep is found sooner depth
  // first.
  std::uint32_t nearest_trap(const std::vector<bool>& traps, std::uint32_t most);
  bool gave_up() const { return gave_up_; }
  std::uint64_t strong() const { return strong_; }

  const std::optional<engine::Stop>& stopped() const { return stopped_; }
  // For whoever goes on with what was found: the same limits, asked now and then. True: stop.
  bool time_is_up() {
    poll();
    return stopped_.has_value();
  }
  std::uint64_t transitions() const { return transitions_; }
  // Not yet left: every state that can reach the component is one of them.
  bool live(std::uint32_t id) const { return id < order_.size() && order_[id] != 0 && order_[id] != kDone; }

 private:
  static constexpr std::uint32_t kDone = ~0U;
  struct Arc {
    std::uint32_t target;
    ArcMarks marks;
  };
  struct Frame {
    std::uint32_t id;
    std::size_t begin;  // of its arcs; those before were followed
  };
  // A component so far: everything from this order on, up to the next root.
  struct Root {
    std::uint32_t order;
    ArcMarks entering;  // of the step that led to it
    ArcMarks inside;
  };

  std::uint32_t store(const std::uint32_t* words, std::uint64_t hash, std::uint32_t parent);
  std::uint32_t store(const std::uint32_t* words, std::uint32_t parent) {
    return store(words, store_.hash(words), parent);
  }
  void enter(std::uint32_t id, const ArcMarks& by);
  std::optional<BadComponent> search();
  std::optional<BadComponent> merge(std::uint32_t order, ArcMarks marks);
  std::optional<BadComponent> leave(std::uint32_t id);
  BadComponent component(std::uint32_t order, std::uint64_t taken) const;
  static ArcMarks united(const ArcMarks& x, const ArcMarks& y) {
    return {x.accepting | y.accepting, x.could | y.could, x.did | y.did};
  }
  void poll() {
    if (until_poll_-- != 0) return;
    until_poll_ = 255;
    if (!stopped_) stopped_ = poll_(store_.size());
  }

  Product& product_;
  StateStore& store_;
  std::uint64_t strong_;
  Poll poll_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> live_;  // in the order of entering
  std::vector<Frame> path_;
  std::vector<Arc> arcs_;
  std::vector<std::uint64_t> hashes_;
  std::vector<Root> roots_;
  std::uint32_t last_order_ = 0;
  std::uint32_t until_poll_ = 255;
  std::uint64_t transitions_ = 0;
  bool gave_up_ = false;
  std::optional<engine::Stop> stopped_;
};

template <class Product>
std::uint32_t Emptiness<Product>::store(const std::uint32_t* words, std::uint64_t hash,
                                        std::uint32_t parent) {
  const StateStore::Inserted inserted = store_.insert(words, hash, parent);
  if (inserted.outcome == StateStore::Outcome::NoMemory || inserted.outcome == StateStore::Outcome::TooMany) {
    if (!stopped_) stopped_ = engine::Stop{verdict::StopCause::OutOfMemory, "out of memory"};
    return StateStore::kNoState;
  }
  if (order_.size() < store_.size()) order_.resize(store_.size(), 0);
  return inserted.id;
}

template <class Product>
void Emptiness<Product>::enter(std::uint32_t id, const ArcMarks& by) {
  order_[id] = ++last_order_;
  live_.push_back(id);
  roots_.push_back({last_order_, by, {}});
  path_.push_back({id, arcs_.size()});
  // All of them are asked for before any is looked at, to hide the latency of memory.
  const std::size_t count = product_.count_successors(store_.record(id));
  hashes_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    hashes_[i] = store_.hash(product_.target(i));
    store_.prefetch_bucket(hashes_[i]);
  }
  for (std::size_t i = 0; i < count; ++i) store_.prefetch_record(hashes_[i]);
  for (std::size_t i = 0; i < count && !stopped_; ++i) {
    const std::uint32_t target = store(product_.target(i), hashes_[i], id);
    if (target != StateStore::kNoState) arcs_.push_back({target, product_.marks(i)});
  }
  transitions_ += count;
  poll();
}

template <class Product>
std::optional<BadComponent> Emptiness<Product>::run() {
  std::vector<std::uint32_t> starts;
  product_.initial([&](const std::uint32_t* words) { starts.push_back(store(words, StateStore::kNoState)); });
  for (const std::uint32_t start : starts) {
    if (stopped_ || order_[start] != 0) continue;
    if (auto found = run_from(start)) return found;
  }
  return std::nullopt;
}

template <class Product>
std::optional<BadComponent> Emptiness<Product>::run_from(std::uint32_t state) {
  if (order_.size() < store_.size()) order_.resize(store_.size(), 0);
  if (order_[state] != 0) return std::nullopt;
  enter(state, {});
  return search();
}

template <class Product>
std::optional<BadComponent> Emptiness<Product>::search() {
  while (!path_.empty() && !stopped_) {
    const Frame frame = path_.back();
    if (arcs_.size() == frame.begin) {
      path_.pop_back();
      if (auto found = leave(frame.id)) return found;
      continue;
    }
    const Arc arc = arcs_.back();
    arcs_.pop_back();
    const std::uint32_t order = order_[arc.target];
    if (order == 0)
      enter(arc.target, arc.marks);
    else if (order != kDone)
      if (auto found = merge(order, arc.marks)) return found;
  }
  return std::nullopt;
}

template <class Product>
std::optional<BadComponent> Emptiness<Product>::merge(std::uint32_t order, ArcMarks marks) {
  while (roots_.back().order > order) {
    marks = united(marks, united(roots_.back().entering, roots_.back().inside));
    roots_.pop_back();
  }
  roots_.back().inside = united(roots_.back().inside, marks);
  const ArcMarks& inside = roots_.back().inside;
  // What is not taken inside may still turn out to be possible there: `leave` knows.
  if ((product_.all_marks() & ~inside.accepting) != 0 || (strong_ & ~inside.did) != 0) return std::nullopt;
  return component(roots_.back().order, strong_);
}

template <class Product>
BadComponent Emptiness<Product>::component(std::uint32_t order, std::uint64_t taken) const {
  BadComponent result{{}, product_.all_marks(), taken};
  for (std::size_t i = live_.size(); i-- > 0 && order_[live_[i]] >= order;) result.states.push_back(live_[i]);
  return result;
}

// The last step of a component that is complete.
template <class Product>
std::optional<BadComponent> Emptiness<Product>::leave(std::uint32_t id) {
  if (roots_.back().order != order_[id]) return std::nullopt;
  const Root root = roots_.back();
  if (strong_ != 0 && (product_.all_marks() & ~root.inside.accepting) == 0)
    if (auto found = FairPart(product_, store_, strong_).of(component(root.order, 0).states)) return found;
  roots_.pop_back();
  while (!live_.empty() && order_[live_.back()] >= root.order) {
    order_[live_.back()] = kDone;
    live_.pop_back();
  }
  return std::nullopt;
}

// Breadth first until the automaton is where it accepts for good.
template <class Product>
std::uint32_t Emptiness<Product>::nearest_trap(const std::vector<bool>& traps, std::uint32_t most) {
  std::uint32_t found = StateStore::kNoState;
  const auto look = [&](std::uint32_t id) {
    if (found == StateStore::kNoState && id != StateStore::kNoState &&
        traps[product_.automaton_state(store_.record(id))])
      found = id;
  };
  product_.initial([&](const std::uint32_t* words) { look(store(words, StateStore::kNoState)); });
  for (std::uint32_t id = 0; id < store_.size() && found == StateStore::kNoState && !stopped_; ++id) {
    if (store_.size() > most) {
      gave_up_ = true;
      break;
    }
    product_.successors(store_.record(id), [&](const std::uint32_t* words, const ArcMarks&) {
      if (found != StateStore::kNoState || stopped_) return;
      ++transitions_;
      look(store(words, id));
    });
    poll();
  }
  return found;
}

}  // namespace parley::explore
