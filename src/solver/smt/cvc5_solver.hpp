// cvc5 behind the propositional solver seam: a third opinion, slower than the others on these instances. It
// cannot be polled while it runs; only the time limit of an Interrupt reaches it.
#pragma once

#include "solver/sat/solver.hpp"

namespace parley::solver::smt {

std::unique_ptr<sat::Solver> make_cvc5();

}  // namespace parley::solver::smt
