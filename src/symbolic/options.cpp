#include "solver/sat/cadical.hpp"
#include "solver/smt/cvc5_solver.hpp"
#include "solver/smt/z3_solver.hpp"
#include "symbolic/engines.hpp"

namespace parley::symbolic {

using encode::ActionOrder;
using encode::Steps;

solver::sat::Factory factory(SolverKind kind) {
  switch (kind) {
    case SolverKind::Cadical:
      return solver::sat::make_cadical;
    case SolverKind::Z3:
      return solver::smt::make_z3;
    case SolverKind::Cvc5:
      return solver::smt::make_cvc5;
  }
  return solver::sat::make_cadical;
}

ActionOrder default_action_order(Steps steps) {
  switch (steps) {
    case Steps::Static:
    case Steps::Dynamic:
      return ActionOrder::ReadersFirst;
    case Steps::Chained:
      return ActionOrder::WritersFirst;
    case Steps::Interleaving:
      break;
  }
  return ActionOrder::Declared;
}

}  // namespace parley::symbolic
