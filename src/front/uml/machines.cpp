// State machines. A machine is read with everything it redefines (UML's extended machines, used by UML-RT
// capsules): each vertex, region and transition is a chain of elements, the most special first, and a feature
// is taken from the first element of the chain that has it. Submachine states are expanded in place.
// Connection points that have nothing to continue with are folded into their states.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "front/uml/importer.hpp"
#include "model/vertex_names.hpp"

namespace parley::front::uml {
namespace {

using model::RegionId;
using model::VertexId;
using model::VertexKind;
using Chain = std::vector<const Element*>;  // most special first

constexpr int kMaxNesting = 64;

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// One expansion of a machine: the machine itself, or a submachine inside a state.
struct Instance {
  std::map<const Element*, VertexId> vertices;
  std::vector<Chain> transitions;
};

class MachineReader {
 public:
  MachineReader(Import& import, std::size_t class_index)
      : import_(import), document_(import.document), class_index_(class_index) {}

  void read(const Element& element) {
    machine_.name = clean_name(document_.name(element));
    machine_.span = element.span;
    const Chain chain = machine_chain(element);
    is_rt_ = document_.stereotype(element, "RTStateMachine") != nullptr;
    instances_.push_back(std::make_unique<Instance>());
    Instance& instance = *instances_.back();
    read_regions(chain, VertexId(), instance, 0);
    for (const auto* point : features(chain, "connectionPoint")) {
      // Of the machine itself: nobody enters or leaves the outermost machine through them.
      import_.ignore("connection point of a machine that is no submachine", *point, document_.name(*point));
      skipped_.insert(point);
    }
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      for (const auto& t : instances_[i]->transitions) read_transition(t, *instances_[i]);
    }
    fold_points();
    drop_unconnected();
    drop_point_triggers();
    wait_at_triggered_initials();
    name_targets();
    run_activities();
    import_.read("state machine");
    import_.model.classes[class_index_].machine = std::move(machine_);
  }

 private:
  Chain machine_chain(const Element& element) {
    Chain chain{&element};
    while (chain.size() < kMaxNesting) {
      const Element* base = document_.one(*chain.back(), "extendedStateMachine");
      if (base == nullptr) base = document_.one(*chain.back(), "redefinedClassifier");
      if (base == nullptr || document_.type(*base) != "StateMachine" ||
          std::find(chain.begin(), chain.end(), base) != chain.end())
        break;
      import_.read("redefined state machine");
      chain.push_back(base);
    }
    return chain;
  }

  // UML-RT: a redefinition without a root fragment takes the element out.
  bool excluded(const Element& e) const {
    const Element* s = document_.stereotype(e, "RTRedefinedElement");
    return s != nullptr && document_.value(*s, "rootFragment").empty() &&
           document_.outside(*s, "rootFragment").empty() && document_.all(*s, "rootFragment").empty();
  }

  // The owned elements of all owners in a chain, each with what it redefines.
  std::vector<Chain> merged(const Chain& owners, std::string_view feature,
                            std::initializer_list<std::string_view> redefinitions) {
    std::vector<Chain> result;
    for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
      for (const auto* e : document_.owned(**owner, feature)) {
        Chain* redefined = nullptr;
        for (const auto r : redefinitions) {
          const Element* base = document_.one(*e, r);
          for (auto& c : result) {
            if (base != nullptr && std::find(c.begin(), c.end(), base) != c.end()) redefined = &c;
          }
        }
        if (redefined != nullptr)
          redefined->insert(redefined->begin(), e);
        else
          result.push_back({e});
      }
    }
    std::erase_if(result, [&](const Chain& c) {
      if (!excluded(*c.front())) return false;
      import_.read("excluded element of a redefined machine");
      for (const auto* e : c) skipped_.insert(e);
      return true;
    });
    return result;
  }

  std::vector<const Element*> features(const Chain& chain, std::string_view feature) const {
    for (const auto* e : chain) {
      auto found = document_.all(*e, feature);
      if (!found.empty()) return found;
    }
    return {};
  }
  const Element* feature_of(const Chain& chain, std::string_view feature) const {
    const auto found = features(chain, feature);
    return found.empty() ? nullptr : found.front();
  }
  std::string value_of(const Chain& chain, std::string_view feature) const {
    for (const auto* e : chain) {
      std::string value = document_.value(*e, feature);
      if (!value.empty()) return value;
    }
    return {};
  }
  std::string name_of(const Chain& chain) const { return value_of(chain, "name"); }

  void read_regions(const Chain& owners, VertexId state, Instance& instance, int depth) {
    if (depth > kMaxNesting) {
      import_.reject_control("nesting", *owners.front(), "",
                             "states or submachines are nested too deep, or a submachine contains itself");
      return;
    }
    const auto regions = merged(owners, "region", {"extendedRegion", "redefinedElement"});
    Names region_names;
    for (const auto& chain : regions) {
      const auto vertices =
          merged(chain, "subvertex", {"redefinedState", "redefinedVertex", "redefinedElement"});
      const auto transitions = merged(chain, "transition", {"redefinedTransition", "redefinedElement"});
      instance.transitions.insert(instance.transitions.end(), transitions.begin(), transitions.end());
      if (vertices.empty()) {
        if (!transitions.empty() || regions.size() > 1)
          import_.ignore("region without states", *chain.front(), name_of(chain));
        continue;
      }
      model::Region region;
      if (regions.size() > 1) region.name = region_names.unique(name_of(chain), "region");
      region.state = state;
      region.element_id = chain.front()->id;
      region.span = chain.front()->span;
      const RegionId id = machine_.add(std::move(region));
      import_.read("region");
      Names names;
      for (const auto& v : vertices) read_vertex(v, id, state, instance, names, depth);
    }
    // UML 1.x keeps internal transitions in their states.
    for (const auto* owner : owners) {
      if (document_.type(*owner) == "State") {
        for (const auto* t : document_.owned(*owner, "transition")) instance.transitions.push_back({t});
      }
    }
  }

  static std::optional<VertexKind> pseudostate_kind(const std::string& written) {
    static const std::map<std::string, VertexKind> kKinds = {{"", VertexKind::Initial},
                                                             {"initial", VertexKind::Initial},
                                                             {"choice", VertexKind::Choice},
                                                             {"junction", VertexKind::Junction},
                                                             {"fork", VertexKind::Fork},
                                                             {"join", VertexKind::Join},
                                                             {"shallowhistory", VertexKind::ShallowHistory},
                                                             {"deephistory", VertexKind::DeepHistory},
                                                             {"terminate", VertexKind::Terminate},
                                                             {"entrypoint", VertexKind::EntryPoint},
                                                             {"exitpoint", VertexKind::ExitPoint}};
    const auto it = kKinds.find(lower_case(written));
    if (it == kKinds.end()) return std::nullopt;
    return it->second;
  }

  static const char* kind_name(VertexKind kind) {
    switch (kind) {
      case VertexKind::State:
        return "state";
      case VertexKind::Final:
        return "final state";
      case VertexKind::Initial:
        return "initial";
      case VertexKind::Choice:
        return "choice";
      case VertexKind::Junction:
        return "junction";
      case VertexKind::ShallowHistory:
        return "shallow history";
      case VertexKind::DeepHistory:
        return "deep history";
      case VertexKind::Fork:
        return "fork";
      case VertexKind::Join:
        return "join";
      case VertexKind::Terminate:
        return "terminate";
      case VertexKind::EntryPoint:
        return "entry point";
      case VertexKind::ExitPoint:
        return "exit point";
    }
    return "";
  }
  static std::string fallback_name(VertexKind kind) {
    std::string name = kind_name(kind);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name == "final_state" ? "final" : name == "state" ? "state" : name;
  }

  VertexId add_vertex(const Chain& chain, VertexKind kind, RegionId region, Instance& instance,
                      Names& names) {
    model::Vertex vertex;
    vertex.kind = kind;
    vertex.name = names.unique(name_of(chain), fallback_name(kind));
    vertex.region = region;
    vertex.element_id = chain.front()->id;
    vertex.span = vertex.name_span = chain.front()->span;
    const VertexId id = machine_.add(std::move(vertex));
    for (const auto* e : chain) instance.vertices[e] = id;
    import_.read(kind_name(kind));
    return id;
  }

  void read_vertex(const Chain& chain, RegionId region, VertexId state, Instance& instance, Names& names,
                   int depth) {
    const Element& e = *chain.front();
    const auto type = document_.type(*chain.back());
    if (type == "FinalState") {
      add_vertex(chain, VertexKind::Final, region, instance, names);
    } else if (type == "State") {
      read_state(chain, region, instance, names, depth);
    } else if (type == "Pseudostate") {
      const auto kind = pseudostate_kind(value_of(chain, "kind"));
      if (!kind) {
        import_.reject_control("pseudostate", e, value_of(chain, "kind"),
                               fmt::format("pseudostate {} is of the unknown kind `{}`", import_.label(e),
                                           value_of(chain, "kind")));
        return;
      }
      const bool point = *kind == VertexKind::EntryPoint || *kind == VertexKind::ExitPoint;
      if (point && !state.valid()) {
        import_.ignore("connection point of a machine that is no submachine", e, document_.name(e));
        skipped_.insert(chain.begin(), chain.end());
        return;
      }
      const VertexId id =
          add_vertex(chain, *kind, point ? machine_.vertex(state).region : region, instance, names);
      if (point) machine_.vertex(id).owner_state = state;
    } else {
      import_.reject_control("vertex", e, std::string(type),
                             fmt::format("vertex {} is of kind {}, which has no counterpart",
                                         import_.label(e), type.empty() ? e.name : std::string(type)));
    }
  }

  void read_state(const Chain& chain, RegionId region, Instance& instance, Names& names, int depth) {
    const VertexId id = add_vertex(chain, VertexKind::State, region, instance, names);
    const Scope scope = scope_of(import_, class_index_);
    BehaviourPlace place{class_index_, "entry", chain.front()};
    if (const auto* entry = feature_of(chain, "entry")) {
      auto behaviour = read_behaviour(import_, *entry, place, scope);
      machine_.vertex(id).entry = std::move(behaviour);
    }
    place.what = "exit";
    if (const auto* exit = feature_of(chain, "exit")) {
      auto behaviour = read_behaviour(import_, *exit, place, scope);
      machine_.vertex(id).exit = std::move(behaviour);
    }
    place.what = "do-activity";
    if (const auto* activity = feature_of(chain, "doActivity")) {
      auto behaviour = read_behaviour(import_, *activity, place, scope);
      activities_.push_back({id, std::move(behaviour), activity});
    }
    for (const auto* t : features(chain, "deferrableTrigger")) {
      for (auto& trigger : read_trigger(import_, class_index_, *t)) {
        if (trigger.key.empty()) {
          import_.reject_control(
              "deferred event", *t, "",
              fmt::format("state {} defers something that is not a signal", import_.label(*chain.front())));
          continue;
        }
        if (trigger.port != 0)
          import_.approximate(
              "deferral at one port", *t, "",
              fmt::format("state {} defers the message at all ports", import_.label(*chain.front())));
        auto& defers = machine_.vertex(id).defers;
        if (std::find(defers.begin(), defers.end(), trigger.trigger.name) != defers.end()) continue;
        defers.push_back(trigger.trigger.name);
        machine_.vertex(id).defer_spans.push_back(t->span);
        import_.read("deferred signal");
      }
    }
    const std::size_t regions_before = machine_.regions.size();
    Chain owners = chain;
    for (const auto* point : points_of(chain)) add_point({point}, id, instance);
    if (const auto* submachine = feature_of(chain, "submachine")) {
      read_submachine(chain, *submachine, id, instance, depth);
    } else if (!features(chain, "submachine").empty() || !outside_of(chain, "submachine").empty()) {
      import_.reject_control("submachine in another file", *chain.front(), outside_of(chain, "submachine"),
                             fmt::format("the submachine of state {} is in another file: {}",
                                         import_.label(*chain.front()), outside_of(chain, "submachine")));
    } else {
      read_regions(owners, id, instance, depth + 1);
    }
    if (machine_.regions.size() > regions_before)
      import_.read(machine_.vertex(id).regions.size() > 1 ? "orthogonal state" : "composite state");
  }

  std::string outside_of(const Chain& chain, std::string_view feature) const {
    for (const auto* e : chain) {
      std::string outside = document_.outside(*e, feature);
      if (!outside.empty()) return outside;
    }
    return {};
  }

  std::vector<const Element*> points_of(const Chain& chain) const {
    std::vector<const Element*> result;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      for (const auto* p : document_.owned(**it, "connectionPoint")) {
        if (!excluded(*p)) result.push_back(p);
      }
    }
    return result;
  }

  VertexId add_point(const Chain& chain, VertexId state, Instance& instance) {
    const auto kind = pseudostate_kind(value_of(chain, "kind"));
    const bool is_exit = kind == VertexKind::ExitPoint;
    if (kind != VertexKind::EntryPoint && !is_exit) {
      import_.reject_control("connection point", *chain.front(), value_of(chain, "kind"),
                             fmt::format("connection point {} is neither an entry nor an exit point",
                                         import_.label(*chain.front())));
      return {};
    }
    Names& names = point_names_[state];
    const VertexId id = add_vertex(chain, *kind, machine_.vertex(state).region, instance, names);
    machine_.vertex(id).owner_state = state;
    return id;
  }

  void read_submachine(const Chain& state_chain, const Element& submachine, VertexId id, Instance& outer,
                       int depth) {
    import_.read("submachine state (expanded)");
    if (depth > 16 || machine_.vertices.size() > 20000) {
      import_.reject_control(
          "nesting", submachine, "",
          fmt::format("submachine {} is nested too deep, or contains itself", import_.label(submachine)));
      return;
    }
    instances_.push_back(std::make_unique<Instance>());
    Instance& inner = *instances_.back();
    const Chain chain = machine_chain(submachine);
    for (const auto* point : points_of(chain)) add_point({point}, id, inner);
    read_regions(chain, id, inner, depth + 1);
    for (const auto* e : state_chain) {
      for (const auto* reference : document_.owned(*e, "connection")) {
        for (const std::string_view feature : {"entry", "exit"}) {
          for (const auto* point : document_.all(*reference, feature)) {
            const auto it = inner.vertices.find(point);
            if (it != inner.vertices.end()) outer.vertices[reference] = it->second;
          }
        }
        if (outer.vertices.contains(reference))
          import_.read("connection point reference");
        else
          import_.reject_control("connection point reference", *reference, "",
                                 fmt::format("connection point reference {} names no point of its submachine",
                                             import_.label(*reference)));
      }
    }
    // Some tools let transitions name the submachine's points directly.
    for (const auto& [element, vertex] : inner.vertices) {
      const auto kind = machine_.vertex(vertex).kind;
      if (kind == VertexKind::EntryPoint || kind == VertexKind::ExitPoint)
        outer.vertices.emplace(element, vertex);
    }
  }

  // ---- transitions

  VertexId end_of(const Chain& chain, std::string_view feature, Instance& instance) {
    const Element* e = feature_of(chain, feature);
    if (e == nullptr) return {};
    const auto it = instance.vertices.find(e);
    return it == instance.vertices.end() ? VertexId() : it->second;
  }

  void read_transition(const Chain& chain, Instance& instance) {
    const Element& e = *chain.front();
    const VertexId source = end_of(chain, "source", instance);
    const VertexId target = end_of(chain, "target", instance);
    if (!source.valid() || !target.valid()) {
      const Element* from = feature_of(chain, "source");
      const Element* to = feature_of(chain, "target");
      if ((from != nullptr && skipped_.contains(from)) || (to != nullptr && skipped_.contains(to))) {
        import_.ignore("transition at an excluded or unused vertex", e, name_of(chain));
        return;
      }
      const std::string outside = outside_of(chain, source.valid() ? "target" : "source");
      import_.reject_control(
          "transition without an end", e, outside,
          fmt::format("transition {} has no {} in its machine{}", import_.label(e),
                      source.valid() ? "target" : "source",
                      outside.empty() ? std::string() : fmt::format(" (it refers to `{}`)", outside)));
      return;
    }
    model::Transition transition;
    transition.name = clean_name(name_of(chain));
    transition.source = source;
    transition.target = target;
    transition.kind = kind_of(chain, source, target);
    transition.element_id = e.id;
    transition.span = transition.target_span = e.span;
    import_.read(transition.kind == model::TransitionKind::Internal ? "internal transition"
                 : transition.kind == model::TransitionKind::Local  ? "local transition"
                                                                    : "external transition");
    std::vector<EventTrigger> triggers;
    for (const auto* t : triggers_of(chain)) {
      for (auto& x : read_trigger(import_, class_index_, *t)) {
        const bool repeated = std::any_of(triggers.begin(), triggers.end(), [&](const EventTrigger& y) {
          return !x.key.empty() && y.key == x.key && y.port == x.port;
        });
        if (!repeated) triggers.push_back(std::move(x));
      }
    }
    const auto source_kind = machine_.vertex(source).kind;
    if (!triggers.empty() && source_kind != VertexKind::State && source_kind != VertexKind::Initial &&
        source_kind != VertexKind::ExitPoint) {
      // Not UML, and without effect in the tools that let it be drawn.
      import_.ignore("trigger of a transition that leaves a pseudostate", e,
                     fmt::format("{} at a {}", name_of(chain), kind_name(source_kind)));
      triggers.clear();
    }
    if (transition.kind == model::TransitionKind::Internal && triggers.empty()) {
      import_.ignore("internal transition without a trigger", e, name_of(chain));
      return;
    }
    add_transition(chain, std::move(transition), std::move(triggers));
  }

  // UML-RT redefinitions add triggers; a trigger may be redefined or excluded too.
  std::vector<const Element*> triggers_of(const Chain& chain) {
    std::vector<const Element*> result;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      for (const auto* t : document_.all(**it, "trigger")) {
        if (std::find(result.begin(), result.end(), t) == result.end() && !excluded(*t)) result.push_back(t);
      }
    }
    return result;
  }

  model::TransitionKind kind_of(const Chain& chain, VertexId source, VertexId target) {
    const std::string kind = lower_case(value_of(chain, "kind"));
    if (kind == "internal" && source == target) return model::TransitionKind::Internal;
    if (kind == "internal")
      import_.ignore("internal transition with another target, read as external", *chain.front(),
                     name_of(chain));
    if (kind != "local") return model::TransitionKind::External;
    // Local means something only from a composite state (or one of its points) to what is inside.
    VertexId outer =
        machine_.vertex(source).owner_state.valid() ? machine_.vertex(source).owner_state : source;
    for (VertexId at = target; at.valid();) {
      if (at == outer) return model::TransitionKind::Local;
      at = machine_.region(machine_.vertex(at).region).state;
    }
    return model::TransitionKind::External;
  }

  static bool mentions(const model::Expr& e, const std::string& name) {
    if (e.kind == model::ExprKind::Name && e.text == name) return true;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const auto& o) { return mentions(*o, name); });
  }
  static bool mentions(const model::Stmt& s, const std::string& name) {
    for (const auto* x : {&s.target, &s.value, &s.hi}) {
      if (*x != nullptr && mentions(**x, name)) return true;
    }
    if (std::any_of(s.args.begin(), s.args.end(), [&](const auto& a) { return mentions(*a, name); }))
      return true;
    return std::any_of(s.children.begin(), s.children.end(),
                       [&](const auto& c) { return c != nullptr && mentions(*c, name); });
  }

  static model::Trigger copy(const model::Trigger& t) {
    model::Trigger result;
    result.kind = t.kind;
    result.name = t.name;
    result.parameters = t.parameters;
    if (t.value != nullptr) result.value = model::clone(*t.value);
    result.span = t.span;
    return result;
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
      machine_.add(std::move(transition));
    }
  }

  void fill(const Chain& chain, model::Transition& transition, std::vector<EventTrigger>& group) {
    Scope scope = scope_of(import_, class_index_);
    const SignalRecord* signal =
        group.size() == 1 && !group[0].key.empty() ? &import_.signals.at(group[0].key) : nullptr;
    std::vector<std::string> bound;
    if (signal != nullptr) {
      Names names;
      for (const auto& [key, variable] : scope.self->attributes) names.reserve(variable.model_name);
      for (const auto& [name, operation] : scope.self->operations) names.reserve(name);
      for (const auto& a : import_.model.classes[class_index_].attributes) names.reserve(a.name);
      names.reserve("port");
      for (const auto& [name, type] : signal->parameters) {
        bound.push_back(names.unique(name, "value"));
        scope.parameters[name] = {bound.back(), type, 0};
      }
      for (const auto& name : signal->left_out) scope.parameters[name] = {name, {}, 0};
      scope.event_names = {"sig", "signal", "sigdata", "event",  "evt",    "e",
                           "ev",  "msg",    "message", "params", "rtdata", document_.name(*signal->element)};
    }
    BehaviourPlace place{class_index_, "guard", chain.front()};
    if (const auto* guard = guard_of(chain)) read_constraint(import_, *guard, place, scope, transition);
    if (std::string text = value_of(chain, "guard");
        guard_of(chain) == nullptr && !text.empty() && outside_of(chain, "guard").empty()) {
      import_.ignore("guard that is not in the file", *chain.front(), text);
    }
    place.what = "effect";
    if (const auto* effect = feature_of(chain, "effect"))
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

  const Element* guard_of(const Chain& chain) const {
    for (const auto* e : chain) {
      if (const auto* guard = document_.one(*e, "guard")) return guard;
      for (const auto* rule : document_.owned(*e, "ownedRule")) return rule;
      for (const auto* rule : document_.owned(*e, "ownedMember")) {
        if (document_.type(*rule) == "Constraint") return rule;
      }
    }
    return nullptr;
  }

  // ---- after all transitions are there

  // An entry point from which nothing goes on stands for its state (UML-RT: for its history); an exit point
  // that nothing leads to, for a transition from the state itself.
  void fold_points() {
    for (std::size_t i = 0; i < machine_.vertices.size(); ++i) {
      const VertexId id(i);
      const auto kind = machine_.vertex(id).kind;
      if (kind != VertexKind::EntryPoint && kind != VertexKind::ExitPoint) continue;
      const VertexId state = machine_.vertex(id).owner_state;
      bool incoming = false, outgoing = false;
      for (const auto& t : machine_.transitions) {
        incoming |= t.target == id;
        outgoing |= t.source == id;
      }
      if (kind == VertexKind::EntryPoint && !outgoing) {
        VertexId target = state;
        if (is_rt_ && incoming && !machine_.vertex(state).regions.empty()) target = history_of(state);
        for (auto& t : machine_.transitions) {
          if (t.target == id) t.target = target;
        }
        removed_.insert(id);
        import_.read("entry point folded into its state");
      } else if (kind == VertexKind::ExitPoint && !incoming) {
        for (auto& t : machine_.transitions) {
          if (t.source == id) t.source = state;
        }
        removed_.insert(id);
        import_.read("exit point folded into its state");
      } else if (kind == VertexKind::ExitPoint && !outgoing) {
        import_.reject_control(
            "exit point that leads nowhere", place_of(id), machine_.vertex(id).name,
            fmt::format("exit point `{}` has no transition that goes on from it", machine_.vertex(id).name));
      }
    }
    if (!removed_.empty()) remove_vertices();
  }

  const Element& place_of(VertexId id) const {
    const Element* e = document_.by_id(machine_.vertex(id).element_id);
    return e == nullptr ? document_.root() : *e;
  }

  VertexId history_of(VertexId state) {
    const RegionId region = machine_.vertex(state).regions.front();
    for (const auto v : machine_.region(region).vertices) {
      if (machine_.vertex(v).kind == VertexKind::DeepHistory) return v;
    }
    Names names;
    for (const auto v : machine_.region(region).vertices) names.reserve(machine_.vertex(v).name);
    model::Vertex vertex;
    vertex.kind = VertexKind::DeepHistory;
    vertex.name = names.unique("history", "history");
    vertex.region = region;
    vertex.span = vertex.name_span = machine_.vertex(state).span;
    return machine_.add(std::move(vertex));
  }

  void remove_vertices() {
    std::vector<VertexId> renumbered(machine_.vertices.size());
    std::vector<model::Vertex> kept;
    for (std::size_t i = 0; i < machine_.vertices.size(); ++i) {
      if (removed_.contains(VertexId(i))) continue;
      renumbered[i] = VertexId(kept.size());
      kept.push_back(std::move(machine_.vertices[i]));
    }
    machine_.vertices = std::move(kept);
    const auto map = [&](VertexId& v) {
      if (v.valid()) v = renumbered[v.index()];
    };
    for (auto& v : machine_.vertices) map(v.owner_state);
    for (auto& r : machine_.regions) {
      map(r.state);
      std::erase_if(r.vertices, [&](VertexId v) { return removed_.contains(v); });
      for (auto& v : r.vertices) map(v);
    }
    for (auto& t : machine_.transitions) {
      map(t.source);
      map(t.target);
    }
    for (auto& a : activities_) map(a.state);
    removed_.clear();
  }

  // Pseudostates that no transition touches say nothing; they are left over from drawing.
  void drop_unconnected() {
    for (std::size_t i = 0; i < machine_.vertices.size(); ++i) {
      const VertexId id(i);
      const auto kind = machine_.vertex(id).kind;
      if (kind == VertexKind::State || kind == VertexKind::Final) continue;
      bool incoming = false, outgoing = false;
      for (const auto& t : machine_.transitions) {
        incoming |= t.target == id;
        outgoing |= t.source == id;
      }
      if (outgoing || incoming) continue;
      import_.ignore("pseudostate without transitions", place_of(id),
                     fmt::format("{} `{}`", kind_name(kind), machine_.vertex(id).name));
      import_.diagnostics.warning("uml-unconnected", machine_.vertex(id).span,
                                  fmt::format("{} `{}` has no transitions and is left out", kind_name(kind),
                                              machine_.vertex(id).name));
      removed_.insert(id);
    }
    if (!removed_.empty()) remove_vertices();
  }

  // Where a point is passed through, a trigger behind it is as good as none.
  void drop_point_triggers() {
    for (auto& t : machine_.transitions) {
      const auto kind = machine_.vertex(t.source).kind;
      if (t.triggers.empty() || (kind != VertexKind::ExitPoint && kind != VertexKind::EntryPoint)) continue;
      import_.ignore("trigger of a transition that leaves a pseudostate", place_of(t.source),
                     machine_.vertex(t.source).name);
      t.triggers.clear();
    }
  }

  // In the text language a name means the nearest vertex of that name. Where an inner one hides the target of
  // a transition, the inner one gets another name.
  void name_targets() {
    for (std::size_t round = 0; round < machine_.vertices.size(); ++round) {
      const model::VertexNames names(machine_);
      VertexId hiding;
      for (const auto& t : machine_.transitions) {
        if (t.kind == model::TransitionKind::Internal || !names.path_to(t.source, t.target).empty()) continue;
        const auto found = names.find(t.source, {machine_.vertex(t.target).name});
        for (const auto v : found) {
          if (v != t.target) hiding = v;
        }
        if (hiding.valid()) break;
      }
      if (!hiding.valid()) return;
      Names taken;
      for (const auto& v : machine_.vertices) taken.reserve(v.name);
      machine_.vertex(hiding).name = taken.unique(machine_.vertex(hiding).name, "state");
      import_.ignore("vertex renamed: it has the name of a target outside of its state", place_of(hiding),
                     machine_.vertex(hiding).name);
    }
  }

  // An initial transition with a trigger is not UML, but drawn: the initial pseudostate is a state that
  // waits.
  void wait_at_triggered_initials() {
    for (std::size_t i = 0; i < machine_.vertices.size(); ++i) {
      const VertexId id(i);
      if (machine_.vertex(id).kind != VertexKind::Initial) continue;
      const bool triggered =
          std::any_of(machine_.transitions.begin(), machine_.transitions.end(),
                      [&](const auto& t) { return t.source == id && !t.triggers.empty(); });
      if (!triggered) continue;
      const Element& e = place_of(id);
      import_.approximate(
          "initial transition with a trigger", e, machine_.vertex(id).name,
          fmt::format(
              "the initial pseudostate `{}` has a triggered transition: it is read as a state that waits",
              machine_.vertex(id).name));
      machine_.vertex(id).kind = VertexKind::State;
      Names names;
      for (const auto v : machine_.region(machine_.vertex(id).region).vertices)
        names.reserve(machine_.vertex(v).name);
      model::Vertex initial;
      initial.kind = VertexKind::Initial;
      initial.name = names.unique("initial", "initial");
      initial.region = machine_.vertex(id).region;
      initial.span = initial.name_span = machine_.vertex(id).span;
      model::Transition start;
      start.source = machine_.add(std::move(initial));
      start.target = id;
      start.span = start.target_span = machine_.vertex(id).span;
      machine_.add(std::move(start));
    }
  }

  // A do-activity may end at any time after its state is entered, or never; what it does is done as a whole
  // when it ends.
  void run_activities() {
    for (auto& a : activities_) {
      import_.approximate("do-activity", *a.element, document_.name(*a.element),
                          fmt::format("the do-activity {} of state `{}` may end at any time; what it does is "
                                      "done at once when it ends",
                                      import_.label(*a.element), machine_.path(a.state)));
      import_.free_time = true;
      bool completes = false;
      const std::size_t count = machine_.transitions.size();
      for (std::size_t i = 0; i < count; ++i) {
        auto& t = machine_.transitions[i];
        if (t.source != a.state || !t.triggers.empty()) continue;
        completes = true;
        t.triggers.push_back(tick(a.element->span));
        if (a.behaviour.body == nullptr) continue;
        std::vector<model::StmtPtr> both;
        both.push_back(model::clone(*a.behaviour.body));
        if (t.effect.body != nullptr) both.push_back(std::move(t.effect.body));
        t.effect.body = make_block(std::move(both), a.element->span);
        t.effect.span = a.element->span;
      }
      if (completes || a.behaviour.body == nullptr) continue;
      model::Transition t;
      t.source = t.target = a.state;
      t.kind = model::TransitionKind::Internal;
      t.triggers.push_back(tick(a.element->span));
      t.effect = std::move(a.behaviour);
      t.element_id = a.element->id;
      t.span = t.target_span = a.element->span;
      machine_.add(std::move(t));
    }
  }

  static model::Trigger tick(diag::Span span) {
    model::Trigger t;
    t.kind = model::TriggerKind::After;
    t.value = make_int(1, span);
    t.span = span;
    return t;
  }

  struct Activity {
    VertexId state;
    model::Behaviour behaviour;
    const Element* element;
  };

  Import& import_;
  const Document& document_;
  std::size_t class_index_;
  bool is_rt_ = false;
  model::Machine machine_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::map<VertexId, Names> point_names_;
  std::set<const Element*> skipped_;
  std::set<VertexId> removed_;
  std::vector<Activity> activities_;
};

}  // namespace

void read_machines(Import& import) {
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    if (import.classes[i].machine != nullptr) MachineReader(import, i).read(*import.classes[i].machine);
  }
}

}  // namespace parley::front::uml
