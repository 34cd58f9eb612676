// What was drawn, in the forms that the model has: connection points that have nothing to continue with are
// folded into their states, leftovers of drawing dropped, triggered initial transitions made waiting states,
// hidden names made plain, do-activities made transitions. Runs when all transitions of a machine are there.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/machine_draft.hpp"
#include "model/vertex_names.hpp"

namespace parley::front::uml {
namespace {

using model::RegionId;
using model::VertexId;
using model::VertexKind;

class Tidier {
 public:
  Tidier(Import& import, MachineDraft& draft) : import_(import), document_(import.document), draft_(draft) {}

  void run() {
    fold_points();
    drop_unconnected();
    drop_unreached();
    straighten_forks();
    start_where_nothing_leads();
    drop_point_triggers();
    wait_at_triggered_initials();
    name_targets();
    run_activities();
  }

 private:
  // An entry point from which nothing goes on stands for its state (UML-RT: for its history); an exit point
  // that nothing leads to, for a transition from the state itself.
  void fold_points() {
    for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
      const VertexId id(i);
      const auto kind = draft_.machine.vertex(id).kind;
      if (kind != VertexKind::EntryPoint && kind != VertexKind::ExitPoint) continue;
      const VertexId state = draft_.machine.vertex(id).owner_state;
      bool incoming = false, outgoing = false;
      for (const auto& t : draft_.machine.transitions) {
        incoming |= t.target == id;
        outgoing |= t.source == id;
      }
      if (kind == VertexKind::EntryPoint && !outgoing) {
        VertexId target = state;
        if (draft_.is_rt && incoming && !draft_.machine.vertex(state).regions.empty())
          target = history_of(state);
        for (auto& t : draft_.machine.transitions) {
          if (t.target == id) t.target = target;
        }
        removed_.insert(id);
        import_.read("entry point folded into its state");
      } else if (kind == VertexKind::ExitPoint && !incoming) {
        for (auto& t : draft_.machine.transitions) {
          if (t.source == id) t.source = state;
        }
        removed_.insert(id);
        import_.read("exit point folded into its state");
      } else if (kind == VertexKind::ExitPoint && !outgoing && draft_.is_rt) {
        // UML-RT: the transition ends there, and the machine stays outside of the state's history: the state
        // is entered again by its default.
        for (auto& t : draft_.machine.transitions) {
          if (t.target == id) t.target = state;
        }
        import_.approximate(
            "exit point without continuation", place_of(import_, draft_.machine, id),
            draft_.machine.vertex(id).name,
            fmt::format("a transition to the exit point `{}`, which nothing continues, enters "
                        "its state again",
                        draft_.machine.vertex(id).name));
        removed_.insert(id);
      } else if (kind == VertexKind::ExitPoint && !outgoing) {
        import_.reject_control("exit point that leads nowhere", place_of(import_, draft_.machine, id),
                               draft_.machine.vertex(id).name,
                               fmt::format("exit point `{}` has no transition that goes on from it",
                                           draft_.machine.vertex(id).name));
      }
    }
    if (!removed_.empty()) remove_vertices();
  }

  VertexId history_of(VertexId state) {
    const RegionId region = draft_.machine.vertex(state).regions.front();
    for (const auto v : draft_.machine.region(region).vertices) {
      if (draft_.machine.vertex(v).kind == VertexKind::DeepHistory) return v;
    }
    Names names;
    for (const auto v : draft_.machine.region(region).vertices) names.reserve(draft_.machine.vertex(v).name);
    model::Vertex vertex;
    vertex.kind = VertexKind::DeepHistory;
    vertex.name = names.unique("history", "history");
    vertex.region = region;
    vertex.span = vertex.name_span = draft_.machine.vertex(state).span;
    return draft_.machine.add(std::move(vertex));
  }

  void remove_vertices() {
    std::vector<VertexId> renumbered(draft_.machine.vertices.size());
    std::vector<model::Vertex> kept;
    for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
      if (removed_.contains(VertexId(i))) continue;
      renumbered[i] = VertexId(kept.size());
      kept.push_back(std::move(draft_.machine.vertices[i]));
    }
    draft_.machine.vertices = std::move(kept);
    const auto map = [&](VertexId& v) {
      if (v.valid()) v = renumbered[v.index()];
    };
    for (auto& v : draft_.machine.vertices) map(v.owner_state);
    for (auto& r : draft_.machine.regions) {
      map(r.state);
      std::erase_if(r.vertices, [&](VertexId v) { return removed_.contains(v); });
      for (auto& v : r.vertices) map(v);
    }
    for (auto& t : draft_.machine.transitions) {
      map(t.source);
      map(t.target);
    }
    for (auto& a : draft_.activities) map(a.state);
    removed_.clear();
  }

  // Pseudostates that no transition touches say nothing; they are left over from drawing.
  void drop_unconnected() {
    for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
      const VertexId id(i);
      const auto kind = draft_.machine.vertex(id).kind;
      if (kind == VertexKind::State || kind == VertexKind::Final) continue;
      bool incoming = false, outgoing = false;
      for (const auto& t : draft_.machine.transitions) {
        incoming |= t.target == id;
        outgoing |= t.source == id;
      }
      if (outgoing || incoming) continue;
      import_.ignore("pseudostate without transitions", place_of(import_, draft_.machine, id),
                     fmt::format("{} `{}`", kind_name(kind), draft_.machine.vertex(id).name));
      import_.diagnostics.warning("uml-unconnected", draft_.machine.vertex(id).span,
                                  fmt::format("{} `{}` has no transitions and is left out", kind_name(kind),
                                              draft_.machine.vertex(id).name));
      removed_.insert(id);
    }
    if (!removed_.empty()) remove_vertices();
  }

  // A fork with one way out, or a join with one way in, is no more than a point on the way.
  void straighten_forks() {
    for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
      model::Vertex& vertex = draft_.machine.vertices[i];
      if (vertex.kind != VertexKind::Fork && vertex.kind != VertexKind::Join) continue;
      std::size_t incoming = 0, outgoing = 0;
      for (const auto& t : draft_.machine.transitions) {
        incoming += t.target == VertexId(i) ? 1 : 0;
        outgoing += t.source == VertexId(i) ? 1 : 0;
      }
      // The bar is the same: what it is, is said by the arrows.
      const bool fork = vertex.kind == VertexKind::Fork;
      if (outgoing == 1 && (fork || incoming == 1)) {
        import_.read("fork or join with one arm, read as a junction");
        vertex.kind = VertexKind::Junction;
      } else if (outgoing > 1 && incoming >= 1 && targets_share_region(VertexId(i))) {
        import_.approximate("bar that leads to several states of one region",
                            place_of(import_, draft_.machine, VertexId(i)), vertex.name,
                            fmt::format("the bar `{}` leads to several states of one region: to any of them",
                                        draft_.machine.path(VertexId(i))));
        vertex.kind = VertexKind::Choice;
      } else if (!fork && incoming == 1 && outgoing > 1) {
        vertex.kind = VertexKind::Fork;
      }
    }
  }

  bool targets_share_region(VertexId bar) const {
    std::set<RegionId> regions;
    for (const auto& t : draft_.machine.transitions)
      if (t.source == bar && !regions.insert(draft_.machine.vertex(t.target).region).second) return true;
    return false;
  }

  // Nothing leads to it, so nothing behind it happens because of it.
  void drop_unreached() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
        const VertexId id(i);
        const auto kind = draft_.machine.vertex(id).kind;
        if (kind != VertexKind::Choice && kind != VertexKind::Junction && kind != VertexKind::Fork &&
            kind != VertexKind::Join)
          continue;
        if (std::any_of(draft_.machine.transitions.begin(), draft_.machine.transitions.end(),
                        [&](const auto& t) { return t.target == id; }))
          continue;
        import_.leave_out("pseudostate that nothing leads to", place_of(import_, draft_.machine, id),
                          draft_.machine.vertex(id).name,
                          fmt::format("the {} `{}` and what leaves it are not there: nothing leads to it",
                                      kind_name(kind), draft_.machine.path(id)));
        std::erase_if(draft_.machine.transitions, [&](const auto& t) { return t.source == id; });
        removed_.insert(id);
        remove_vertices();
        more = true;
        break;
      }
    }
  }

  // A region that does not say where it starts, and has one state that nothing leads to, can only start
  // there.
  void start_where_nothing_leads() {
    for (std::size_t r = 0; r < draft_.machine.regions.size(); ++r) {
      const std::vector<VertexId> vertices = draft_.machine.regions[r].vertices;
      std::set<VertexId> candidates;
      bool starts = false;
      for (const VertexId v : vertices) {
        starts |= draft_.machine.vertex(v).kind == VertexKind::Initial;
        if (draft_.machine.vertex(v).kind == VertexKind::State) candidates.insert(v);
      }
      if (starts) continue;
      for (const auto& t : draft_.machine.transitions) {
        const VertexId to = around(t.target, RegionId(r));
        if (to.valid() && around(t.source, RegionId(r)) != to) candidates.erase(to);
      }
      // A nested region may be entered by transitions that name what is inside.
      if (candidates.size() != 1) continue;
      const VertexId start = *candidates.begin();
      import_.guess(
          "region without an initial state", place_of(import_, draft_.machine, start),
          draft_.machine.vertex(start).name,
          fmt::format("the region of `{}` starts there: it has no initial state, and nothing leads to it",
                      draft_.machine.path(start)));
      add_initial(start);
    }
  }

  // The vertex of the region that a vertex is, or is inside of; invalid: elsewhere.
  VertexId around(VertexId v, RegionId region) const {
    while (v.valid() && draft_.machine.vertex(v).region != region) v = draft_.machine.enclosing_state(v);
    return v;
  }

  void add_initial(VertexId target) {
    const RegionId region = draft_.machine.vertex(target).region;
    const auto span = draft_.machine.vertex(target).span;
    Names names;
    for (const auto v : draft_.machine.region(region).vertices) names.reserve(draft_.machine.vertex(v).name);
    model::Vertex initial;
    initial.kind = VertexKind::Initial;
    initial.name = names.unique("initial", "initial");
    initial.region = region;
    initial.span = initial.name_span = span;
    model::Transition start;
    start.source = draft_.machine.add(std::move(initial));
    start.target = target;
    start.span = start.target_span = span;
    draft_.machine.add(std::move(start));
  }

  // Where a point is passed through, a trigger behind it is as good as none.
  void drop_point_triggers() {
    for (auto& t : draft_.machine.transitions) {
      const auto kind = draft_.machine.vertex(t.source).kind;
      if (t.triggers.empty() || (kind != VertexKind::ExitPoint && kind != VertexKind::EntryPoint)) continue;
      import_.leave_out(
          "trigger of a transition that leaves a pseudostate", place_of(import_, draft_.machine, t.source),
          draft_.machine.vertex(t.source).name,
          fmt::format("the trigger behind `{}` means nothing", draft_.machine.vertex(t.source).name));
      t.triggers.clear();
    }
  }

  // In the text language a name means the nearest vertex of that name. Where an inner one hides the target of
  // a transition, the inner one gets another name.
  void name_targets() {
    for (std::size_t round = 0; round < draft_.machine.vertices.size(); ++round) {
      const model::VertexNames names(draft_.machine);
      VertexId hiding;
      for (const auto& t : draft_.machine.transitions) {
        if (t.kind == model::TransitionKind::Internal || !names.path_to(t.source, t.target).empty()) continue;
        const auto found = names.find(t.source, {draft_.machine.vertex(t.target).name});
        for (const auto v : found) {
          if (v != t.target) hiding = v;
        }
        if (hiding.valid()) break;
      }
      if (!hiding.valid()) return;
      Names taken;
      for (const auto& v : draft_.machine.vertices) taken.reserve(v.name);
      draft_.machine.vertex(hiding).name = taken.unique(draft_.machine.vertex(hiding).name, "state");
      import_.ignore("vertex renamed: it has the name of a target outside of its state",
                     place_of(import_, draft_.machine, hiding), draft_.machine.vertex(hiding).name);
    }
  }

  // An initial transition with a trigger is not UML, but drawn: the initial pseudostate is a state that
  // waits.
  void wait_at_triggered_initials() {
    for (std::size_t i = 0; i < draft_.machine.vertices.size(); ++i) {
      const VertexId id(i);
      if (draft_.machine.vertex(id).kind != VertexKind::Initial) continue;
      const bool triggered =
          std::any_of(draft_.machine.transitions.begin(), draft_.machine.transitions.end(),
                      [&](const auto& t) { return t.source == id && !t.triggers.empty(); });
      if (!triggered) continue;
      const Element& e = place_of(import_, draft_.machine, id);
      import_.approximate(
          "initial transition with a trigger", e, draft_.machine.vertex(id).name,
          fmt::format(
              "the initial pseudostate `{}` has a triggered transition: it is read as a state that waits",
              draft_.machine.vertex(id).name));
      draft_.machine.vertex(id).kind = VertexKind::State;
      add_initial(id);
    }
  }

  // A do-activity may end at any time after its state is entered, or never; what it does is done as a whole
  // when it ends.
  void run_activities() {
    for (auto& a : draft_.activities) {
      import_.approximate("do-activity", *a.element, document_.name(*a.element),
                          fmt::format("the do-activity {} of state `{}` may end at any time; what it does is "
                                      "done at once when it ends",
                                      import_.label(*a.element), draft_.machine.path(a.state)));
      bool completes = false;
      const std::size_t count = draft_.machine.transitions.size();
      for (std::size_t i = 0; i < count; ++i) {
        auto& t = draft_.machine.transitions[i];
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
      draft_.machine.add(std::move(t));
    }
  }

  static model::Trigger tick(diag::Span span) {
    model::Trigger t;
    t.kind = model::TriggerKind::After;
    t.value = make_int(1, span);
    t.span = span;
    return t;
  }

  Import& import_;
  const Document& document_;
  MachineDraft& draft_;
  std::set<VertexId> removed_;
};

}  // namespace

void tidy(Import& import, MachineDraft& draft) {
  Tidier(import, draft).run();
}

}  // namespace parley::front::uml
