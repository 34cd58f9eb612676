// What to look at more closely when a combination of cycles might pump a queue up: cells and message
// parameters that were open where those cycles decide something. Counterexample-guided, as in [leue2005], but
// the refinement splits control states by data instead of adding constraints between cycles: toggles, phases,
// counters and received values become part of the control flow, and the same linear program decides again.
// The paper's own refinements are in published/test.hpp.
#pragma once

#include <set>
#include <variant>

#include "bounds/extract.hpp"

namespace parley::bounds {

// Track `cell` in component `component`, or tell parameter `param` of `signal` apart.
struct TrackCell {
  std::uint32_t component = 0;
  system::CellId cell;
  friend auto operator<=>(const TrackCell&, const TrackCell&) = default;
};
struct SplitParam {
  system::SignalId signal;
  std::uint32_t param = 0;
  friend auto operator<=>(const SplitParam&, const SplitParam&) = default;
};
using Refinement = std::variant<TrackCell, SplitParam>;

struct RatedRefinement {
  Refinement what;
  std::uint64_t cost = 0;  // number of values, more for cells others write too
};

// Everything open on the counterexample's cycles, cheapest first, without those banned.
std::vector<RatedRefinement> candidates(const SystemFacts& facts, const Extraction& extraction,
                                        const std::vector<CycleRun>& counterexample,
                                        const std::set<Refinement>& banned);

Precision refined(Precision precision, const Refinement& refinement);
std::string describe(const system::System& system, const Precision& precision, const Refinement& refinement);

}  // namespace parley::bounds
