// CaDiCaL behind the solver seam: the default back end of the symbolic engines.
#pragma once

#include "solver/sat/solver.hpp"

namespace parley::solver::sat {

std::unique_ptr<Solver> make_cadical();

}  // namespace parley::solver::sat
