// Dependencies between cycles that come from the shape of the control-flow graph: section 5 of [leue2005].
// Cycles are neighbours when they share a node; two cycles can only both be repeated for ever if a connected
// set of cycles around them is. Works on the neighbour relation alone, so that tests can write the paper's
// figures down directly.
#pragma once

#include <optional>
#include <vector>

#include "bounds/flow_graph.hpp"

namespace parley::bounds::published {

// neighbours[i]: sorted cycles that share a node with cycle i (not i itself).
using Neighbours = std::vector<std::vector<std::uint32_t>>;
Neighbours neighbours(const FlowGraph& graph, const std::vector<CycleRun>& cycles);

// Whether the set can be traversed through its own cycles only.
bool self_connected(const Neighbours& neighbours, const std::vector<std::uint32_t>& cycles);

// The smallest self-connected sets that contain both (none can lose a member), each sorted; at most `limit`,
// and nothing (as opposed to an empty list) if there are more.
std::optional<std::vector<std::vector<std::uint32_t>>> connecting_sets(const Neighbours& neighbours,
                                                                       std::uint32_t a, std::uint32_t b,
                                                                       std::size_t limit);

// The coarser method: layers of neighbours around a and around b until they touch; from each layer at least
// one cycle must run. Empty: the layers never touch.
std::vector<std::vector<std::uint32_t>> connecting_layers(const Neighbours& neighbours, std::uint32_t a,
                                                          std::uint32_t b);

}  // namespace parley::bounds::published
