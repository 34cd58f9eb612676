#include "cegar/analysis_trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cegar/relevant.hpp"
#include "semantics/interpreter_run.hpp"

namespace parley::cegar {

using domain::Variable;
using semantics::Choices;
using semantics::Event;
using semantics::EventKind;
using semantics::Outcome;
using system::StmtKind;

const char* describe(StepKind kind) {
  switch (kind) {
    case StepKind::Recv:
      return "RECV";
    case StepKind::Assume:
      return "ASSUME";
    case StepKind::Assert:
      return "ASSERT";
    case StepKind::Assign:
      return "ASSIGN";
    case StepKind::SetLocal:
      return "LOCAL";
    case StepKind::Send:
      return "SEND";
  }
  return "?";
}

namespace {

// One of the two runs: where it is, and which step sent the messages in its queues.
struct Side {
  State state;
  std::vector<std::vector<std::uint32_t>> messages;  // per queue, parallel to state.queues
  StepResult result;
  std::vector<Item> items;
  std::size_t next_event = 0;

  // The next event of one of the kinds, or none.
  const Event* take(std::initializer_list<EventKind> kinds) {
    while (next_event < result.events.size()) {
      const Event& e = result.events[next_event];
      if (std::find(kinds.begin(), kinds.end(), e.kind) != kinds.end()) {
        ++next_event;
        return &e;
      }
      if (e.kind != EventKind::Noted && e.kind != EventKind::Printed) return nullptr;
      ++next_event;
    }
    return nullptr;
  }
};

class Transformer {
 public:
  Transformer(const semantics::Interpreter& concrete, const AbstractSystem& a, PropertyId property,
              const AbstractTrace& trace, const Feasibility& f)
      : s_(concrete.system()),
        reference_(concrete),
        a_(a),
        property_(property),
        trace_(trace),
        feasibility_(f),
        concrete_(s_, {domain::Concrete(s_), &recorder_}, concrete.queue_capacities()),
        abstract_(s_, {a.domain(), &recorder_}, concrete.queue_capacities()) {}

  // TRANSFORM (figure 5.1)
  std::optional<AnalysisTrace> run() {
    c_.messages.resize(s_.queues.size());
    b_.messages.resize(s_.queues.size());
    Choices cc(feasibility_.trace.initial_choices), ca(trace_.initial_choices);
    record(c_, [&] { return concrete_.attempt_initial(cc); });
    record(b_, [&] { return abstract_.attempt_initial(ca); });
    if (align(0)) return finish();
    if (c_.result.outcome != Outcome::Done || b_.result.outcome != Outcome::Done) return std::nullopt;
    c_.state = c_.result.state;
    b_.state = b_.result.state;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      event_ = static_cast<std::uint32_t>(i + 1);
      if (event(i)) return finish();
      if (b_.result.outcome != Outcome::Done || c_.result.outcome != Outcome::Done) return std::nullopt;
      c_.state = c_.result.state;
      b_.state = b_.result.state;
      if (trace_.steps[i].released) b_.state.holder = OwnerId{};
      if (c_.state.holder.valid() && !moves_next(i)) c_.state.holder = OwnerId{};
    }
    return at_the_end() ? finish() : std::nullopt;
  }

 private:
  template <class Attempt>
  void record(Side& side, Attempt&& attempt) {
    recorder_.clear();
    side.result = attempt();
    side.items = recorder_.items();
    side.next_event = 0;
  }

  std::optional<AnalysisTrace> finish() {
    if (out_.steps.empty() || !out_.steps.back().bottom) return std::nullopt;
    return std::move(out_);
  }

  // The concrete run as replayed by the reference interpreter releases holders that are stuck.
  bool moves_next(std::size_t i) {
    if (i + 1 >= feasibility_.trace.steps.size()) return true;
    return reference_.system().action(feasibility_.trace.steps[i + 1].action).owner == c_.state.holder;
  }

  AnalysisStep& add(StepKind kind) {
    AnalysisStep step;
    step.kind = kind;
    step.event = event_;
    out_.steps.push_back(std::move(step));
    return out_.steps.back();
  }
  std::uint32_t number() const { return static_cast<std::uint32_t>(out_.steps.size()); }

  bool part(StepKind kind, system::StmtId stmt, std::vector<Tree> c, std::vector<Tree> a, std::string why) {
    AnalysisStep& step = add(kind);
    step.stmt = stmt;
    step.concrete = std::move(c);
    step.abstract = std::move(a);
    step.bottom = true;
    out_.why = std::move(why);
    return true;
  }
  bool part_at_queue(system::QueueId queue, std::string why) {
    AnalysisStep& step = add(StepKind::Recv);
    step.queue_concrete = step.queue_abstract = queue;
    step.bottom = true;
    out_.why = std::move(why);
    return true;
  }

  // The k-th deferral condition differs; its parameters are those of the signal deferred.
  bool part_at_deferral(std::size_t k, std::string why) {
    part(StepKind::Assume, {}, {before_c_[k]}, {before_a_[k]}, std::move(why));
    for (const system::Queue& q : s_.queues)
      for (const system::Deferral& d : q.deferrals)
        if (d.condition == before_c_[k].expr) out_.steps.back().signal = d.signal;
    return true;
  }

  // TF_TRANS and TF_IMPL_DEFER (figures 5.2 and 5.3). True: the runs part here.
  bool event(std::size_t i) {
    const AbstractStep& step = trace_.steps[i];
    const system::Action& action = s_.action(step.action);
    const bool taken = i < feasibility_.executed && i < feasibility_.trace.steps.size();
    Choices cc(taken ? feasibility_.trace.steps[i].choices : std::vector<std::uint64_t>{});
    Choices ca(step.choices);
    record(c_, [&] { return concrete_.attempt(c_.state, step.action, step.idle, cc); });
    record(b_, [&] { return abstract_.attempt(b_.state, step.action, step.idle, ca); });

    // Deferral conditions and guards: items before the first statement.
    std::vector<Tree> guard_c = guards(c_, action), guard_a = guards(b_, action);
    for (std::size_t k = 0; k < std::min(before_c_.size(), before_a_.size()); ++k)
      if (!eval_corr(before_c_[k], before_a_[k]))
        return part_at_deferral(k, fmt::format("a deferral decides differently before {}", action.name));
    if (action.trigger) {
      if (guard_c.empty())
        return part_at_queue(
            action.trigger->queue,
            fmt::format("{} finds no {} in the queue of {}", action.name,
                        s_.signal(action.trigger->signal).name, s_.queue(action.trigger->queue).name));
      receive(action);
    }
    const std::size_t pairs = std::min(guard_c.size(), guard_a.size());
    for (std::size_t k = 0; k < pairs; ++k)
      if (!eval_corr(guard_c[k], guard_a[k]))
        return part(
            StepKind::Assume, {}, {guard_c[k]}, {guard_a[k]},
            fmt::format("the guard of {} is {}", action.name, guard_c[k].failed ? "an error" : "false"));
    if (c_.result.outcome == Outcome::Disabled)
      return action.trigger
                 ? part_at_queue(action.trigger->queue, fmt::format("{} is not enabled", action.name))
                 : false;
    if (align(static_cast<std::uint32_t>(i))) return true;
    if (!taken && i >= feasibility_.executed) {
      // By itself it could run: somebody else has to move first.
      return other_moves(c_.state.holder, fmt::format("{} has to wait", action.name));
    }
    return false;
  }

  // Splits the leading items into those of the guard (returned) and those of deferrals.
  std::vector<Tree> guards(Side& side, const system::Action& action) {
    std::vector<Tree>& before = &side == &c_ ? before_c_ : before_a_;
    before.clear();
    std::vector<Tree> found;
    std::size_t k = 0;
    for (; k < side.items.size() && !side.items[k].stmt.valid(); ++k)
      (side.items[k].roots[0].expr == action.guard ? found : before).push_back(side.items[k].roots[0]);
    side.items.erase(side.items.begin(), side.items.begin() + static_cast<long>(k));
    return found;
  }

  void receive(const system::Action& action) {
    AnalysisStep& step = add(StepKind::Recv);
    step.queue_concrete = step.queue_abstract = action.trigger->queue;
    step.signal = action.trigger->signal;
    for (Side* side : {&c_, &b_}) {
      const Event* e = side->take({EventKind::Received, EventKind::Discarded});
      std::uint32_t& id = side == &c_ ? step.message_concrete : step.message_abstract;
      auto& queue = side->messages[action.trigger->queue.index()];
      const std::size_t at = e != nullptr ? e->position : 0;
      if (at >= queue.size()) continue;
      id = queue[at];
      if (e != nullptr && action.trigger->consume) queue.erase(queue.begin() + static_cast<long>(at));
    }
  }

  // EXECUTE_ACTION (figure 5.4), statement by statement. True: the runs part.
  bool align(std::uint32_t) {
    std::size_t i = 0, k = 0;
    const auto skip = [this](const Side& side, std::size_t& at) {
      while (at < side.items.size()) {
        const StmtKind kind = s_.stmt(side.items[at].stmt).kind;
        if (kind != StmtKind::Block && kind != StmtKind::Note && kind != StmtKind::Print) return;
        ++at;
      }
    };
    for (;; ++i, ++k) {
      skip(c_, i);
      skip(b_, k);
      const bool end_c = i >= c_.items.size(), end_a = k >= b_.items.size();
      if (end_c || end_a || c_.items[i].stmt != b_.items[k].stmt) break;
      if (statement(c_.items[i], b_.items[k])) return true;
    }
    if (c_.result.outcome == b_.result.outcome) return false;
    // A queue was full in one and not in the other.
    for (const Side* side : {&c_, &b_})
      if (side->result.failure.queue.valid())
        return part_at_queue(side->result.failure.queue,
                             fmt::format("the queue of {} is full in one of the runs",
                                         s_.queue(side->result.failure.queue).name));
    return false;
  }

  bool statement(const Item& c, const Item& a) {
    const system::Stmt& st = s_.stmt(c.stmt);
    for (std::size_t k = 0; k < std::min(c.roots.size(), a.roots.size()); ++k)
      if (c.roots[k].failed != a.roots[k].failed)
        return part(StepKind::Assume, c.stmt, {c.roots[k]}, {a.roots[k]},
                    "an expression has an error in one of the runs");
    switch (st.kind) {
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::Branch:
        for (std::size_t k = 0; k < std::min(c.roots.size(), a.roots.size()); ++k)
          if (!eval_corr(c.roots[k], a.roots[k]))
            return part(StepKind::Assume, c.stmt, {c.roots[k]}, {a.roots[k]},
                        fmt::format("`{}` is decided differently", system::show(s_, c.roots[k].expr)));
        return false;
      case StmtKind::Assert: {
        if (!eval_corr(c.roots.at(0), a.roots.at(0)))
          return part(
              StepKind::Assert, c.stmt, c.roots, a.roots,
              fmt::format("the assertion `{}` is decided differently", system::show(s_, c.roots[0].expr)));
        AnalysisStep& step = add(StepKind::Assert);
        step.stmt = c.stmt;
        step.concrete = c.roots;
        step.abstract = a.roots;
        return false;
      }
      case StmtKind::Assign:
        return assignment(c, a);
      case StmtKind::SetLocal:
      case StmtKind::Choose: {
        if (!c.local || !a.local) return false;
        AnalysisStep& step = add(StepKind::SetLocal);
        step.stmt = c.stmt;
        step.local = st.local;
        step.concrete = c.roots;
        step.abstract = a.roots;
        step.value = c.local->lo;
        step.corresponds = a.local->contains(c.local->lo);
        return false;
      }
      case StmtKind::Send:
        return sending(c, a);
      case StmtKind::Block:
      case StmtKind::Fail:
      case StmtKind::Note:
      case StmtKind::Print:
        return false;
    }
    internal_error("kind of statement", __FILE__, __LINE__);
  }

  bool assignment(const Item& c, const Item& a) {
    const Event *ec = c_.take({EventKind::Assigned}), *ea = b_.take({EventKind::Assigned});
    if (ec == nullptr && ea == nullptr) return false;
    if (ec == nullptr || ea == nullptr)
      return part(StepKind::Assign, c.stmt, c.roots, a.roots,
                  "an assignment has an error in one of the runs");
    const bool corresponds =
        ec->cell == ea->cell && a_.domain().meaning(Variable::cell(ea->cell), ea->after).contains(ec->after);
    const bool data = s_.cell(ec->cell).role == system::CellRole::Data || !corresponds;
    if (!data) return false;  // GOTO
    AnalysisStep& step = add(StepKind::Assign);
    step.stmt = c.stmt;
    step.concrete = c.roots;
    step.abstract = a.roots;
    step.target_concrete = ec->cell;
    step.target_abstract = ea->cell;
    step.corresponds = corresponds;
    return false;
  }

  bool sending(const Item& c, const Item& a) {
    const Event *ec = c_.take({EventKind::Sent, EventKind::Lost}),
                *ea = b_.take({EventKind::Sent, EventKind::Lost});
    if (ec == nullptr && ea == nullptr) return false;
    AnalysisStep& step = add(StepKind::Send);
    const std::uint32_t id = number();
    step.stmt = c.stmt;
    step.concrete = c.roots;
    step.abstract = a.roots;
    if (ec != nullptr) step.queue_concrete = ec->queue;
    if (ea != nullptr) step.queue_abstract = ea->queue;
    if (ec != nullptr && ea != nullptr && ec->message.signal == ea->message.signal)
      for (std::size_t k = 0; k < ec->message.args.size(); ++k)
        step.args_correspond.push_back(
            a_.domain()
                .meaning(Variable::param(ea->message.signal, static_cast<std::uint32_t>(k)),
                         ea->message.args[k])
                .contains(ec->message.args[k]));
    step.signal = ec != nullptr ? ec->message.signal : ea->message.signal;
    out_.message_signal[id] = step.signal;
    const auto put = [id](Side& side, const Event* e) {
      if (e == nullptr || e->kind != EventKind::Sent) return;
      auto& queue = side.messages[e->queue.index()];
      queue.insert(queue.begin() + static_cast<long>(std::min<std::size_t>(e->position, queue.size())), id);
    };
    put(c_, ec);
    put(b_, ea);
    return false;
  }

  // An action that moves concretely and need not move abstractly: its guard is the culprit.
  bool other_moves(OwnerId only, const std::string& why) {
    for (bool idle : {false, true})
      for (std::size_t i = 0; i < s_.actions.size(); ++i) {
        if (only.valid() && s_.actions[i].owner != only) continue;
        Choices cc;
        record(c_, [&] { return concrete_.attempt(c_.state, ActionId(i), idle, cc); });
        if (c_.result.outcome == Outcome::Disabled || c_.result.outcome == Outcome::Blocked) continue;
        Choices ca;
        do {
          record(b_, [&] { return abstract_.attempt(b_.state, ActionId(i), idle, ca); });
          if (b_.result.outcome != Outcome::Disabled && b_.result.outcome != Outcome::Blocked) continue;
          const system::Action& action = s_.actions[i];
          const std::vector<Tree> gc = guards(c_, action), ga = guards(b_, action);
          for (std::size_t k = 0; k < std::min(before_c_.size(), before_a_.size()); ++k)
            if (!eval_corr(before_c_[k], before_a_[k])) return part_at_deferral(k, why);
          for (std::size_t k = 0; k < std::min(gc.size(), ga.size()); ++k)
            if (!eval_corr(gc[k], ga[k])) {
              if (action.trigger) receive_peeked(action);
              return part(StepKind::Assume, {}, {gc[k]}, {ga[k]},
                          fmt::format("{}: {} can move", why, action.name));
            }
          if (action.trigger && ga.empty()) return part_at_queue(action.trigger->queue, why);
        } while (ca.advance());
      }
    return false;
  }

  // The guard reads the message without taking it.
  void receive_peeked(const system::Action& action) {
    AnalysisStep& step = add(StepKind::Recv);
    step.queue_concrete = step.queue_abstract = action.trigger->queue;
    step.signal = action.trigger->signal;
    const auto &qc = c_.messages[action.trigger->queue.index()],
               &qa = b_.messages[action.trigger->queue.index()];
    if (!qc.empty()) step.message_concrete = qc.front();
    if (!qa.empty()) step.message_abstract = qa.front();
  }

  bool at_the_end() {
    if (!property_.valid()) return false;
    const system::Property& p = s_.property(property_);
    event_ = static_cast<std::uint32_t>(trace_.steps.size() + 1);
    if (p.kind == system::PropertyKind::NoDeadlock) {
      if (other_moves({}, "the deadlock")) return true;
      for (const system::Owner& o : s_.owners)
        if (differs(o.may_rest, StepKind::Assume, false, fmt::format("{} may rest", o.name))) return true;
      return false;
    }
    if (!p.expression.valid()) return false;
    return differs(p.expression, StepKind::Assert, p.kind != system::PropertyKind::Always, p.name);
  }

  // Evaluates a property in both; parts if it may abstractly be `bad` and is not so concretely.
  bool differs(expr::ExprId e, StepKind kind, bool bad, const std::string& why) {
    Choices cc, ca;
    recorder_.clear();
    concrete_.evaluate(c_.state, e, cc);
    const std::vector<Item> ic = recorder_.items();
    do {
      recorder_.clear();
      abstract_.evaluate(b_.state, e, ca);
      const std::vector<Item>& ia = recorder_.items();
      if (ic.empty() || ia.empty() || ia[0].roots[0].failed) continue;
      if (ia[0].roots[0].value.contains(bad ? 1 : 0) && !eval_corr(ic[0].roots[0], ia[0].roots[0]))
        return part(kind, {}, ic[0].roots, std::vector<Tree>(ia[0].roots), why);
    } while (ca.advance());
    return false;
  }

  const System& s_;
  const semantics::Interpreter& reference_;
  const AbstractSystem& a_;
  PropertyId property_;
  const AbstractTrace& trace_;
  const Feasibility& feasibility_;
  Recorder recorder_;
  WatchedConcrete concrete_;
  WatchedAbstract abstract_;
  Side c_, b_;
  std::vector<Tree> before_c_, before_a_;
  std::uint32_t event_ = 0;
  AnalysisTrace out_;
};

}  // namespace

std::optional<AnalysisTrace> transform(const semantics::Interpreter& concrete, const AbstractSystem& abstract,
                                       PropertyId property, const AbstractTrace& trace,
                                       const Feasibility& feasibility) {
  return Transformer(concrete, abstract, property, trace, feasibility).run();
}

std::string show(const System& s, const AnalysisTrace& t, const Location& l) {
  switch (l.kind) {
    case Location::Kind::Cell:
      return s.cells[l.a].name;
    case Location::Kind::Message: {
      const auto at = t.message_signal.find(l.a);
      const std::string name =
          at == t.message_signal.end() ? "?" : domain::show(s, Variable::param(at->second, l.b));
      return fmt::format("{} of the message sent in step {}", name, l.a);
    }
    case Location::Kind::FrameParam:
      return fmt::format("parameter {} received in event {}", l.b + 1, l.a);
    case Location::Kind::Local:
      return fmt::format("local {} of event {}", l.b, l.a);
    case Location::Kind::Queue:
      return fmt::format("the queue of {}", s.queues[l.a].name);
  }
  return "?";
}

}  // namespace parley::cegar
