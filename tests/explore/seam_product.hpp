// A product of a model with a small automaton, over the next-state seam: the proof that such a thing can be
// searched by the search as it is, and the shape of the temporal product to come. The automaton reads, in the
// state it leaves, which properties are true there; a run that ends goes on by stuttering, as in Spin. It has
// no acceptance other than states that are called bad.
#pragma once

#include <algorithm>
#include <utility>

#include "explore/seam.hpp"

namespace parley::testing {

struct Monitor {
  struct Edge {
    std::uint32_t from = 0, to = 0;
    std::vector<std::pair<system::PropertyId, bool>> label;  // truths that are asked for, all of them
  };
  std::vector<Edge> edges;
  std::vector<bool> bad;       // by state; state 0 is the first
  system::PropertyId reports;  // the property that is true where the monitor is in a bad state

  // Where an edge leads from `state`, under the given truth of properties.
  template <class Truth>
  std::vector<std::uint32_t> targets(std::uint32_t state, Truth truth) const {
    std::vector<std::uint32_t> out;
    for (const Edge& e : edges)
      if (e.from == state && std::all_of(e.label.begin(), e.label.end(),
                                         [&](const auto& l) { return truth(l.first) == l.second; }))
        out.push_back(e.to);
    return out;
  }
};

template <explore::NextState M>
class Product {
 public:
  static constexpr bool asks_for_arrivals = explore::AsksForArrivals<M>;

  Product(M& model, const Monitor& monitor) : model_(model), monitor_(monitor), buffer_(words(), 0) {}

  std::uint32_t words() const { return model_.words() + 1; }

  template <explore::Listener L>
  void initial(L& listener) {
    targets_ = {0};
    Lift<L> lift{*this, listener};
    model_.initial(lift);
  }

  template <explore::Listener L>
  bool successors(const std::uint32_t* given, L& listener) {
    source_.assign(given, given + words());
    targets_ = monitor_.targets(
        source_.back(), [&](system::PropertyId p) { return model_.inspect(source_.data(), p).may_be_true; });
    Lift<L> lift{*this, listener};
    const bool moved = model_.successors(source_.data(), lift);
    if (moved) return true;
    stuttering_ = true;
    std::copy(source_.begin(), source_.end(), buffer_.begin());
    lift.arrive(Id<void>::kNone);
    stuttering_ = false;
    return false;
  }

  domain::Truth inspect(const std::uint32_t* given, system::PropertyId property) {
    if (property != monitor_.reports) return model_.inspect(given, property);
    const bool bad = monitor_.bad[given[model_.words()]];
    return {bad, !bad};
  }
  bool at_rest(const std::uint32_t* given) { return model_.at_rest(given); }
  explore::Path path() const { return stuttering_ ? explore::Path{} : model_.path(); }
  std::vector<bool> reached() const { return model_.reached(); }
  std::vector<std::uint32_t> longest() const { return model_.longest(); }
  bool may_complete_forever(std::uint32_t owner) const { return model_.may_complete_forever(owner); }

 private:
  // Hears the model's successors and tells one of the product for every target of the monitor.
  template <explore::Listener L>
  struct Lift {
    Product& product;
    L& listener;
    std::uint32_t* room() { return product.buffer_.data(); }
    explore::Arrival arrive(std::uint32_t completing) {
      explore::Arrival most = explore::Arrival::Unasked;
      for (std::uint32_t target : product.targets_) {
        product.buffer_.back() = target;
        std::copy(product.buffer_.begin(), product.buffer_.end(), listener.room());
        most = std::max(most, listener.arrive(completing));
      }
      return most;
    }
    void happen(explore::Event event) { listener.happen(event); }
    void omit(semantics::Outcome outcome, std::uint32_t queue) { listener.omit(outcome, queue); }
    bool enough() { return listener.enough(); }
  };

  M& model_;
  const Monitor& monitor_;
  std::vector<std::uint32_t> source_, buffer_, targets_;
  bool stuttering_ = false;
};

}  // namespace parley::testing
