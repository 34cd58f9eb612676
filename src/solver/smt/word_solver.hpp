// Questions about 32-bit words to an SMT solver: the operators of expr/ as terms, and conditions that are
// assumed together. Values of conditions as words are 0 and 1, as in expr/operators.hpp. A question that
// costs more than its budget is answered Unknown; the budget counts the solver's own steps, not time, so that
// the same questions get the same answers everywhere.
//
// Used by the refiners of the abstraction loop. The engines use the propositional seam
// (solver/sat/solver.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "expr/operators.hpp"
#include "solver/sat/solver.hpp"

namespace parley::solver::smt {

class WordSolver {
 public:
  using Word = std::uint32_t;       // the number of a term
  using Condition = std::uint32_t;  // the number of a condition

  virtual ~WordSolver() = default;
  virtual Word constant(std::int32_t value) = 0;
  virtual Word variable() = 0;
  virtual Word unary(expr::Op op, Word x, std::uint32_t bits) = 0;  // unary
  virtual Word binary(expr::Op op, Word x, Word y) = 0;             // binary; division by zero: anything
  virtual Condition within(Word x, std::int64_t lo, std::int64_t hi) = 0;
  // The mathematical result is the wrapped one.
  virtual Condition exact(expr::Op op, Word x) = 0;
  virtual Condition exact(expr::Op op, Word x, Word y) = 0;
  virtual Condition all(std::span<const Condition> conditions) = 0;
  virtual Condition negation(Condition condition) = 0;

  virtual void require(Condition condition) = 0;
  virtual sat::Answer solve(std::span<const Condition> assumptions) = 0;
  // After Unsatisfiable: the assumption is part of the core.
  virtual bool failed(Condition assumption) = 0;
  // After Satisfiable.
  virtual std::int32_t value(Word word) = 0;
};

std::unique_ptr<WordSolver> make_word_solver(std::uint64_t budget);

}  // namespace parley::solver::smt
