#include "front/promela/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "front/promela/elements.hpp"

namespace parley::front::promela {
namespace {

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
      : proctype_(p), graph_(p, referenced, d) {}

  Automaton run() {
    if (!graph_.read()) return {};
    rows_.resize(graph_.size());
    put_chain(graph_.top());
    if (graph_.failed()) return {};
    mark_labels();
    flatten();
    resolve_selections();
    add_escapes();
    pass_end_labels();
    const int first = chain(graph_.top()).first;
    return finish(hunt(first, element(first).status));
  }

 private:
  Element& element(int i) { return graph_.element(i); }
  Chain& chain(int i) { return graph_.chain(i); }
  int find_label(int jump) { return graph_.find_label(jump); }
  bool failed() const { return graph_.failed(); }
  void fail(const char* code, diag::Span span, std::string message, std::string hint = {}) {
    graph_.fail(code, span, std::move(message), std::move(hint));
  }

  // Follows elements that take no step. Inside an atomic sequence a jump out of it is a step.
  int hunt(int e, unsigned status) {
    for (std::size_t steps = 0; e != kNone; ++steps) {
      if (steps > graph_.size() + 2) {
        fail("endless-jump", element(e).span, "these jumps lead back to themselves");
        return e;
      }
      int to = kNone;
      switch (element(e).node) {
        case Node::Goto:
          to = find_label(e);
          if (failed()) return e;
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
      if (failed() || to == kNone) return e;
      if ((status & kAtom) && !(element(to).status & kAtom)) return e;
      e = to;
    }
    return e;
  }

  int hunt_start(int e) {
    for (std::size_t steps = 0; steps < graph_.size() + 2; ++steps) {
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
      if (failed() || e == chain(c).last) break;
    }
  }

  Row& row(int e) {
    rows_.resize(std::max(rows_.size(), graph_.size()));
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
      if (failed()) return;
      check_dstep_jump(e, target);
      target = hunt(target, element(e).status);
    } else if (element(e).next != kNone) {
      target = hunt(element(e).next, element(e).status);
    }
    if (failed()) return;
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
        if (failed()) return;
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

  void mark_labels() {
    stop_.assign(graph_.size(), false);
    accept_.assign(graph_.size(), false);
    progress_.assign(graph_.size(), false);
    for (const PlacedLabel& l : graph_.labels()) {
      const auto e = static_cast<std::size_t>(l.element);
      if (l.name.rfind("end", 0) == 0) stop_[e] = true;
      if (l.name.rfind("accept", 0) == 0) accept_[e] = true;
      if (l.name.rfind("progress", 0) == 0) progress_[e] = true;
    }
    stop_[static_cast<std::size_t>(graph_.end())] = true;
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
      if (stop_[i] && rows_[i].links.size() == 1 && element(static_cast<int>(i)).node == Node::Dot &&
          rows_[i].links[0].target)
        stop_[static_cast<std::size_t>(rows_[i].links[0].target - 1)] = true;
  }

  // --- the result -------------------------------------------------------------------------------------

  Automaton finish(int start) {
    Automaton a;
    if (failed()) return a;
    a.states.resize(graph_.size() + 1);
    a.elements = static_cast<std::uint32_t>(graph_.size());
    a.start = static_cast<std::uint32_t>(state_of(start));
    a.end = static_cast<std::uint32_t>(state_of(graph_.end()));
    for (const PlacedLabel& l : graph_.labels()) {
      if (l.name[0] == ':') continue;
      a.labels.emplace_back(l.name, static_cast<std::uint32_t>(state_of(l.element)));
      a.states[static_cast<std::size_t>(state_of(l.element))].label = l.name;
    }
    std::vector<bool> seen(graph_.size() + 1);
    std::vector<int> todo = {start};
    seen[static_cast<std::size_t>(state_of(start))] = true;
    const auto visit = [&](int e) {
      if (seen[static_cast<std::size_t>(state_of(e))]) return;
      seen[static_cast<std::size_t>(state_of(e))] = true;
      todo.push_back(e);
    };
    while (!todo.empty() && !failed()) {
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
      if (failed()) return;
      next = dstep_hunt(next, place);
      if (failed()) return;
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
      if (steps > graph_.size()) {
        fail("endless-jump", element(place.dstep).span, "this d_step never ends");
        return e;
      }
      if (!(element(e).status & kDStep)) return e;
      if (element(e).node == Node::Goto) {
        e = find_label(e);
        if (failed()) return e;
      } else if (element(e).node == Node::Dot || element(e).node == Node::BreakTarget) {
        e = element(e).next;
      } else {
        return e;
      }
    }
    return e;
  }

  const Proctype& proctype_;
  ElementGraph graph_;
  std::vector<Row> rows_;
  std::vector<bool> stop_, accept_, progress_;
  std::map<int, DStepPlace> inside_;
};

}  // namespace

Automaton build_automaton(const Proctype& proctype, const std::vector<std::string>& referenced,
                          diag::Diagnostics& diagnostics) {
  return Builder(proctype, referenced, diagnostics).run();
}

}  // namespace parley::front::promela
