#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/shape.hpp"
#include "model/show.hpp"

namespace parley::model {

void Shape::vertex(VertexId v) {
  switch (m_.vertex(v).kind) {
    case VertexKind::State:
      else_of_triggers(v);
      completion(v);
      deferral(v);
      return;
    case VertexKind::Initial:
      return initial(v);
    case VertexKind::Final:
    case VertexKind::Terminate:
      return ending(v);
    case VertexKind::Choice:
    case VertexKind::Junction:
      return branching(v);
    case VertexKind::Fork:
      return fork(v);
    case VertexKind::Join:
      return join(v);
    case VertexKind::ShallowHistory:
    case VertexKind::DeepHistory:
      return history(v);
    case VertexKind::EntryPoint:
      return entry_point(v);
    case VertexKind::ExitPoint:
      return exit_point(v);
  }
}

void Shape::no_triggers(VertexId v) {
  for (const TransitionId t : out(v)) {
    if (transition(t).triggers.empty()) continue;
    error("pseudostate-trigger", transition(t).triggers[0].span,
          fmt::format("a transition out of {} cannot have a trigger", called(v)),
          "nothing waits in a pseudostate; put the trigger on the transition that leads to it");
  }
}

void Shape::no_guards(VertexId v) {
  for (const TransitionId t : out(v)) {
    if (!transition(t).guard && !transition(t).is_else) continue;
    const diag::Span span = transition(t).guard ? transition(t).guard->span : transition(t).span;
    error("pseudostate-guard", span, fmt::format("a transition out of {} cannot have a guard", called(v)),
          "use a choice behind it");
  }
}

void Shape::one_else(const Ids& ids, const char* where) {
  TransitionId first;
  for (const TransitionId t : ids) {
    if (!transition(t).is_else) continue;
    if (first.valid()) {
      d_.error("else-twice", transition(t).span, fmt::format("{} has a second [else]", where))
          .related.push_back({transition(first).span, "the first one"});
    } else {
      first = t;
    }
  }
}

void Shape::initial(VertexId v) {
  no_triggers(v);
  no_guards(v);
  if (out(v).size() != 1) {
    error("initial-outgoing", place(v),
          fmt::format("an initial vertex has one transition, not {}", out(v).size()),
          "use a choice to start in one of several states");
    return;
  }
  const Transition& t = transition(out(v)[0]);
  const RegionId region = m_.vertex(v).region;
  if (t.target.valid() && !inside_region(t.target, region)) {
    error("initial-target", t.target_span, "an initial transition must stay inside its region");
  }
}

void Shape::ending(VertexId v) {
  for (const TransitionId t : out(v)) {
    error("final-outgoing", transition(t).span, fmt::format("no transition can leave {}", called(v)));
  }
}

void Shape::branching(VertexId v) {
  no_triggers(v);
  if (out(v).empty()) {
    error("no-outgoing", place(v), fmt::format("{} leads nowhere", called(v)),
          fmt::format("{} {} {{ [x > 0] -> a; [else] -> b; }}", show_word(m_.vertex(v).kind),
                      quote_name(m_.vertex(v).name)));
    return;
  }
  one_else(out(v), called(v).c_str());
  const bool open_end = std::none_of(out(v).begin(), out(v).end(), [&](TransitionId t) {
    return transition(t).is_else || !transition(t).guard;
  });
  if (open_end && m_.vertex(v).kind == VertexKind::Choice) {
    warning("choice-without-else", place(v), fmt::format("{} has no [else]", called(v)),
            "if no guard is true there, that is a run-time error");
  }
}

void Shape::fork(VertexId v) {
  no_triggers(v);
  no_guards(v);
  if (out(v).size() < 2) {
    error("fork-arity", place(v),
          fmt::format("{} needs two or more transitions, it has {}", called(v), out(v).size()),
          "one for each region it enters");
    return;
  }
  for (std::size_t i = 0; i < out(v).size(); ++i) {
    for (std::size_t k = i + 1; k < out(v).size(); ++k) {
      const Transition& b = transition(out(v)[k]);
      const VertexId a = transition(out(v)[i]).target;
      if (!a.valid() || !b.target.valid() || sibling_regions(a, b.target)) continue;
      error("fork-targets", b.target_span,
            fmt::format("the targets of {} must lie in different regions of one state", called(v)));
      return;
    }
  }
}

void Shape::join(VertexId v) {
  no_triggers(v);
  if (in(v).size() < 2) {
    error("join-arity", place(v),
          fmt::format("{} joins two or more transitions, {} lead{} to it", called(v), in(v).size(),
                      in(v).size() == 1 ? "s" : ""));
  }
  // Several ways on are alternatives, chosen when the last one arrives (PSSM Join 003).
  if (out(v).empty()) error("join-arity", place(v), fmt::format("{} does not go on anywhere", called(v)));
  for (std::size_t i = 0; i < in(v).size(); ++i) {
    const Transition& a = transition(in(v)[i]);
    if (m_.vertex(a.source).kind != VertexKind::State) {
      error("join-sources", a.target_span.valid() ? a.target_span : a.span,
            fmt::format("only transitions from states can lead to {}", called(v)));
      return;
    }
    for (std::size_t k = i + 1; k < in(v).size(); ++k) {
      const Transition& b = transition(in(v)[k]);
      if (sibling_regions(a.source, b.source)) continue;
      error("join-sources", b.target_span.valid() ? b.target_span : b.span,
            fmt::format("what leads to {} must come from different regions of one state", called(v)));
      return;
    }
  }
}

void Shape::history(VertexId v) {
  no_triggers(v);
  no_guards(v);
  const Vertex& x = m_.vertex(v);
  if (!m_.enclosing_state(v).valid()) {
    error("history-place", place(v), fmt::format("{} stands outside any composite state", called(v)),
          "it remembers the last state of the composite state it stands in");
    return;
  }
  if (out(v).size() > 1) {
    error("history-outgoing", place(v),
          fmt::format("{} has at most one default transition, not {}", called(v), out(v).size()));
  }
  for (const TransitionId t : out(v)) {
    if (transition(t).target.valid() && !inside_region(transition(t).target, x.region)) {
      error("history-target", transition(t).target_span, "the default of a history must lie in its region");
    }
  }
}

void Shape::entry_point(VertexId v) {
  no_triggers(v);
  no_guards(v);
  const Vertex& x = m_.vertex(v);
  if (m_.vertex(x.owner_state).regions.empty()) {
    error("misplaced-point", place(v), "entry and exit points belong to a composite state");
    return;
  }
  for (const TransitionId t : out(v)) {
    const VertexId target = transition(t).target;
    if (target.valid() && !inside(target, x.owner_state)) {  // its own state: it is just entered
      error("entry-point-target", transition(t).target_span,
            fmt::format("{} must lead into its state", called(v)));
    }
  }
  for (std::size_t i = 0; i < out(v).size(); ++i) {
    for (std::size_t k = i + 1; k < out(v).size(); ++k) {
      const VertexId a = transition(out(v)[i]).target, b = transition(out(v)[k]).target;
      if (!a.valid() || !b.valid() || sibling_regions(a, b)) continue;
      error("entry-point-target", transition(out(v)[k]).target_span,
            fmt::format("the transitions of {} must lead into different regions", called(v)));
    }
  }
}

void Shape::exit_point(VertexId v) {
  no_triggers(v);
  const Vertex& x = m_.vertex(v);
  if (m_.vertex(x.owner_state).regions.empty()) {
    error("misplaced-point", place(v), "entry and exit points belong to a composite state");
    return;
  }
  if (out(v).empty()) error("no-outgoing", place(v), fmt::format("{} leads nowhere", called(v)));
  one_else(out(v), called(v).c_str());
  for (const TransitionId t : in(v)) {
    if (inside(transition(t).source, x.owner_state)) continue;
    error("exit-point-source", transition(t).target_span,
          fmt::format("only transitions from inside its state lead to {}", called(v)));
  }
}

// [else] among the transitions of a state that share a trigger.
void Shape::else_of_triggers(VertexId v) {
  std::map<std::string, Ids> groups;
  for (const TransitionId t : out(v)) {
    if (transition(t).triggers.empty()) groups[""].push_back(t);
    for (const Trigger& g : transition(t).triggers)
      groups[g.kind == TriggerKind::Signal ? "s " + g.name : show(g)].push_back(t);
  }
  for (const auto& [key, ids] : groups) {
    one_else(ids, "the trigger");
    bool has_else = false, has_guard = false, has_open = false;
    for (const TransitionId t : ids) {
      has_else = has_else || transition(t).is_else;
      has_guard = has_guard || transition(t).guard != nullptr;
      has_open = has_open || (!transition(t).guard && !transition(t).is_else);
    }
    if (!has_else) continue;
    for (const TransitionId t : ids) {
      if (!transition(t).is_else) continue;
      if (has_open) {
        warning("else-dead", transition(t).span,
                "this [else] never fires: a transition with the same trigger has no guard");
      } else if (!has_guard) {
        warning("else-alone", transition(t).span, "there is no other guard for this [else]", "leave it out");
      }
    }
  }
}

void Shape::completion(VertexId v) {
  if (model_.switches.completion == CompletionMode::Free) return;  // read again and again
  bool open = false;
  TransitionId guarded;
  for (const TransitionId t : out(v)) {
    if (!transition(t).triggers.empty()) continue;
    if (transition(t).guard)
      guarded = guarded.valid() ? guarded : t;
    else
      open = true;
  }
  if (!guarded.valid() || open) return;
  warning("guard-read-once", transition(guarded).guard->span,
          "the guard of a completion transition is read only once, when the state completes",
          "if it is false then, the transition never fires; add [else], or use when (…)");
}

void Shape::deferral(VertexId v) {
  const Vertex& x = m_.vertex(v);
  for (const TransitionId t : out(v)) {
    for (const Trigger& g : transition(t).triggers) {
      const bool deferred = g.kind == TriggerKind::Signal &&
                            std::find(x.deferred.begin(), x.deferred.end(), g.signal) != x.deferred.end();
      if (!deferred || !g.signal.valid()) continue;
      warning("deferred-and-triggered", g.span,
              fmt::format("'{}' is deferred in this state and triggers a transition of it", g.name),
              transition(t).guard ? "it is deferred only while the guard is false" : "the transition wins");
    }
  }
}

}  // namespace parley::model
