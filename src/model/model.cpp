#include "model/model.hpp"

#include <algorithm>

#include "model/show.hpp"

namespace parley::model {

VertexId Machine::add(Vertex v) {
  const VertexId id(vertices.size());
  if (v.region.valid()) regions[v.region.index()].vertices.push_back(id);
  vertices.push_back(std::move(v));
  return id;
}

RegionId Machine::add(Region r) {
  const RegionId id(regions.size());
  if (r.state.valid()) {
    vertices[r.state.index()].regions.push_back(id);
  } else {
    top.push_back(id);
  }
  regions.push_back(std::move(r));
  return id;
}

VertexId Machine::enclosing_state(VertexId v) const {
  const Vertex& x = vertex(v);
  if (x.owner_state.valid()) return x.owner_state;
  return x.region.valid() ? region(x.region).state : VertexId();
}

std::string Machine::path(VertexId v) const {
  std::vector<std::string> names;
  for (VertexId at = v; at.valid(); at = enclosing_state(at)) {
    const Vertex& x = vertex(at);
    names.push_back(x.name.empty() ? show_word(x.kind) : x.name);
  }
  std::string result;
  for (auto it = names.rbegin(); it != names.rend(); ++it) {
    if (!result.empty()) result += '.';
    result += *it;
  }
  return result;
}

}  // namespace parley::model
