#include "ltl/accepts.hpp"

namespace parley::ltl {
namespace {

// A place is a state of the automaton before a position of the word.
class WordProduct {
 public:
  WordProduct(const Automaton& automaton, const Lasso& word)
      : automaton_(automaton), word_(word), alive_(automaton.states() * word.size(), true) {}

  bool accepts() {
    for (bool changed = true; changed;) {
      changed = restrict_to(reaching([](const Edge&) { return true; }));
      for (unsigned m = 0; m < automaton_.marks; ++m)
        changed |= restrict_to(reaching([m](const Edge& edge) { return ((edge.marks >> m) & 1) != 0; }));
    }
    return alive_[place(automaton_.initial, 0)];
  }

 private:
  std::size_t place(State state, std::size_t position) const { return state * word_.size() + position; }

  // The places from which a run among the living passes an edge that is wanted.
  template <class Wanted>
  std::vector<bool> reaching(Wanted wanted) const {
    std::vector<bool> found(alive_.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (State s = 0; s < automaton_.states(); ++s)
        for (std::size_t i = 0; i < word_.size(); ++i) {
          if (found[place(s, i)] || !alive_[place(s, i)]) continue;
          for (const Edge& edge : automaton_.edges[s]) {
            const std::size_t after = place(edge.target, word_.next(i));
            if (!edge.label.admits(word_.at(i)) || !alive_[after] || (!wanted(edge) && !found[after]))
              continue;
            found[place(s, i)] = changed = true;
            break;
          }
        }
    }
    return found;
  }

  bool restrict_to(const std::vector<bool>& places) {
    if (places == alive_) return false;
    alive_ = places;
    return true;
  }

  const Automaton& automaton_;
  const Lasso& word_;
  std::vector<bool> alive_;
};

}  // namespace

bool accepts(const Automaton& automaton, const Lasso& word) {
  return WordProduct(automaton, word).accepts();
}
bool accepts(const Buchi& automaton, const Lasso& word) {
  return accepts(with_marks(automaton), word);
}

}  // namespace parley::ltl
