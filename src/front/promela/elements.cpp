#include "front/promela/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::promela {
namespace {

bool special(const std::string& label) {
  return label.rfind("accept", 0) == 0 || label.rfind("end", 0) == 0 || label.rfind("progress", 0) == 0;
}

}  // namespace

bool ElementGraph::read() {
  top_ = new_chain();
  open_.push_back(top_);
  for (const StmtPtr& s : proctype_.body) add(*s);
  end_ = new_element(Node::End, nullptr, proctype_.end_span);
  append(end_, top_);
  chain(top_).extent = chain(top_).last;
  keep_referenced_jumps();
  tie_loose_ends();
  return !failed_;
}

int ElementGraph::new_chain() {
  chains_.push_back({});
  return static_cast<int>(chains_.size() - 1);
}
int ElementGraph::new_element(Node node, const Stmt* s, diag::Span span) {
  Element e;
  e.node = node;
  e.statement = s;
  e.span = span;
  if (s) e.scope = s->scope;
  elements_.push_back(std::move(e));
  return static_cast<int>(elements_.size() - 1);
}
void ElementGraph::fail(const char* code, diag::Span span, std::string message, std::string hint) {
  diagnostics_.error(code, span, std::move(message), std::move(hint));
  failed_ = true;
}

int ElementGraph::read_chain(const Sequence& statements) {
  const int c = new_chain();
  open_.push_back(c);
  for (const StmtPtr& s : statements) add(*s);
  open_.pop_back();
  chain(c).extent = chain(c).last;
  return c;
}

void ElementGraph::set_label(const std::string& name, const std::string& scope, int e, diag::Span span) {
  for (const PlacedLabel& l : labels_)
    if (l.name == name && l.scope == scope) {
      diagnostics_.error("redeclared", span, fmt::format("label '{}' is set twice", name))
          .related.push_back({l.span, "the first one"});
      failed_ = true;
      break;
    }
  labels_.push_back({name, scope, e, span});
}

void ElementGraph::append(int e, int c) {
  if (element(e).node == Node::Goto) {
    bool marked = false;
    for (const PlacedLabel& l : labels_) marked = marked || (l.element == e && special(l.name));
    if (marked) {
      // A jump under an end, accept or progress label: the label gets a state of its own.
      const int skip = new_element(Node::Skip, nullptr, element(e).span);
      for (auto l = labels_.rbegin(); l != labels_.rend(); ++l)
        if (l->element == e) {
          l->element = skip;
          break;
        }
      append(skip, c);
    }
  }
  if (chain(c).first == kNone)
    chain(c).first = e;
  else
    element(chain(c).last).next = e;
  chain(c).last = e;
}

void ElementGraph::add(const Stmt& s) {
  const int here = open_.back();
  int e = kNone;
  switch (s.kind) {
    case StmtKind::If:
    case StmtKind::Do:
      e = add_selection(s, here);
      break;
    case StmtKind::Unless:
      e = add_unless(s, here);
      break;
    case StmtKind::Atomic:
    case StmtKind::DStep:
    case StmtKind::Block: {
      const int inner = read_chain(s.options[0]);
      e = new_element(s.kind == StmtKind::Atomic  ? Node::Atomic
                      : s.kind == StmtKind::DStep ? Node::DStep
                                                  : Node::Block,
                      &s, s.span);
      element(e).inner = inner;
      if (s.kind != StmtKind::Block)
        make_atomic(inner, s.kind == StmtKind::DStep ? static_cast<unsigned>(kDStep) : 0u);
      break;
    }
    case StmtKind::Goto:
      e = new_element(Node::Goto, &s, s.span);
      element(e).jump = s.label;
      break;
    case StmtKind::Break:
      e = new_element(Node::Goto, &s, s.span);
      if (breaks_.empty())
        fail("misplaced", s.span, "'break' stands outside any loop");
      else
        element(e).jump = breaks_.back();
      break;
    default:
      e = new_element(Node::Leaf, &s, s.span);
  }
  for (auto l = s.labels.rbegin(); l != s.labels.rend(); ++l) set_label(l->name, s.scope, e, l->span);
  if (s.kind != StmtKind::If && s.kind != StmtKind::Do && s.kind != StmtKind::Unless) append(e, here);
}

bool ElementGraph::is_skip(int e) {
  const Element& x = element(e);
  if (x.node == Node::Skip) return true;
  if (x.node != Node::Leaf) return false;
  const Stmt& s = *x.statement;
  if (s.kind == StmtKind::Print || s.kind == StmtKind::Printm) return true;
  return s.kind == StmtKind::Condition && s.expr->kind == ExprKind::Const && s.expr->value == 1;
}
bool ElementGraph::labelled(int e) const {
  return std::any_of(labels_.begin(), labels_.end(), [&](const PlacedLabel& l) { return l.element == e; });
}

// In an option, of several skips in a row only the first stays (printf counts as one but is never removed).
void ElementGraph::prune_skips(int c) {
  int count = 0, before = kNone;
  for (int e = chain(c).first; e != kNone; e = element(e).next) {
    if (is_skip(e) && !labelled(e)) {
      const bool print = element(e).statement && element(e).statement->kind != StmtKind::Condition;
      if (++count > 1 && !print && e != chain(c).first && e != chain(c).last && e != chain(c).extent) {
        element(before).next = element(e).next;
        e = before;
      }
    } else {
      count = 0;
    }
    before = e;
  }
}

int ElementGraph::add_selection(const Stmt& s, int here) {
  const bool loop = s.kind == StmtKind::Do;
  std::string leave;
  if (loop) {
    leave = fmt::format(":b{}", break_count_++);
    breaks_.push_back(leave);
  }
  std::vector<int> subs;
  int otherwise = kNone;
  std::vector<int> chains(s.options.size());
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const std::size_t which = s.last_option_first ? chains.size() - 1 - i : i;
    chains[which] = read_chain(s.options[which]);
  }
  for (const int c : chains) {
    if (chain(c).first == kNone) continue;
    if (proctype_.kind != ProcKind::Claim) prune_skips(c);
    const Element& first = element(chain(c).first);
    if (first.node == Node::Leaf && first.statement->kind == StmtKind::Else && otherwise == kNone)
      otherwise = c;
    else
      subs.push_back(c);
  }
  if (otherwise != kNone) subs.push_back(otherwise);
  const int e = new_element(loop ? Node::Do : Node::If, &s, s.span);
  int target = new_element(Node::Dot, nullptr, s.span);
  element(e).subs = subs;
  for (int c : subs) append(target, c);
  if (loop) {
    append(target, here);
    target = new_element(Node::BreakTarget, nullptr, s.span);
    labels_.push_back({leave, "", target, s.span});
    breaks_.pop_back();
  }
  append(e, here);
  append(target, here);
  return e;
}

int ElementGraph::add_unless(const Stmt& s, int here) {
  const int main = read_chain(s.options[0]);
  const int escape = read_chain(s.options[1]);
  const int e = new_element(Node::Unless, &s, s.span);
  const int target = new_element(Node::Dot, nullptr, s.span);
  element(e).subs = {main, escape};
  for (int c : {main, escape}) append(target, c);
  attach_escape(main, escape);
  append(e, here);
  append(target, here);
  return e;
}

void ElementGraph::attach_escape(int to, int escape) {
  for (int f = chain(to).first; f != kNone; f = element(f).next) {
    attach_to_element(f, escape);
    if (f == chain(to).extent) break;
  }
}

void ElementGraph::attach_to_element(int f, int escape) {
  auto& list = element(f).escapes;
  if (std::find(list.begin(), list.end(), escape) != list.end()) return;
  for (int inner : std::vector<int>(list)) attach_escape(inner, escape);
  element(f).escapes.insert(element(f).escapes.begin(), escape);
  switch (element(f).node) {
    case Node::Unless:
      attach_escape(element(f).subs[0], escape);
      break;
    case Node::If:
    case Node::Do:
      for (int c : std::vector<int>(element(f).subs)) attach_escape(c, escape);
      break;
    case Node::DStep:
      attach_to_element(chain(element(f).inner).first, escape);
      break;
    case Node::Atomic:
    case Node::Block:
      attach_escape(element(f).inner, escape);
      break;
    default:
      break;
  }
}

void ElementGraph::make_atomic(int c, unsigned added) {
  if (chain(c).first == kNone) return;
  walk_atomic(chain(c).first, chain(c).last, added);
  const int last = chain(c).last;
  if (element(last).node == Node::Block || element(last).node == Node::Atomic) {
    make_atomic(element(last).inner, added);
  } else if (element(last).node == Node::Unless) {
    make_atomic(element(last).subs[0], added);
  } else {
    element(last).status &= ~kAtom;
    element(last).status |= kLastAtom;
  }
}

void ElementGraph::walk_atomic(int from, int to, unsigned added) {
  for (int f = from; f != kNone; f = element(f).next) {
    element(f).status |= kAtom | added;
    Node& node = element(f).node;
    if (node == Node::Atomic || (node == Node::DStep && added)) node = Node::Block;
    if (node == Node::Block) {
      const Chain inner = chain(element(f).inner);
      walk_atomic(inner.first, inner.last, added);
    }
    if (node == Node::Unless && added)
      fail("misplaced", element(f).span, "'unless' cannot stand inside d_step");
    for (int c : std::vector<int>(element(f).subs)) walk_atomic(chain(c).first, chain(c).last, added);
    if (f == to) break;
  }
}

// A jump under a label that a remote reference names becomes a skip followed by the jump.
void ElementGraph::keep_referenced_jumps() {
  for (const std::string& name : referenced_)
    for (auto l = labels_.rbegin(); l != labels_.rend(); ++l) {
      if (l->name != name) continue;
      const int e = l->element;
      if (element(e).node == Node::Goto) {
        const int jump = new_element(Node::Goto, element(e).statement, element(e).span);
        element(jump).jump = element(e).jump;
        element(jump).next = element(e).next;
        element(jump).status = 0;
        element(e).node = Node::Skip;
        element(e).statement = nullptr;
        element(e).next = jump;
      }
      break;
    }
}

void ElementGraph::tie_loose_ends() {
  for (int e = static_cast<int>(elements_.size()) - 1; e >= 0; --e) {
    Element& x = element(e);
    if (x.inner == kNone || x.next == kNone) continue;
    int f = x.next;
    while (f != kNone && element(f).node == Node::Dot) f = element(f).next;
    const int last = chain(x.inner).last;
    if (last != kNone && element(last).next == kNone) element(last).next = f;
  }
}

// The best label of that name: of the same block, else of an enclosing one, else any.
int ElementGraph::find_label(int jump) {
  const Element& g = element(jump);
  int best = kNone;
  for (auto l = labels_.rbegin(); l != labels_.rend(); ++l) {
    if (l->name != g.jump) continue;
    if (l->name[0] == ':' || l->scope == g.scope) return l->element;
    if (g.scope.compare(0, l->scope.size(), l->scope) == 0 || best == kNone) best = l->element;
  }
  if (best == kNone) {
    std::vector<std::string> names;
    for (const PlacedLabel& l : labels_)
      if (l.name[0] != ':') names.push_back(l.name);
    const std::string near = diag::did_you_mean(g.jump, names);
    fail("unknown-name", g.span, fmt::format("there is no label '{}' in '{}'", g.jump, proctype_.name),
         near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    return jump;
  }
  return best;
}

}  // namespace parley::front::promela
