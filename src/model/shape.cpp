#include "model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/show.hpp"

namespace parley::model {

Shape::Shape(const Model& model, const Machine& machine, diag::Diagnostics& diagnostics)
    : model_(model),
      m_(machine),
      d_(diagnostics),
      out_(machine.vertices.size()),
      in_(machine.vertices.size()),
      depth_(machine.vertices.size(), 0) {
  for (std::size_t i = 0; i < m_.transitions.size(); ++i) {
    const Transition& t = m_.transitions[i];
    if (t.source.valid()) out_[t.source.index()].push_back(TransitionId(i));
    if (t.target.valid() && t.kind != TransitionKind::Internal)
      in_[t.target.index()].push_back(TransitionId(i));
  }
  // Outer vertices come before the inner ones in text order, but not in every front end's.
  for (std::size_t i = 0; i < m_.vertices.size(); ++i) {
    std::uint32_t depth = 0;
    for (VertexId at = m_.enclosing_state(VertexId(i)); at.valid(); at = m_.enclosing_state(at)) {
      ++depth;
      if (at.index() < i) {
        depth += depth_[at.index()];
        break;
      }
    }
    depth_[i] = depth;
  }
}

void Shape::check() {
  regions();
  for (std::size_t i = 0; i < m_.vertices.size(); ++i) vertex(VertexId(i));
  default_entries();
  transition_kinds();
  cycles();
  reachability();
}

void Shape::error(const char* code, diag::Span span, std::string message, std::string hint) {
  d_.error(code, span, std::move(message), std::move(hint));
}

void Shape::warning(const char* code, diag::Span span, std::string message, std::string hint) {
  d_.warning(code, span, std::move(message), std::move(hint));
}

diag::Span Shape::place(VertexId v) const {
  const Vertex& x = m_.vertex(v);
  return x.name_span.valid() ? x.name_span : x.span;
}

std::string Shape::called(VertexId v) const {
  const Vertex& x = m_.vertex(v);
  const std::string word = x.kind == VertexKind::Final     ? "final state"
                           : x.kind == VertexKind::Initial ? "initial vertex"
                                                           : show_word(x.kind);
  return x.name.empty() ? "the " + word : fmt::format("the {} '{}'", word, x.name);
}

bool Shape::inside(VertexId v, VertexId state) const {
  while (v.valid() && depth_[v.index()] > depth_[state.index()]) v = m_.enclosing_state(v);
  return v == state;
}

bool Shape::inside_region(VertexId v, RegionId region) const {
  for (; v.valid(); v = m_.enclosing_state(v)) {
    if (m_.vertex(v).region == region && !m_.vertex(v).owner_state.valid()) return true;
  }
  return false;
}

bool Shape::sibling_regions(VertexId a, VertexId b) const {
  // Climb to the two vertices just below the innermost common state.
  while (depth_[a.index()] > depth_[b.index()]) a = m_.enclosing_state(a);
  while (depth_[b.index()] > depth_[a.index()]) b = m_.enclosing_state(b);
  if (a == b) return false;
  while (m_.enclosing_state(a) != m_.enclosing_state(b)) {
    a = m_.enclosing_state(a);
    b = m_.enclosing_state(b);
  }
  const bool points = m_.vertex(a).owner_state.valid() || m_.vertex(b).owner_state.valid();
  return a != b && !points && m_.vertex(a).region != m_.vertex(b).region;
}

void Shape::regions() {
  for (const Region& r : m_.regions) {
    VertexId first, histories[2];
    for (const VertexId v : r.vertices) {
      const VertexKind kind = m_.vertex(v).kind;
      const bool history = kind == VertexKind::ShallowHistory || kind == VertexKind::DeepHistory;
      if (kind != VertexKind::Initial && !history) continue;
      VertexId& known = history ? histories[kind == VertexKind::DeepHistory ? 1 : 0] : first;
      if (!known.valid()) {
        known = v;
        continue;
      }
      d_.error(history ? "duplicate-history" : "duplicate-initial", place(v),
               fmt::format("the region has a second {}", history ? show_word(kind) : "initial transition"))
          .related.push_back({place(known), "the first one"});
    }
    if (first.valid() || r.state.valid()) continue;
    if (r.vertices.empty()) {
      warning("empty-machine", r.span.valid() ? r.span : m_.span,
              fmt::format("the machine of '{}' has no states", m_.name));
    } else {
      error("missing-initial",
            m_.span.valid() ? diag::Span{m_.span.file, m_.span.begin, m_.span.begin + 7} : m_.span,
            fmt::format("the machine of '{}' does not say where it starts", m_.name),
            "add: initial -> someState;");
    }
  }
  region_names_unique(m_.top);
  for (const Vertex& v : m_.vertices) region_names_unique(v.regions);
}

void Shape::region_names_unique(const std::vector<RegionId>& list) {
  std::unordered_set<std::string> names;
  for (const RegionId r : list) {
    const Region& region = m_.region(r);
    if (region.name.empty() || names.insert(region.name).second) continue;
    error("duplicate-name", region.span, fmt::format("two regions are called '{}'", region.name));
  }
}

// A region that is entered without saying where should have an initial transition; without one it stays out
// (PSSM: RegionActivation.enter), which is rarely meant.
void Shape::default_entries() {
  for (std::size_t i = 0; i < m_.vertices.size(); ++i) {
    const VertexId state(i);
    for (const RegionId r : m_.vertex(state).regions) {
      const Region& region = m_.region(r);
      const bool has_initial = std::any_of(region.vertices.begin(), region.vertices.end(), [&](VertexId v) {
        return m_.vertex(v).kind == VertexKind::Initial;
      });
      const bool has_states = std::any_of(region.vertices.begin(), region.vertices.end(),
                                          [&](VertexId v) { return m_.vertex(v).kind == VertexKind::State; });
      if (has_initial || !has_states || in(state).empty()) continue;
      const std::string which = region.name.empty() ? "" : fmt::format(" (region '{}')", region.name);
      d_.warning("missing-initial", place(state),
                 fmt::format("{} is entered, but does not say where it starts{}", called(state), which),
                 "add: initial -> someState; or let the transitions name the inner state")
          .related.push_back({transition(in(state)[0]).target_span, "entered here"});
    }
  }
}

void Shape::transition_kinds() {
  for (const Transition& t : m_.transitions) {
    if (!t.source.valid() || !t.target.valid()) continue;
    const Vertex& source = m_.vertex(t.source);
    const Vertex& target = m_.vertex(t.target);
    if (t.kind == TransitionKind::Internal && source.kind != VertexKind::State) {
      error("internal-source", t.span, "only a state can have internal transitions");
      continue;
    }
    if (t.kind == TransitionKind::Internal) continue;
    if (t.kind == TransitionKind::Local) {
      const bool composite = source.kind == VertexKind::State && !source.regions.empty();
      const bool from_point = source.kind == VertexKind::EntryPoint;
      const VertexId around = from_point ? source.owner_state : t.source;
      // Inward from a composite state (or to its own points), or from inside to the state around.
      const bool inward = (composite || from_point) && inside(t.target, around);
      const bool outward =
          target.kind == VertexKind::State && t.source != t.target && inside(t.source, t.target);
      if (!inward && !outward) {
        error("local-target", t.target_span,
              "a local transition leads from a composite state to a state inside it, or from inside to that "
              "state",
              "leave out 'local'");
      }
    }
    if (target.kind == VertexKind::Initial) {
      error("target-initial", t.target_span, "no transition can lead to an initial vertex",
            "lead to the state itself");
    }
    const bool pseudo_join = target.kind == VertexKind::Join || source.kind == VertexKind::Fork;
    if (!pseudo_join && sibling_regions(t.source, t.target)) {
      error("crosses-regions", t.target_span.valid() ? t.target_span : t.span,
            "the transition leads from one region of a state into another",
            "lead to the surrounding state, or use a fork or join");
    }
  }
}

// A chain of pseudostates and default entries that comes back to itself would never end.
void Shape::cycles() {
  std::vector<std::uint8_t> colour(m_.vertices.size(), 0);
  const auto next = [&](VertexId v) {
    std::vector<VertexId> result;
    const Vertex& x = m_.vertex(v);
    if (x.kind == VertexKind::State) {
      for (const RegionId r : x.regions) {
        for (const VertexId w : m_.region(r).vertices) {
          if (m_.vertex(w).kind == VertexKind::Initial) result.push_back(w);
        }
      }
    } else if (x.kind != VertexKind::Join) {  // a join waits for the others
      for (const TransitionId t : out(v)) {
        if (transition(t).target.valid()) result.push_back(transition(t).target);
      }
    }
    return result;
  };
  struct Frame {
    VertexId v;
    std::vector<VertexId> next;
    std::size_t at = 0;
  };
  for (std::size_t i = 0; i < m_.vertices.size(); ++i) {
    if (colour[i] != 0) continue;
    std::vector<Frame> stack;
    stack.push_back({VertexId(i), next(VertexId(i)), 0});
    colour[i] = 1;
    while (!stack.empty()) {
      Frame& f = stack.back();
      if (f.at == f.next.size()) {
        colour[f.v.index()] = 2;
        stack.pop_back();
        continue;
      }
      const VertexId w = f.next[f.at++];
      if (colour[w.index()] == 1) {
        std::string way;
        bool on = false;
        for (const Frame& g : stack) {
          on = on || g.v == w;
          if (on && way.size() < 200) way += m_.path(g.v) + " -> ";
        }
        error("pseudostate-cycle", place(w),
              fmt::format("the transitions go round without reaching a state: {}{}", way, m_.path(w)));
      } else if (colour[w.index()] == 0) {
        colour[w.index()] = 1;
        stack.push_back({w, next(w), 0});
      }
    }
  }
}

// Vertices that no path of transitions reaches, guards and triggers taken as possible.
void Shape::reachability() {
  if (d_.has_errors()) return;
  std::vector<bool> active(m_.vertices.size(), false);
  std::vector<VertexId> work;
  const auto reach = [&](VertexId v) {
    if (active[v.index()]) return;
    active[v.index()] = true;
    work.push_back(v);
  };
  const auto enter_default = [&](const std::vector<RegionId>& regions) {
    for (const RegionId r : regions) {
      for (const VertexId v : m_.region(r).vertices) {
        if (m_.vertex(v).kind == VertexKind::Initial) reach(v);
      }
    }
  };
  enter_default(m_.top);
  while (!work.empty()) {
    const VertexId v = work.back();
    work.pop_back();
    for (const TransitionId t : out(v)) {
      if (transition(t).target.valid()) reach(transition(t).target);
    }
    const Vertex& x = m_.vertex(v);
    if (x.kind == VertexKind::State) enter_default(x.regions);
    if ((x.kind == VertexKind::ShallowHistory || x.kind == VertexKind::DeepHistory) && out(v).empty() &&
        x.region.valid()) {
      enter_default({x.region});
    }
    if (const VertexId outer = m_.enclosing_state(v); outer.valid()) reach(outer);
  }
  for (std::size_t i = 0; i < m_.vertices.size(); ++i) {
    const Vertex& x = m_.vertices[i];
    if (active[i] || x.implicit) continue;
    const VertexId outer = m_.enclosing_state(VertexId(i));
    if (outer.valid() && !active[outer.index()]) continue;  // said of the outer state
    warning("unreachable-vertex", place(VertexId(i)),
            fmt::format("no transition leads to {}", called(VertexId(i))));
  }
}

}  // namespace parley::model
