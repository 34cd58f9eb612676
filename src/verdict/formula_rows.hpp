// The truth of a temporal property's propositions and sub-formulas at every position of a run, as rows that
// reports lay out: text, JSON and the HTML page show the same ones. Made by replaying (verdict/temporal.hpp);
// nothing is concluded from it. What a position is: docs/temporal.md; position i is what step i led to, so
// that steps and columns have the same numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::verdict {

struct FormulaRow {
  std::string text;
  std::vector<bool> truth;  // one for each position
};

struct FormulaRows {
  std::vector<FormulaRow> propositions;  // in the order in which the property names them
  // Operands first, the property itself last; without negated propositions, the opposite of a row, and
  // without the beginnings of longer conjunctions and disjunctions. None for never claims.
  std::vector<FormulaRow> subformulas;
  std::size_t left_out = 0;   // inner sub-formulas beyond kMostSubformulas
  std::size_t positions = 0;  // columns
  // After the last position the run goes on with this one; the number of positions if it is a finite word.
  std::size_t loop_from = 0;
  bool ends = false;  // nobody can move at the end; the loop, if any, is the one position after it
};

// Larger formulas are shown without their innermost parts: texts of nested formulas add up.
inline constexpr std::size_t kMostSubformulas = 60;

// Nothing for properties that are not temporal, for runs without a loop and for those that do not replay.
std::optional<FormulaRows> formula_rows(const semantics::Interpreter& interpreter,
                                        system::PropertyId property, const Trace& trace);

}  // namespace parley::verdict
