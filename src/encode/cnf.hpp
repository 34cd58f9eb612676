// Clauses for an AIG: Tseitin's transformation with and-trees flattened and multiplexers and exclusive-ors
// recognised. `Gates` looks at the graph once; a `Frame` is one instance of it in a solver, in which the
// caller gives literals for the inputs. Known literals are folded, so that the constants of an initial state
// spread as far as they reach.
#pragma once

#include <vector>

#include "encode/aig.hpp"
#include "solver/sat/solver.hpp"

namespace parley::encode {

class Gates {
 public:
  Gates(const Aig& aig, const std::vector<Lit>& roots);

 private:
  friend class Frame;
  enum class Kind : std::uint8_t { None, And, Ite };
  struct Gate {
    Kind kind = Kind::None;
    std::uint32_t first = 0, count = 0;  // into leaves_: operands of And; condition, then, else of Ite
    bool flipped = false;                // Ite: the node is the negation
  };
  std::vector<Gate> gates_;
  std::vector<Lit> leaves_;
};

// Adds clauses and counts them.
class ClauseSink {
 public:
  explicit ClauseSink(solver::sat::Solver& solver);
  solver::sat::Solver& solver() { return solver_; }
  solver::sat::Literal truth() const { return true_; }
  solver::sat::Literal fresh();
  void add(std::initializer_list<solver::sat::Literal> clause);
  void add(std::vector<solver::sat::Literal> clause);
  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t variables() const { return variables_; }

 private:
  solver::sat::Solver& solver_;
  solver::sat::Literal true_;
  std::uint64_t clauses_ = 0, variables_ = 0;
};

class Frame {
 public:
  Frame(const Gates& gates, ClauseSink& sink);
  void set(Lit input, solver::sat::Literal literal);
  // The solver's literal for x; adds the clauses of its cone that are missing. Inputs without a literal get
  // a fresh variable.
  solver::sat::Literal literal(Lit x);
  // What was given to x so far; 0 if nothing.
  solver::sat::Literal known(Lit x) const;

 private:
  void build(std::uint32_t root);
  solver::sat::Literal conjunction(std::vector<solver::sat::Literal> xs);
  solver::sat::Literal choice(solver::sat::Literal c, solver::sat::Literal x, solver::sat::Literal y);
  const Gates& gates_;
  ClauseSink& sink_;
  std::vector<solver::sat::Literal> map_;
};

}  // namespace parley::encode
