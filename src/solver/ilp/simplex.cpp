#include "solver/ilp/simplex.hpp"

#include "support/check.hpp"

namespace parley::solver::ilp {

std::uint32_t Simplex::add_column(Rational cost) {
  for (TableRow& r : rows_) r.coefficients.emplace_back(0);
  reduced_.push_back(std::move(cost));
  row_of_column_.push_back(-1);
  return static_cast<std::uint32_t>(reduced_.size() - 1);
}

std::uint32_t Simplex::add_variable(Rational cost) {
  PARLEY_CHECK(sgn(cost) >= 0);
  column_of_variable_.push_back(add_column(std::move(cost)));
  return static_cast<std::uint32_t>(column_of_variable_.size() - 1);
}

std::uint32_t Simplex::add_row(const Terms& terms, const Rational& bound) {
  const std::uint32_t slack = add_column(0);
  TableRow row;
  row.coefficients.assign(reduced_.size(), Rational(0));
  row.rhs = bound;
  for (const auto& [variable, coefficient] : terms)
    row.coefficients[column_of_variable_[variable]] += coefficient;
  // Eliminate basic variables, so that the new row speaks about non-basic columns only.
  Rational factor;
  for (std::size_t c = 0; c < reduced_.size(); ++c) {
    if (row_of_column_[c] < 0 || sgn(row.coefficients[c]) == 0) continue;
    const TableRow& other = rows_[static_cast<std::size_t>(row_of_column_[c])];
    factor = row.coefficients[c];
    for (std::size_t k = 0; k < reduced_.size(); ++k)
      if (sgn(other.coefficients[k]) != 0) row.coefficients[k] -= factor * other.coefficients[k];
    row.rhs -= factor * other.rhs;
  }
  row.coefficients[slack] = 1;
  row_of_column_[slack] = static_cast<std::int64_t>(rows_.size());
  basis_.push_back(slack);
  rows_.push_back(std::move(row));
  slack_of_row_.push_back(slack);
  bounds_.push_back(bound);
  infeasible_row_.reset();
  return static_cast<std::uint32_t>(slack_of_row_.size() - 1);
}

void Simplex::set_bound(std::uint32_t row, const Rational& bound) {
  const Rational change = bound - bounds_[row];
  if (sgn(change) == 0) return;
  bounds_[row] = bound;
  infeasible_row_.reset();
  // A slack's column shows how much of its row went into every other one.
  const std::uint32_t slack = slack_of_row_[row];
  for (TableRow& r : rows_)
    if (sgn(r.coefficients[slack]) != 0) r.rhs += change * r.coefficients[slack];
  negated_objective_ += change * reduced_[slack];
}

void Simplex::pivot(std::size_t r, std::uint32_t column) {
  ++pivots_;
  TableRow& row = rows_[r];
  std::vector<std::uint32_t> nonzero;
  const Rational scale = row.coefficients[column];
  for (std::uint32_t k = 0; k < row.coefficients.size(); ++k) {
    if (sgn(row.coefficients[k]) == 0) continue;
    if (scale != 1) row.coefficients[k] /= scale;
    nonzero.push_back(k);
  }
  if (scale != 1) row.rhs /= scale;
  Rational factor;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i == r || sgn(rows_[i].coefficients[column]) == 0) continue;
    factor = rows_[i].coefficients[column];
    for (std::uint32_t k : nonzero) rows_[i].coefficients[k] -= factor * row.coefficients[k];
    rows_[i].rhs -= factor * row.rhs;
  }
  if (sgn(reduced_[column]) != 0) {
    factor = reduced_[column];
    for (std::uint32_t k : nonzero) reduced_[k] -= factor * row.coefficients[k];
    negated_objective_ -= factor * row.rhs;
  }
  row_of_column_[basis_[r]] = -1;
  basis_[r] = column;
  row_of_column_[column] = static_cast<std::int64_t>(r);
}

Status Simplex::minimise() {
  infeasible_row_.reset();
  std::size_t rounds = 0;
  const std::size_t patience = 4 * (rows_.size() + 10);  // then Bland's rule, which cannot cycle
  while (true) {
    if (stop_ && (rounds & 15U) == 0 && stop_()) return Status::Stopped;
    const bool bland = ++rounds > patience;
    std::optional<std::size_t> leaving;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (sgn(rows_[i].rhs) >= 0) continue;
      if (!leaving || (bland ? basis_[i] < basis_[*leaving] : rows_[i].rhs < rows_[*leaving].rhs))
        leaving = i;
    }
    if (!leaving) return Status::Optimal;
    const TableRow& row = rows_[*leaving];
    std::optional<std::uint32_t> entering;
    Rational best, ratio;
    for (std::uint32_t c = 0; c < reduced_.size(); ++c) {
      if (sgn(row.coefficients[c]) >= 0) continue;
      ratio = reduced_[c] / -row.coefficients[c];
      if (!entering || ratio < best) {
        entering = c;
        best = ratio;
      }
    }
    if (!entering) {
      infeasible_row_ = *leaving;
      return Status::Infeasible;
    }
    pivot(*leaving, *entering);
  }
}

Status Simplex::minimise_from_here(const std::vector<Rational>& costs) {
  for (Rational& r : reduced_) r = 0;
  negated_objective_ = 0;
  for (std::size_t v = 0; v < costs.size(); ++v) reduced_[column_of_variable_[v]] = costs[v];
  Rational factor;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    factor = reduced_[basis_[i]];
    if (sgn(factor) == 0) continue;
    for (std::size_t k = 0; k < reduced_.size(); ++k)
      if (sgn(rows_[i].coefficients[k]) != 0) reduced_[k] -= factor * rows_[i].coefficients[k];
    negated_objective_ -= factor * rows_[i].rhs;
  }
  while (true) {  // Bland's rule throughout: these programs are tiny
    if (stop_ && stop_()) return Status::Stopped;
    std::optional<std::uint32_t> entering;
    for (std::uint32_t c = 0; c < reduced_.size() && !entering; ++c)
      if (sgn(reduced_[c]) < 0) entering = c;
    if (!entering) return Status::Optimal;
    std::optional<std::size_t> leaving;
    Rational best, ratio;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (sgn(rows_[i].coefficients[*entering]) <= 0) continue;
      ratio = rows_[i].rhs / rows_[i].coefficients[*entering];
      if (!leaving || ratio < best || (ratio == best && basis_[i] < basis_[*leaving])) {
        leaving = i;
        best = ratio;
      }
    }
    if (!leaving) return Status::Unbounded;
    pivot(*leaving, *entering);
  }
}

Rational Simplex::value(std::uint32_t variable) const {
  const std::int64_t row = row_of_column_[column_of_variable_[variable]];
  return row < 0 ? Rational(0) : rows_[static_cast<std::size_t>(row)].rhs;
}

Rational Simplex::objective() const {
  return -negated_objective_;
}

const Rational& Simplex::multiplier(std::uint32_t row) const {
  // A slack's reduced cost is its row's multiplier; in an infeasible row it is the Farkas multiplier.
  const std::uint32_t slack = slack_of_row_[row];
  return infeasible_row_ ? rows_[*infeasible_row_].coefficients[slack] : reduced_[slack];
}

Solution solve(const Program& program, const std::function<bool()>& stop) {
  Simplex simplex;
  simplex.stop_when(stop);
  std::vector<std::uint32_t> plus, minus;  // a free variable is a difference of two
  std::vector<Rational> costs;
  for (std::size_t v = 0; v < program.costs.size(); ++v) {
    plus.push_back(simplex.add_variable());
    costs.push_back(program.costs[v]);
    minus.push_back(program.free[v] ? simplex.add_variable() : plus.back());
    if (program.free[v]) costs.push_back(-program.costs[v]);
  }
  const auto add = [&](const Row& row, int sign) {
    Terms terms;
    for (const auto& [v, c] : row.terms) {
      terms.emplace_back(plus[v], sign * c);
      if (program.free[v]) terms.emplace_back(minus[v], -sign * c);
    }
    simplex.add_row(terms, sign * row.bound);
  };
  for (const Row& row : program.rows) {
    if (row.sense != Sense::AtLeast) add(row, 1);
    if (row.sense != Sense::AtMost) add(row, -1);
  }
  Solution s;
  s.status = simplex.minimise();
  if (s.status == Status::Optimal) s.status = simplex.minimise_from_here(costs);
  if (s.status != Status::Optimal) return s;
  s.objective = simplex.objective();
  for (std::size_t v = 0; v < program.costs.size(); ++v)
    s.values.push_back(program.free[v] ? Rational(simplex.value(plus[v]) - simplex.value(minus[v]))
                                       : simplex.value(plus[v]));
  return s;
}

}  // namespace parley::solver::ilp
