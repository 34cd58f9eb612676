#include "ltl/degeneralise.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "ltl/components.hpp"
#include "ltl/reduce.hpp"

namespace parley::ltl {
namespace {

// Waited for one after the other.
using Order = std::vector<unsigned>;

// More orders than those of four marks are not tried.
constexpr std::size_t kMostOrders = 24;
// Nor more than two for automata of more edges.
constexpr std::size_t kMostEdgesForOrders = 200;

class Levels {
 public:
  Levels(const Automaton& automaton, const Order& order)
      : automaton_(automaton), order_(order), components_(components_of(automaton)) {
    for (State s = 0; s < automaton.states(); ++s) {
      Marks common = automaton.all_marks();
      for (const Edge& edge : automaton.edges[s])
        if (inside(s, edge)) common &= edge.marks;
      common_.push_back(common);
    }
  }

  Buchi run() {
    Buchi made;
    made.initial = copy_of({automaton_.initial, entry_level(automaton_.initial)});
    for (State c = 0; c < copies_.size(); ++c) {
      const Copy copy = copies_[c];
      made.accepting.push_back(accepting(copy));
      std::vector<Edge> edges;
      for (const Edge& edge : automaton_.edges[copy.state])
        edges.push_back({edge.label, copy_of({edge.target, level_after(copy, edge)}), 0});
      merge_labels(edges);
      made.edges.push_back(std::move(edges));
    }
    return made;
  }

 private:
  struct Copy {
    State state;
    unsigned level;  // marks of the order already seen; all of them: accepting
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };

  bool inside(State s, const Edge& edge) const { return components_.of[s] == components_.of[edge.target]; }
  bool on_accepting_component(State s) const {
    return components_.accepting(components_.of[s], automaton_.all_marks());
  }
  bool accepting(const Copy& copy) const {
    return on_accepting_component(copy.state) && copy.level == order_.size();
  }

  unsigned advanced(unsigned level, Marks marks) const {
    while (level < order_.size() && ((marks >> order_[level]) & 1) != 0) ++level;
    return level;
  }

  // Entering a component, any level will do.
  unsigned entry_level(State s) const {
    if (!on_accepting_component(s)) return 0;
    const auto known = entered_.find(s);
    return known != entered_.end() ? known->second : advanced(0, common_[s]);
  }

  unsigned level_after(const Copy& copy, const Edge& edge) const {
    if (!inside(copy.state, edge)) return entry_level(edge.target);
    if (!on_accepting_component(copy.state)) return 0;
    const unsigned from = copy.level == order_.size() ? 0 : copy.level;
    return advanced(advanced(from, edge.marks), common_[edge.target]);
  }

  State copy_of(const Copy& copy) {
    const auto [place, fresh] = number_.try_emplace(copy, static_cast<State>(copies_.size()));
    if (fresh) {
      copies_.push_back(copy);
      entered_.try_emplace(copy.state, copy.level);
    }
    return place->second;
  }

  const Automaton& automaton_;
  const Order& order_;
  Components components_;
  std::vector<Marks> common_;  // on all edges of the state that stay in its component
  std::map<Copy, State> number_;
  std::map<State, unsigned> entered_;
  std::vector<Copy> copies_;
};

}  // namespace

Buchi degeneralise(const Automaton& automaton) {
  Order order(automaton.marks);
  std::iota(order.begin(), order.end(), 0u);
  std::optional<Buchi> best;
  const std::size_t tries = automaton.edge_count() <= kMostEdgesForOrders ? kMostOrders : 1;
  for (std::size_t i = 0; i < tries; ++i) {
    Buchi made = Levels(automaton, order).run();
    reduce(made);
    if (!best || made.states() < best->states()) best = std::move(made);
    if (!std::next_permutation(order.begin(), order.end())) break;
  }
  return std::move(*best);
}

Automaton degeneralise_to_edges(const Automaton& automaton) {
  if (automaton.marks <= 1) return automaton;
  const unsigned levels = automaton.marks;
  Automaton made{std::vector<std::vector<Edge>>(automaton.states() * levels), automaton.initial * levels, 1};
  const auto advanced = [&](unsigned level, Marks marks) {
    while (level < levels && ((marks >> level) & 1) != 0) ++level;
    return level;
  };
  for (State s = 0; s < automaton.states(); ++s)
    for (unsigned level = 0; level < levels; ++level)
      for (const Edge& edge : automaton.edges[s]) {
        unsigned after = advanced(level, edge.marks);
        const bool round_done = after == levels;
        if (round_done) after = advanced(0, edge.marks) % levels;
        made.edges[s * levels + level].push_back(
            {edge.label, edge.target * levels + after, round_done ? Marks{1} : Marks{0}});
      }
  reduce(made);
  return made;
}

}  // namespace parley::ltl
