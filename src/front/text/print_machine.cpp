#include <fmt/format.h>

#include <algorithm>

#include "front/text/print.hpp"
#include "model/show.hpp"

namespace parley::front::text {

using model::Machine;
using model::quote_name;
using model::show;
using model::Stmt;
using model::StmtKind;
using model::Transition;
using model::TransitionKind;
using model::TriggerKind;
using model::Vertex;
using model::VertexId;
using model::VertexKind;

namespace {

bool is_simple(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::Block:
    case StmtKind::If:
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::Either:
      return false;
    default:
      return true;
  }
}

// Words that start another item where a label may stand.
std::string label(const std::string& name) {
  static constexpr std::string_view kWords[] = {"state",  "waiting",  "initial", "final", "terminate",
                                                "choice", "junction", "fork",    "join",  "history",
                                                "region", "entry",    "exit",    "do",    "defer"};
  const bool clashes = std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
  return clashes ? '`' + name + '`' : quote_name(name);
}

bool is_ending(const Vertex& v) {
  return v.kind == VertexKind::Final || v.kind == VertexKind::Terminate;
}
// Final and terminate vertices that are not declared: those resolve made, and nameless ones of drawn models.
bool is_silent(const Vertex& v) {
  return v.implicit || (is_ending(v) && v.name.empty());
}

}  // namespace

void Print::machine(const model::Class& c) {
  const Machine& m = *c.machine;
  const model::VertexNames names(m);
  names_ = &names;
  out_.assign(m.vertices.size(), {});
  for (std::size_t i = 0; i < m.transitions.size(); ++i) {
    out_[m.transitions[i].source.index()].push_back(static_cast<std::uint32_t>(i));
  }
  layout_.before(m.span, !layout_.has_sources() && (!c.attributes.empty() || !c.operations.empty()));
  layout_.open(id(m.element_id) + "machine");
  std::vector<Item> items;
  regions(m, m.top, items);
  in_text_order(std::move(items));
  layout_.before_end(m.span);
  layout_.close("}");
  names_ = nullptr;
}

// The regions of a state or machine: one without a name is written without a region block.
void Print::regions(const Machine& m, const std::vector<model::RegionId>& list, std::vector<Item>& items) {
  if (list.size() == 1 && m.region(list[0]).name.empty() && m.region(list[0]).element_id.empty()) {
    region_items(m, list[0], items);
    return;
  }
  for (const model::RegionId r : list) {
    items.push_back({m.region(r).span, [this, &m, r] {
                       const model::Region& region = m.region(r);
                       layout_.before(region.span);
                       layout_.open(id(region.element_id) + "region" +
                                    (region.name.empty() ? "" : " " + quote_name(region.name)));
                       std::vector<Item> inner;
                       region_items(m, r, inner);
                       in_text_order(std::move(inner));
                       layout_.before_end(region.span);
                       layout_.close("}");
                     }});
  }
}

void Print::region_items(const Machine& m, model::RegionId region, std::vector<Item>& items) {
  for (const VertexId v : m.region(region).vertices) {
    const Vertex& x = m.vertex(v);
    if (is_silent(x) || x.owner_state.valid()) continue;
    items.push_back({x.span, [this, &m, v] { vertex(m, v); }});
  }
}

void Print::vertex(const Machine& m, VertexId v) {
  const Vertex& x = m.vertex(v);
  if (x.kind == VertexKind::State) return state(m, v);
  layout_.before(x.span);
  const std::vector<std::uint32_t>& out = out_[v.index()];
  std::string head = id(x.element_id);
  head += x.kind == VertexKind::Final ? "final state" : model::show_word(x.kind);
  const bool clashes =
      x.kind == VertexKind::Initial && (x.name == "on" || x.name == "after" || x.name == "when");
  if (!x.name.empty()) head += ' ' + (clashes ? '`' + x.name + '`' : quote_name(x.name));
  if (out.empty()) {
    layout_.line(head + ';');
    return;
  }
  const bool one_line = x.kind == VertexKind::Initial || x.kind == VertexKind::ShallowHistory ||
                        x.kind == VertexKind::DeepHistory;
  if (one_line && out.size() == 1) return transition(m, m.transitions[out[0]], head + ' ');
  if (out.size() == 1 && layout_.was_one_line(x.span)) {
    const std::string text = head + " { " + transition_line(m, m.transitions[out[0]]) + " }";
    if (layout_.fits(text)) return layout_.line(text);
  }
  layout_.open(head);
  for (const std::uint32_t t : out) {
    layout_.before(m.transitions[t].span);
    transition(m, m.transitions[t], "");
  }
  layout_.before_end(x.span);
  layout_.close("}");
}

void Print::state(const Machine& m, VertexId v) {
  const Vertex& x = m.vertex(v);
  layout_.before(x.span);
  std::vector<Item> items;
  const auto add_behaviour = [&](const char* word, const model::Behaviour& b) {
    if (!b) return;
    items.push_back({b.span, [this, word, &b] {
                       layout_.before(b.span);
                       behaviour(std::string(word) + " /", b, "");
                     }});
  };
  add_behaviour("entry", x.entry);
  add_behaviour("exit", x.exit);
  add_behaviour("do", x.do_activity);
  if (!x.defers.empty()) {
    const diag::Span first = x.defer_spans.empty() ? diag::Span{} : x.defer_spans[0];
    items.push_back({first, [this, &x, first] {
                       std::string text = "defer ";
                       for (std::size_t i = 0; i < x.defers.size(); ++i)
                         text += (i > 0 ? ", " : "") + quote_name(x.defers[i]);
                       layout_.before(first);
                       layout_.line(text + ';');
                     }});
  }
  for (const std::uint32_t t : out_[v.index()]) {
    items.push_back({m.transitions[t].span, [this, &m, t] {
                       layout_.before(m.transitions[t].span);
                       transition(m, m.transitions[t], "");
                     }});
  }
  if (x.region.valid() && !x.regions.empty()) {
    for (const VertexId p : m.region(x.region).vertices) {
      if (m.vertex(p).owner_state == v) items.push_back({m.vertex(p).span, [this, &m, p] { vertex(m, p); }});
    }
  }
  regions(m, x.regions, items);
  const std::string head = id(x.element_id) + (x.waiting ? "waiting state " : "state ") + quote_name(x.name);
  if (items.empty() && !layout_.has_comment_in(x.span)) {
    layout_.line(head + ';');
    return;
  }
  const std::vector<std::uint32_t>& out = out_[v.index()];
  if (items.size() == 1 && out.size() == 1 && layout_.was_one_line(x.span)) {
    const std::string text = head + " { " + transition_line(m, m.transitions[out[0]]) + " }";
    if (layout_.fits(text)) return layout_.line(text);
  }
  layout_.open(head);
  in_text_order(std::move(items));
  layout_.before_end(x.span);
  layout_.close("}");
}

std::string Print::target(const Machine& m, const Transition& t) const {
  if (t.target.valid() && is_silent(m.vertex(t.target))) return model::show_word(m.vertex(t.target).kind);
  if (!t.target_name.empty()) return t.target_name;
  if (!t.target.valid()) return "?";
  std::vector<std::string> path = names_->path_to(t.source, t.target);
  if (path.empty()) path = {m.vertex(t.target).name};
  const std::string text = model::join_path(path);
  return text == "final" || text == "terminate" ? '`' + text + '`' : text;
}

std::string Print::transition_head(const Transition& t, const std::string& prefix) const {
  std::string head = prefix + id(t.element_id);
  if (!t.name.empty()) head += label(t.name) + ": ";
  std::string triggers;
  for (const model::Trigger& g : t.triggers) {
    if (!triggers.empty())
      triggers += ", ";
    else if (g.kind != TriggerKind::After && g.kind != TriggerKind::Change)
      triggers = "on ";
    triggers += show(g);
  }
  std::vector<std::string> parts;
  if (!triggers.empty()) parts.push_back(triggers);
  if (t.is_else) parts.push_back("[else]");
  if (t.guard) parts.push_back('[' + show(*t.guard) + ']');
  if (t.effect) parts.push_back("/");
  return fmt::format("{}{}", head, fmt::join(parts, " "));
}

std::string Print::transition_tail(const Machine& m, const Transition& t) const {
  if (t.kind == TransitionKind::Internal) return ";";
  return fmt::format(" -> {}{};", t.kind == TransitionKind::Local ? "local " : "", target(m, t));
}

void Print::transition(const Machine& m, const Transition& t, const std::string& prefix) {
  if (t.effect) return behaviour(transition_head(t, prefix), t.effect, transition_tail(m, t));
  layout_.line(prefix + transition_line(m, t));
}

std::string Print::transition_line(const Machine& m, const Transition& t) const {
  const std::string head = transition_head(t, ""), tail = transition_tail(m, t);
  if (t.effect) return behaviour_line(head, t.effect, tail);
  const bool starts_with_arrow = head.empty() || head.back() == ' ';
  return head + (starts_with_arrow ? tail.substr(1) : tail);
}

std::string Print::behaviour_line(const std::string& head, const model::Behaviour& b,
                                  const std::string& tail) {
  const std::string start = b.name.empty() ? head : head + ' ' + model::quote_text(b.name);
  const bool is_block = b.body->kind == StmtKind::Block;
  return start + ' ' + (is_block ? show(*b.body) : "{ " + show(*b.body) + " }") + tail;
}

// head { … } tail: on one line if it fits there and the author had it so, or if it is one simple statement.
void Print::behaviour(const std::string& head, const model::Behaviour& b, const std::string& tail) {
  const std::vector<model::StmtPtr>& children = b.body->children;
  const bool is_block = b.body->kind == StmtKind::Block;
  const std::size_t few = layout_.has_sources() ? 1 : 2;
  const bool simple =
      is_block && children.size() <= few &&
      std::all_of(children.begin(), children.end(), [](const model::StmtPtr& s) { return is_simple(*s); });
  const bool short_enough =
      (simple || (!is_block && is_simple(*b.body))) && !layout_.has_comment_in(b.body->span);
  if (short_enough || layout_.was_one_line(b.body->span)) {
    const std::string text = behaviour_line(head, b, tail);
    if (layout_.fits(text)) return layout_.line(text);
  }
  layout_.open(b.name.empty() ? head : head + ' ' + model::quote_text(b.name));
  if (is_block)
    statements(*b.body);
  else
    statement(*b.body);
  layout_.before_end(b.body->span);
  layout_.close('}' + tail);
}

void Print::statements(const Stmt& block) {
  for (const model::StmtPtr& s : block.children) {
    layout_.before(s->span);
    statement(*s);
  }
}

void Print::statement(const Stmt& s) {
  const auto body = [&](const std::string& head, const Stmt& inner, const std::string& tail) {
    layout_.open(head);
    if (inner.kind == StmtKind::Block)
      statements(inner);
    else
      statement(inner);
    layout_.before_end(inner.span);
    layout_.close(tail);
  };
  if (!is_simple(s) && s.kind != StmtKind::Block && layout_.was_one_line(s.span) && layout_.fits(show(s))) {
    return layout_.line(show(s));
  }
  switch (s.kind) {
    case StmtKind::Block:
      if (s.children.empty() && !layout_.has_comment_in(s.span)) return layout_.line("{ }");
      layout_.line("{");
      layout_.indent();
      statements(s);
      layout_.before_end(s.span);
      return layout_.close("}");
    case StmtKind::If:
      return if_statement(s);
    case StmtKind::For:
      return body(fmt::format("for ({} in {}..{})", quote_name(s.text), show(*s.value), show(*s.hi)),
                  *s.children[0], "}");
    case StmtKind::While:
      return body(fmt::format("while ({}) limit {}", show(*s.value), show(*s.hi)), *s.children[0], "}");
    case StmtKind::Either: {
      for (std::size_t i = 0; i < s.children.size(); ++i) {
        const Stmt& inner = *s.children[i];
        if (i == 0)
          layout_.open("either");
        else
          layout_.reopen("} or");
        if (inner.kind == StmtKind::Block)
          statements(inner);
        else
          statement(inner);
        layout_.before_end(inner.span);
      }
      return layout_.close("}");
    }
    default:
      layout_.line(show(s));
  }
}

void Print::if_statement(const Stmt& s) {
  layout_.open(fmt::format("if ({})", show(*s.value)));
  const Stmt* at = &s;
  for (;;) {
    const Stmt& yes = *at->children[0];
    if (yes.kind == StmtKind::Block)
      statements(yes);
    else
      statement(yes);
    layout_.before_end(yes.span);
    if (at->children.size() < 2) break;
    const Stmt& no = *at->children[1];
    const bool chain = no.kind == StmtKind::Block && no.children.size() == 1 &&
                       no.children[0]->kind == StmtKind::If &&
                       !layout_.has_comment_in({no.span.file, no.span.begin, no.children[0]->span.begin});
    if (chain) {
      at = no.children[0].get();
      layout_.reopen(fmt::format("}} else if ({})", show(*at->value)));
      continue;
    }
    layout_.reopen("} else");
    if (no.kind == StmtKind::Block)
      statements(no);
    else
      statement(no);
    layout_.before_end(no.span);
    break;
  }
  layout_.close("}");
}

}  // namespace parley::front::text
