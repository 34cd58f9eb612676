// From a System to the FlowGraph of the boundedness test, at a given precision; and back, from a flow edge to
// what was open when it was made, which is where refinement looks. Components are built once and kept while
// the precision of the others changes.
#pragma once

#include <memory>

#include "bounds/component_graph.hpp"
#include "bounds/flow_graph.hpp"

namespace parley::bounds {

struct Extraction {
  FlowGraph graph;
  // The last component may stand for the initial body (no ComponentGraph).
  std::vector<std::shared_ptr<const ComponentGraph>> components;
  // Flow edge e of component m was made from graph edge origin[m][e].
  std::vector<std::vector<std::uint32_t>> origin;
  Precision precision;
};

// Puts component graphs together: kinds, ledgers for actions that several components take part in, counters.
Extraction assemble(const SystemFacts& facts, const Precision& precision,
                    std::vector<std::shared_ptr<const ComponentGraph>> components);

// Everything at once; actions that turn out never to fire are buried, and what they wrote becomes constant.
// Throws TooWide.
Extraction extract(SystemFacts& facts, const Precision& precision, const GraphLimits& limits);

// What is known of a cell at a node.
std::optional<std::pair<std::int64_t, std::int64_t>> range_at(const Extraction& extraction,
                                                              std::uint32_t component, std::uint32_t node,
                                                              system::CellId cell);

// A cell's value where the component's graph begins, if it is known.
std::optional<std::int64_t> start_at(const Extraction& extraction, std::uint32_t component,
                                     system::CellId cell);

std::string show_class(const system::System& system, const MessageClass& m, const Splits& splits);

}  // namespace parley::bounds
