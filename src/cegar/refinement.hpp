// Refining interval abstractions as published: find the expression that first gave a relevant location a
// non-corresponding value, search it for variables and values, and make each value a cell of its own
// (ojala2008, section 5.3, figures 5.13 to 5.16).
#pragma once

#include <map>

#include "cegar/relevant.hpp"

namespace parley::cegar {

// What to split and why. Single values become cells of their own; cuts become borders between cells.
struct Refinement {
  std::map<domain::Variable, std::set<std::int64_t>> values;
  std::map<domain::Variable, std::set<std::int64_t>> cuts;
  std::size_t step = 0;    // sequence number of the step whose expression was searched
  std::string expression;  // where the search stopped
  std::string refiner;     // who proposed it
  bool empty() const { return values.empty() && cuts.empty(); }
};

struct RefinementOptions {
  bool values_per_location = false;  // only the values on the path to a location, not one set for all
};

// Applies it; with `whole_class` to the attribute of every object of the class. Returns what really changed.
std::map<domain::Variable, std::vector<std::int64_t>> apply(const System& system,
                                                            const Refinement& refinement, bool whole_class,
                                                            domain::Precision& precision);

// FIND_REFINEMENT (figure 5.13) with REF_EXPR, COLLECT_INT_LOCS and VALUES (figures 5.14 to 5.16).
Refinement find_refinement(const System& system, const AnalysisTrace& trace, const Relevance& relevance,
                           const RefinementOptions& options);

// The partitioned variable a name stands for at a step, if it is an integer.
std::optional<domain::Variable> variable_of(const System& system, const AnalysisTrace& trace,
                                            std::size_t number, const Tree& name);

}  // namespace parley::cegar
