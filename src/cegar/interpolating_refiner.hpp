// A refiner that asks an SMT solver: sequence interpolants in the shape of boxes. It walks back like the
// refiner by weakest preconditions (backward_walk.hpp), but what an expression asks of its variables is found
// by the solver, for every operator and for variables that occur more than once. Per expression the question
// is: these values, give or take how much, and the expression still has a value that is wanted? It starts
// from the concrete values, keeps the bounds that are in the unsatisfiable core, moves each to the border of
// the abstract value if that is enough (which costs no new cell), and else as far out as the solver allows
// (bisection).
//
// Solvers that hand out interpolants themselves do so in shapes that interval partitions cannot use (and the
// ones at hand no longer do, or search for them by syntax); boxes are what this domain can represent. Where
// no box but the point will do, as for `x == y` after `y = x`, it proposes the point, like everybody else
// here.
#pragma once

#include "cegar/refinement.hpp"

namespace parley::cegar {

// When the deadline is reached, what was found so far.
Refinement interpolating_refinement(const System& system, const AnalysisTrace& trace,
                                    const Relevance& relevance, const engine::Deadline* deadline = nullptr);

}  // namespace parley::cegar
