// What can be said of formulas from their shape alone: pure eventualities (true from now on earlier if true
// later), pure universalities (true later if true now) (etessami2000), and implications that
// follow by a few rules (somenzi2000). Sound, not complete, and cheap: `implies` gives up, with
// false, beyond a depth and an amount of work. Formulas are in positive normal form. Used by
// ltl/simplify.hpp.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ltl/formula.hpp"

namespace parley::ltl {

class Implication {
 public:
  explicit Implication(Store& store) : store_(store) {}

  // If it is true at some later moment, it is true now: F a, and a U F b.
  bool eventual(FormulaId f) { return shape(f).eventual; }
  // If it is true now, it is true at all later moments: G a.
  bool universal(FormulaId f) { return shape(f).universal; }
  // Both: true always or never; the beginning of a word does not matter.
  bool suspendable(FormulaId f) { return shape(f).eventual && shape(f).universal; }

  // Whether f being true makes g true, as far as the rules see.
  bool implies(FormulaId f, FormulaId g) { return implies(f, g, 0); }
  bool implies_not(FormulaId f, FormulaId g) { return implies(f, negation(g), 0); }
  bool not_implies(FormulaId f, FormulaId g) { return implies(negation(f), g, 0); }

 private:
  struct Shape {
    bool eventual = false, universal = false;
  };
  Shape shape(FormulaId f);
  Shape shape_of(const Node& node) const;
  FormulaId negation(FormulaId f);
  bool implies(FormulaId f, FormulaId g, int depth);
  bool by_left(FormulaId f, FormulaId g, int depth);
  bool by_right(FormulaId f, FormulaId g, int depth);
  bool by_both(FormulaId f, FormulaId g, int depth);

  Store& store_;
  std::vector<Shape> shapes_;  // by id, as far as asked
  std::unordered_map<FormulaId, FormulaId> negations_;
  std::unordered_map<std::uint64_t, bool> known_;
  std::size_t work_ = 0;
};

}  // namespace parley::ltl
