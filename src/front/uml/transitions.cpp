// Transitions: ends, kind, triggers, and guard and effect in the scope of what the triggers bring. Triggers
// whose values matter get a transition of their own.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/machine_draft.hpp"

namespace parley::front::uml {
namespace {

using model::VertexId;
using model::VertexKind;

bool mentions(const model::Expr& e, const std::string& name) {
  if (e.kind == model::ExprKind::Name && e.text == name) return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](const auto& o) { return mentions(*o, name); });
}
bool mentions(const model::Stmt& s, const std::string& name) {
  for (const auto* x : {&s.target, &s.value, &s.hi}) {
    if (*x != nullptr && mentions(**x, name)) return true;
  }
  if (std::any_of(s.args.begin(), s.args.end(), [&](const auto& a) { return mentions(*a, name); }))
    return true;
  return std::any_of(s.children.begin(), s.children.end(),
                     [&](const auto& c) { return c != nullptr && mentions(*c, name); });
}

model::Trigger copy(const model::Trigger& t) {
  model::Trigger result;
  result.kind = t.kind;
  result.name = t.name;
  result.parameters = t.parameters;
  if (t.value != nullptr) result.value = model::clone(*t.value);
  result.span = t.span;
  return result;
}

class TransitionReader {
 public:
  TransitionReader(Import& import, MachineDraft& draft)
      : import_(import), document_(import.document), redefinitions_(import), draft_(draft) {}

  void read(const Chain& chain, Expansion& expansion) {
    const Element& e = *chain.front();
    const VertexId source = end_of(chain, "source", expansion);
    const VertexId target = end_of(chain, "target", expansion);
    if (!source.valid() || !target.valid()) {
      const Element* from = redefinitions_.feature_of(chain, "source");
      const Element* to = redefinitions_.feature_of(chain, "target");
      if ((from != nullptr && draft_.skipped.contains(from)) ||
          (to != nullptr && draft_.skipped.contains(to))) {
        import_.leave_out(
            "transition at an excluded or unused vertex", e, redefinitions_.name_of(chain),
            fmt::format("the transition {} is not there: its end is excluded or unused", import_.label(e)));
        return;
      }
      const std::string outside = redefinitions_.outside_of(chain, source.valid() ? "target" : "source");
      if (outside.empty() && (from == nullptr || to == nullptr)) {
        // Drawn, and never tied to anything (Modelio, Papyrus).
        import_.leave_out("transition that hangs loose", e, redefinitions_.name_of(chain),
                          fmt::format("the transition {}, which has no {}, is not there", import_.label(e),
                                      from == nullptr ? "source" : "target"));
        import_.diagnostics.warning("uml-unconnected", e.span,
                                    fmt::format("transition {} has no {} and is left out", import_.label(e),
                                                from == nullptr ? "source" : "target"));
        return;
      }
      import_.reject_control(
          "transition without an end", e, outside,
          fmt::format("transition {} has no {} in its machine{}", import_.label(e),
                      source.valid() ? "target" : "source",
                      outside.empty() ? std::string() : fmt::format(" (it refers to `{}`)", outside)));
      return;
    }
    for (const auto* part : chain) import_.settle_fate(*part, Treatment::Read);
    model::Transition transition;
    transition.name = clean_name(redefinitions_.name_of(chain));
    transition.source = source;
    transition.target = target;
    transition.kind = kind_of(chain, source, target);
    transition.element_id = e.id;
    transition.span = transition.target_span = e.span;
    import_.read(transition.kind == model::TransitionKind::Internal ? "internal transition"
                 : transition.kind == model::TransitionKind::Local  ? "local transition"
                                                                    : "external transition");
    std::vector<EventTrigger> triggers;
    for (const auto* t : redefinitions_.triggers_of(chain)) {
      for (auto& x : read_trigger(import_, draft_.class_index, *t)) {
        const bool repeated = std::any_of(triggers.begin(), triggers.end(), [&](const EventTrigger& y) {
          return !x.key.empty() && y.key == x.key && y.port == x.port;
        });
        if (!repeated) triggers.push_back(std::move(x));
      }
    }
    const auto source_kind = draft_.machine.vertex(source).kind;
    if (source_kind == VertexKind::State) {
      ++import_.waiting_transitions;
      if (triggers.empty() && !transition.name.empty()) take_name_as_trigger(e, transition, triggers);
    }
    if (!triggers.empty() && source_kind != VertexKind::State && source_kind != VertexKind::Initial &&
        source_kind != VertexKind::ExitPoint) {
      // Not UML, and without effect in the tools that let it be drawn.
      import_.leave_out("trigger of a transition that leaves a pseudostate", e,
                        fmt::format("{} at a {}", redefinitions_.name_of(chain), kind_name(source_kind)),
                        fmt::format("the trigger of transition {}, which leaves a {}, means nothing",
                                    import_.label(e), kind_name(source_kind)));
      triggers.clear();
    }
    if (transition.kind == model::TransitionKind::Internal && triggers.empty()) {
      import_.leave_out(
          "internal transition without a trigger", e, redefinitions_.name_of(chain),
          fmt::format("the internal transition {} never fires: it has no trigger", import_.label(e)));
      return;
    }
    add_transition(chain, std::move(transition), std::move(triggers));
  }

 private:
  VertexId end_of(const Chain& chain, std::string_view feature, Expansion& expansion) {
    const Element* e = redefinitions_.feature_of(chain, feature);
    if (e == nullptr) return {};
    const auto it = expansion.vertices.find(e);
    return it == expansion.vertices.end() ? VertexId() : it->second;
  }

  // Many people write the event into the name of the transition and draw no trigger.
  void take_name_as_trigger(const Element& e, model::Transition& transition,
                            std::vector<EventTrigger>& triggers) {
    ++import_.named_without_trigger;
    if (import_.named_first == nullptr) import_.named_first = &e;
    if (!import_.options.names_are_triggers) return;
    triggers.push_back(named_trigger(import_, draft_.class_index, e, transition.name));
    import_.guess("name of a transition as its trigger", e, transition.name,
                  fmt::format("the transition {} waits for a signal of its name", import_.label(e)));
    transition.name.clear();
  }

  model::TransitionKind kind_of(const Chain& chain, VertexId source, VertexId target) {
    const std::string kind = lower_case(redefinitions_.value_of(chain, "kind"));
    if (kind == "internal" && source == target) return model::TransitionKind::Internal;
    if (kind == "internal") {
      import_.ignore("internal transition with another target, read as external", *chain.front(),
                     redefinitions_.name_of(chain));
      import_.assume(diag::AssumptionCode::Guessed, "internal transition with another target",
                     fmt::format("the internal transition {} leads to another state: it is external",
                                 import_.label(*chain.front())));
    }
    if (kind != "local") return model::TransitionKind::External;
    if (source == target && draft_.machine.vertex(source).regions.empty()) {
      // Local is for composite states (UML 2.5.1, 14.2.3.8.1); of a simple one there is nothing to stay in.
      import_.guess("local transition from a simple state to itself", *chain.front(),
                    redefinitions_.name_of(chain),
                    fmt::format("the local transition {} of a simple state to itself leaves the state and "
                                "enters it again",
                                import_.label(*chain.front())));
      return model::TransitionKind::External;
    }
    // Local means something only from a composite state (or one of its points) to what is inside.
    VertexId outer = draft_.machine.vertex(source).owner_state.valid()
                         ? draft_.machine.vertex(source).owner_state
                         : source;
    for (VertexId at = target; at.valid();) {
      if (at == outer) return model::TransitionKind::Local;
      at = draft_.machine.region(draft_.machine.vertex(at).region).state;
    }
    return model::TransitionKind::External;
  }

  // Guard and effect are read in the scope of the trigger's values. Triggers whose values matter, or that are
  // tied to a port, get a transition of their own.
  void add_transition(const Chain& chain, model::Transition base, std::vector<EventTrigger> triggers) {
    std::vector<std::vector<EventTrigger>> groups;
    std::vector<EventTrigger> plain;
    for (auto& t : triggers) {
      const bool valued = !t.key.empty() && (!import_.signals.at(t.key).parameters.empty() || t.port != 0);
      if (valued && (triggers.size() > 1)) {
        groups.emplace_back();
        groups.back().push_back(std::move(t));
      } else {
        plain.push_back(std::move(t));
      }
    }
    if (!plain.empty() || groups.empty()) groups.push_back(std::move(plain));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      model::Transition transition;
      transition.name = base.name;
      transition.source = base.source;
      transition.target = base.target;
      transition.kind = base.kind;
      transition.element_id = base.element_id;
      transition.span = base.span;
      transition.target_span = base.target_span;
      fill(chain, transition, groups[g]);
      draft_.machine.add(std::move(transition));
    }
  }

  void fill(const Chain& chain, model::Transition& transition, std::vector<EventTrigger>& group) {
    Scope scope = scope_of(import_, draft_.class_index);
    const SignalRecord* signal =
        group.size() == 1 && !group[0].key.empty() ? &import_.signals.at(group[0].key) : nullptr;
    std::vector<std::string> bound;
    if (signal != nullptr) {
      Names names;
      for (const auto& [key, variable] : scope.self->attributes) names.reserve(variable.model_name);
      for (const auto& [name, operation] : scope.self->operations) names.reserve(name);
      for (const auto& a : import_.model.classes[draft_.class_index].attributes) names.reserve(a.name);
      names.reserve("port");
      for (const auto& [name, type] : signal->parameters) {
        bound.push_back(names.unique(name, "value"));
        scope.parameters[name] = {bound.back(), type, 0};
      }
      for (const auto& name : signal->left_out) scope.parameters[name] = {name, {}, 0};
      scope.event_names = {"sig", "signal", "sigdata", "event",  "evt",    "e",
                           "ev",  "msg",    "message", "params", "rtdata", document_.name(*signal->element)};
    }
    BehaviourPlace place{draft_.class_index, "guard", chain.front()};
    if (const auto* guard = redefinitions_.guard_of(chain))
      read_constraint(import_, *guard, place, scope, transition);
    if (std::string text = redefinitions_.value_of(chain, "guard");
        redefinitions_.guard_of(chain) == nullptr && !text.empty() &&
        redefinitions_.outside_of(chain, "guard").empty()) {
      import_.leave_out("guard that is not in the file", *chain.front(), text,
                        fmt::format("the guard of transition {}, which is not in the file, is true",
                                    import_.label(*chain.front())));
    }
    place.what = "effect";
    if (const auto* effect = redefinitions_.feature_of(chain, "effect"))
      transition.effect = read_behaviour(import_, *effect, place, scope);
    std::size_t used = 0;
    const std::vector<std::string> all = bound;
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const bool here = (transition.guard != nullptr && mentions(*transition.guard, bound[i])) ||
                        (transition.effect.body != nullptr && mentions(*transition.effect.body, bound[i]));
      if (!here) continue;
      used = i + 1;
      import_.signals.at(group[0].key).read.insert(signal->parameters[i].first);
    }
    if (used == 0) bound.clear();  // all values are named, or none
    for (auto& t : group) {
      model::Trigger trigger = copy(t.trigger);
      if (signal != nullptr && signal->carries_port && (t.port != 0 || !bound.empty())) {
        if (bound.empty()) bound = all;
        trigger.parameters.push_back("port");
        if (t.port != 0) {
          auto test = make_binary(model::Operator::Eq, make_name("port", t.trigger.span),
                                  make_int(t.port, t.trigger.span), t.trigger.span);
          transition.guard = transition.guard == nullptr
                                 ? std::move(test)
                                 : make_binary(model::Operator::AndAlso, std::move(test),
                                               std::move(transition.guard), t.trigger.span);
        }
      }
      trigger.parameters.insert(trigger.parameters.end(), bound.begin(), bound.end());
      transition.triggers.push_back(std::move(trigger));
    }
  }

  Import& import_;
  const Document& document_;
  Redefinitions redefinitions_;
  MachineDraft& draft_;
};

}  // namespace

void read_transitions(Import& import, MachineDraft& draft) {
  TransitionReader reader(import, draft);
  for (const auto& expansion : draft.expansions) {
    for (const auto& t : expansion->transitions) reader.read(t, *expansion);
  }
}

}  // namespace parley::front::uml
