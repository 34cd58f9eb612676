#include "lower/machine.hpp"

#include <algorithm>
#include <set>

namespace parley::lower {

using model::TransitionKind;
using model::TriggerKind;

MachineInfo::MachineInfo(const model::Model& model, ClassId of_class)
    : machine_(&*model.of(of_class).machine), class_(of_class) {
  const std::size_t vertices = m().vertices.size();
  outgoing_.resize(vertices);
  incoming_.resize(vertices);
  has_completion_.resize(vertices);
  arms_.resize(vertices);
  initial_.resize(m().regions.size());
  for (std::size_t i = 0; i < m().transitions.size(); ++i) {
    const model::Transition& t = m().transitions[i];
    outgoing_[t.source.index()].push_back(TransitionId(i));
    incoming_[t.target.index()].push_back(TransitionId(i));
    if (is_completion(TransitionId(i))) has_completion_[t.source.index()] = true;
  }
  for (std::size_t r = 0; r < m().regions.size(); ++r)
    for (VertexId v : m().regions[r].vertices)
      if (m().vertex(v).kind == VertexKind::Initial && !initial_[r].valid()) initial_[r] = v;
  number_locations();
  find_joins();
  find_history();
  std::vector<VertexId> completing;
  for (std::size_t v = 0; v < vertices; ++v)
    if (has_completion_[v]) completing.push_back(VertexId(v));
  for (std::size_t a = 0; a < completing.size() && !completion_needs_order_; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const VertexId x = completing[a], y = completing[b];
      if (contains(x, y) || contains(y, x)) continue;
      const auto px = path(x), py = path(y);
      const auto [ix, iy] = std::mismatch(px.begin(), px.end(), py.begin(), py.end());
      // They part inside a common state: in different regions of it, so both may be active.
      if (ix != px.end() && iy != py.end() && ix->region.valid()) completion_needs_order_ = true;
    }
}

VertexId MachineInfo::home(VertexId v) const {
  if (is_point(v)) return m().vertex(v).owner_state;
  return m().region(m().vertex(v).region).state;
}

bool MachineInfo::contains(VertexId outer, VertexId inner) const {
  for (VertexId s = home(inner); s.valid(); s = home(s))
    if (s == outer) return true;
  return false;
}

std::vector<PathItem> MachineInfo::path(VertexId v) const {
  std::vector<PathItem> items;
  VertexId state = is_point(v) ? m().vertex(v).owner_state : VertexId{};
  if (!state.valid()) {
    items.push_back({m().vertex(v).region, {}});
    state = m().region(m().vertex(v).region).state;
  }
  for (; state.valid(); state = home(state)) {
    items.push_back({{}, state});
    items.push_back({m().vertex(state).region, {}});
  }
  std::reverse(items.begin(), items.end());
  return items;
}

std::vector<VertexId> MachineInfo::states(RegionId r) const {
  std::vector<VertexId> result;
  for (VertexId v : location_vertices_[r.index()])
    if (v.valid()) result.push_back(v);
  return result;
}

void MachineInfo::number_locations() {
  const std::size_t regions = m().regions.size();
  location_.assign(m().vertices.size(), 0);
  location_names_.resize(regions);
  location_vertices_.resize(regions);
  completed_location_.assign(regions, 0);
  bool terminates = false;
  for (std::size_t r = 0; r < regions; ++r) {
    location_names_[r] = {"–"};
    location_vertices_[r] = {VertexId{}};
    for (VertexId v : m().regions[r].vertices) {
      const model::Vertex& vertex = m().vertex(v);
      if (vertex.kind == VertexKind::Terminate) terminates = true;
      if (vertex.kind != VertexKind::State && vertex.kind != VertexKind::Final) continue;
      location_[v.index()] = static_cast<std::uint32_t>(location_names_[r].size());
      location_names_[r].push_back(vertex.name.empty() ? "final" : vertex.name);
      location_vertices_[r].push_back(v);
    }
  }
  const auto extra = [&](RegionId r, std::string name) {
    location_names_[r.index()].push_back(std::move(name));
    location_vertices_[r.index()].push_back(VertexId{});
    return static_cast<std::uint32_t>(location_names_[r.index()].size() - 1);
  };
  for (const model::Transition& t : m().transitions) {
    if (t.kind != TransitionKind::Local || !is_state(t.target) || !contains(t.target, t.source)) continue;
    const auto way = path(t.source);
    const auto at = std::find(way.begin(), way.end(), PathItem{{}, t.target});
    if (at == way.end() || at + 1 == way.end()) continue;  // from a connection point of the state itself
    const RegionId r = (at + 1)->region;
    if (completed_location_[r.index()] == 0) completed_location_[r.index()] = extra(r, "(completed)");
  }
  if (terminates && !m().top.empty()) terminated_location_ = extra(m().top.front(), "(terminated)");
}

void MachineInfo::find_joins() {
  for (std::size_t i = 0; i < m().vertices.size(); ++i) {
    const VertexId v(i);
    const VertexKind kind = m().vertex(v).kind;
    if (kind != VertexKind::Join && kind != VertexKind::ExitPoint) continue;
    // The arms rest in the regions in which the sources' paths part: the regions of the joined state.
    std::vector<std::vector<PathItem>> ways;
    for (TransitionId t : incoming(v)) ways.push_back(path(m().transition(t).source));
    std::size_t common = ways.empty() ? 0 : ways.front().size();
    for (const auto& way : ways)
      common = std::min<std::size_t>(
          common, static_cast<std::size_t>(
                      std::mismatch(way.begin(), way.end(), ways.front().begin(), ways.front().end()).first -
                      way.begin()));
    std::set<RegionId> regions;
    std::vector<JoinArm> arms;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      if (common >= ways[k].size() || !ways[k][common].region.valid()) break;
      regions.insert(ways[k][common].region);
      arms.push_back({incoming(v)[k], ways[k][common].region, 0});
    }
    if (arms.size() != ways.size() || regions.size() < 2) continue;  // nothing to wait for: a junction
    for (JoinArm& arm : arms) {
      const auto same = std::find_if(arms.begin(), arms.end(), [&](const JoinArm& a) {
        return a.region == arm.region && a.location != 0;
      });
      if (same != arms.end()) {
        arm.location = same->location;
        continue;
      }
      location_names_[arm.region.index()].push_back("(at " + m().vertex(v).name + ")");
      location_vertices_[arm.region.index()].push_back(VertexId{});
      arm.location = static_cast<std::uint32_t>(location_names_[arm.region.index()].size() - 1);
    }
    arms_[i] = std::move(arms);
  }
}

void MachineInfo::find_history() {
  keeps_history_.assign(m().regions.size(), false);
  std::vector<RegionId> deep;
  for (std::size_t r = 0; r < m().regions.size(); ++r)
    for (VertexId v : m().regions[r].vertices) {
      const VertexKind kind = m().vertex(v).kind;
      if (kind == VertexKind::ShallowHistory || kind == VertexKind::DeepHistory) keeps_history_[r] = true;
      if (kind == VertexKind::DeepHistory) deep.push_back(RegionId(r));
    }
  while (!deep.empty()) {
    const RegionId r = deep.back();
    deep.pop_back();
    for (VertexId v : m().region(r).vertices)
      for (RegionId inner : m().vertex(v).regions) {
        keeps_history_[inner.index()] = true;
        deep.push_back(inner);
      }
  }
}

bool MachineInfo::is_completion(TransitionId id) const {
  const model::Transition& t = m().transition(id);
  if (!is_state(t.source) || t.kind == TransitionKind::Internal) return false;
  return std::all_of(t.triggers.begin(), t.triggers.end(),
                     [](const model::Trigger& x) { return x.kind == TriggerKind::None; });
}

bool MachineInfo::completes_on_entry(VertexId state) const {
  const auto& regions = m().vertex(state).regions;
  return std::none_of(regions.begin(), regions.end(), [&](RegionId r) { return initial(r).valid(); });
}

bool MachineInfo::completion_is_total(VertexId state) const {
  for (TransitionId id : outgoing(state)) {
    const model::Transition& t = m().transition(id);
    if (!is_completion(id) || (t.guard && !t.is_else)) continue;
    const VertexKind target = m().vertex(t.target).kind;
    const bool may_be_stuck = target == VertexKind::Junction || is_point(t.target);
    if (!may_be_stuck) return true;
  }
  return false;
}

bool MachineInfo::is_fork(VertexId v) const {
  const VertexKind kind = m().vertex(v).kind;
  if (kind == VertexKind::Fork) return true;
  if (kind != VertexKind::EntryPoint || outgoing(v).size() < 2) return false;
  std::set<RegionId> regions;
  for (TransitionId t : outgoing(v)) {
    const auto way = path(m().transition(t).target);
    const auto at = std::find(way.begin(), way.end(), PathItem{{}, m().vertex(v).owner_state});
    if (at == way.end() || at + 1 == way.end()) return false;
    if (!regions.insert((at + 1)->region).second) return false;
  }
  return true;
}

std::string MachineInfo::name(VertexId v) const {
  const model::Vertex& vertex = m().vertex(v);
  const VertexId around = home(v);
  const auto within = [&](const char* word) {
    return around.valid() ? m().path(around) + "." + word : std::string(word);
  };
  if (vertex.kind == VertexKind::Initial && vertex.name.empty()) return within("initial");
  if (vertex.kind == VertexKind::Final && vertex.name.empty()) return within("final");
  if (vertex.kind == VertexKind::Terminate && vertex.name.empty()) return within("terminate");
  return m().path(v);
}

std::string MachineInfo::name(TransitionId id) const {
  const model::Transition& t = m().transition(id);
  std::string text = t.name.empty() ? "" : t.name + ": ";
  text += name(t.source);
  text += t.kind == TransitionKind::Internal ? " (internal)" : " -> " + name(t.target);
  std::string on;
  for (const model::Trigger& x : t.triggers) {
    std::string word;
    switch (x.kind) {
      case TriggerKind::None:
        continue;
      case TriggerKind::Signal:
        word = x.name;
        break;
      case TriggerKind::AnySignal:
        word = "any signal";
        break;
      case TriggerKind::After:
        word = "time";
        break;
      case TriggerKind::Timeout:
        word = "timeout " + x.name;
        break;
      case TriggerKind::Change:
        word = "change";
        break;
    }
    on += (on.empty() ? " on " : ", ") + word;
  }
  return text + on;
}

}  // namespace parley::lower
