// Regions, states and pseudostates of state machines. A machine is read with everything it redefines
// (redefinition.hpp); submachine states are expanded in place.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/machine_draft.hpp"
#include "model/show.hpp"

namespace parley::front::uml {
namespace {

using model::RegionId;
using model::VertexId;
using model::VertexKind;

std::optional<VertexKind> pseudostate_kind(const std::string& written) {
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

std::string fallback_name(VertexKind kind) {
  std::string name = kind_name(kind);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name == "final_state" ? "final" : name;
}

class MachineReader {
 public:
  MachineReader(Import& import, std::size_t class_index)
      : import_(import), document_(import.document), redefinitions_(import) {
    draft_.class_index = class_index;
  }

  MachineDraft read(const Element& element) {
    draft_.machine.name = clean_name(document_.name(element));
    draft_.machine.span = element.span;
    const Chain chain = redefinitions_.machine_chain(element);
    draft_.is_rt = document_.stereotype(element, "RTStateMachine") != nullptr;
    draft_.expansions.push_back(std::make_unique<Expansion>());
    read_regions(chain, VertexId(), *draft_.expansions.back(), 0);
    for (const auto* point : redefinitions_.features(chain, "connectionPoint")) {
      // Of the machine itself: nobody enters or leaves the outermost machine through them.
      import_.ignore("connection point of a machine that is no submachine", *point, document_.name(*point));
      draft_.skipped.insert(point);
    }
    return std::move(draft_);
  }

 private:
  void read_regions(const Chain& owners, VertexId state, Expansion& expansion, int depth) {
    if (depth > kMaxNesting) {
      import_.reject_control("nesting", *owners.front(), "",
                             "states or submachines are nested too deep, or a submachine contains itself");
      return;
    }
    const auto regions =
        redefinitions_.merged(owners, "region", {"extendedRegion", "redefinedElement"}, draft_.skipped);
    Names region_names;
    for (const auto& chain : regions) {
      const auto vertices = redefinitions_.merged(
          chain, "subvertex", {"redefinedState", "redefinedVertex", "redefinedElement"}, draft_.skipped);
      const auto transitions = redefinitions_.merged(
          chain, "transition", {"redefinedTransition", "redefinedElement"}, draft_.skipped);
      expansion.transitions.insert(expansion.transitions.end(), transitions.begin(), transitions.end());
      if (vertices.empty()) {
        if (!transitions.empty() || regions.size() > 1)
          import_.ignore("region without states", *chain.front(), redefinitions_.name_of(chain));
        continue;
      }
      model::Region region;
      if (regions.size() > 1) region.name = region_names.unique(redefinitions_.name_of(chain), "region");
      region.state = state;
      region.element_id = chain.front()->id;
      region.span = chain.front()->span;
      const RegionId id = draft_.machine.add(std::move(region));
      import_.read("region");
      Names names;
      for (const auto& v : vertices) read_vertex(v, id, state, expansion, names, depth);
    }
    // UML 1.x keeps internal transitions in their states.
    for (const auto* owner : owners) {
      if (document_.type(*owner) == "State") {
        for (const auto* t : document_.owned(*owner, "transition")) expansion.transitions.push_back({t});
      }
    }
  }

  VertexId add_vertex(const Chain& chain, VertexKind kind, RegionId region, Expansion& expansion,
                      Names& names) {
    model::Vertex vertex;
    vertex.kind = kind;
    vertex.name = names.unique(redefinitions_.name_of(chain), fallback_name(kind));
    vertex.region = region;
    vertex.element_id = chain.front()->id;
    vertex.span = vertex.name_span = chain.front()->span;
    const VertexId id = draft_.machine.add(std::move(vertex));
    for (const auto* e : chain) {
      expansion.vertices[e] = id;
      import_.settle_fate(*e, Treatment::Read);
    }
    import_.read(kind_name(kind));
    return id;
  }

  void read_vertex(const Chain& chain, RegionId region, VertexId state, Expansion& expansion, Names& names,
                   int depth) {
    const Element& e = *chain.front();
    const auto type = document_.type(*chain.back());
    if (type == "FinalState") {
      add_vertex(chain, VertexKind::Final, region, expansion, names);
    } else if (type == "State") {
      read_state(chain, region, expansion, names, depth);
    } else if (type == "Pseudostate") {
      const auto kind = pseudostate_kind(redefinitions_.value_of(chain, "kind"));
      if (!kind) {
        import_.reject_control("pseudostate", e, redefinitions_.value_of(chain, "kind"),
                               fmt::format("pseudostate {} is of the unknown kind `{}`", import_.label(e),
                                           redefinitions_.value_of(chain, "kind")));
        return;
      }
      const bool point = *kind == VertexKind::EntryPoint || *kind == VertexKind::ExitPoint;
      if (point && !state.valid()) {
        import_.ignore("connection point of a machine that is no submachine", e, document_.name(e));
        draft_.skipped.insert(chain.begin(), chain.end());
        return;
      }
      const VertexId id =
          add_vertex(chain, *kind, point ? draft_.machine.vertex(state).region : region, expansion, names);
      if (point) draft_.machine.vertex(id).owner_state = state;
    } else {
      import_.reject_control("vertex", e, std::string(type),
                             fmt::format("vertex {} is of kind {}, which has no counterpart",
                                         import_.label(e), type.empty() ? e.name : std::string(type)));
    }
  }

  void read_state(const Chain& chain, RegionId region, Expansion& expansion, Names& names, int depth) {
    const VertexId id = add_vertex(chain, VertexKind::State, region, expansion, names);
    const Scope scope = scope_of(import_, draft_.class_index);
    BehaviourPlace place{draft_.class_index, "entry", chain.front()};
    if (const auto* entry = redefinitions_.feature_of(chain, "entry")) {
      auto behaviour = read_behaviour(import_, *entry, place, scope);
      draft_.machine.vertex(id).entry = std::move(behaviour);
    }
    place.what = "exit";
    if (const auto* exit = redefinitions_.feature_of(chain, "exit")) {
      auto behaviour = read_behaviour(import_, *exit, place, scope);
      draft_.machine.vertex(id).exit = std::move(behaviour);
    }
    place.what = "do-activity";
    if (const auto* activity = redefinitions_.feature_of(chain, "doActivity")) {
      auto behaviour = read_behaviour(import_, *activity, place, scope);
      draft_.activities.push_back({id, std::move(behaviour), activity});
    }
    for (const auto* t : redefinitions_.features(chain, "deferrableTrigger")) {
      for (auto& trigger : read_trigger(import_, draft_.class_index, *t)) {
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
        auto& defers = draft_.machine.vertex(id).defers;
        if (std::find(defers.begin(), defers.end(), trigger.trigger.name) != defers.end()) continue;
        defers.push_back(trigger.trigger.name);
        draft_.machine.vertex(id).defer_spans.push_back(t->span);
        import_.read("deferred signal");
      }
    }
    const std::size_t regions_before = draft_.machine.regions.size();
    Chain owners = chain;
    for (const auto* point : redefinitions_.points_of(chain)) add_point({point}, id, expansion);
    if (const auto* submachine = redefinitions_.feature_of(chain, "submachine")) {
      read_submachine(chain, *submachine, id, expansion, depth);
    } else if (!redefinitions_.features(chain, "submachine").empty() ||
               !redefinitions_.outside_of(chain, "submachine").empty()) {
      import_.reject_control(
          "submachine in another file", *chain.front(), redefinitions_.outside_of(chain, "submachine"),
          fmt::format("the submachine of state {} is in another file: {}", import_.label(*chain.front()),
                      redefinitions_.outside_of(chain, "submachine")));
    } else {
      read_regions(owners, id, expansion, depth + 1);
    }
    if (draft_.machine.regions.size() > regions_before)
      import_.read(draft_.machine.vertex(id).regions.size() > 1 ? "orthogonal state" : "composite state");
  }

  VertexId add_point(const Chain& chain, VertexId state, Expansion& expansion) {
    const auto kind = pseudostate_kind(redefinitions_.value_of(chain, "kind"));
    const bool is_exit = kind == VertexKind::ExitPoint;
    if (kind != VertexKind::EntryPoint && !is_exit) {
      import_.reject_control("connection point", *chain.front(), redefinitions_.value_of(chain, "kind"),
                             fmt::format("connection point {} is neither an entry nor an exit point",
                                         import_.label(*chain.front())));
      return {};
    }
    Names& names = point_names_[state];
    const VertexId id = add_vertex(chain, *kind, draft_.machine.vertex(state).region, expansion, names);
    draft_.machine.vertex(id).owner_state = state;
    return id;
  }

  void read_submachine(const Chain& state_chain, const Element& submachine, VertexId id, Expansion& outer,
                       int depth) {
    import_.read("submachine state (expanded)");
    if (depth > 16 || draft_.machine.vertices.size() > 20000) {
      import_.reject_control(
          "nesting", submachine, "",
          fmt::format("submachine {} is nested too deep, or contains itself", import_.label(submachine)));
      return;
    }
    draft_.expansions.push_back(std::make_unique<Expansion>());
    Expansion& inner = *draft_.expansions.back();
    const Chain chain = redefinitions_.machine_chain(submachine);
    for (const auto* point : redefinitions_.points_of(chain)) add_point({point}, id, inner);
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
      const auto kind = draft_.machine.vertex(vertex).kind;
      if (kind == VertexKind::EntryPoint || kind == VertexKind::ExitPoint)
        outer.vertices.emplace(element, vertex);
    }
  }

  Import& import_;
  const Document& document_;
  Redefinitions redefinitions_;
  MachineDraft draft_;
  std::map<VertexId, Names> point_names_;
};

}  // namespace

std::string kind_name(VertexKind kind) {
  if (kind == VertexKind::Final) return "final state";
  if (kind == VertexKind::ShallowHistory) return "shallow history";
  return model::show_word(kind);
}

const Element& place_of(const Import& import, const model::Machine& machine, VertexId id) {
  const Element* e = import.document.by_id(machine.vertex(id).element_id);
  return e == nullptr ? import.document.root() : *e;
}

void read_machines(Import& import) {
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    if (import.classes[i].machine == nullptr) continue;
    MachineDraft draft = MachineReader(import, i).read(*import.classes[i].machine);
    read_transitions(import, draft);
    tidy(import, draft);
    import.read("state machine");
    import.model.classes[i].machine = std::move(draft.machine);
  }
  // Half of what leaves states has a name and no trigger: the names are meant as events.
  if (import.named_first != nullptr && !import.options.names_are_triggers &&
      2 * import.named_without_trigger > import.waiting_transitions) {
    import.diagnostics.warning(
        "uml-names-as-events", import.named_first->span,
        fmt::format(
            "{} of {} transitions that leave states have a name and no trigger; they fire on their own",
            import.named_without_trigger, import.waiting_transitions),
        "--names-are-triggers reads such a name as the event that the transition waits for");
  }
}

}  // namespace parley::front::uml
