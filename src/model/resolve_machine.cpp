#include <fmt/format.h>

#include <algorithm>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {

void Resolver::machine(Class& c, ClassId id) {
  if (!c.machine) return;
  Machine& m = *c.machine;
  vertex_names_unique(m);
  names_.emplace(id.value, VertexNames(m));
  targets(m);
  for (Vertex& v : m.vertices) {
    deferred(v);
    for (Behaviour* b : {&v.entry, &v.exit, &v.do_activity}) {
      Scope scope;
      scope.of_class = id;
      behaviour(*b, scope);
    }
  }
  for (Transition& t : m.transitions) transition(m, t, id);
  shape(m, id);
}

void Resolver::vertex_names_unique(Machine& m) {
  const auto duplicate = [&](const Vertex& v, const Vertex& first) {
    d_.error("duplicate-name", v.name_span,
             fmt::format("there is another '{}' beside this {}", v.name, show_word(v.kind)))
        .related.push_back({first.name_span, "the first one"});
  };
  for (const Region& r : m.regions) {
    std::unordered_map<std::string, VertexId> seen;
    for (const VertexId id : r.vertices) {
      const Vertex& v = m.vertex(id);
      if (v.name.empty() || v.implicit || v.owner_state.valid()) continue;
      const auto [it, fresh] = seen.emplace(v.name, id);
      if (!fresh) duplicate(v, m.vertex(it->second));
    }
  }
  std::unordered_map<std::string, VertexId> points;
  for (std::size_t i = 0; i < m.vertices.size(); ++i) {
    const Vertex& v = m.vertices[i];
    if (!v.owner_state.valid()) continue;
    const auto [it, fresh] = points.emplace(fmt::format("{}.{}", v.owner_state.value, v.name), VertexId(i));
    if (!fresh) duplicate(v, m.vertex(it->second));
  }
}

void Resolver::targets(Machine& m) {
  const VertexNames names(m);
  // One final and one terminate vertex per region stand for all targets spelled so.
  std::unordered_map<std::uint64_t, VertexId> implicit;
  const auto key = [](RegionId region, VertexKind kind) {
    return static_cast<std::uint64_t>(region.value) << 8 | static_cast<std::uint64_t>(kind);
  };
  for (std::size_t i = 0; i < m.vertices.size(); ++i) {
    if (m.vertices[i].implicit) implicit.emplace(key(m.vertices[i].region, m.vertices[i].kind), VertexId(i));
  }
  for (Transition& t : m.transitions) {
    if (t.kind == TransitionKind::Internal) {
      t.target = t.source;
      continue;
    }
    if (t.target_name.empty()) continue;  // set by the front end
    if (t.target_name == "final" || t.target_name == "terminate") {
      const VertexKind kind = t.target_name == "final" ? VertexKind::Final : VertexKind::Terminate;
      const RegionId region = m.vertex(t.source).region;
      VertexId& known = implicit[key(region, kind)];
      if (!known.valid()) {
        Vertex v;
        v.kind = kind;
        v.name = show_word(kind);
        v.region = region;
        v.implicit = true;
        v.span = v.name_span = t.target_span;
        known = m.add(std::move(v));
      }
      t.target = known;
      continue;
    }
    const std::vector<VertexId> found = names.find(t.source, split_path(t.target_name));
    if (found.size() == 1) {
      t.target = found[0];
    } else if (found.empty()) {
      error_unknown("unknown-state", t.target_span, "state", t.target_name, names.all_names(),
                    fmt::format("class '{}' has no such state", m.name));
    } else {
      error("ambiguous-state", t.target_span,
            fmt::format("'{}' may be {} or {}", t.target_name, m.path(found[0]), m.path(found[1])),
            "write the path from the outer state");
    }
  }
}

void Resolver::deferred(Vertex& v) {
  v.deferred.clear();
  for (std::size_t i = 0; i < v.defers.size(); ++i) {
    const Span span = i < v.defer_spans.size() ? v.defer_spans[i] : v.span;
    const SignalDeclId s = signal(v.defers[i], span);
    if (!s.valid()) continue;
    if (std::find(v.deferred.begin(), v.deferred.end(), s) != v.deferred.end()) {
      d_.warning("deferred-twice", span, fmt::format("'{}' is deferred twice in this state", v.defers[i]));
      continue;
    }
    v.deferred.push_back(s);
  }
}

void Resolver::transition(Machine&, Transition& t, ClassId id) {
  Scope scope;
  scope.of_class = id;
  if (t.triggers.size() > kMaxTriggers) {
    error("too-many", t.triggers[kMaxTriggers].span, fmt::format("more than {} triggers", kMaxTriggers));
    return;
  }
  for (Trigger& g : t.triggers) trigger(g, scope, id);
  bind_parameters(t, scope);
  if (t.guard) {
    scope.pure = true;
    want(*t.guard, TypeTag::Bool, scope, "a guard");
    scope.pure = false;
  }
  behaviour(t.effect, scope);
}

void Resolver::trigger(Trigger& g, Scope& scope, ClassId id) {
  switch (g.kind) {
    case TriggerKind::Signal: {
      g.signal = signal(g.name, g.span);
      if (!g.signal.valid()) return;
      received_[g.signal.index()] = true;
      const SignalDecl& s = m_.signals[g.signal.index()];
      if (!g.parameters.empty() && g.parameters.size() != s.parameters.size()) {
        error("parameter-count", g.span,
              fmt::format("signal '{}' carries {} value{}, but {} {} named", s.name, s.parameters.size(),
                          s.parameters.size() == 1 ? "" : "s", g.parameters.size(),
                          g.parameters.size() == 1 ? "is" : "are"),
              "name all of them or none");
      }
      return;
    }
    case TriggerKind::After: {
      const auto ticks = constant_value(*g.value, TypeTag::Int, scope, "the number of ticks");
      if (ticks && *ticks < 1) error("out-of-range", g.value->span, "a time event needs at least one tick");
      return;
    }
    case TriggerKind::Change:
      scope.pure = true;
      want(*g.value, TypeTag::Bool, scope, "the condition of 'when'");
      scope.pure = false;
      return;
    case TriggerKind::Timeout: {
      const auto found = find_attribute(id, g.name);
      if (found && attribute(found->second, found->first).type.resolved.tag == TypeTag::Timer) {
        g.timer = found->first;
        attribute_used_.insert(&attribute(found->second, found->first));
        return;
      }
      std::vector<std::string> known;
      for (const Attribute* a : all_attributes(m_, id)) {
        if (a->type.resolved.tag == TypeTag::Timer) known.push_back(a->name);
      }
      error_unknown("unknown-timer", g.span, "timer", g.name, known,
                    "declare it as an attribute: timer(30) t;");
      return;
    }
    case TriggerKind::AnySignal:
      for (std::size_t i = 0; i < received_.size(); ++i) received_[i] = true;
      return;
    case TriggerKind::None:
      return;
  }
}

// Names for the message's values. With several triggers a name is usable if each binds it at the same place.
void Resolver::bind_parameters(Transition& t, Scope& scope) {
  for (const Trigger& g : t.triggers) {
    if (!g.signal.valid()) continue;
    const SignalDecl& s = m_.signals[g.signal.index()];
    for (std::size_t i = 0; i < g.parameters.size() && i < s.parameters.size(); ++i) {
      const std::string& name = g.parameters[i];
      Variable* known = find(scope, name);
      if (known != nullptr && known->span == g.span) {
        error("duplicate-name", g.span, fmt::format("two values are called '{}'", name));
        continue;
      }
      if (known != nullptr) continue;
      Variable v;
      v.name = name;
      v.type = s.parameters[i].type.resolved;
      v.index = static_cast<std::uint32_t>(i);
      v.symbol = SymbolKind::Parameter;
      v.span = g.span;
      for (const Trigger& other : t.triggers) {
        const SignalDecl* o = other.signal.valid() ? &m_.signals[other.signal.index()] : nullptr;
        const bool same = o != nullptr && i < other.parameters.size() && i < o->parameters.size() &&
                          other.parameters[i] == name && o->parameters[i].type.resolved.tag == v.type.tag &&
                          o->parameters[i].type.resolved.enumeration == v.type.enumeration &&
                          o->parameters[i].type.resolved.of_class == v.type.of_class;
        if (!same) {
          v.usable = false;
        } else {
          v.type.lo = std::min(v.type.lo, o->parameters[i].type.resolved.lo);
          v.type.hi = std::max(v.type.hi, o->parameters[i].type.resolved.hi);
        }
      }
      if (find_attribute(scope.of_class, name)) {
        d_.warning("shadowed", g.span,
                   fmt::format("the parameter '{}' hides the attribute of that name", name),
                   "rename one of them");
      }
      scope.variables.push_back(std::move(v));
    }
  }
}

}  // namespace parley::model
