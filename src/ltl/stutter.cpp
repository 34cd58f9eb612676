#include "ltl/stutter.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "ltl/build.hpp"
#include "ltl/components.hpp"
#include "ltl/simplify.hpp"

namespace parley::ltl {
namespace {

constexpr std::size_t kMostProductEdges = 500'000;

// Both automata read the same word. Each may stay where it is while the letter is the one before, but not for
// ever: one more mark for each says that it moved.
class WaitingProduct {
 public:
  WaitingProduct(const Automaton& yes, const Automaton& no, std::vector<Letter> letters)
      : yes_(yes), no_(no), letters_(std::move(letters)) {}

  // Nothing if it has too many edges.
  std::optional<bool> empty() {
    product_.marks = yes_.marks + no_.marks + 2;
    if (product_.marks > kMostMarks) return std::nullopt;
    product_.initial = number_of({yes_.initial, no_.initial, kNoLetter});
    for (State s = 0; s < places_.size(); ++s) {
      product_.edges.push_back(edges_of(places_[s]));
      edges_ += product_.edges.back().size();
      if (edges_ > kMostProductEdges) return std::nullopt;
    }
    const Components components = components_of(product_);
    for (std::uint32_t c = 0; c < components.count(); ++c)
      if (components.accepting(c, product_.all_marks())) return false;
    return true;
  }

 private:
  static constexpr std::size_t kNoLetter = ~std::size_t{0};
  using Place = std::tuple<State, State, std::size_t>;  // and the letter before, as an index
  struct Move {
    State target;
    Marks marks;
  };

  State number_of(const Place& place) {
    const auto [known, fresh] = number_.try_emplace(place, static_cast<State>(places_.size()));
    if (fresh) places_.push_back(place);
    return known->second;
  }

  std::vector<Move> moves(const Automaton& automaton, State from, std::size_t letter, bool may_wait) const {
    std::vector<Move> all;
    if (may_wait) all.push_back({from, 0});
    for (const Edge& edge : automaton.edges[from])
      if (edge.label.admits(letters_[letter]))
        all.push_back({edge.target, edge.marks | (Marks{1} << automaton.marks)});
    return all;
  }

  std::vector<Edge> edges_of(const Place& place) {
    const auto [yes, no, before] = place;
    std::vector<Edge> edges;
    for (std::size_t letter = 0; letter < letters_.size(); ++letter)
      for (const Move& a : moves(yes_, yes, letter, letter == before))
        for (const Move& b : moves(no_, no, letter, letter == before))
          edges.push_back(
              {{}, number_of({a.target, b.target, letter}), a.marks | (b.marks << (yes_.marks + 1))});
    return edges;
  }

  const Automaton &yes_, &no_;
  std::vector<Letter> letters_;
  Automaton product_;
  std::map<Place, State> number_;
  std::vector<Place> places_;
  std::size_t edges_ = 0;
};

// All letters over the given propositions.
std::vector<Letter> letters_over(std::uint64_t propositions) {
  std::vector<Letter> all;
  for (Letter letter = propositions;; letter = (letter - 1) & propositions) {
    all.push_back(letter);
    if (letter == 0) return all;
  }
}

}  // namespace

bool without_next(const Store& store, FormulaId formula) {
  const std::vector<FormulaId> parts = subformulas(store, formula);
  return std::none_of(parts.begin(), parts.end(), [&](FormulaId f) { return store.kind(f) == Kind::Next; });
}

bool stutter_invariant(Store& store, FormulaId formula, const TranslationLimits& limits) {
  if (without_next(store, formula)) return true;
  const FormulaId simple = simplify(store, formula);
  if (without_next(store, simple)) return true;
  const std::uint64_t propositions = propositions_of(store, simple);
  if (std::popcount(propositions) > kMostStutterPropositions) return false;
  const Translation yes = automaton_of(store, simple, limits);
  const Translation no = automaton_of(store, store.negate(simple), limits);
  if (!std::holds_alternative<Automaton>(yes) || !std::holds_alternative<Automaton>(no)) return false;
  return WaitingProduct(std::get<Automaton>(yes), std::get<Automaton>(no), letters_over(propositions))
      .empty()
      .value_or(false);
}

}  // namespace parley::ltl
