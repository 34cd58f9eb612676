// Linear programs over exact rationals: minimise cost·x subject to sparse rows, every variable free or at
// least zero. Used by the boundedness test (bounds/), whose verdicts must not depend on floating-point
// tolerance. This is data only; simplex.hpp solves it, integer.hpp asks for integral solutions.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace parley::solver::ilp {

using Rational = mpq_class;
using Integer = mpz_class;

// Coefficients by variable; a variable may occur once.
using Terms = std::vector<std::pair<std::uint32_t, Rational>>;

enum class Sense : std::uint8_t { AtMost, AtLeast, Equal };

struct Row {
  Terms terms;
  Sense sense = Sense::AtMost;
  Rational bound;
};

struct Program {
  std::vector<Rational> costs;  // minimised; one per variable
  std::vector<bool> free;       // one per variable; false: x >= 0
  std::vector<Row> rows;

  std::uint32_t add_variable(Rational cost = 0, bool is_free = false) {
    costs.push_back(std::move(cost));
    free.push_back(is_free);
    return static_cast<std::uint32_t>(costs.size() - 1);
  }
  void add_row(Terms terms, Sense sense, Rational bound) {
    rows.push_back({std::move(terms), sense, std::move(bound)});
  }
};

enum class Status : std::uint8_t { Optimal, Infeasible, Unbounded, Stopped };

struct Solution {
  Status status = Status::Stopped;
  Rational objective;
  std::vector<Rational> values;  // Optimal: one per variable
};

}  // namespace parley::solver::ilp
