// The refinement loop: check the abstract system, judge the counterexample, refine, go again (ojala2008,
// figure 3.2). It knows neither domain nor formalism beyond its four parts: abstract_check, feasibility,
// the analysis (transform, relevance) and the refiners.
//
// Progress: every round either changes the precision or the loop stops and says why. The refiners are asked
// in turn until one changes something: interpolants, weakest preconditions (if on), the published search,
// splitting at the concrete values of the run, exact values for one variable. Partitions only get finer and
// are finite, so the loop terminates on finite systems, in principle; in practice it stops at the request's
// limits.
#pragma once

#include "cegar/choice_solver.hpp"
#include "cegar/interpolating_refiner.hpp"
#include "cegar/wp_refiner.hpp"

namespace parley::cegar {

struct LoopOptions {
  domain::StartOptions start;
  domain::Intermediate intermediate = domain::Intermediate::Intervals;
  // The improvements over the published heuristic, each on its own.
  bool interpolants = false;                // boxes from the SMT solver, asked before everybody else
  bool weakest_preconditions = true;        // the second refiner, asked first
  bool resimulate = true;                   // refine along one event sequence until it is really gone
  bool weak_message_correspondence = true;  // ojala2008, section 7.1, first idea
  bool analyse_propagation = true;          // second idea
  bool values_per_location = true;          // third idea
  bool solve_choices = true;                // wide choices that no tried value decides: ask the SMT solver
  bool accelerate = true;                   // loop counters: cuts of coming iterations at once
  std::size_t exact_after = 48;             // a variable with more cells becomes exact; 0: never
  bool whole_class = false;                 // refine an attribute for all objects of its class
  std::size_t max_resimulations = 30;       // refinements along one event sequence before looking afresh
  std::size_t max_rounds = 10'000;
  std::uint64_t max_states = 1'000'000;
  FeasibilityOptions feasibility;

  // As in the thesis: its intermediate types, its heuristics, nothing else. Starts from Sign.
  static LoopOptions published();
};

// One iteration along an event sequence: why the run is spurious and what was done about it.
struct RefinementReport {
  std::size_t length = 0;             // events of the counterexample
  std::size_t executed = 0;           // events the concrete run could follow
  std::string why;                    // where the runs part
  std::size_t initial_number = 0;     // sequence number of the initial relevant locations
  std::vector<std::string> initial;   // initial relevant locations
  std::vector<std::string> relevant;  // all relevant locations, as "(number, name)"
  std::string refiner;
  std::size_t step = 0;  // sequence number of the step whose expression was searched
  std::string expression;
  std::vector<std::string> split;  // "x: 5, 6" or "x: exact"
};

struct RoundReport {
  std::size_t round = 0;
  std::size_t variables = 0, cells = 0;  // abstracted variables and their cells
  std::uint64_t states = 0, transitions = 0;
  std::size_t length = 0;  // of the abstract counterexample; 0 with feasible false: none
  bool counterexample = false, feasible = false;
  double seconds = 0;
  std::vector<RefinementReport> refinements;
};

struct LoopResult {
  verdict::PropertyResult result;
  std::vector<RoundReport> rounds;
  domain::Precision precision;  // the last one
  std::size_t refinements() const {
    std::size_t n = 0;
    for (const RoundReport& r : rounds) n += r.refinements.size();
    return n;
  }
};

LoopResult refine_and_check(const engine::Request& request, PropertyId property, const LoopOptions& options);

}  // namespace parley::cegar
