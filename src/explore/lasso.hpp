// From a bad component (explore/emptiness.hpp) to a short lasso: the shortest way from the start to it
// through what was seen, then round inside it, collecting what the loop must contain by always going to the
// nearest step that has something still missing, and back. Several of the nearest places to begin are tried,
// and the shortest whole is taken. Not a shortest lasso of the model: of what the search had seen by then.
#pragma once

#include <unordered_map>

#include "explore/emptiness.hpp"
#include "semantics/trace.hpp"

namespace parley::explore {

template <class Product>
class LassoMaker {
 public:
  LassoMaker(Product& product, const StateStore& store, Emptiness<Product>& search)
      : product_(product), store_(store), search_(search) {}

  // `from`: the search began there, and the store's parents lead back to the start; else from the start.
  // Nothing if the search's limits were reached meanwhile.
  std::optional<semantics::Trace> make(const BadComponent& component, std::optional<std::uint32_t> from) {
    for (const std::uint32_t id : component.states) member_[id] = true;
    if (from) prefix_ = parents_of(*from);
    const std::vector<std::uint32_t> entries = nearest_entries(from);
    std::optional<Way> best_stem, best_loop;
    for (const std::uint32_t entry : entries) {
      Way stem = way_to(entry);
      if (best_stem && stem.size() >= best_stem->size() + best_loop->size()) break;
      Way loop = around(entry, component);
      if (search_.stopped()) return std::nullopt;
      if (best_stem && stem.size() + loop.size() >= best_stem->size() + best_loop->size()) continue;
      best_stem = std::move(stem);
      best_loop = std::move(loop);
    }
    if (search_.stopped()) return std::nullopt;
    PARLEY_CHECK(best_stem.has_value());
    return trace(*best_stem, *best_loop);
  }

 private:
  static constexpr std::size_t kEntries = 12;
  struct Hop {
    std::uint32_t source, target;
    ArcMarks marks;
  };
  using Way = std::vector<Hop>;

  // Calls f(target id, marks) for the steps of a state to states that are stored.
  template <class F>
  void for_each_arc(std::uint32_t id, F&& f) {
    product_.successors(store_.record(id), [&](const std::uint32_t* words, const ArcMarks& marks) {
      const std::uint32_t target = store_.find(words, store_.hash(words));
      if (target != StateStore::kNoState) f(target, marks);
    });
  }

  Way parents_of(std::uint32_t id) {
    Way way;
    while (store_.parent(id) != StateStore::kNoState) {
      way.push_back({store_.parent(id), id, {}});
      id = store_.parent(id);
    }
    std::reverse(way.begin(), way.end());
    return way;
  }

  // Breadth first from the start through states that are still live; remembers how each was reached.
  std::vector<std::uint32_t> nearest_entries(std::optional<std::uint32_t> from) {
    std::vector<std::uint32_t> queue, entries;
    const auto meet = [&](std::uint32_t id, const Hop& by) {
      if (!search_.live(id) || !reached_.try_emplace(id, by).second) return;
      queue.push_back(id);
      if (member_.contains(id)) entries.push_back(id);
    };
    if (from)
      meet(*from, {StateStore::kNoState, *from, {}});
    else
      product_.initial([&](const std::uint32_t* words) {
        const std::uint32_t id = store_.find(words, store_.hash(words));
        if (id != StateStore::kNoState) meet(id, {StateStore::kNoState, id, {}});
      });
    for (std::size_t i = 0; i < queue.size() && entries.size() < kEntries && !search_.time_is_up(); ++i) {
      const std::uint32_t source = queue[i];
      for_each_arc(source, [&](std::uint32_t id, const ArcMarks&) { meet(id, {source, id, {}}); });
    }
    return entries;
  }

  Way way_to(std::uint32_t id) const {
    Way way;
    for (Hop hop = reached_.at(id); hop.source != StateStore::kNoState; hop = reached_.at(hop.source))
      way.push_back(hop);
    std::reverse(way.begin(), way.end());
    way.insert(way.begin(), prefix_.begin(), prefix_.end());
    return way;
  }

  Way around(std::uint32_t entry, const BadComponent& component) {
    Way loop;
    ltl::Marks marks = component.marks;
    std::uint64_t taken = component.taken;
    std::uint32_t at = entry;
    const auto follow = [&](const Way& way) {
      for (const Hop& hop : way) {
        marks &= ~hop.marks.accepting;
        taken &= ~hop.marks.did;
      }
      if (way.empty()) return;
      at = way.back().target;
      loop.insert(loop.end(), way.begin(), way.end());
    };
    while ((marks != 0 || taken != 0) && !search_.stopped())
      follow(nearest(at, [&](const Hop& hop) {
        return (hop.marks.accepting & marks) != 0 || (hop.marks.did & taken) != 0;
      }));
    if (!search_.stopped() && (loop.empty() || at != entry))
      follow(nearest(at, [&](const Hop& hop) { return hop.target == entry; }));
    return loop;
  }

  // The shortest way inside the component whose last step is wanted.
  template <class Wanted>
  Way nearest(std::uint32_t from, Wanted wanted) {
    std::unordered_map<std::uint32_t, Hop> reached;
    std::vector<std::uint32_t> queue{from};
    std::optional<Hop> last;
    for (std::size_t i = 0; i < queue.size() && !last && !search_.time_is_up(); ++i) {
      const std::uint32_t source = queue[i];
      for_each_arc(source, [&](std::uint32_t id, const ArcMarks& marks) {
        if (last || !member_.contains(id)) return;
        const Hop hop{source, id, marks};
        if (wanted(hop))
          last = hop;
        else if (id != from && reached.try_emplace(id, hop).second)
          queue.push_back(id);
      });
    }
    if (search_.stopped()) return {};
    PARLEY_CHECK_MSG(last.has_value(), "a component is not strongly connected");
    Way way{*last};
    while (way.back().source != from) way.push_back(reached.at(way.back().source));
    std::reverse(way.begin(), way.end());
    return way;
  }

  semantics::Trace trace(const Way& stem, const Way& loop) {
    semantics::Trace t;
    const std::uint32_t first = stem.empty() ? loop.front().source : stem.front().source;
    const auto start = product_.path(nullptr, store_.record(first), {});
    PARLEY_CHECK(start.has_value());
    t.initial_choices = start->initial_choices;
    const auto add = [&](const Hop& hop) {
      if (product_.ended(store_.record(hop.target))) return;
      auto path = product_.path(store_.record(hop.source), store_.record(hop.target), hop.marks);
      PARLEY_CHECK(path.has_value());
      t.steps.insert(t.steps.end(), path->steps.begin(), path->steps.end());
    };
    for (const Hop& hop : stem) add(hop);
    t.loop_start = t.steps.size();
    for (const Hop& hop : loop) add(hop);
    return t;
  }

  Product& product_;
  const StateStore& store_;
  Emptiness<Product>& search_;
  std::unordered_map<std::uint32_t, bool> member_;
  std::unordered_map<std::uint32_t, Hop> reached_;
  Way prefix_;
};

}  // namespace parley::explore
