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

std::optional<SolverKind> parse_solver(const std::string& name) {
  if (name == "cadical") return SolverKind::Cadical;
  if (name == "z3") return SolverKind::Z3;
  if (name == "cvc5") return SolverKind::Cvc5;
  return std::nullopt;
}

std::optional<Steps> parse_steps(const std::string& name) {
  for (const Steps s : {Steps::Interleaving, Steps::Static, Steps::Dynamic, Steps::Chained})
    if (name == describe(s)) return s;
  return std::nullopt;
}

std::optional<ActionOrder> parse_action_order(const std::string& name) {
  for (const ActionOrder o : {ActionOrder::Declared, ActionOrder::ReadersFirst, ActionOrder::WritersFirst})
    if (name == describe(o)) return o;
  return std::nullopt;
}

const char* describe(Steps steps) {
  switch (steps) {
    case Steps::Interleaving:
      return "interleaving";
    case Steps::Static:
      return "static";
    case Steps::Dynamic:
      return "dynamic";
    case Steps::Chained:
      return "chained";
  }
  return "?";
}

const char* describe(ActionOrder order) {
  switch (order) {
    case ActionOrder::Declared:
      return "declared";
    case ActionOrder::ReadersFirst:
      return "readers-first";
    case ActionOrder::WritersFirst:
      return "writers-first";
  }
  return "?";
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
