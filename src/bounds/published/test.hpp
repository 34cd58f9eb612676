// The boundedness test and its refinement as published [leue2005]: all elementary cycles, their effect
// vectors, the integer program over cycle counts (section 2), counterexamples judged by the code on their
// cycles (section 4, cycle_guards.hpp) and by the shape of the graph (section 5, structure.hpp), each
// refinement replacing a program by one or several with more constraints. Kept beside the default test so
// that the paper's numbers can be seen and compared
// (`parley bounds --published`); exponential where the default is not, and its verdict is not used for
// proofs, since it takes integers as unbounded and has no certificate.
//
// A counterexample that is not decided is set aside, and the next one asked for, as the published run on GIOP
// did; how it did that is not said. Here the cycle whose condition could not be used (or the first, where
// there is none) is left out of all programs from then on, the way the publication excludes a cycle that runs
// finitely often: every line of the report then names another cycle that somebody has to look at, and there
// are no more of them than cycles. The other way, programs in which not all cycles of the counterexample run,
// lists overlapping sets of cycles with the same undecided one in them: on GIOP 400 programs do not end it.
// Once something was set aside the answer is Unknown.
#pragma once

#include <functional>

#include "bounds/cycles.hpp"
#include "bounds/published/structure.hpp"
#include "solver/ilp/program.hpp"

namespace parley::bounds::published {

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

struct Options {
  std::size_t max_cycles = 2000;
  std::size_t max_programs = 400;
  std::size_t max_sets = 16;  // self-connected sets before the coarser method takes over
  bool with_max = true;       // refinement with max_B where it is known
  bool keep_going = true;     // sets a counterexample that is not decided aside and asks for the next
  // Beyond the publication: supplementary cycles are also counted (cycle_balance.hpp).
  bool counted = false;
  // What is known of a cell at a node of a component (lowest, highest), if anything.
  std::function<std::optional<std::pair<std::int64_t, std::int64_t>>(std::uint32_t, std::uint32_t,
                                                                     system::CellId)>
      range;
  // A cell's value where the component's graph begins, if it is not the declared one.
  std::function<std::optional<std::int64_t>(std::uint32_t, system::CellId)> start;
  std::function<bool()> stop;
};

enum class Answer : std::uint8_t { Bounded, Unknown, Stopped };
const char* word(Answer answer);  // "bounded", "unknown", "stopped"

// Why a counterexample was not decided, in the order in which the reasons are looked for.
enum class Undecided : std::uint8_t {
  Executions,    // supplementary cycles run, but too seldom; the published test does not count them
  ReceivedData,  // a condition asks a variable that stores what a message carried
  SharedData,    // a condition asks a variable that other processes change
  Conditions,    // the conditions are none that this test can use
  Unguarded,     // there is no condition on data at all
};
const char* word(Undecided why);  // "executions", "received data", ...

struct SetAside {
  Undecided why = Undecided::Unguarded;
  std::string reason;
  std::uint32_t left_out = 0;  // the cycle to which the reason applies
  std::vector<CycleRun> cycles;
};

struct Report {
  Answer answer = Answer::Stopped;
  std::vector<CycleRun> cycles;
  std::size_t counterexamples = 0, spurious = 0, programs = 0;
  std::vector<std::string> log;     // one line per counterexample
  std::vector<SetAside> set_aside;  // the counterexamples that stood, in order
  std::string limit;                // what ended it before all programs were solved, if anything

  std::size_t undecided(Undecided why) const;
};

Report test(const system::System& system, const FlowGraph& graph, const Options& options);

}  // namespace parley::bounds::published
