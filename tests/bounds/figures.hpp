// The control-flow graphs of the figures of [leue2005], written by hand.
#pragma once

#include "bounds/flow_graph.hpp"

namespace parley::bounds::testing {

inline std::uint32_t message(FlowGraph& g, const std::string& name, std::size_t queue) {
  Kind k;
  k.name = name;
  k.queue = system::QueueId(queue);
  g.kinds.push_back(k);
  return static_cast<std::uint32_t>(g.kinds.size() - 1);
}

inline Component& component(FlowGraph& g, const std::string& name, std::size_t nodes) {
  Component c;
  c.name = name;
  for (std::size_t i = 0; i < nodes; ++i) c.nodes.push_back("s" + std::to_string(i));
  c.initial = {0};
  g.components.push_back(c);
  return g.components.back();
}

inline void edge(Component& c, std::uint32_t from, std::uint32_t to, Effect effect = {}) {
  c.edges.push_back({from, to, std::move(effect), {}, {}});
}

// Figure 3: Left and Right of Figure 1 with effects, code left out. Kinds: a (0), b (1).
inline FlowGraph figure3() {
  FlowGraph g;
  message(g, "a", 0);
  message(g, "b", 1);
  Component& left = component(g, "Left", 2);
  edge(left, 0, 1, {{1, -1}});
  edge(left, 1, 0, {{0, 1}});
  Component& right = component(g, "Right", 1);
  edge(right, 0, 0, {{1, 1}});
  edge(right, 0, 0, {{0, -1}});
  return g;
}

// The same with Right's control state split by x: 0 sends b, 1 receives a.
inline FlowGraph figure3_split() {
  FlowGraph g = figure3();
  g.components.pop_back();
  Component& right = component(g, "Right", 2);
  edge(right, 0, 1, {{1, 1}});
  edge(right, 1, 0, {{0, -1}});
  return g;
}

// Figure 11: C1 and C2 with the bridges C3-C4 and C5. Nodes: C1 at {0}, C2 at {1}; C3 = 0-2-0, C4 = 2-1-2,
// C5 = 0-3-1-4-0 shares a node with both.
inline FlowGraph figure11() {
  FlowGraph g;
  Component& c = component(g, "P", 5);
  edge(c, 0, 0);  // C1
  edge(c, 1, 1);  // C2
  edge(c, 0, 2);  // C3
  edge(c, 2, 0);
  edge(c, 2, 1);  // C4
  edge(c, 1, 2);
  edge(c, 0, 3);  // C5
  edge(c, 3, 1);
  edge(c, 1, 4);
  edge(c, 4, 0);
  return g;
}

}  // namespace parley::bounds::testing
