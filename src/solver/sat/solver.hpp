// The narrow solver seam: propositional clauses in, a model or a set of failed assumptions out. Encoders and
// the symbolic engines talk to every solver through it; only the implementations (cadical.hpp here, z3 and
// cvc5 in solver/smt) name a solver. It knows nothing of systems, words or frames.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::solver::sat {

// DIMACS convention: variables count from 1, a negative number is the negated variable.
using Literal = int;

enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

// When a running `solve` has to give up. `stop` is polled; `seconds` is for solvers that cannot be polled.
struct Interrupt {
  std::function<bool()> stop;
  std::optional<double> seconds;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  virtual Literal new_variable() = 0;
  virtual void add_clause(std::span<const Literal> clause) = 0;
  // Unknown only after an interrupt.
  virtual Answer solve(std::span<const Literal> assumptions) = 0;
  // After Satisfiable: the value of a literal.
  virtual bool value(Literal literal) = 0;
  // After Unsatisfiable: whether the assumption was needed.
  virtual bool failed(Literal assumption) = 0;
  virtual void interrupt_by(Interrupt interrupt) = 0;

  void add(std::initializer_list<Literal> clause) { add_clause({clause.begin(), clause.size()}); }
  Answer solve_with(std::initializer_list<Literal> assumptions) {
    return solve({assumptions.begin(), assumptions.size()});
  }
};

using Factory = std::function<std::unique_ptr<Solver>()>;

}  // namespace parley::solver::sat
