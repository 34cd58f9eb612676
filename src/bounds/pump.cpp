#include "bounds/pump.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.hpp"
#include "system/may_fail.hpp"

namespace parley::bounds {

using semantics::EventKind;
using semantics::Message;
using semantics::State;
using semantics::Step;
using system::CellId;
using system::ExprId;
using system::StmtKind;

// --- relevance: a closure over "decides something" and "flows into something relevant"
// -------------------------

namespace {

class Slicer {
 public:
  explicit Slicer(const system::System& s) : s_(s) {
    r_.cells.assign(s.cells.size(), false);
    for (const system::Signal& g : s.signals) r_.params.emplace_back(g.params.size(), false);
  }

  Relevance run() {
    for (const system::Queue& q : s_.queues)
      for (const system::Deferral& d : q.deferrals) mark(d.condition, d.signal);
    do {
      changed_ = false;
      if (s_.initial_body.valid()) statement(s_.initial_body, {});
      for (const system::Action& a : s_.actions) {
        const system::SignalId signal = a.trigger ? a.trigger->signal : system::SignalId{};
        mark(a.guard, signal);
        statement(a.body, signal);
      }
    } while (changed_);
    return std::move(r_);
  }

 private:
  void mark(ExprId e, system::SignalId signal) {
    const expr::Node& n = s_.exprs[e];
    switch (expr::form(n.op)) {
      case expr::Form::Cell:
        set(r_.cells, n.a);
        break;
      case expr::Form::Param:
        if (signal.valid() && n.a < r_.params[signal.index()].size()) set(r_.params[signal.index()], n.a);
        break;
      case expr::Form::Elem:
        for (CellId c : s_.exprs.table(system::TableId(n.a)).cells)
          if (c.valid()) set(r_.cells, c.index());
        break;
      case expr::Form::QueueHas:
      case expr::Form::HeadIs:
        // Its predicate is about messages of the named signal (or of any).
        if (system::SignalId(n.b).valid()) return mark(n.operands[0], system::SignalId(n.b));
        for (std::size_t g = 0; g < s_.signals.size(); ++g) mark(n.operands[0], system::SignalId(g));
        return;
      case expr::Form::Const:
      case expr::Form::Local:
      case expr::Form::QueueLen:
      case expr::Form::QueueCap:
      case expr::Form::Idle:
      case expr::Form::AndAlso:
      case expr::Form::OrElse:
      case expr::Form::Cond:
      case expr::Form::Unary:
      case expr::Form::Binary:
        break;
    }
    for (ExprId o : s_.exprs.operands(e)) mark(o, signal);
  }
  void set(std::vector<bool>& bits, std::size_t i) {
    if (bits[i]) return;
    bits[i] = true;
    changed_ = true;
  }
  // A value always fits its place if its type says so.
  bool fits(ExprId value, const expr::Type& place) const {
    const expr::Type& t = s_.exprs[value].type;
    return place.contains(t.lo) && place.contains(t.hi) && place.lo <= t.lo && t.hi <= place.hi;
  }

  void statement(system::StmtId id, system::SignalId signal) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Assign: {
        bool matters = system::may_fail(s_, st.value);
        if (st.place.cell.valid()) {
          matters =
              matters || r_.cells[st.place.cell.index()] || !fits(st.value, s_.cell(st.place.cell).type);
        } else {
          mark(st.place.row, signal);
          mark(st.place.column, signal);
          for (CellId c : s_.exprs.table(st.place.table).cells)
            matters = matters || (c.valid() && (r_.cells[c.index()] || !fits(st.value, s_.cell(c).type)));
        }
        if (matters) mark(st.value, signal);
        break;
      }
      case StmtKind::Send:
        mark(st.target, signal);
        for (std::size_t i = 0; i < st.args.size(); ++i) {
          bool matters = system::may_fail(s_, st.args[i]) || st.insertion == system::Insertion::Sorted;
          for (const system::Route& r : st.routes)
            if (r.queue.valid() && i < r_.params[r.signal.index()].size())
              matters = matters || r_.params[r.signal.index()][i] ||
                        !fits(st.args[i], s_.signal(r.signal).params[i]);
          if (!matters) continue;
          mark(st.args[i], signal);
          for (const system::Route& r : st.routes)  // sorted queues compare all parameters
            if (st.insertion == system::Insertion::Sorted && r.queue.valid() &&
                i < r_.params[r.signal.index()].size())
              set(r_.params[r.signal.index()], i);
        }
        break;
      case StmtKind::Print:
        for (ExprId e : st.args)
          if (system::may_fail(s_, e)) mark(e, signal);
        break;
      case StmtKind::Block:
      case StmtKind::SetLocal:
      case StmtKind::Choose:
      case StmtKind::Assert:
      case StmtKind::If:
      case StmtKind::Branch:
      case StmtKind::While:
      case StmtKind::Fail:
      case StmtKind::Note:
        // Whatever flows into a local counts as used: coarse and safe, locals are short-lived.
        for (ExprId e : {st.value, st.lo, st.hi})
          if (e.valid()) mark(e, signal);
        for (ExprId e : st.conditions) mark(e, signal);
        break;
    }
    for (system::StmtId child : st.children) statement(child, signal);
  }

  const system::System& s_;
  Relevance r_;
  bool changed_ = false;
};

}  // namespace

Relevance relevance(const system::System& system) {
  return Slicer(system).run();
}

// --- the pump condition
// -----------------------------------------------------------------------------------------

PumpChecker::PumpChecker(const system::System& system) : s_(system), relevance_(relevance(system)) {
  for (std::size_t a = 0; a < system.actions.size(); ++a) {
    footprints_.push_back(system::footprint(system, system::ActionId(a)));
    tests_.push_back(queue_tests(system, system::ActionId(a)));
  }
}

bool PumpChecker::same(const Message& x, const Message& y) const {
  if (x.signal != y.signal) return false;
  for (std::size_t i = 0; i < x.args.size(); ++i)
    if (relevance_.params[x.signal.index()][i] && x.args[i] != y.args[i]) return false;
  return true;
}

bool PumpChecker::repeats(const std::vector<Message>& kept, const std::vector<Message>& looked_at,
                          const std::vector<Message>& rest, const std::vector<Message>& sent) const {
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!same(kept[i], looked_at[i])) return false;
  const std::vector<Message> v(looked_at.begin() + static_cast<long>(kept.size()), looked_at.end());
  if (v.empty()) return true;
  if (sent.size() < v.size()) return false;
  const std::size_t length = rest.size() + sent.size() + v.size();
  for (std::size_t i = 0; i < length; ++i) {
    const Message& left = i < rest.size() ? rest[i] : sent[(i - rest.size()) % sent.size()];
    if (!same(left, v[i % v.size()])) return false;
  }
  return true;
}

// One queue followed through the loop: which letters are original, which were looked at.
struct PumpChecker::QueueWalk {
  std::vector<std::size_t> letters;  // positions in the content at A; beyond it: sent in the loop
  std::vector<Message> sent;
  std::size_t original = 0, looked_at = 0;
  bool own_letter_seen = false, out_of_order = false;
  bool tested = false;  // in a way whose answer may change when the queue is longer

  void look(std::size_t position) {
    if (letters[position] >= original)
      own_letter_seen = true;
    else
      looked_at = std::max(looked_at, letters[position] + 1);
  }
};

PumpCheck PumpChecker::check(const semantics::Interpreter& interpreter, const State& start,
                             const std::vector<Step>& loop) const {
  PumpCheck result;
  std::vector<QueueWalk> walks(s_.queues.size());
  for (std::size_t q = 0; q < walks.size(); ++q) {
    walks[q].original = start.queues[q].size();
    for (std::size_t i = 0; i < walks[q].original; ++i) walks[q].letters.push_back(i);
  }
  State state = start;
  for (const Step& step : loop) {
    semantics::AccessLog log;
    const semantics::StepResult r = interpreter.run(state, step, &log);
    if (r.outcome != semantics::Outcome::Done) {
      result.why = "the loop does not run";
      return result;
    }
    const system::Action& action = s_.action(step.action);
    const system::Footprint& f = footprints_[step.action.index()];
    if (f.reads_idle) {
      result.why = fmt::format("`{}` waits for everybody else to be stuck", action.name);
      return result;
    }
    if (action.hold.valid() && r.state.holder != action.hold) {
      result.why = fmt::format("after `{}` the holder of an exclusive stretch is stuck", action.name);
      return result;
    }
    // Only what was asked in fact: with the same cells the same questions come again.
    for (system::QueueId q : log.queues_tested) {
      QueueWalk& w = walks[q.index()];
      const std::size_t before = state.queues[q.index()].size();
      for (const QueueTest& t : tests_[step.action.index()]) {
        if (t.queue != q) continue;
        // In the body one message may have been taken already.
        const std::int64_t shortest = static_cast<std::int64_t>(before) - (t.in_body ? 1 : 0);
        if (t.kind == QueueTest::Kind::Head && before > 0 && !t.in_body)
          w.look(0);
        else if (t.kind != QueueTest::Kind::Length || !same_for_all_longer(t, shortest))
          w.tested = true;
      }
    }
    for (const semantics::Event& e : r.events) {
      if (e.kind == EventKind::Received || e.kind == EventKind::Discarded) {
        QueueWalk& w = walks[e.queue.index()];
        for (std::size_t i = 0; i <= e.position; ++i) w.look(i);
        if (action.trigger->consume) w.letters.erase(w.letters.begin() + e.position);
      } else if (e.kind == EventKind::Sent) {
        QueueWalk& w = walks[e.queue.index()];
        if (e.position != w.letters.size()) w.out_of_order = true;
        w.letters.insert(w.letters.begin() + e.position, w.original + w.sent.size());
        w.sent.push_back(e.message);
      } else if (e.kind == EventKind::Lost) {
        result.why = "a message is lost";
        return result;
      }
    }
    state = r.state;
  }
  if (state.holder != start.holder) {
    result.why = "not in the same place";
    return result;
  }
  for (std::size_t c = 0; c < state.cells.size(); ++c)
    if (relevance_.cells[c] && state.cells[c] != start.cells[c]) {
      result.why = fmt::format("{} differs", s_.cells[c].name);
      return result;
    }
  for (std::size_t q = 0; q < walks.size(); ++q) {
    const std::vector<Message>&before = start.queues[q], &after = state.queues[q];
    if (before.size() == after.size() &&
        std::equal(before.begin(), before.end(), after.begin(),
                   [&](const Message& x, const Message& y) { return same(x, y); }))
      continue;
    const QueueWalk& w = walks[q];
    const system::QueueId id{q};
    const std::string& name = s_.queues[q].name;
    if (w.tested) {
      result.why = fmt::format("the loop tests queue {}", name);
      return result;
    }
    if (w.own_letter_seen || w.out_of_order) {
      result.why = fmt::format("the loop looks at messages of {} that it sent itself", name);
      return result;
    }
    const auto at = before.begin();
    const std::vector<Message> looked_at(at, at + static_cast<long>(w.looked_at));
    const std::vector<Message> rest(at + static_cast<long>(w.looked_at), before.end());
    std::vector<Message> kept;
    for (std::size_t i : w.letters)
      if (i < w.looked_at) kept.push_back(before[i]);
    if (!repeats(kept, looked_at, rest, w.sent)) {
      result.why = fmt::format("the contents of {} do not repeat", name);
      return result;
    }
    const std::size_t taken = w.looked_at - kept.size();
    if (w.sent.size() > taken)
      result.growth.push_back({id, static_cast<std::uint32_t>(w.sent.size() - taken)});
  }
  result.repeats = !result.growth.empty();
  if (!result.repeats) result.why = "nothing grows";
  return result;
}

}  // namespace parley::bounds
