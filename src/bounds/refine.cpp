#include "bounds/refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace parley::bounds {

namespace {

constexpr std::uint64_t kMostValues = 2048;

}  // namespace

std::vector<RatedRefinement> candidates(const SystemFacts& facts, const Extraction& x,
                                        const std::vector<CycleRun>& counterexample,
                                        const std::set<Refinement>& banned) {
  const system::System& s = facts.system;
  std::map<Refinement, std::uint64_t> found;
  for (const CycleRun& run : counterexample) {
    if (run.component >= x.components.size()) continue;  // the initial body
    const ComponentGraph& part = *x.components[run.component];
    for (std::uint32_t e : run.edges) {
      const GraphEdge& edge = part.edges[x.origin[run.component][e]];
      for (system::CellId c : edge.open_reads) {
        if (facts.writers[c.index()].empty()) continue;
        const std::int32_t slot = part.view.slot_of_cell[c.index()];
        if (slot >= 0 && part.view.exact[static_cast<std::size_t>(slot)]) continue;
        Interval range = facts.ranges[c.index()];
        if (slot >= 0) {
          range = part.nodes[0][static_cast<std::size_t>(slot)];
          for (const auto& node : part.nodes) range = hull(range, node[static_cast<std::size_t>(slot)]);
        }
        auto cost = static_cast<std::uint64_t>(range.hi - range.lo + 1);
        if (slot < 0) cost *= 4;  // others write it too
        found.try_emplace(TrackCell{run.component, c}, cost);
      }
      for (const auto& [signal, param] : edge.open_params) {
        if (x.precision.splits.split(signal, param)) continue;
        std::uint64_t size = s.signal(signal).params[param].size();
        if (facts.params) {
          Interval all{1, 0};
          for (const auto& [key, ranges] : facts.params->known)
            if (key.second == signal) all = all.empty() ? ranges[param] : hull(all, ranges[param]);
          if (!all.empty()) size = static_cast<std::uint64_t>(all.hi - all.lo + 1);
        }
        found.try_emplace(SplitParam{signal, param}, 2 * size);
      }
    }
  }
  std::vector<RatedRefinement> list;
  for (const auto& [what, cost] : found)
    if (!banned.contains(what) && cost <= kMostValues) list.push_back({what, cost});
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  return list;
}

Precision refined(Precision p, const Refinement& refinement) {
  if (const auto* t = std::get_if<TrackCell>(&refinement)) {
    p.components[t->component].tracked.push_back(t->cell);
  } else {
    const auto& split = std::get<SplitParam>(refinement);
    p.splits.by_signal[split.signal.index()][split.param] = true;
  }
  return p;
}

std::string describe(const system::System& s, const Precision& p, const Refinement& refinement) {
  if (const auto* t = std::get_if<TrackCell>(&refinement))
    return fmt::format("control states of {} are split by {}", p.components[t->component].name,
                       s.cell(t->cell).name);
  const auto& split = std::get<SplitParam>(refinement);
  const system::Signal& signal = s.signal(split.signal);
  return fmt::format("messages {} are told apart by {}", signal.name,
                     split.param < signal.param_names.size() ? signal.param_names[split.param]
                                                             : fmt::format("parameter {}", split.param + 1));
}

}  // namespace parley::bounds
