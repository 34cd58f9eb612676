#include "bounds/flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::bounds {

void add_to(Effect& effect, std::uint32_t kind, std::int64_t amount) {
  if (amount == 0) return;
  const auto at = std::lower_bound(effect.begin(), effect.end(), kind,
                                   [](const auto& entry, std::uint32_t k) { return entry.first < k; });
  if (at == effect.end() || at->first != kind) {
    effect.insert(at, {kind, amount});
    return;
  }
  at->second += amount;
  if (at->second == 0) effect.erase(at);
}

void add_to(Effect& effect, const Effect& other, std::int64_t times) {
  for (const auto& [kind, amount] : other) add_to(effect, kind, amount * times);
}

std::size_t FlowGraph::edge_count() const {
  std::size_t n = 0;
  for (const Component& c : components) n += c.edges.size();
  return n;
}

std::size_t FlowGraph::node_count() const {
  std::size_t n = 0;
  for (const Component& c : components) n += c.nodes.size();
  return n;
}

std::vector<std::uint32_t> FlowGraph::kinds_of(system::QueueId queue) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t k = 0; k < kinds.size(); ++k)
    if (kinds[k].sort == KindSort::Message && kinds[k].queue == queue) found.push_back(k);
  return found;
}

std::string show_cycle(const Component& component, const std::vector<std::uint32_t>& edges) {
  std::string text;
  for (std::uint32_t e : edges) text += component.nodes[component.edges[e].from] + " -> ";
  if (!edges.empty()) text += component.nodes[component.edges[edges.back()].to];
  return text;
}

std::string show_effect(const FlowGraph& graph, const Effect& effect) {
  std::string text;
  for (const auto& [kind, amount] : effect) {
    if (graph.kinds[kind].sort != KindSort::Message) continue;
    text += fmt::format("{}{:+} {}", text.empty() ? "" : ", ", amount, graph.kinds[kind].name);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace parley::bounds
