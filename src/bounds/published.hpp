// The boundedness test and its refinement as published [leue2005]: all elementary cycles, their effect
// vectors, the integer program over cycle counts (section 2), counterexamples judged by the code on their
// cycles (section 4, cycle_code.hpp) and by the shape of the graph (section 5, structure.hpp), each
// refinement replacing a program by one or several with more constraints. Kept beside the default test so
// that the paper's numbers can be seen and compared
// (`parley bounds --published`); exponential where the default is not, and its verdict is not used for
// proofs, since it takes integers as unbounded and has no certificate.
#pragma once

#include <functional>

#include "bounds/cycles.hpp"
#include "bounds/structure.hpp"
#include "solver/ilp/program.hpp"

namespace parley::bounds {

// A linear constraint over cycle counts.
struct CycleConstraint {
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;
  solver::ilp::Sense sense = solver::ilp::Sense::AtLeast;
  std::int64_t bound = 0;
};

// Executions per cycle with the smallest total: nothing is consumed on balance, something is produced. Empty:
// there is none.
std::vector<std::int64_t> solve_cycles(const FlowGraph& graph, const std::vector<CycleRun>& cycles,
                                       const std::vector<CycleConstraint>& constraints);

struct PublishedOptions {
  std::size_t max_cycles = 2000;
  std::size_t max_programs = 400;
  std::size_t max_sets = 16;  // self-connected sets before the coarser method takes over
  bool with_max = true;       // refinement with max_B where it is known
  // What is known of a cell at a node of a component (lowest, highest), if anything.
  std::function<std::optional<std::pair<std::int64_t, std::int64_t>>(std::uint32_t, std::uint32_t,
                                                                     system::CellId)>
      range;
  std::function<bool()> stop;
};

enum class PublishedAnswer : std::uint8_t { Bounded, Unknown, Stopped };

struct PublishedReport {
  PublishedAnswer answer = PublishedAnswer::Stopped;
  std::vector<CycleRun> cycles;
  std::size_t counterexamples = 0, spurious = 0, programs = 0;
  std::vector<std::string> log;     // one line per counterexample
  std::vector<CycleRun> remaining;  // Unknown: the counterexample that stood
};

PublishedReport published_test(const system::System& system, const FlowGraph& graph,
                               const PublishedOptions& options);

}  // namespace parley::bounds
