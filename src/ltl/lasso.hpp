// Words and the truth of formulas on them, computed directly: least fixpoints for Until, greatest for
// Release, position by position. Knows nothing of automata and is used to confirm what they found (every
// counterexample is a lasso), to show the truth of sub-formulas along a run, and by tests as the meaning of
// formulas.
//
// A lasso is an infinite word that repeats itself: the stem once, then the loop for ever. A finite word has
// the finite-trace meaning (degiacomo2013, section 2): Next says that there is a next position.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula.hpp"

namespace parley::ltl {

// Bit p: proposition p is true.
using Letter = std::uint64_t;

struct Lasso {
  std::vector<Letter> stem;
  std::vector<Letter> loop;  // not empty

  std::size_t size() const { return stem.size() + loop.size(); }
  Letter at(std::size_t position) const {
    return position < stem.size() ? stem[position] : loop[position - stem.size()];
  }
  std::size_t next(std::size_t position) const { return position + 1 < size() ? position + 1 : stem.size(); }
};

// A row for each sub-formula, operands first, the formula itself last; a column for each position.
struct TruthTable {
  std::vector<FormulaId> formulas;
  std::vector<std::vector<bool>> rows;

  bool holds() const { return rows.back().front(); }
};

TruthTable evaluate(const Store& store, FormulaId formula, const Lasso& word);
bool holds(const Store& store, FormulaId formula, const Lasso& word);

// The word has at least one letter.
TruthTable evaluate_finite(const Store& store, FormulaId formula, const std::vector<Letter>& word);
bool holds_finite(const Store& store, FormulaId formula, const std::vector<Letter>& word);

}  // namespace parley::ltl
