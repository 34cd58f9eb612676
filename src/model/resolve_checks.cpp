#include <fmt/format.h>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {

void Resolver::checks() {
  std::unordered_map<std::string, Span> labels;
  for (CheckDecl& c : m_.checks) {
    if (!c.name.empty()) {
      const auto [it, fresh] = labels.emplace(c.name, c.span);
      if (!fresh) {
        d_.error("duplicate-name", c.span, fmt::format("two checks are called '{}'", c.name))
            .related.push_back({it->second, "the first one"});
      }
    }
    Scope scope = outside_scope();
    if (c.expression) want(*c.expression, TypeTag::Bool, scope, "what is checked");
    if (!c.formula) continue;
    formula(*c.formula, scope);
    if (!has_temporal_operator(*c.formula)) {
      d_.warning("checked-always", c.span,
                 "this formula has no temporal operator: it is checked in every state, as an invariant",
                 "write 'always' to say so, or 'eventually', 'until', … if something else is meant");
    }
  }
  for (FairnessDecl& d : m_.fairness) fairness(d);
}

void Resolver::formula(Formula& f, Scope& scope) {
  switch (f.kind) {
    case Formula::Kind::Predicate:
      want(*f.expression, TypeTag::Bool, scope, "a formula");
      return;
    case Formula::Kind::Event:
      event(*f.event, scope);
      return;
    case Formula::Kind::Forall:
    case Formula::Kind::Exists: {
      const std::size_t size = scope.variables.size();
      bind_objects(f.variable, f.variable_span, *f.expression, scope);
      formula(*f.operands[0], scope);
      scope.variables.resize(size);
      --scope.bound;
      return;
    }
    case Formula::Kind::Pattern:
      if (f.pattern->times) {
        Scope plain;
        const auto n = constant_value(*f.pattern->times, TypeTag::Int, plain, "how often it may happen");
        if (n && (*n < 0 || *n > static_cast<std::int32_t>(kMostTimes)))
          error("out-of-range", f.pattern->times->span,
                fmt::format("how often it may happen is a number from 0 to {}", kMostTimes));
        else if (n)
          f.pattern->most = static_cast<std::uint32_t>(*n);
      }
      break;
    case Formula::Kind::Not:
    case Formula::Kind::And:
    case Formula::Kind::Or:
    case Formula::Kind::Implies:
    case Formula::Kind::Iff:
    case Formula::Kind::Globally:
    case Formula::Kind::Finally:
    case Formula::Kind::Until:
    case Formula::Kind::WeakUntil:
    case Formula::Kind::Release:
    case Formula::Kind::Next:
      break;
  }
  for (FormulaPtr& o : f.operands) formula(*o, scope);
}

// `environment` and `clock`, unless the model has an object of that name.
bool Resolver::actor(EventAtom& e) {
  e.actor = EventAtom::Actor::Objects;
  if (e.object->kind != ExprKind::Name || objects_.contains(e.object->text)) return false;
  if (e.object->text == "environment") e.actor = EventAtom::Actor::Environment;
  if (e.object->text == "clock") e.actor = EventAtom::Actor::Clock;
  return e.actor != EventAtom::Actor::Objects;
}

void Resolver::event(EventAtom& e, Scope& scope) {
  const bool outside = actor(e);
  const EventKind kind = e.kind;
  if (e.actor == EventAtom::Actor::Clock || (outside && kind != EventKind::Sends)) {
    error("not-an-object", e.object->span, fmt::format("the {} {} nothing", e.object->text, show_word(kind)),
          "it has no queue and no transitions");
    return;
  }
  if (!outside) {
    object_or_family(*e.object, scope, "objects and families send, receive, discard and take transitions");
    const ModelType& t = e.object->type;
    if (t.tag == TypeTag::Ref && t.of_class.valid() && kind != EventKind::Sends &&
        !may_receive_[t.of_class.index()]) {
      error("passive-object", e.object->span,
            fmt::format("class '{}' has no machine", m_.of(t.of_class).name));
      return;
    }
  }
  if (kind == EventKind::Takes) return transition_label(e);
  e.signal = signal(e.name, e.name_span);
  if (e.to) object_or_family(*e.to, scope, "messages are sent to an object or to any of a family");
  if (!e.signal.valid()) return;
  const SignalDecl& decl = m_.signals[e.signal.index()];
  if (e.parameters.size() > decl.parameters.size()) {
    error("argument-count", e.name_span,
          fmt::format("signal '{}' carries {} value{}, not {}", decl.name, decl.parameters.size(),
                      decl.parameters.size() == 1 ? "" : "s", e.parameters.size()));
  }
  if (!e.where) return;
  Scope inside = scope;
  for (std::size_t i = 0; i < e.parameters.size() && i < decl.parameters.size(); ++i) {
    if (e.parameters[i] == "_") continue;
    Variable v;
    v.name = e.parameters[i];
    v.type = decl.parameters[i].type.resolved;
    v.index = static_cast<std::uint32_t>(i);
    v.symbol = SymbolKind::Parameter;
    v.span = e.name_span;
    inside.variables.push_back(std::move(v));
  }
  want(*e.where, TypeTag::Bool, inside, "the condition of 'where'");
}

// The object's class may have subclasses with machines of their own: one of them must have the label.
void Resolver::transition_label(const EventAtom& e) {
  const ModelType& t = e.object->type;
  if (t.tag != TypeTag::Ref || !t.of_class.valid()) return;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    if (!is_a(m_, ClassId(i), t.of_class)) continue;
    const ClassId machine = machine_class(m_, ClassId(i));
    if (!machine.valid()) continue;
    for (const Transition& x : m_.of(machine).machine->transitions) {
      if (x.name == e.name) return;
      if (!x.name.empty()) known.push_back(x.name);
    }
  }
  error_unknown("unknown-transition", e.name_span,
                fmt::format("transition of class '{}':", m_.of(t.of_class).name), e.name, known,
                known.empty() ? "transitions are named by labels: `retry: on timeout t -> idle;`" : "");
}

void Resolver::fairness(FairnessDecl& d) {
  if (d.of == FairnessDecl::Of::Scheduling) return;
  Scope scope = outside_scope();
  if (d.of == FairnessDecl::Of::Event) {
    if (d.event.where || d.event.to)
      error("fairness-of-data", d.event.span, "what is fair are steps, whatever they carry and to whom",
            "leave out 'where' and 'to'");
    return event(d.event, scope);
  }
  if (d.of == FairnessDecl::Of::Steps && actor(d.event)) return;
  object_or_family(*d.event.object, scope,
                   "fairness is of objects, of each of a family, of 'queue of o', or of what they do: "
                   "o receives s, o takes t");
}

}  // namespace parley::model
