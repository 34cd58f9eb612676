// Passes that do nothing useful, one for each thing a map can say: for tests of the way back. Each has both
// Systems, since turned round it is another pass: what adds cells one way removes them the other.
#pragma once

#include "passes/back_map.hpp"

namespace parley::passes::testing {

struct Toy {
  system::System original;
  Passed passed;
};

// A new cell that every step sets to anything: more cells and more choices than the original.
Toy adds_choices(const system::System& system);
// The other way round: a cell is removed, with the choices that went into it.
Toy removes_choices(const system::System& system);
// Every action twice, for two halves of the values of some cell.
Toy splits_actions(const system::System& system);
Toy merges_actions(const system::System& system);
// Every step waits for a step of a new owner, which the original does not have; the other way round those
// steps are silent.
Toy adds_steps(const system::System& system);
Toy hides_steps(const system::System& system);
// A cell and its copy become one.
Toy merges_cells(const system::System& system);

// Without exclusive stretches; together with !asks_for_idle nobody notices what others can do.
system::System without_stretches(system::System system);
bool asks_for_idle(const system::System& system);

}  // namespace parley::passes::testing
