#include "bounds/published/structure.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace parley::bounds::published {

namespace {

std::set<std::uint32_t> nodes_of(const FlowGraph& g, const CycleRun& c) {
  std::set<std::uint32_t> nodes;
  for (std::uint32_t e : c.edges) nodes.insert(g.components[c.component].edges[e].from);
  return nodes;
}

bool contains(const std::vector<std::uint32_t>& list, std::uint32_t x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

}  // namespace

Neighbours neighbours(const FlowGraph& graph, const std::vector<CycleRun>& cycles) {
  Neighbours n(cycles.size());
  std::vector<std::set<std::uint32_t>> nodes;
  for (const CycleRun& c : cycles) nodes.push_back(nodes_of(graph, c));
  for (std::uint32_t i = 0; i < cycles.size(); ++i)
    for (std::uint32_t j = 0; j < cycles.size(); ++j)
      if (i != j && cycles[i].component == cycles[j].component &&
          std::any_of(nodes[i].begin(), nodes[i].end(),
                      [&](std::uint32_t x) { return nodes[j].contains(x); }))
        n[i].push_back(j);
  return n;
}

bool self_connected(const Neighbours& n, const std::vector<std::uint32_t>& cycles) {
  if (cycles.empty()) return true;
  std::vector<std::uint32_t> reached{cycles[0]};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::uint32_t x : n[reached[i]])
      if (contains(cycles, x) && !contains(reached, x)) reached.push_back(x);
  return reached.size() == cycles.size();
}

std::optional<std::vector<std::vector<std::uint32_t>>> connecting_sets(const Neighbours& n, std::uint32_t a,
                                                                       std::uint32_t b, std::size_t limit) {
  // A smallest connected set around two cycles is a path without chords.
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint32_t> path{a};
  bool complete = true;
  const std::function<void()> extend = [&] {
    for (std::uint32_t x : n[path.back()]) {
      if (!complete) return;
      bool chord = contains(path, x);
      for (std::size_t i = 0; i + 1 < path.size(); ++i) chord = chord || contains(n[path[i]], x);
      if (chord) continue;
      path.push_back(x);
      if (x == b) {
        if (sets.size() == limit) {
          complete = false;
        } else {
          sets.push_back(path);
          std::sort(sets.back().begin(), sets.back().end());
        }
      } else {
        extend();
      }
      path.pop_back();
    }
  };
  extend();
  if (!complete) return std::nullopt;
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

std::vector<std::vector<std::uint32_t>> connecting_layers(const Neighbours& n, std::uint32_t a,
                                                          std::uint32_t b) {
  std::vector<std::vector<std::uint32_t>> from_a{n[a]}, from_b{n[b]};
  std::vector<std::uint32_t> seen_a{a}, seen_b{b};
  while (true) {
    std::vector<std::uint32_t>&x = from_a.back(), &y = from_b.back();
    if (x.empty() || y.empty()) return {};
    seen_a.insert(seen_a.end(), x.begin(), x.end());
    seen_b.insert(seen_b.end(), y.begin(), y.end());
    for (std::uint32_t i : x)
      for (std::uint32_t j : y)
        if (i == j || contains(n[i], j)) {
          from_a.insert(from_a.end(), from_b.rbegin(), from_b.rend());
          return from_a;
        }
    const auto next = [&](const std::vector<std::uint32_t>& layer, const std::vector<std::uint32_t>& seen) {
      std::vector<std::uint32_t> list;
      for (std::uint32_t i : layer)
        for (std::uint32_t j : n[i])
          if (!contains(seen, j) && !contains(list, j)) list.push_back(j);
      std::sort(list.begin(), list.end());
      return list;
    };
    std::vector<std::uint32_t> nx = next(x, seen_a), ny = next(y, seen_b);
    from_a.push_back(std::move(nx));
    from_b.push_back(std::move(ny));
  }
}

}  // namespace parley::bounds::published
