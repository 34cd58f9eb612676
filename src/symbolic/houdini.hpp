// Cheap inductive facts that strengthen IC3 and k-induction: constant bits, and pairs of things that random
// runs never show together (a location and a message, two locations, a location and a bit of data), cut down
// to the largest inductive set (flanagan2001). They are part of the certificate like any other clause.
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
