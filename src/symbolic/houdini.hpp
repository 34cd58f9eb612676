// Cheap inductive facts that strengthen k-induction: clauses of one or two state bits that hold in states
// seen by random runs, cut down to the largest inductive set (flanagan2001).
#pragma once

#include <vector>

#include "encode/relation.hpp"
#include "semantics/interpreter.hpp"
#include "solver/sat/solver.hpp"
#include "symbolic/ic3.hpp"

namespace parley::symbolic {

// Cubes that no reachable state satisfies; empty when interrupted.
std::vector<Cube> inductive_facts(encode::Relation& relation, const semantics::Interpreter& interpreter,
                                  const solver::sat::Factory& solvers,
                                  const solver::sat::Interrupt& interrupt);

}  // namespace parley::symbolic
