// How often supplementary cycles must run: what [leue2005] leaves out, since it would take one program per
// combination of supplementary cycles (section 7, the fifth counterexample of GIOP). Linear constraints say
// it for all combinations at once, with the step values of section 4.2. Let the condition (B) of a cycle C be
// passed through an (in)equality l again and again.
//
// - Balance. If every step of ce(l) on every edge of the process is known, the cycles together must not lead
//   out of l in the long run: the sum of executions * slowest step has the sign that keeps l.
// - Need. If C moves ce(l) by `step` from one test of (B) to the next and some cycles are not known (they
// reset
//   ce(l), or store what they received), then one of these runs, or the others move it back: |step| *
//   executions of C is at most the sum of executions * largest move back. Where one supplementary cycle runs
//   these are ceil(|step| / move) executions of it. A cycle of the same direction counts 0 here: what it adds
//   may be lost in the reset.
//
// An option of test.hpp, not part of the published test.
#pragma once

#include "bounds/published/cycle_code.hpp"
#include "bounds/published/test.hpp"

namespace parley::bounds::published {

// What the counts of a component's cycles must satisfy if the atom is true infinitely often. Empty: some step
// is not known. Only for cells that no other component changes.
std::vector<CycleConstraint> balance(const system::System& system, const FlowGraph& graph,
                                     const std::vector<CycleRun>& cycles, std::uint32_t component,
                                     const Atom& atom);

// What cycle `c` needs of the others to pass the atom, whose exit border it approaches by `step`, again and
// again: `known` must hold, or one of `unknown` runs.
struct Need {
  CycleConstraint known;
  std::vector<std::uint32_t> unknown;
};
Need need(const system::System& system, const FlowGraph& graph, const std::vector<CycleRun>& cycles,
          std::uint32_t c, const Atom& atom, std::int64_t step);

bool satisfied(const CycleConstraint& constraint, const std::vector<std::int64_t>& counts);

}  // namespace parley::bounds::published
