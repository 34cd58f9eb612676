// The elementary cycles of a component, by Johnson's algorithm [johnson1975]: what the published boundedness
// test enumerates. Only for the paper's figures, for counting and for small graphs; the default test
// (weights.hpp) does without. Parallel edges make different cycles.
#pragma once

#include "bounds/flow_graph.hpp"

namespace parley::bounds {

struct CycleList {
  std::vector<CycleRun> cycles;  // times = 0
  bool complete = true;          // false: the limit was reached
};

CycleList elementary_cycles(const FlowGraph& graph, std::uint32_t component, std::size_t limit);
// Of all components, component by component.
CycleList elementary_cycles(const FlowGraph& graph, std::size_t limit);

// Number of the strongly connected component of each node, in reverse topological order.
std::vector<std::uint32_t> strong_components(const Component& component);

}  // namespace parley::bounds
