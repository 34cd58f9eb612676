// Heaviest paths from the initial nodes of a component under given edge weights, or a cycle that gains weight
// (Bellman and Ford, with the parent graph searched for cycles after each round). Used by weights.cpp only; a
// template because nearly all weights fit 64 bits and the rest need GMP.
#pragma once

#include <vector>

#include "bounds/flow_graph.hpp"

namespace parley::bounds {

template <class Number>
struct PathResult {
  std::vector<std::uint32_t> gaining_cycle;  // edges in order; empty: distances are final
  std::vector<Number> distance;              // by node
  std::vector<std::int64_t> parent;          // edge that last improved the node, -1 at initial nodes

  std::vector<std::uint32_t> path_to(const Component& c, std::uint32_t node) const {
    std::vector<std::uint32_t> path;
    for (std::int64_t e = parent[node]; e >= 0; e = parent[c.edges[static_cast<std::size_t>(e)].from])
      path.push_back(static_cast<std::uint32_t>(e));
    return {path.rbegin(), path.rend()};
  }
};

template <class Number>
std::vector<std::uint32_t> parent_cycle(const Component& c, const std::vector<std::int64_t>& parent) {
  std::vector<std::uint32_t> colour(c.nodes.size(), 0);  // 0 new, else the number of the walk that met it
  std::uint32_t walk = 0;
  for (std::uint32_t start = 0; start < c.nodes.size(); ++start) {
    if (colour[start] != 0) continue;
    ++walk;
    std::uint32_t node = start;
    while (colour[node] == 0 && parent[node] >= 0) {
      colour[node] = walk;
      node = c.edges[static_cast<std::size_t>(parent[node])].from;
    }
    if (colour[node] != walk || parent[node] < 0) {
      if (colour[node] == 0) colour[node] = walk;
      continue;
    }
    std::vector<std::uint32_t> cycle;
    std::uint32_t at = node;
    do {
      const auto e = static_cast<std::uint32_t>(parent[at]);
      cycle.push_back(e);
      at = c.edges[e].from;
    } while (at != node);
    return {cycle.rbegin(), cycle.rend()};
  }
  return {};
}

// Every node must be reachable from an initial one.
template <class Number>
PathResult<Number> heaviest_paths(const Component& c, const std::vector<Number>& weight) {
  PathResult<Number> r;
  r.distance.assign(c.nodes.size(), Number(0));
  r.parent.assign(c.nodes.size(), -1);
  std::vector<char> reached(c.nodes.size(), 0);
  for (std::uint32_t i : c.initial) reached[i] = 1;
  bool changed = true;
  Number candidate;
  while (changed) {
    changed = false;
    for (std::uint32_t e = 0; e < c.edges.size(); ++e) {
      const Edge& edge = c.edges[e];
      if (!reached[edge.from]) continue;
      candidate = r.distance[edge.from] + weight[e];
      if (reached[edge.to] && candidate <= r.distance[edge.to]) continue;
      if (edge.from == edge.to) {
        r.gaining_cycle = {e};
        return r;
      }
      reached[edge.to] = 1;
      r.distance[edge.to] = candidate;
      r.parent[edge.to] = e;
      changed = true;
    }
    if (changed) {
      r.gaining_cycle = parent_cycle<Number>(c, r.parent);
      if (!r.gaining_cycle.empty()) return r;
    }
  }
  return r;
}

}  // namespace parley::bounds
