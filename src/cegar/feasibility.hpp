// Feasibility analysis: can the concrete system follow the events of an abstract counterexample, and does it
// then violate the property (IS_COUNTEREXAMPLE_FEASIBLE, ojala2008, figure 4.1)? The thesis' models are
// deterministic once the events are fixed; ours may also choose, so a beam of concrete states follows the
// events. Choices from small ranges are tried one by one, wide ones at the values that matter: the borders
// of the precision's cells, the constants of the model and what was suggested (choice_solver.hpp). A run
// found is always a real one; that none is found proves nothing when the beam was cut (`exhausted` is false
// then), which costs rounds, never soundness.
//
// An assertion that fails on the way is a true counterexample, whatever the trace was meant to show (section
// 4.1): it violates the property if that is about assertions, and is reported beside it otherwise.
#pragma once

#include "cegar/abstract_check.hpp"
#include "verdict/replay.hpp"

namespace parley::cegar {

struct Feasibility {
  bool feasible = false;
  bool exhausted = true;     // every concrete way to follow the events was tried
  verdict::Trace trace;      // feasible: a violating run; else the run that got furthest
  std::size_t executed = 0;  // events that run executes; equal to the trace's length: no violation at its end
  // Another failure met on the way: a run that ends in it.
  std::optional<verdict::Trace> on_the_way;
  semantics::Outcome on_the_way_outcome = semantics::Outcome::Done;
};

struct FeasibilityOptions {
  std::size_t beam = 64;
  std::size_t candidates = 48;                 // values tried for a wide choice
  const engine::Deadline* deadline = nullptr;  // polled: running out of it only means "not exhausted"
  std::uint64_t wide_from = 33;                // choices among so many alternatives are wide
  std::vector<std::int64_t> suggested;         // values to try for every wide choice, whatever the others are
};

Feasibility is_counterexample_feasible(const semantics::Interpreter& concrete, const AbstractSystem& abstract,
                                       PropertyId property, const AbstractTrace& trace,
                                       const FeasibilityOptions& options = {});

// How many cells and message arguments of the concrete state lie outside the abstract one; a queue with other
// messages counts per message. Zero: the states correspond.
std::size_t distance(const AbstractSystem& abstract, const State& concrete, const State& abstract_state);

}  // namespace parley::cegar
