#include "model/vertex_names.hpp"

#include <algorithm>

namespace parley::model {
namespace {

// Whether the path's names are met, in order, on the way from the top to the vertex, the last being its own.
bool path_fits(const Machine& m, VertexId v, const std::vector<std::string>& path) {
  std::size_t left = path.size();
  if (left == 0 || m.vertex(v).name != path[--left]) return false;
  RegionId region = m.vertex(v).region;
  VertexId at = m.enclosing_state(v);
  if (m.vertex(v).owner_state.valid()) region = RegionId();
  while (left > 0 && (at.valid() || region.valid())) {
    if (region.valid() && !m.region(region).name.empty() && m.region(region).name == path[left - 1]) --left;
    if (left > 0 && at.valid() && m.vertex(at).name == path[left - 1]) --left;
    region = at.valid() ? m.vertex(at).region : RegionId();
    at = at.valid() ? m.enclosing_state(at) : VertexId();
  }
  return left == 0;
}

}  // namespace

VertexNames::VertexNames(const Machine& machine) : machine_(machine), in_region_(machine.regions.size()) {
  for (std::size_t i = 0; i < machine.vertices.size(); ++i) {
    const Vertex& v = machine.vertices[i];
    if (v.name.empty() || v.implicit) continue;
    const VertexId id(i);
    by_name_[v.name].push_back(id);
    if (v.owner_state.valid()) {
      points_[v.owner_state.value].push_back(id);
    } else if (v.region.valid()) {
      in_region_[v.region.index()].emplace(v.name, id);
    }
  }
}

VertexId VertexNames::child(VertexId state, RegionId region, const std::string& name) const {
  if (region.valid()) {
    const auto& names = in_region_[region.index()];
    const auto it = names.find(name);
    return it == names.end() ? VertexId() : it->second;
  }
  const std::vector<RegionId>& regions = state.valid() ? machine_.vertex(state).regions : machine_.top;
  if (state.valid()) {
    const auto it = points_.find(state.value);
    if (it != points_.end()) {
      for (const VertexId p : it->second) {
        if (machine_.vertex(p).name == name) return p;
      }
    }
  }
  for (const RegionId r : regions) {
    if (const VertexId v = child(state, r, name); v.valid()) return v;
  }
  return {};
}

// Follows the path's names from position `from` down from a state (or from one of its regions).
VertexId VertexNames::descend(VertexId state, RegionId region, const std::vector<std::string>& path,
                              std::size_t from) const {
  for (std::size_t i = from; i < path.size(); ++i) {
    const VertexId next = child(state, region, path[i]);
    if (next.valid()) {
      state = next;
      region = RegionId();
      if (i + 1 == path.size()) return next;
      continue;
    }
    if (region.valid() || i + 1 == path.size()) return {};
    const std::vector<RegionId>& regions = state.valid() ? machine_.vertex(state).regions : machine_.top;
    for (const RegionId r : regions) {
      if (machine_.region(r).name == path[i]) region = r;
    }
    if (!region.valid()) return {};
  }
  return {};
}

VertexId VertexNames::in_scope(VertexId state, RegionId region, const std::vector<std::string>& path) const {
  if (const VertexId v = descend(state, region, path, 0); v.valid()) return v;
  return region.valid() ? descend(state, RegionId(), path, 0) : VertexId();
}

std::vector<VertexId> VertexNames::find(VertexId from, const std::vector<std::string>& path) const {
  VertexId state = from;
  if (from.valid() && machine_.vertex(from).kind != VertexKind::State) state = machine_.enclosing_state(from);
  RegionId region;
  if (from.valid() && machine_.vertex(from).kind != VertexKind::State &&
      !machine_.vertex(from).owner_state.valid()) {
    region = machine_.vertex(from).region;
  }
  for (;;) {
    if (const VertexId v = in_scope(state, region, path); v.valid()) return {v};
    if (!state.valid()) break;
    region = machine_.vertex(state).region;
    state = machine_.enclosing_state(state);
  }
  std::vector<VertexId> result;
  if (const auto it = by_name_.find(path.back()); it != by_name_.end()) {
    for (const VertexId v : it->second) {
      if (path_fits(machine_, v, path)) result.push_back(v);
    }
  }
  return result;
}

std::vector<std::string> VertexNames::path_to(VertexId from, VertexId vertex) const {
  const auto means = [&](const std::vector<std::string>& path) {
    const std::vector<VertexId> found = find(from, path);
    return found.size() == 1 && found[0] == vertex;
  };
  std::vector<std::string> path{machine_.vertex(vertex).name};
  if (path[0].empty()) return {};
  if (means(path)) return path;
  for (VertexId at = vertex; at.valid();) {
    const RegionId region = machine_.vertex(at).region;
    const bool point = machine_.vertex(at).owner_state.valid();
    if (!point && region.valid() && !machine_.region(region).name.empty()) {
      std::vector<std::string> longer = path;
      longer.insert(longer.begin(), machine_.region(region).name);
      if (means(longer)) return longer;
    }
    at = machine_.enclosing_state(at);
    if (!at.valid()) break;
    path.insert(path.begin(), machine_.vertex(at).name);
    if (means(path)) return path;
  }
  return {};
}

const std::vector<std::string>& VertexNames::all_names() const {
  std::vector<std::string>& names = all_names_;
  if (!names.empty()) return names;
  for (const Vertex& v : machine_.vertices) {
    if (!v.name.empty() && !v.implicit) names.push_back(v.name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace parley::model
