// An exact simplex method in GMP rationals that grows: rows can be added after a solve, and the dual simplex
// goes on from the last basis, which is what cutting planes need. Used by bounds/ (weights by cuts) and by
// integer.hpp; `solve` is the one-shot form for a whole Program. Small and dense by design: the boundedness
// test keeps its programs small by generating rows on demand, so there is no factorisation.
//
// Invariants: `rows_[i]` expresses basic variable basis_[i] through the non-basic columns; reduced costs are
// non-negative between solves of minimise(). Infeasible answers come with Farkas multipliers that the caller
// can verify.
#pragma once

#include <functional>
#include <optional>

#include "solver/ilp/program.hpp"

namespace parley::solver::ilp {

class Simplex {
 public:
  // A variable x >= 0 with a cost >= 0. Only before or between solves.
  std::uint32_t add_variable(Rational cost = 0);
  // terms·x <= bound; returns the row's number.
  std::uint32_t add_row(const Terms& terms, const Rational& bound);
  // Changes a row's bound; the basis stays, so the next minimise() is short.
  void set_bound(std::uint32_t row, const Rational& bound);
  // Dual simplex: minimises the costs. Never Unbounded, since costs and variables are non-negative.
  Status minimise();
  // Primal simplex from a feasible basis (after minimise() with zero costs): minimises other costs, which may
  // be negative. After it only values may be read.
  Status minimise_from_here(const std::vector<Rational>& costs);

  Rational value(std::uint32_t variable) const;
  Rational objective() const;
  // After Optimal: the multiplier >= 0 of a row. After Infeasible: non-negative multipliers of the rows whose
  // combination reads  (something >= 0)·x <= negative.
  const Rational& multiplier(std::uint32_t row) const;

  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }
  std::size_t pivots() const { return pivots_; }
  std::size_t row_count() const { return slack_of_row_.size(); }

 private:
  struct TableRow {
    std::vector<Rational> coefficients;  // by column (variables and slacks); basic ones are unit columns
    Rational rhs;
  };
  std::uint32_t add_column(Rational cost);
  void pivot(std::size_t row, std::uint32_t column);

  std::vector<TableRow> rows_;
  std::vector<std::uint32_t> basis_;               // column of each row
  std::vector<Rational> reduced_;                  // by column
  std::vector<std::uint32_t> column_of_variable_;  // by variable
  std::vector<std::uint32_t> slack_of_row_;        // column
  std::vector<std::int64_t> row_of_column_;        // basic: its row, else -1
  Rational negated_objective_;
  std::vector<Rational> bounds_;  // by row, as given
  std::optional<std::size_t> infeasible_row_;
  std::function<bool()> stop_;
  std::size_t pivots_ = 0;
};

// Solves a whole program.
Solution solve(const Program& program, const std::function<bool()>& stop = {});

}  // namespace parley::solver::ilp
