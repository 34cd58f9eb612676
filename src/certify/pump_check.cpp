// What is verified: the prefix and then the loop run on the reference semantics; the cells and parameters
// that the certificate calls ignored influence nothing but each other; all other cells are as before the
// loop; and for each queue that is not as before, the loop sees the same letters in every round. That last
// point by iterating the word map  x -> (letters of the looked-at prefix that stay) (rest of x) (letters
// sent)  until every letter that can ever be looked at has been seen: the word's rest and one period of what
// is sent.
#include "certify/pump_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/totality.hpp"
#include "semantics/interpreter.hpp"
#include "system/footprint.hpp"

namespace parley::certify {

using nlohmann::json;
using semantics::Message;
using semantics::State;
using semantics::Step;
using system::CellId;
using system::ExprId;

namespace {

struct Rejected {
  std::string why;
};
void need(bool condition, const std::string& why) {
  if (!condition) throw Rejected{why};
}

// Verifies a claimed set of ignored cells and parameters in one pass over the system.
class Ignored {
 public:
  Ignored(const system::System& s, const json& j) : s_(s) {
    for (const json& c : j.at("ignored_cells")) cells_.insert(c.get<std::size_t>());
    for (const json& p : j.at("ignored_params"))
      params_.emplace(p.at(0).get<std::size_t>(), p.at(1).get<std::size_t>());
    for (const system::Queue& q : s.queues)
      for (const system::Deferral& d : q.deferrals) untouched(d.condition, d.signal);
    if (s.initial_body.valid()) statement(s.initial_body, {});
    for (const system::Action& a : s.actions) {
      const system::SignalId signal = a.trigger ? a.trigger->signal : system::SignalId{};
      untouched(a.guard, signal);
      statement(a.body, signal);
    }
  }
  bool cell(std::size_t c) const { return cells_.contains(c); }
  bool param(std::size_t signal, std::size_t p) const { return params_.contains({signal, p}); }
  bool same(const Message& x, const Message& y) const {
    if (x.signal != y.signal) return false;
    for (std::size_t i = 0; i < x.args.size(); ++i)
      if (x.args[i] != y.args[i] && !param(x.signal.index(), i)) return false;
    return true;
  }

 private:
  bool touches(ExprId e, system::SignalId signal) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == expr::Op::Cell && cell(n.a)) return true;
    if (n.op == expr::Op::Param) {
      if (signal.valid()) return param(signal.index(), n.a);
      return std::any_of(params_.begin(), params_.end(), [&](const auto& p) { return p.second == n.a; });
    }
    if (n.op == expr::Op::Elem)
      for (CellId c : s_.exprs.table(system::TableId(n.a)).cells)
        if (c.valid() && cell(c.index())) return true;
    if (n.op == expr::Op::QueueHas || n.op == expr::Op::HeadIs) signal = system::SignalId(n.b);
    for (ExprId o : s_.exprs.operands(e))
      if (touches(o, signal)) return true;
    return false;
  }
  void untouched(ExprId e, system::SignalId signal) const {
    need(!e.valid() || !touches(e, signal), "something ignored decides something");
  }
  // The expression cannot fail whatever its operands are, and its value always fits the type.
  bool harmless(ExprId e, const system::Type& place) const {
    const system::Type& t = s_.exprs[e].type;
    return t.lo >= place.lo && t.hi <= place.hi && total(s_, e);
  }

  void statement(system::StmtId id, system::SignalId signal) const {
    const system::Stmt& st = s_.stmt(id);
    if (st.kind == system::StmtKind::Assign) {
      untouched(st.place.row, signal);
      untouched(st.place.column, signal);
      if (touches(st.value, signal)) {
        std::vector<CellId> targets{st.place.cell};
        if (!targets[0].valid()) targets = s_.exprs.table(st.place.table).cells;
        for (CellId c : targets)
          need(!c.valid() || (cell(c.index()) && harmless(st.value, s_.cell(c).type)),
               "something ignored flows into something that is not");
      }
    } else if (st.kind == system::StmtKind::Send) {
      untouched(st.target, signal);
      for (std::size_t i = 0; i < st.args.size(); ++i) {
        if (!touches(st.args[i], signal)) continue;
        need(st.insertion == system::Insertion::AtBack, "something ignored decides an order");
        for (const system::Route& r : st.routes)
          need(!r.queue.valid() ||
                   (param(r.signal.index(), i) && harmless(st.args[i], s_.signal(r.signal).params[i])),
               "something ignored flows into something that is not");
      }
    } else if (st.kind == system::StmtKind::Print) {
      for (ExprId e : st.args) need(!touches(e, signal) || total(s_, e), "something ignored may fail");
    } else {
      for (ExprId e : {st.value, st.lo, st.hi}) untouched(e, signal);
      for (ExprId e : st.conditions) untouched(e, signal);
    }
    for (system::StmtId child : st.children) statement(child, signal);
  }

  const system::System& s_;
  std::set<std::size_t> cells_;
  std::set<std::pair<std::size_t, std::size_t>> params_;
};

// A queue during one round, letters by where they come from: 0.. from the start, negative sent in the round.
struct Word {
  std::vector<long> letters;
  std::vector<Message> sent;
  long looked_at = 0;
  std::string objection;
};

// What a guard asks about one queue. `settled`: no answer changes when the queue of this length gets longer.
// Comparisons with a number are tried out for every length up to beyond that number.
class Questions {
 public:
  Questions(const system::System& s, system::QueueId queue, std::size_t length)
      : s_(s), queue_(queue), length_(length) {}

  void ask(ExprId e) {
    if (!e.valid()) return;
    const expr::Node& n = s_.exprs[e];
    const bool about = n.a == queue_.index();
    switch (expr::form(n.op)) {
      case expr::Form::QueueLen:
      case expr::Form::QueueCap:
      case expr::Form::QueueHas:
        if (about) settled = false;
        break;
      case expr::Form::HeadIs:
        if (about && length_ > 0 && s_.queue(queue_).deferrals.empty())
          head = true;
        else if (about)
          settled = false;
        break;
      case expr::Form::Binary:
        if (expr::is_comparison(n.op) && number(n.operands[1])) return compared(n.operands[0], n, true);
        if (expr::is_comparison(n.op) && number(n.operands[0])) return compared(n.operands[1], n, false);
        break;
      case expr::Form::Const:
      case expr::Form::Cell:
      case expr::Form::Local:
      case expr::Form::Param:
      case expr::Form::Elem:
      case expr::Form::Idle:
      case expr::Form::AndAlso:
      case expr::Form::OrElse:
      case expr::Form::Cond:
      case expr::Form::Unary:
        break;
    }
    for (ExprId o : s_.exprs.operands(e)) ask(o);
  }
  void ask_all(system::StmtId id) {
    const system::Stmt& st = s_.stmt(id);
    for (ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column}) ask(e);
    for (const auto* list : {&st.args, &st.conditions})
      for (ExprId e : *list) ask(e);
    for (system::StmtId child : st.children) ask_all(child);
  }

  bool settled = true, head = false;

 private:
  bool number(ExprId e) const { return s_.exprs[e].op == expr::Op::Const; }
  void compared(ExprId side, const expr::Node& comparison, bool left) {
    const expr::Node& n = s_.exprs[side];
    if (n.op == expr::Op::Cond) {
      ask(n.operands[0]);
      compared(n.operands[1], comparison, left);
      compared(n.operands[2], comparison, left);
    } else if (n.op != expr::Op::QueueLen) {
      ask(side);
    } else if (n.a == queue_.index()) {
      const std::int64_t limit = s_.exprs[comparison.operands[left ? 1 : 0]].value;
      const auto truth = [&](std::int64_t length) {
        const std::int64_t x = left ? length : limit, y = left ? limit : length;
        switch (expr::comparison(comparison.op)) {
          case expr::Comparison::Eq:
            return x == y;
          case expr::Comparison::Ne:
            return x != y;
          case expr::Comparison::Lt:
            return x < y;
          case expr::Comparison::Le:
            return x <= y;
          case expr::Comparison::Gt:
            return x > y;
          case expr::Comparison::Ge:
            return x >= y;
        }
        internal_error("comparison", __FILE__, __LINE__);
      };
      const auto first = static_cast<std::int64_t>(length_);
      if (limit - first > 100000) settled = false;  // not worth trying out
      for (std::int64_t l = first; settled && l <= limit + 1; ++l) settled = truth(l) == truth(first);
    }
  }

  const system::System& s_;
  system::QueueId queue_;
  std::size_t length_;
};

std::vector<Step> steps(const json& list) {
  std::vector<Step> all;
  for (const json& x : list)
    all.push_back({system::ActionId(x.at("action").get<std::size_t>()),
                   x.at("choices").get<std::vector<std::uint64_t>>()});
  return all;
}

// The words of all rounds begin with the letters that the first round looked at.
bool every_round_alike(const Ignored& ignored, const std::vector<Message>& start, const Word& word) {
  const auto n = static_cast<std::size_t>(word.looked_at);
  std::vector<std::size_t> stay;
  for (long l : word.letters)
    if (l >= 0 && l < word.looked_at) stay.push_back(static_cast<std::size_t>(l));
  const std::size_t eaten = n - stay.size();
  std::vector<Message> x = start;
  // Each round moves `eaten` letters forward; after these many, start and one period of the sent letters went
  // by.
  const std::size_t rounds = eaten == 0 ? 2 : (start.size() + 2 * word.sent.size() + n) / eaten + 2;
  for (std::size_t r = 0; r < rounds; ++r) {
    if (x.size() < n) return false;
    for (std::size_t i = 0; i < n; ++i)
      if (!ignored.same(x[i], start[i])) return false;
    std::vector<Message> next;
    for (std::size_t i : stay) next.push_back(x[i]);
    next.insert(next.end(), x.begin() + static_cast<long>(n), x.end());
    next.insert(next.end(), word.sent.begin(), word.sent.end());
    x = std::move(next);
  }
  return word.sent.size() >= eaten;
}

void verify(const system::System& s, system::QueueId queue, const json& j) {
  const Ignored ignored(s, j);
  const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 1U << 30));
  semantics::StepResult at = in.initial_state(j.at("initial_choices").get<std::vector<std::uint64_t>>());
  need(at.outcome == semantics::Outcome::Done, "the run does not start");
  for (const Step& step : steps(j.at("prefix"))) {
    at = in.run(at.state, step);
    need(at.outcome == semantics::Outcome::Done, "the run to the loop cannot be taken");
  }
  const State start = at.state;
  std::vector<Word> words(s.queues.size());
  for (std::size_t q = 0; q < words.size(); ++q)
    for (std::size_t i = 0; i < start.queues[q].size(); ++i) words[q].letters.push_back(static_cast<long>(i));
  for (const Step& step : steps(j.at("loop"))) {
    semantics::AccessLog log;
    const State before = at.state;
    at = in.run(before, step, &log);
    need(at.outcome == semantics::Outcome::Done, "the loop cannot be taken");
    const system::Action& action = s.action(step.action);
    const system::Footprint f = system::footprint(s, step.action);
    need(!f.reads_idle, "the loop waits for everybody else to be stuck");
    need(!action.hold.valid() || at.state.holder == action.hold, "the loop relies on a stuck holder");
    for (system::QueueId q : log.queues_tested) {
      Word& w = words[q.index()];
      const std::size_t length = before.queues[q.index()].size();
      Questions guard(s, q, length), body(s, q, length > 0 ? length - 1 : 0);
      guard.ask(action.guard);
      if (action.body.valid()) body.ask_all(action.body);
      if (!guard.settled || !body.settled || body.head) w.objection = "is tested in the loop";
      if (guard.head && w.letters[0] < 0) w.objection = "feeds the loop its own messages";
      if (guard.head) w.looked_at = std::max(w.looked_at, w.letters[0] + 1);
    }
    for (const semantics::Event& e : at.events) {
      if (!e.queue.valid()) continue;
      Word& w = words[e.queue.index()];
      const auto place = w.letters.begin() + static_cast<long>(e.position);
      if (e.kind == semantics::EventKind::Sent) {
        if (e.position != w.letters.size()) w.objection = "is not filled in order";
        w.sent.push_back(e.message);
        w.letters.insert(place, -1);
      } else if (e.kind == semantics::EventKind::Lost) {
        w.objection = "loses messages";
      } else if (e.kind == semantics::EventKind::Received || e.kind == semantics::EventKind::Discarded) {
        for (auto l = w.letters.begin(); l <= place; ++l) {
          if (*l < 0) w.objection = "feeds the loop its own messages";
          w.looked_at = std::max(w.looked_at, *l + 1);
        }
        if (action.trigger->consume) w.letters.erase(place);
      }
    }
  }
  need(at.state.holder == start.holder, "the loop does not end where it began");
  for (std::size_t c = 0; c < start.cells.size(); ++c)
    need(at.state.cells[c] == start.cells[c] || ignored.cell(c),
         fmt::format("{} differs after the loop", s.cells[c].name));
  for (std::size_t q = 0; q < words.size(); ++q) {
    const auto &before = start.queues[q], &after = at.state.queues[q];
    const bool unchanged = before.size() == after.size() &&
                           std::equal(before.begin(), before.end(), after.begin(),
                                      [&](const Message& x, const Message& y) { return ignored.same(x, y); });
    if (unchanged) continue;
    need(words[q].objection.empty(), fmt::format("queue {} {}", s.queues[q].name, words[q].objection));
    need(every_round_alike(ignored, before, words[q]),
         fmt::format("the contents of queue {} do not repeat", s.queues[q].name));
  }
  need(at.state.queues[queue.index()].size() > start.queues[queue.index()].size(),
       fmt::format("queue {} does not grow", s.queue(queue).name));
}

}  // namespace

Check check_pump(const system::System& system, system::QueueId queue, const json& j) {
  try {
    verify(system, queue, j);
  } catch (const Rejected& r) {
    return Check::no(r.why);
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
  return Check::yes();
}

}  // namespace parley::certify
