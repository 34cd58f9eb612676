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

bool has_temporal_operator(const Formula& f) {
  switch (f.kind) {
    case Formula::Kind::Globally:
    case Formula::Kind::Finally:
    case Formula::Kind::Next:
    case Formula::Kind::Until:
    case Formula::Kind::WeakUntil:
    case Formula::Kind::Release:
    case Formula::Kind::Pattern:
      return true;
    case Formula::Kind::Predicate:
    case Formula::Kind::Event:
    case Formula::Kind::Not:
    case Formula::Kind::And:
    case Formula::Kind::Or:
    case Formula::Kind::Implies:
    case Formula::Kind::Iff:
    case Formula::Kind::Forall:
    case Formula::Kind::Exists:
      break;
  }
  return std::any_of(f.operands.begin(), f.operands.end(),
                     [](const FormulaPtr& o) { return has_temporal_operator(*o); });
}

bool has_event(const Formula& f) {
  return f.kind == Formula::Kind::Event ||
         std::any_of(f.operands.begin(), f.operands.end(), [](const FormulaPtr& o) { return has_event(*o); });
}

}  // namespace parley::model
