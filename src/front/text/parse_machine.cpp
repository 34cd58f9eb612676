#include <fmt/format.h>

#include "front/text/grammar.hpp"
#include "model/show.hpp"

namespace parley::front::text {

using model::Machine;
using model::RegionId;
using model::Transition;
using model::TransitionKind;
using model::Trigger;
using model::TriggerKind;
using model::Vertex;
using model::VertexId;
using model::VertexKind;

void Grammar::machine(model::Class& c, const Token& first, std::string id) {
  Machine m;
  m.element_id = std::move(id);
  m.name = c.name;
  expect("{", "after 'machine'");
  Place place;
  items_until_brace([&] { state_item(m, place); });
  if (m.top.empty()) m.add(model::Region{});
  m.span = since(first);
  if (c.machine) {
    diagnostics_.error("duplicate-machine", span(first), fmt::format("class '{}' has two machines", c.name),
                       "a class has one; use 'region' for parts that run side by side");
    return;
  }
  c.machine = std::move(m);
}

// The region that a vertex written directly in this body belongs to.
RegionId Grammar::region_for(Machine& m, Place& place, const Token& first) {
  if (place.has_regions && !place.region.valid()) {
    fail_at(span(first), "mixed-regions", "states stand beside 'region' blocks here",
            "put them into a region of their own");
  }
  if (!place.region.valid()) {
    model::Region r;
    r.state = place.state;
    r.span = span(first);
    place.region = m.add(std::move(r));
    place.has_direct = true;
  }
  return place.region;
}

void Grammar::state_item(Machine& m, Place& place) {
  const Token& first = peek();
  if (accept(";")) return;
  const std::string id = id_annotation();
  if (vertex_item(m, place, first, id)) return;
  const bool label = at_name() && at(":", 1);
  const bool starts =
      at_word("on") || at_word("after") || at_word("when") || at("[") || at("->") || at("/") || label;
  const bool in_state = place.state.valid();
  if (in_state && (at_word("entry") || at_word("exit") || at_word("do") || at_word("defer")))
    no_id(id, first);
  if (in_state && at_word("entry")) return set_behaviour(m.vertex(place.state).entry, take());
  if (in_state && at_word("exit")) return set_behaviour(m.vertex(place.state).exit, take());
  if (in_state && at_word("do")) return set_behaviour(m.vertex(place.state).do_activity, take());
  if (in_state && at_word("defer")) return defer(m, place);
  if (starts && in_state) return transition(m, place.state, first, id);
  if (starts || at_word("entry") || at_word("exit") || at_word("defer")) {
    fail_at(span(peek()), "outside-state", fmt::format("{} stands outside any state", describe(peek())),
            "transitions, entry, exit and defer are written inside their state: state s { on x -> t; }");
  }
  static const std::vector<std::string> kWords = {
      "state", "waiting", "initial", "final", "terminate", "choice", "junction", "fork",  "join", "history",
      "deep",  "shallow", "region",  "entry", "exit",      "defer",  "on",       "after", "when"};
  const std::string near = at_name() ? diag::did_you_mean(text(peek()), kWords) : "";
  fail(in_state ? "a transition, a nested state or 'entry', 'exit', 'defer'" : "a state or another vertex",
       near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

bool Grammar::vertex_item(Machine& m, Place& place, const Token& first, const std::string& id) {
  struct Word {
    std::string_view text;
    VertexKind kind;
  };
  static constexpr Word kWords[] = {{"choice", VertexKind::Choice},
                                    {"junction", VertexKind::Junction},
                                    {"fork", VertexKind::Fork},
                                    {"join", VertexKind::Join},
                                    {"history", VertexKind::ShallowHistory}};
  if (at_word("waiting") && at_word("state", 1)) {
    take();
    take();
    state_vertex(m, place, first, id, true);
    return true;
  }
  if (at_word("state")) {
    take();
    state_vertex(m, place, first, id, false);
    return true;
  }
  if (at_word("initial")) {
    take();
    const bool named = at_name() && !at_word("on") && !at_word("after") && !at_word("when");
    pseudostate(m, place, first, id, VertexKind::Initial, named);
    return true;
  }
  if (at_word("final") || at_word("terminate")) {
    const VertexKind kind = at_word("final") ? VertexKind::Final : VertexKind::Terminate;
    take();
    if (kind == VertexKind::Final && at_word("state") && at_name(1)) take();
    pseudostate(m, place, first, id, kind, true);
    return true;
  }
  for (const Word& w : kWords) {
    if (!at_word(w.text)) continue;
    take();
    pseudostate(m, place, first, id, w.kind, true);
    return true;
  }
  if ((at_word("deep") || at_word("shallow")) && at_word("history", 1)) {
    const VertexKind kind = at_word("deep") ? VertexKind::DeepHistory : VertexKind::ShallowHistory;
    take();
    take();
    pseudostate(m, place, first, id, kind, true);
    return true;
  }
  if ((at_word("entry") || at_word("exit")) && at_word("point", 1)) {
    const VertexKind kind = at_word("entry") ? VertexKind::EntryPoint : VertexKind::ExitPoint;
    take();
    take();
    point(m, place, first, id, kind);
    return true;
  }
  if (at_word("region")) {
    take();
    region_item(m, place, first, id);
    return true;
  }
  return false;
}

void Grammar::state_vertex(Machine& m, Place& place, const Token& first, const std::string& id,
                           bool waiting) {
  Vertex v;
  v.region = region_for(m, place, first);
  v.waiting = waiting;
  v.element_id = id;
  v.name = expect_name("the name of the state", &v.name_span);
  v.span = since(first);
  const VertexId state = m.add(std::move(v));
  if (accept(";")) return;
  if (!at("{")) fail("'{' or ';' after the state's name");
  const Deeper deeper(state_depth_);
  if (state_depth_ > kStateDepth) {
    too_deep(span(first), fmt::format("states are nested more than {} levels deep", kStateDepth));
  }
  take();
  Place inside;
  inside.state = state;
  items_until_brace([&] { state_item(m, inside); });
  m.vertex(state).span = since(first);
  accept(";");
}

// Any vertex but states and points: a name, then its continuations.
void Grammar::pseudostate(Machine& m, Place& place, const Token& first, const std::string& id,
                          VertexKind kind, bool named) {
  Vertex v;
  v.kind = kind;
  v.region = region_for(m, place, first);
  v.element_id = id;
  v.name_span = span(first);
  if (named) v.name = expect_name(fmt::format("the name of the {}", model::show_word(kind)), &v.name_span);
  v.span = since(first);
  continuations(m, m.add(std::move(v)), first);
}

// Behind the head of a vertex that is no state: its continuations in braces, or one of them, or nothing.
void Grammar::continuations(Machine& m, VertexId vertex, const Token& first) {
  if (accept(";")) return;
  const auto one = [&] {
    const Token& start = peek();
    const std::string own = id_annotation();
    continuation(m, vertex, start, own);
  };
  if (accept("{")) {
    items_until_brace(one);
    accept(";");
  } else {
    one();
  }
  m.vertex(vertex).span = since(first);
}

void Grammar::point(Machine& m, Place& place, const Token& first, const std::string& id, VertexKind kind) {
  if (!place.state.valid()) {
    fail_at(span(first), "misplaced-point", "entry and exit points belong to a composite state",
            "write them inside the state they lead into or out of");
  }
  Vertex v;
  v.kind = kind;
  v.owner_state = place.state;
  v.region = m.vertex(place.state).region;
  v.element_id = id;
  v.name = expect_name(fmt::format("the name of the {}", model::show_word(kind)), &v.name_span);
  v.span = since(first);
  continuations(m, m.add(std::move(v)), first);
}

void Grammar::region_item(Machine& m, Place& place, const Token& first, const std::string& id) {
  if (place.has_direct) {
    fail_at(span(first), "mixed-regions", "'region' blocks stand beside states here",
            "put the other states into a region of their own");
  }
  place.has_regions = true;
  model::Region r;
  r.state = place.state;
  r.element_id = id;
  if (at_name()) r.name = expect_name("the name of the region");
  r.span = since(first);
  const RegionId region = m.add(std::move(r));
  expect("{", "after the region's name");
  Place inside;
  inside.region = region;
  items_until_brace([&] { state_item(m, inside); });
  m.region(region).span = since(first);
  accept(";");
}

void Grammar::defer(Machine& m, Place& place) {
  take();
  do {
    Span where;
    std::string signal = expect_name("the name of a signal", &where);
    Vertex& v = m.vertex(place.state);
    v.defers.push_back(std::move(signal));
    v.defer_spans.push_back(where);
  } while (accept(","));
  expect_semicolon("the deferred signals");
}

void Grammar::set_behaviour(model::Behaviour& slot, const Token& word) {
  model::Behaviour b = behaviour();
  b.span = since(word);
  accept(";");
  if (slot) {
    diagnostics_.error("duplicate-behaviour", span(word),
                       fmt::format("the state has a second '{}' behaviour", text(word)),
                       "join the two blocks");
    return;
  }
  slot = std::move(b);
}

// [/] ["name"] { statements }
model::Behaviour Grammar::behaviour() {
  model::Behaviour b;
  const Token& first = peek();
  accept("/");
  if (peek().kind == TokenKind::String) b.name = expect_string("a name");
  b.body = block("at the start of the behaviour");
  b.span = since(first);
  return b;
}

void Grammar::transition(Machine& m, VertexId source, const Token& first, const std::string& id) {
  transition_rest(m, transition_head(source, id), first, false);
}

void Grammar::continuation(Machine& m, VertexId source, const Token& first, const std::string& id) {
  transition_rest(m, transition_head(source, id), first, true);
}

// [name :] triggers
Transition Grammar::transition_head(VertexId source, const std::string& id) {
  Transition t;
  t.source = source;
  t.element_id = id;
  if (at_name() && at(":", 1)) {
    t.name = expect_name("a name");
    take();
  }
  triggers(t);
  return t;
}

void Grammar::triggers(Transition& t) {
  const Token& first = peek();
  if (accept_word("after")) {
    Trigger g;
    g.kind = TriggerKind::After;
    g.value = primary();
    g.span = since(first);
    t.triggers.push_back(std::move(g));
    return;
  }
  if (accept_word("when")) {
    Trigger g;
    g.kind = TriggerKind::Change;
    expect("(", "after 'when'");
    g.value = expression();
    expect(")", "after the condition");
    g.span = since(first);
    t.triggers.push_back(std::move(g));
    return;
  }
  if (!accept_word("on")) return;
  do {
    Trigger g;
    const Token& start = peek();
    if (at_word("any")) {
      take();
      g.kind = TriggerKind::AnySignal;
    } else if (at_word("timeout") && at_name(1)) {
      take();
      g.kind = TriggerKind::Timeout;
      g.name = expect_name("the name of a timer");
    } else {
      g.kind = TriggerKind::Signal;
      g.name = expect_name("the name of a signal");
      if (accept("(")) {
        if (!at(")")) {
          do {
            g.parameters.push_back(expect_name("a name for the message's value"));
          } while (accept(","));
        }
        expect(")", "after the names");
      }
    }
    g.span = since(start);
    t.triggers.push_back(std::move(g));
  } while (accept(","));
}

void Grammar::transition_rest(Machine& m, Transition t, const Token& first, bool arrow_needed) {
  if (accept("[")) {
    if (accept_word("else")) {
      t.is_else = true;
    } else {
      t.guard = expression();
    }
    expect("]", "after the guard");
  }
  bool closed = false;
  if (at("/")) {
    t.effect = behaviour();
    closed = true;
  }
  if (accept("->")) {
    if (at_word("local") && at_name(1)) {
      take();
      t.kind = TransitionKind::Local;
    }
    const bool quoted = peek().quoted;
    t.target_name = path(&t.target_span);
    // A state that happens to be called `final` is told from the built-in target by its backquotes.
    if (quoted && (t.target_name == "final" || t.target_name == "terminate")) {
      t.target_name = "`" + t.target_name + "`";
    }
    closed = false;
  } else if (arrow_needed) {
    fail("'->' and a target");
  } else {
    if (t.triggers.empty()) fail("'->' and a target", "only a transition with a trigger can be internal");
    t.kind = TransitionKind::Internal;
    t.target = t.source;
  }
  t.span = since(first);
  if (at("[") || at("/")) {
    fail("';' after the target", "the order is: on trigger [guard] / { effect } -> target;");
  }
  if (!closed || at(";")) expect_semicolon("the transition");
  m.add(std::move(t));
}

}  // namespace parley::front::text
