// One step of the reference semantics: `Run` executes one action (or the initial body) on a copy of the
// state; the first blocking, cut or failing event ends it. Which actions are tried, and in what order, is not
// decided here but in interpreter_run.hpp, the only file that includes this one.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "semantics/interpreter.hpp"
#include "support/check.hpp"
#include "support/interrupt.hpp"

namespace parley::semantics {

template <domain::ValueDomain D>
class BasicInterpreter<D>::Run {
 public:
  Run(const BasicInterpreter& in, const State& state, bool idle, Choices& choices, AccessLog* log)
      : in_(in), s_(in.s_), d_(in.d_), idle_(idle), choices_(choices), log_(log) {
    result_.state = state;
  }

  StepResult take() { return std::move(result_); }
  bool stopped() const { return stopped_; }

  // Finds the trigger's message and tests the guard; false: not enabled (or stopped by an error in a guard).
  bool enabled(const system::Action& a) {
    if (!a.trigger) return guard(a.guard, a);
    const system::Trigger& t = *a.trigger;
    const auto& queue = result_.state.queues[t.queue.index()];
    touch_queue(&AccessLog::queues_taken, t.queue);
    if (t.selection == system::Selection::Selected) {
      const std::optional<std::size_t> at = selected(t.queue);
      if (!at || stopped_ || queue[*at].signal != t.signal) return false;
      return bind(t, *at) && guard(a.guard, a);
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
      if (queue[i].signal == t.signal && bind(t, i)) {
        if (guard(a.guard, a)) return true;
        if (stopped_) return false;
      }
    return false;
  }

  void execute(const system::Action& a) {
    locals_.assign(a.locals, Value{});
    if (a.trigger) {
      auto& queue = result_.state.queues[a.trigger->queue.index()];
      Event e;
      e.kind = a.kind == system::ActionKind::Discard ? EventKind::Discarded : EventKind::Received;
      e.queue = a.trigger->queue;
      e.position = static_cast<std::uint32_t>(position_);
      e.message = message_;
      result_.events.push_back(std::move(e));
      if (a.trigger->consume) queue.erase(queue.begin() + static_cast<long>(position_));
    }
    statement(a.body);
    if (!stopped_) {
      result_.outcome = Outcome::Done;
      result_.state.holder = a.hold;
    }
  }

  void execute_initial() {
    locals_.assign(s_.initial_locals, Value{});
    if (s_.initial_body.valid()) statement(s_.initial_body);
    if (!stopped_) result_.outcome = Outcome::Done;
  }

  // For property expressions.
  std::optional<Value> value(system::ExprId e) {
    const Value v = eval(e);
    if (stopped_) return std::nullopt;
    return v;
  }

 private:
  using Form = expr::Form;

  // --- stopping
  // ---------------------------------------------------------------------------------------------
  void stop(Outcome outcome, Failure failure) {
    if (stopped_) return;
    stopped_ = true;
    result_.outcome = outcome;
    result_.failure = std::move(failure);
  }
  void fail(system::RuntimeError error, std::string message) {
    Failure f;
    f.error = error;
    f.message = std::move(message);
    f.origin = origin_ != nullptr ? *origin_ : system::Origin{};
    stop(Outcome::RuntimeError, std::move(f));
  }
  void fail(expr::EvalError error) {
    switch (error) {
      case expr::EvalError::DivisionByZero:
        return fail(system::RuntimeError::DivisionByZero, expr::describe(error));
      case expr::EvalError::NullDereference:
        return fail(system::RuntimeError::NullDereference, expr::describe(error));
      case expr::EvalError::IndexOutOfRange:
        return fail(system::RuntimeError::IndexOutOfRange, expr::describe(error));
      case expr::EvalError::Overflow:
        return fail(system::RuntimeError::ArithmeticOverflow, expr::describe(error));
      case expr::EvalError::None:
        return;
    }
  }

  // --- reading
  // ----------------------------------------------------------------------------------------------
  void touch_queue(std::vector<QueueId> AccessLog::*list, QueueId q) {
    if (log_ != nullptr) (log_->*list).push_back(q);
  }

  Value load(CellId cell) {
    if (log_ != nullptr) log_->cells_read.push_back(cell);
    return d_.load_cell(cell, result_.state.cells[cell.index()]);
  }

  bool decide(const Value& v) {
    const domain::Truth t = d_.truth(v);
    if (t.may_be_true && t.may_be_false) return choices_.pick(2) == 0;
    return t.may_be_true;
  }

  Value resolve(std::vector<domain::Possible<Value>>& results) {
    PARLEY_CHECK(!results.empty());
    const auto& r =
        results.size() == 1 ? results[0] : results[choices_.pick(results.size()) % results.size()];
    if (r.error != expr::EvalError::None) fail(r.error);
    if (r.overflowed && s_.integers == system::IntegerMode::OverflowIsError) fail(expr::EvalError::Overflow);
    if (r.overflowed && s_.integers == system::IntegerMode::AssumeNoOverflow) {
      Failure f;
      f.message = "integer overflow, assumed not to happen";
      if (origin_ != nullptr) f.origin = *origin_;
      stop(Outcome::AssumedAway, std::move(f));
    }
    return r.value;
  }

  // The integer a value stands for when it picks a table entry or a route.
  std::int32_t index(const Value& v, std::uint32_t limit) {
    std::vector<std::int32_t> found;
    d_.indices(v, limit, found);
    PARLEY_CHECK(!found.empty());
    return found.size() == 1 ? found[0] : found[choices_.pick(found.size()) % found.size()];
  }

  // The cell of a table entry; an invalid id after a failure.
  CellId locate(system::TableId id, system::ExprId row_expr, system::ExprId column_expr) {
    const expr::Table& t = s_.exprs.table(id);
    const std::int32_t row = index(eval(row_expr), t.rows());
    if (stopped_) return {};
    if (t.by_reference && row == 0) {
      fail(system::RuntimeError::NullDereference, fmt::format("null dereference: `{}` of null", t.name));
      return {};
    }
    const std::int32_t column = index(eval(column_expr), t.columns);
    if (stopped_) return {};
    const bool inside = row >= 0 && column >= 0 && static_cast<std::uint32_t>(row) < t.rows() &&
                        static_cast<std::uint32_t>(column) < t.columns;
    const CellId cell =
        inside ? t.cells[static_cast<std::size_t>(row) * t.columns + static_cast<std::size_t>(column)]
               : CellId{};
    if constexpr (domain::Observes<D>) d_.located(cell);
    if (!cell.valid())
      fail(system::RuntimeError::IndexOutOfRange,
           fmt::format("index {} of `{}` is out of range", t.columns > 1 || !t.by_reference ? column : row,
                       t.name));
    return cell;
  }

  // The first message that is not deferred.
  std::optional<std::size_t> selected(QueueId id) {
    const auto& queue = result_.state.queues[id.index()];
    const auto& deferrals = s_.queue(id).deferrals;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      bool deferred = false;
      for (const system::Deferral& d : deferrals) {
        if (d.signal != queue[i].signal) continue;
        deferred = holds_for(queue[i], d.condition);
        if (deferred || stopped_) break;
      }
      if (!deferred) return i;
    }
    return std::nullopt;
  }

  // A predicate with Param bound to the given message.
  bool holds_for(const Message& m, system::ExprId predicate) {
    const Message saved = std::exchange(message_, m);
    const bool result = decide(eval(predicate));
    message_ = saved;
    return result && !stopped_;
  }

  bool bind(const system::Trigger& t, std::size_t position) {
    position_ = position;
    message_ = result_.state.queues[t.queue.index()][position];
    return true;
  }

  bool guard(system::ExprId e, const system::Action& a) {
    origin_ = &a.origin;
    const bool result = decide(eval(e));
    return result && !stopped_;
  }

  Value boolean(bool b) { return d_.constant(b ? 1 : 0, system::Type::boolean()); }

  Value eval(system::ExprId id) {
    if (stopped_) return Value{};
    if constexpr (domain::Observes<D>) {
      d_.begin_expression(id);
      const Value v = eval_node(id);
      d_.end_expression(v, stopped_);
      return v;
    } else {
      return eval_node(id);
    }
  }

  Value eval_node(system::ExprId id) {
    const expr::Node& n = s_.exprs[id];
    switch (form(n.op)) {
      case Form::Const:
        return d_.constant(n.value, n.type);
      case Form::Cell:
        return load(CellId(n.a));
      case Form::Local:
        return locals_[n.a];
      case Form::Param:
        PARLEY_CHECK(n.a < message_.args.size());
        return d_.load_param(message_.signal, n.a, message_.args[n.a]);
      case Form::Elem: {
        const CellId cell = locate(system::TableId(n.a), n.operands[0], n.operands[1]);
        return stopped_ ? Value{} : load(cell);
      }
      case Form::QueueLen:
        touch_queue(&AccessLog::queues_tested, QueueId(n.a));
        return d_.constant(static_cast<std::int32_t>(result_.state.queues[n.a].size()),
                           system::Type::integer());
      case Form::QueueCap:
        touch_queue(&AccessLog::queues_tested, QueueId(n.a));
        return d_.constant(static_cast<std::int32_t>(in_.capacities_[n.a]), system::Type::integer());
      case Form::QueueHas: {
        touch_queue(&AccessLog::queues_tested, QueueId(n.a));
        for (const Message& m : result_.state.queues[n.a]) {
          if (SignalId(n.b).valid() && m.signal != SignalId(n.b)) continue;
          if (holds_for(Message(m), n.operands[0])) return boolean(true);
          if (stopped_) return Value{};
        }
        return boolean(false);
      }
      case Form::HeadIs: {
        touch_queue(&AccessLog::queues_tested, QueueId(n.a));
        const std::optional<std::size_t> at = selected(QueueId(n.a));
        if (stopped_ || !at) return boolean(false);
        const Message m = result_.state.queues[n.a][*at];
        if (SignalId(n.b).valid() && m.signal != SignalId(n.b)) return boolean(false);
        return boolean(holds_for(m, n.operands[0]));
      }
      case Form::Idle:
        return boolean(idle_);
      case Form::AndAlso:
        return boolean(decide(eval(n.operands[0])) && !stopped_ && decide(eval(n.operands[1])));
      case Form::OrElse:
        return boolean(decide(eval(n.operands[0])) || (!stopped_ && decide(eval(n.operands[1]))));
      case Form::Cond: {
        const bool c = decide(eval(n.operands[0]));
        return stopped_ ? Value{} : eval(n.operands[c ? 1 : 2]);
      }
      case Form::Unary:
      case Form::Binary:
        break;
    }
    std::vector<domain::Possible<Value>> results;
    const Value x = eval(n.operands[0]);
    if (stopped_) return Value{};
    if (expr::is_unary(n.op)) {
      d_.apply_unary(n.op, x, n.a, results);
    } else {
      const Value y = eval(n.operands[1]);
      if (stopped_) return Value{};
      d_.apply_binary(n.op, x, y, results);
    }
    return resolve(results);
  }

  // --- doing
  // ------------------------------------------------------------------------------------------------
  std::int32_t store_code(std::vector<domain::Stored>& stored, const std::string& what) {
    PARLEY_CHECK(!stored.empty());
    const auto& s = stored.size() == 1 ? stored[0] : stored[choices_.pick(stored.size()) % stored.size()];
    if (!s.fits)
      fail(system::RuntimeError::RangeExceeded,
           fmt::format("value {} is outside the range of `{}`", s.code, what));
    return s.code;
  }

  void assign(const system::Stmt& st) {
    const CellId cell =
        st.place.cell.valid() ? st.place.cell : locate(st.place.table, st.place.row, st.place.column);
    if (stopped_) return;
    const Value v = eval(st.value);
    if (stopped_) return;
    std::vector<domain::Stored> stored;
    d_.store_cell(cell, v, stored);
    const std::int32_t code = store_code(stored, s_.cell(cell).name);
    if (stopped_) return;
    if (log_ != nullptr) log_->cells_written.push_back(cell);
    std::int32_t& slot = result_.state.cells[cell.index()];
    Event e;
    e.kind = EventKind::Assigned;
    e.cell = cell;
    e.before = slot;
    e.after = code;
    slot = code;
    result_.events.push_back(std::move(e));
  }

  void send(const system::Stmt& st) {
    const std::int32_t target = index(eval(st.target), static_cast<std::uint32_t>(st.routes.size()));
    if (stopped_) return;
    const bool known = target >= 0 && static_cast<std::size_t>(target) < st.routes.size();
    const system::Route route = known ? st.routes[static_cast<std::size_t>(target)] : system::Route{};
    if (!route.queue.valid()) return fail(system::RuntimeError::SendToNull, "message sent to null");
    Message m{route.signal, {}};
    for (std::size_t i = 0; i < st.args.size(); ++i) {
      const Value v = eval(st.args[i]);
      if (stopped_) return;
      std::vector<domain::Stored> stored;
      d_.store_param(route.signal, static_cast<std::uint32_t>(i), v, stored);
      m.args.push_back(store_code(stored, s_.signal(route.signal).name));
      if (stopped_) return;
    }
    touch_queue(&AccessLog::queues_put, route.queue);
    auto& queue = result_.state.queues[route.queue.index()];
    Event e;
    e.kind = EventKind::Sent;
    e.queue = route.queue;
    if (queue.size() >= in_.capacities_[route.queue.index()]) {
      Failure f;
      f.queue = route.queue;
      f.origin = st.origin;
      f.message = fmt::format("queue of {} is full ({} messages)", s_.queue(route.queue).name, queue.size());
      switch (s_.queue(route.queue).overflow) {
        case system::OverflowPolicy::Block:
          return stop(Outcome::Blocked, std::move(f));
        case system::OverflowPolicy::Cut:
          return stop(Outcome::Cut, std::move(f));
        case system::OverflowPolicy::Error:
          return stop(Outcome::QueueOverflow, std::move(f));
        case system::OverflowPolicy::Lose:
          e.kind = EventKind::Lost;
          e.message = std::move(m);
          result_.events.push_back(std::move(e));
          return;
      }
    }
    auto at = queue.end();
    if (st.insertion == system::Insertion::Sorted)
      at =
          std::find_if(queue.begin(), queue.end(), [&](const Message& other) { return m.args < other.args; });
    e.position = static_cast<std::uint32_t>(at - queue.begin());
    e.message = m;
    queue.insert(at, std::move(m));
    result_.events.push_back(std::move(e));
  }

  void branch(const system::Stmt& st) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < st.conditions.size(); ++i) {
      if (decide(eval(st.conditions[i])) && !stopped_) open.push_back(i);
      if (stopped_) return;
    }
    if (open.empty()) {
      if (st.has_else) return statement(st.children.back());
      return fail(system::RuntimeError::NoBranchEnabled,
                  st.text.empty() ? "no branch of a choice is enabled" : st.text);
    }
    const std::size_t k =
        open.size() == 1 ? 0 : static_cast<std::size_t>(choices_.pick(open.size())) % open.size();
    statement(st.children[open[k]]);
  }

  void statement(system::StmtId id) {
    if (stopped_) return;
    const system::Stmt& st = s_.stmt(id);
    const system::Origin* outer = origin_;
    if (st.origin.span.valid() || !st.origin.element.empty()) origin_ = &st.origin;
    if constexpr (domain::Observes<D>) d_.begin_statement(id);
    perform(id, st);
    if constexpr (domain::Observes<D>) d_.end_statement(id);
    if (!stopped_) origin_ = outer;
  }

  // A local gets a value. A domain may keep locals apart by the statement that sets them.
  void set_local(system::StmtId id, const system::Stmt& st, const Value& v) {
    if constexpr (domain::SplitsLocals<D>) {
      std::vector<Value> kept;
      d_.keep_local(id, v, kept);
      PARLEY_CHECK(!kept.empty());
      locals_[st.local] = kept.size() == 1 ? kept[0] : kept[choices_.pick(kept.size()) % kept.size()];
      if constexpr (domain::Observes<D>) d_.local_set(locals_[st.local]);
    } else {
      (void)id;
      locals_[st.local] = v;
      if constexpr (domain::Observes<D>) d_.local_set(v);
    }
  }

  void perform(system::StmtId id, const system::Stmt& st) {
    switch (st.kind) {
      case system::StmtKind::Block:
        for (system::StmtId child : st.children) statement(child);
        return;
      case system::StmtKind::Assign:
        return assign(st);
      case system::StmtKind::SetLocal: {
        const Value v = eval(st.value);
        if (!stopped_) set_local(id, st, v);
        return;
      }
      case system::StmtKind::Choose: {
        const Value lo = eval(st.lo);
        const Value hi = eval(st.hi);
        if (stopped_) return;
        const std::uint64_t count = d_.choice_count(lo, hi);
        if (count == 0) return fail(system::RuntimeError::NoBranchEnabled, "choice from an empty range");
        set_local(id, st, d_.choice(lo, hi, count == 1 ? 0 : choices_.pick(count) % count));
        return;
      }
      case system::StmtKind::Send:
        return send(st);
      case system::StmtKind::Assert: {
        const bool ok = decide(eval(st.value));
        if (stopped_ || ok) return;
        Failure f;
        f.message = st.text.empty() ? "assertion failed" : fmt::format("assertion failed: {}", st.text);
        f.origin = st.origin;
        return stop(Outcome::AssertionFailed, std::move(f));
      }
      case system::StmtKind::If: {
        const bool c = decide(eval(st.value));
        if (stopped_) return;
        if (c)
          statement(st.children[0]);
        else if (st.children.size() > 1)
          statement(st.children[1]);
        return;
      }
      case system::StmtKind::Branch:
        return branch(st);
      case system::StmtKind::While:
        for (std::uint32_t round = 0; decide(eval(st.value)) && !stopped_; ++round) {
          if (round == st.limit)
            return fail(system::RuntimeError::LoopLimit, fmt::format("loop limit {} exceeded", st.limit));
          // One step can be the whole run. Short loops are never cut: traces are still told after an
          // interrupt.
          if ((round & 0xffff) == 0xffff) throw_if_interrupted();
          statement(st.children[0]);
        }
        return;
      case system::StmtKind::Fail:
        return fail(st.error, st.text.empty() ? system::describe(st.error) : st.text);
      case system::StmtKind::Note: {
        Event e;
        e.kind = EventKind::Noted;
        e.element = st.element;
        result_.events.push_back(std::move(e));
        return;
      }
      case system::StmtKind::Print: {
        Event e;
        e.kind = EventKind::Printed;
        e.text = st.text;
        for (system::ExprId a : st.args) {
          const Value v = eval(a);
          if (stopped_) return;
          e.message.args.push_back(index(v, 0));
        }
        result_.events.push_back(std::move(e));
        return;
      }
    }
  }

  const BasicInterpreter& in_;
  const system::System& s_;
  const D& d_;
  bool idle_;
  Choices& choices_;
  AccessLog* log_;
  StepResult result_;
  bool stopped_ = false;
  std::vector<Value> locals_;
  Message message_;
  std::size_t position_ = 0;
  const system::Origin* origin_ = nullptr;
};

}  // namespace parley::semantics
