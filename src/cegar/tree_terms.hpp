// Evaluated expressions as terms of a solver: the value of a tree as a function of the names in it, on the
// path through short circuits and conditionals that the run took. What a name stands for is the caller's
// business.
#pragma once

#include <functional>

#include "cegar/watch.hpp"
#include "solver/smt/word_solver.hpp"

namespace parley::cegar {

class TreeTerms {
 public:
  using Word = solver::smt::WordSolver::Word;
  using Condition = solver::smt::WordSolver::Condition;
  // `a` is the abstract twin of the name, if there is one.
  using Name = std::function<Word(const Tree& c, const Tree* a)>;

  TreeTerms(const system::System& system, solver::smt::WordSolver& solver, Name name)
      : s_(system), solver_(solver), name_(std::move(name)) {}

  Word build(const Tree& c, const Tree* a);
  // The run takes this path and meets no error: to be assumed for the terms to mean anything.
  const std::vector<Condition>& path() const { return path_; }
  // What was taken as given: predicates over queues, with their abstract twins.
  const std::vector<std::pair<const Tree*, const Tree*>>& opaque() const { return opaque_; }

 private:
  void must_be(Word word, std::int64_t value) { path_.push_back(solver_.within(word, value, value)); }

  const system::System& s_;
  solver::smt::WordSolver& solver_;
  Name name_;
  std::vector<Condition> path_;
  std::vector<std::pair<const Tree*, const Tree*>> opaque_;
};

// The abstract twin of the i-th operand, if the same operand was evaluated.
const Tree* twin(const Tree& c, const Tree* a, std::size_t i);

}  // namespace parley::cegar
