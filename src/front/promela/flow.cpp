#include "front/promela/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace parley::front::promela {
namespace {

enum Status : unsigned { kDone = 1, kAtom = 2, kLastAtom = 4, kDStep = 32 };
constexpr int kNone = -1;

enum class Node : std::uint8_t {
  Leaf,
  Goto,
  Skip,
  If,
  Do,
  Unless,
  Atomic,
  Block,
  DStep,
  Dot,
  BreakTarget,
  End
};

struct Chain {  // a sequence of elements
  int first = kNone, last = kNone, extent = kNone;
};

struct Element {
  Node node = Node::Leaf;
  const Stmt* statement = nullptr;
  unsigned status = 0;
  int next = kNone;
  std::vector<int> subs;     // If, Do, Unless: chains
  int inner = kNone;         // Atomic, Block, DStep: chain
  std::vector<int> escapes;  // chains, outermost first
  std::string jump;          // Goto: label
  std::string scope;
  diag::Span span;
};

struct PlacedLabel {
  std::string name, scope;
  int element;
  diag::Span span;
};

struct Link {  // a transition before flattening
  int element = kNone;
  int target = 0;  // element number + 1; 0: none
  bool atomic = false;
  std::vector<int> escapes;  // element numbers
  int escape = kNone;
};

struct Row {
  bool present = false;
  bool compound = false;  // a selection or sequence: its links lead to the states whose links are meant
  std::vector<Link> links;
};

class Builder {
 public:
  Builder(const Proctype& p, const std::vector<std::string>& referenced, diag::Diagnostics& d)
      : proctype_(p), referenced_(referenced), diagnostics_(d) {}

  Automaton run() {
    open_.push_back(new_chain());
    for (const StmtPtr& s : proctype_.body) add(*s);
    const int end = new_element(Node::End, nullptr, proctype_.end_span);
    append(end, open_.back());
    const int top = open_.back();
    chains_[static_cast<std::size_t>(top)].extent = chains_[static_cast<std::size_t>(top)].last;
    keep_referenced_jumps();
    tie_loose_ends();
    if (failed_) return {};
    rows_.resize(elements_.size());
    stop_.resize(elements_.size());
    accept_.resize(elements_.size());
    progress_.resize(elements_.size());
    put_chain(top);
    rows_.resize(elements_.size());
    if (failed_) return {};
    mark_labels(end);
    flatten();
    resolve_selections();
    add_escapes();
    pass_end_labels();
    return finish(hunt(chain(top).first, element(chain(top).first).status), end);
  }

 private:
  Element& element(int i) { return elements_[static_cast<std::size_t>(i)]; }
  Chain& chain(int i) { return chains_[static_cast<std::size_t>(i)]; }

  int new_chain() {
    chains_.push_back({});
    return static_cast<int>(chains_.size() - 1);
  }
  int new_element(Node node, const Stmt* s, diag::Span span) {
    Element e;
    e.node = node;
    e.statement = s;
    e.span = span;
    if (s) e.scope = s->scope;
    elements_.push_back(std::move(e));
    return static_cast<int>(elements_.size() - 1);
  }
  void fail(const char* code, diag::Span span, std::string message, std::string hint = {}) {
    diagnostics_.error(code, span, std::move(message), std::move(hint));
    failed_ = true;
  }

  // --- from statements to elements --------------------------------------------------------------------

  int read_chain(const Sequence& statements) {
    const int c = new_chain();
    open_.push_back(c);
    for (const StmtPtr& s : statements) add(*s);
    open_.pop_back();
    chain(c).extent = chain(c).last;
    return c;
  }

  static bool special(const std::string& label) {
    return label.rfind("accept", 0) == 0 || label.rfind("end", 0) == 0 || label.rfind("progress", 0) == 0;
  }

  void set_label(const std::string& name, const std::string& scope, int e, diag::Span span) {
    for (const PlacedLabel& l : labels_)
      if (l.name == name && l.scope == scope) {
        diagnostics_.error("redeclared", span, fmt::format("label '{}' is set twice", name))
            .related.push_back({l.span, "the first one"});
        failed_ = true;
        break;
      }
    labels_.push_back({name, scope, e, span});
  }

  void append(int e, int c) {
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

  void add(const Stmt& s) {
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

  bool is_skip(int e) {
    const Element& x = element(e);
    if (x.node == Node::Skip) return true;
    if (x.node != Node::Leaf) return false;
    const Stmt& s = *x.statement;
    if (s.kind == StmtKind::Print || s.kind == StmtKind::Printm) return true;
    return s.kind == StmtKind::Condition && s.expr->kind == ExprKind::Const && s.expr->value == 1;
  }
  bool labelled(int e) {
    return std::any_of(labels_.begin(), labels_.end(), [&](const PlacedLabel& l) { return l.element == e; });
  }

  // In an option, of several skips in a row only the first stays (printf counts as one but is never removed).
  void prune_skips(int c) {
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

  int add_selection(const Stmt& s, int here) {
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

  int add_unless(const Stmt& s, int here) {
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

  void attach_escape(int to, int escape) {
    for (int f = chain(to).first; f != kNone; f = element(f).next) {
      attach_to_element(f, escape);
      if (f == chain(to).extent) break;
    }
  }

  void attach_to_element(int f, int escape) {
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

  void make_atomic(int c, unsigned added) {
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

  void walk_atomic(int from, int to, unsigned added) {
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
  void keep_referenced_jumps() {
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

  void tie_loose_ends() {
    for (int e = static_cast<int>(elements_.size()) - 1; e >= 0; --e) {
      Element& x = element(e);
      if (x.inner == kNone || x.next == kNone) continue;
      int f = x.next;
      while (f != kNone && element(f).node == Node::Dot) f = element(f).next;
      const int last = chain(x.inner).last;
      if (last != kNone && element(last).next == kNone) element(last).next = f;
    }
  }

  // --- from elements to states ------------------------------------------------------------------------

  // The best label of that name: of the same block, else of an enclosing one, else any.
  int find_label(int jump) {
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

  // Follows elements that take no step. Inside an atomic sequence a jump out of it is a step.
  int hunt(int e, unsigned status) {
    for (std::size_t steps = 0; e != kNone; ++steps) {
      if (steps > elements_.size() + 2) {
        fail("endless-jump", element(e).span, "these jumps lead back to themselves");
        return e;
      }
      int to = kNone;
      switch (element(e).node) {
        case Node::Goto:
          to = find_label(e);
          if (failed_) return e;
          if (to == e) {
            fail("endless-jump", element(e).span, "this jump leads to itself");
            return e;
          }
          check_dstep_jump(e, to);
          break;
        case Node::Dot:
        case Node::BreakTarget:
          if (element(e).next == kNone) return e;
          to = element(e).next;
          break;
        case Node::Unless:
          to = hunt(chain(element(e).subs[0]).first, status);
          break;
        default:
          return e;
      }
      if (failed_ || to == kNone) return e;
      if ((status & kAtom) && !(element(to).status & kAtom)) return e;
      e = to;
    }
    return e;
  }

  int hunt_start(int e) {
    for (std::size_t steps = 0; steps < elements_.size() + 2; ++steps) {
      if (element(e).node == Node::Dot && element(e).next != kNone)
        e = element(e).next;
      else if (element(e).node == Node::Unless)
        e = chain(element(e).subs[0]).first;
      else
        return e;
    }
    return e;
  }

  void check_dstep_jump(int from, int to) {
    const bool out = (element(from).status & kDStep) != 0, in = (element(to).status & kDStep) != 0;
    if (!out && in && element(to).node != Node::BreakTarget)
      fail("dstep-jump", element(from).span, "this jump leads into a d_step sequence");
  }

  static int state_of(int e) { return e + 1; }

  void put_chain(int c) {
    for (int e = chain(c).first; e != kNone; e = element(e).next) {
      if (!(element(e).status & kDone)) {
        element(e).status |= kDone;
        put(e);
      }
      if (failed_ || e == chain(c).last) break;
    }
  }

  Row& row(int e) {
    rows_.resize(std::max(rows_.size(), elements_.size()));
    return rows_[static_cast<std::size_t>(e)];
  }

  bool never_true(int e) {
    const Element& x = element(e);
    return x.node == Node::Leaf && x.statement->kind == StmtKind::Condition &&
           x.statement->expr->kind == ExprKind::Const && x.statement->expr->value == 0 && x.escapes.empty();
  }

  void put(int e) {
    switch (element(e).node) {
      case Node::Unless:
        put_chain(element(e).subs[0]);
        return;
      case Node::If:
      case Node::Do: {
        Row r;
        r.present = r.compound = true;
        for (int c : element(e).subs) {
          const int g = hunt_start(chain(c).first);
          if (!never_true(g))
            r.links.push_back({e, state_of(g), (element(e).status & kAtom) != 0, {}, kNone});
        }
        row(e) = r;
        for (int c : std::vector<int>(element(e).subs)) put_chain(c);
        return;
      }
      case Node::Atomic:
      case Node::Block: {
        const int inner = element(e).inner;
        patch_jumps(inner);
        element(chain(inner).last).next = element(e).next;
        Row r;
        r.present = r.compound = true;
        r.links.push_back(
            {e, state_of(hunt_start(chain(inner).first)), element(e).node == Node::Atomic, {}, kNone});
        row(e) = r;
        put_chain(inner);
        return;
      }
      case Node::DStep:
        patch_jumps(element(e).inner);
        element(chain(element(e).inner).last).next = element(e).next;
        put_leaf(e);
        return;
      default:
        put_leaf(e);
    }
  }

  void put_leaf(int e) {
    int target = kNone;
    if (element(e).node == Node::Goto) {
      target = find_label(e);
      if (failed_) return;
      check_dstep_jump(e, target);
      target = hunt(target, element(e).status);
    } else if (element(e).next != kNone) {
      target = hunt(element(e).next, element(e).status);
    }
    if (failed_) return;
    Row r;
    r.present = true;
    Link link{e, target == kNone ? 0 : state_of(target), (element(e).status & kAtom) != 0, {}, kNone};
    if (element(e).node != Node::Dot)
      for (int c : element(e).escapes) link.escapes.push_back(hunt(chain(c).first, element(e).status));
    r.links.push_back(link);
    row(e) = r;
    if (element(e).node != Node::Dot)
      for (int c : std::vector<int>(element(e).escapes)) put_chain(c);
  }

  void patch_jumps(int c) {
    for (int f = chain(c).first; f != kNone; f = element(f).next) {
      if (element(f).node == Node::Goto) {
        const int g = find_label(f);
        if (failed_) return;
        unsigned& status = element(f).status;
        const unsigned there = element(g).status & (kAtom | kLastAtom);
        if ((status & (kAtom | kLastAtom)) && !there) status = (status & ~kAtom) | kLastAtom;
        if ((status & kLastAtom) && there) status = (status & ~kLastAtom) | kAtom;
      } else {
        for (int s : std::vector<int>(element(f).subs)) patch_jumps(s);
      }
      if (f == chain(c).extent) break;
    }
  }

  // --- the table of transitions -----------------------------------------------------------------------

  void mark_labels(int end) {
    stop_.assign(elements_.size(), false);
    accept_.assign(elements_.size(), false);
    progress_.assign(elements_.size(), false);
    for (const PlacedLabel& l : labels_) {
      const auto e = static_cast<std::size_t>(l.element);
      if (l.name.rfind("end", 0) == 0) stop_[e] = true;
      if (l.name.rfind("accept", 0) == 0) accept_[e] = true;
      if (l.name.rfind("progress", 0) == 0) progress_[e] = true;
    }
    stop_[static_cast<std::size_t>(end)] = true;
  }

  // The marks of an intermediate state go to where its transitions lead.
  void inherit(const Link& link, int from_state) {
    if (link.target == 0) return;
    const auto to = static_cast<std::size_t>(link.target - 1),
               from = static_cast<std::size_t>(from_state - 1);
    if (stop_[from]) stop_[to] = true;
    if (accept_[from]) accept_[to] = true;
    if (progress_[from]) progress_[to] = true;
  }

  Row& row_at(int state) { return rows_[static_cast<std::size_t>(state - 1)]; }

  // Selections whose options start with selections: the options move up, until no option leads to a
  // selection.
  void flatten() {
    for (std::size_t round = 0; round <= rows_.size(); ++round) {
      bool changed = false;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!rows_[i].compound) continue;
        bool nested = false;
        for (const Link& l : rows_[i].links)
          nested = nested || (l.target && row_at(l.target).compound && !row_at(l.target).links.empty());
        if (!nested) continue;
        std::vector<Link> links;
        for (const Link& l : rows_[i].links) {
          if (!l.target || !row_at(l.target).compound || row_at(l.target).links.empty()) {
            links.push_back(l);
            if (l.target) inherit(l, l.target);
            continue;
          }
          for (const Link& inner : std::vector<Link>(row_at(l.target).links)) {
            links.push_back(inner);
            inherit(inner, l.target);
          }
          changed = true;
        }
        rows_[i].links = std::move(links);
        if (links_total() > 200000)
          return fail("too-deep", proctype_.span, "selections are nested too deeply");
      }
      if (!changed) return;
    }
    fail("endless-jump", proctype_.span,
         fmt::format("'{}' has a selection that contains itself", proctype_.name));
  }

  std::size_t links_total() const {
    std::size_t n = 0;
    for (const Row& r : rows_) n += r.links.size();
    return n;
  }

  // Each option of a selection is now a plain state: the selection takes over its transition.
  void resolve_selections() {
    std::vector<Row> result = rows_;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].compound) continue;
      result[i].links.clear();
      for (const Link& l : rows_[i].links) {
        if (!l.target || !row_at(l.target).present || row_at(l.target).links.empty()) continue;
        Link own = row_at(l.target).links[0];
        result[i].links.push_back(own);
        inherit(own, l.target);
      }
    }
    rows_ = std::move(result);
  }

  void add_escapes() {
    for (Row& r : rows_) {
      const std::vector<Link> plain = r.links;
      for (const Link& link : plain)
        for (auto k = link.escapes.rbegin(); k != link.escapes.rend(); ++k)
          for (const Link& l : std::vector<Link>(rows_[static_cast<std::size_t>(*k)].links)) {
            const bool there = std::any_of(r.links.begin(), r.links.end(),
                                           [&](const Link& x) { return x.element == l.element; });
            if (there) continue;
            Link copy = l;
            copy.escape = *k;
            r.links.insert(r.links.begin(), copy);
          }
    }
  }

  // An end label on a state that only jumps on also marks the target.
  void pass_end_labels() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (stop_[i] && rows_[i].links.size() == 1 && elements_[i].node == Node::Dot &&
          rows_[i].links[0].target)
        stop_[static_cast<std::size_t>(rows_[i].links[0].target - 1)] = true;
  }

  // --- the result -------------------------------------------------------------------------------------

  Automaton finish(int start, int end) {
    Automaton a;
    if (failed_) return a;
    a.states.resize(elements_.size() + 1);
    a.elements = static_cast<std::uint32_t>(elements_.size());
    a.start = static_cast<std::uint32_t>(state_of(start));
    a.end = static_cast<std::uint32_t>(state_of(end));
    for (const PlacedLabel& l : labels_) {
      if (l.name[0] == ':') continue;
      a.labels.emplace_back(l.name, static_cast<std::uint32_t>(state_of(l.element)));
      a.states[static_cast<std::size_t>(state_of(l.element))].label = l.name;
    }
    std::vector<bool> seen(elements_.size() + 1);
    std::vector<int> todo = {start};
    seen[static_cast<std::size_t>(state_of(start))] = true;
    const auto visit = [&](int e) {
      if (seen[static_cast<std::size_t>(state_of(e))]) return;
      seen[static_cast<std::size_t>(state_of(e))] = true;
      todo.push_back(e);
    };
    while (!todo.empty() && !failed_) {
      const int e = todo.back();
      todo.pop_back();
      AutomatonState& s = a.states[static_cast<std::size_t>(state_of(e))];
      s.span = element(e).span;
      if (inside_.count(e)) {
        dstep_state(e, inside_[e], s, visit, false);
        continue;
      }
      s.end_label = stop_[static_cast<std::size_t>(e)];
      s.accept_label = accept_[static_cast<std::size_t>(e)];
      s.progress_label = progress_[static_cast<std::size_t>(e)];
      int elses = 0;
      for (const Link& l : rows_[static_cast<std::size_t>(e)].links) {
        const Element& x = element(l.element);
        if (x.node == Node::DStep) {
          // Entering: the first statement inside decides.
          int exit = l.target - 1;
          const bool keeps = (x.status & (kAtom)) != 0;
          AutomatonState entry;
          dstep_state(hunt_start(chain(x.inner).first), {l.element, exit, keeps}, entry, visit, true);
          for (Transition& t : entry.transitions) {
            t.escape = l.escape == kNone ? 0 : static_cast<std::uint32_t>(l.escape + 1);
            // An else that opens the d_step speaks of the other options around it.
            if (entry.transitions.size() == 1 && t.statement && t.statement->kind == StmtKind::Else)
              t.dstep = 0;
            s.transitions.push_back(t);
          }
          continue;
        }
        Transition t;
        t.element = static_cast<std::uint32_t>(l.element);
        t.span = x.span;
        t.target = static_cast<std::uint32_t>(l.target);
        t.atomic = l.atomic;
        t.is_end = x.node == Node::End;
        t.escape = l.escape == kNone ? 0 : static_cast<std::uint32_t>(l.escape + 1);
        if (x.node == Node::Leaf) t.statement = x.statement;
        if (t.statement && t.statement->kind == StmtKind::Else && ++elses == 2)
          fail("two-elses", t.span, "two else options meet in one selection");
        if (l.target) visit(l.target - 1);
        s.transitions.push_back(t);
      }
    }
    for (std::uint32_t i = 1; i < a.states.size(); ++i)
      if (seen[i]) a.reachable.push_back(i);
    return a;
  }

  struct DStepPlace {
    int dstep, exit;
    bool keeps;
  };

  // A state inside a d_step, or the way into one: options in order, the first executable one is taken.
  template <class Visit>
  void dstep_state(int e, const DStepPlace& place, AutomatonState& s, Visit& visit, bool entering) {
    s.in_dstep = !entering;
    std::vector<int> firsts;
    std::set<int> open;
    collect_guards(e, firsts, open);
    for (int g : firsts) {
      const Element& x = element(g);
      Transition t;
      t.element = static_cast<std::uint32_t>(g);
      t.span = x.span;
      t.dstep = static_cast<std::uint32_t>(place.dstep + 1);
      if (x.node == Node::Leaf) t.statement = x.statement;
      int next = x.node == Node::Goto ? find_label(g) : x.next;
      if (failed_) return;
      next = dstep_hunt(next, place);
      if (failed_) return;
      if (next == place.exit || next == kNone || !(element(next).status & kDStep)) {
        if (next != kNone && hunt(next, 0) != hunt(place.exit, 0))
          return fail("dstep-jump", t.span, "this jump leads out of a d_step sequence");
        t.target = static_cast<std::uint32_t>(state_of(place.exit));
        t.atomic = place.keeps;
        visit(place.exit);
      } else {
        inside_.emplace(next, place);
        t.target = static_cast<std::uint32_t>(state_of(next));
        t.atomic = true;
        visit(next);
      }
      s.transitions.push_back(t);
    }
    if (entering) return;
    Transition stuck;
    stuck.blocks_dstep = true;
    stuck.dstep = static_cast<std::uint32_t>(place.dstep + 1);
    stuck.element = static_cast<std::uint32_t>(e);
    stuck.span = element(e).span;
    s.transitions.push_back(stuck);
  }

  void collect_guards(int e, std::vector<int>& out, std::set<int>& open) {
    e = hunt_start(e);
    if (!open.insert(e).second) return;
    const Element x = element(e);
    if (x.node == Node::If || x.node == Node::Do) {
      for (int c : x.subs) collect_guards(chain(c).first, out, open);
    } else if (x.inner != kNone) {
      collect_guards(chain(x.inner).first, out, open);
    } else if (x.node == Node::Dot || x.node == Node::BreakTarget) {
      if (x.next != kNone) collect_guards(x.next, out, open);
    } else {
      out.push_back(e);
    }
  }

  int dstep_hunt(int e, const DStepPlace& place) {
    for (std::size_t steps = 0; e != kNone && e != place.exit; ++steps) {
      if (steps > elements_.size()) {
        fail("endless-jump", element(place.dstep).span, "this d_step never ends");
        return e;
      }
      if (!(element(e).status & kDStep)) return e;
      if (element(e).node == Node::Goto) {
        e = find_label(e);
        if (failed_) return e;
      } else if (element(e).node == Node::Dot || element(e).node == Node::BreakTarget) {
        e = element(e).next;
      } else {
        return e;
      }
    }
    return e;
  }

  const Proctype& proctype_;
  const std::vector<std::string>& referenced_;
  diag::Diagnostics& diagnostics_;
  std::vector<Element> elements_;
  std::vector<Chain> chains_;
  std::vector<PlacedLabel> labels_;
  std::vector<std::string> breaks_;
  std::vector<int> open_;
  std::vector<Row> rows_;
  std::vector<bool> stop_, accept_, progress_;
  std::map<int, DStepPlace> inside_;
  int break_count_ = 0;
  bool failed_ = false;
};

}  // namespace

Automaton build_automaton(const Proctype& proctype, const std::vector<std::string>& referenced,
                          diag::Diagnostics& diagnostics) {
  return Builder(proctype, referenced, diagnostics).run();
}

}  // namespace parley::front::promela
