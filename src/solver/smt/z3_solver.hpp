// Z3 behind the propositional solver seam (its finite-domain solver): the second opinion on every instance,
// and the solver of the independent checkers.
#pragma once

#include "solver/sat/solver.hpp"

namespace parley::solver::smt {

std::unique_ptr<sat::Solver> make_z3();

}  // namespace parley::solver::smt
