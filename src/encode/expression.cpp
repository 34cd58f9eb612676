// Expressions of Execution: values with their first error, as semantics/action_run.hpp evaluates them.
#include <algorithm>
#include <utility>

#include "encode/execution.hpp"

namespace parley::encode {

using expr::Form;
using expr::Op;
using system::CellId;
using system::QueueId;
using system::SignalId;

void Execution::read(CellId cell, Lit when) {
  if (effect_ == nullptr) return;
  Lit& r = effect_->reads.try_emplace(cell, kFalse).first->second;
  r = g_.disj(r, when);
}

Lit Execution::in_type(const Word& w, const expr::Type& t) {
  const Lit inside = a_.within(w, t.lo, t.hi);
  const bool with_zero = t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan;
  return with_zero ? g_.disj(inside, a_.equal(w, 0)) : inside;
}

Lit Execution::is_signal(QueueId queue, const Word& code, SignalId signal) {
  return layout_.carries(queue, signal) ? a_.equal(code, layout_.code(queue, signal)) : kFalse;
}

std::vector<Lit>& Execution::occupied(QueueId queue) {
  const auto [at, fresh] = occupied_.try_emplace(queue);
  if (!fresh) return at->second;
  std::vector<Lit>& occ = at->second;
  for (const Slot& slot : base_.queues[queue.index()].slots) occ.push_back(slot.occupied);
  const Lit taken = taken_before_ == nullptr ? kFalse : (*taken_before_)[queue.index()];
  for (std::size_t k = 0; k < occ.size(); ++k)
    occ[k] = g_.mux(taken, k + 1 < occ.size() ? occ[k + 1] : kFalse, occ[k]);
  return occ;
}

// The queue as the running body sees it. Steps in which somebody else took from a queue that is looked at
// are excluded by the relation, so only the own trigger and the own sends count.
SymbolicQueue Execution::contents(QueueId queue) {
  if (effect_ != nullptr) {
    const auto at = effect_->queues.find(queue);
    if (at != effect_->queues.end() && at->second.replaced) return at->second.contents;
  }
  SymbolicQueue q = base_.queues[queue.index()];
  if (consumed_ != nullptr && consumed_->queue == queue) q = removed_at(g_, q, effect_->at);
  if (effect_ != nullptr)
    if (const auto at = effect_->queues.find(queue); at != effect_->queues.end())
      for (const Push& push : at->second.pushes) q = appended(g_, q, push);
  return q;
}

Value Execution::holds_for(const Message& m, system::ExprId predicate) {
  if (s_.exprs[predicate].op == Op::Const) return eval(predicate);
  std::unordered_map<std::uint32_t, Value> saved_memo;
  std::map<QueueId, Selected> saved_selected;
  saved_memo.swap(memo_);
  saved_selected.swap(selected_);
  const Message saved = std::exchange(message_, m);
  const Value v = eval(predicate);
  message_ = saved;
  memo_.swap(saved_memo);
  selected_.swap(saved_selected);
  return v;
}

const Execution::Selected& Execution::selected(QueueId queue) {
  if (const auto at = selected_.find(queue); at != selected_.end()) return at->second;
  const SymbolicQueue q = contents(queue);
  Selected r;
  Lit open = kTrue;
  for (const Slot& slot : q.slots) {
    const Lit considered = g_.conj(open, slot.occupied);
    Lit pending = considered;  // not yet deferred, no error
    Lit deferred = kFalse;
    for (const system::Deferral& d : s_.queue(queue).deferrals) {
      if (pending == kFalse) break;
      const Lit concerns = g_.conj(pending, is_signal(queue, slot.signal, d.signal));
      if (concerns == kFalse) continue;
      const Value v = holds_for({slot.signal, slot.params}, d.condition);
      r.error = g_.disj(r.error, g_.conj(concerns, v.error));
      r.assumed = g_.disj(r.assumed, g_.conj(concerns, v.assumed));
      const Lit stops = g_.disj(v.error, v.assumed);
      const Lit yes = g_.conj(concerns, g_.conj(a_.truth(v.word), neg(stops)));
      deferred = g_.disj(deferred, yes);
      pending = g_.conj(pending, neg(g_.disj(yes, g_.conj(concerns, stops))));
    }
    r.at.push_back(pending);
    open = deferred;
  }
  return selected_.emplace(queue, std::move(r)).first->second;
}

Execution::Message Execution::message_at(QueueId queue, const std::vector<Lit>& at) {
  const SymbolicQueue q = contents(queue);
  Message m;
  m.params.resize(layout_.param_count(queue));
  bool first = true;
  for (std::size_t i = at.size(); i-- > 0;) {
    if (at[i] == kFalse) continue;
    const Slot& slot = q.slots[i];
    m.signal = first ? slot.signal : a_.mux(at[i], slot.signal, m.signal);
    for (std::size_t p = 0; p < m.params.size(); ++p)
      m.params[p] = first ? slot.params[p] : a_.mux(at[i], slot.params[p], m.params[p]);
    first = false;
  }
  return m;
}

Execution::Located Execution::locate(system::TableId id, system::ExprId row_expr,
                                     system::ExprId column_expr) {
  const expr::Table& t = s_.exprs.table(id);
  Located r;
  const Value row = eval(row_expr);
  r.error = row.error;
  r.assumed = row.assumed;
  Lit going = neg(g_.disj(r.error, r.assumed));
  if (t.by_reference) {
    const Lit null = g_.conj(going, a_.equal(row.word, 0));
    r.error = g_.disj(r.error, null);
    going = g_.conj(going, neg(null));
  }
  const Value column = eval(column_expr);
  r.error = g_.disj(r.error, g_.conj(going, column.error));
  r.assumed = g_.disj(r.assumed, g_.conj(going, column.assumed));
  going = g_.conj(going, neg(g_.disj(column.error, column.assumed)));
  std::vector<Lit> found;
  for (std::uint32_t i = 0; i < t.cells.size(); ++i) {
    if (!t.cells[i].valid()) continue;
    const Lit hit = g_.conj(a_.equal(row.word, i / t.columns), a_.equal(column.word, i % t.columns));
    if (hit == kFalse) continue;
    r.hits.emplace_back(t.cells[i], hit);
    found.push_back(hit);
  }
  r.error = g_.disj(r.error, g_.conj(going, neg(g_.any(found))));
  return r;
}

Value Execution::element(const expr::Node& n) {
  const Located place = locate(system::TableId(n.a), n.operands[0], n.operands[1]);
  Value v;
  v.error = place.error;
  v.assumed = place.assumed;
  bool first = true;
  for (const auto& [cell, hit] : place.hits) {
    read(cell, hit);
    v.word = first ? cells_[cell.index()] : a_.mux(hit, cells_[cell.index()], v.word);
    first = false;
  }
  return v;
}

Value Execution::queue_has(const expr::Node& n) {
  const QueueId queue(n.a);
  Lit yes = kFalse;
  Value v;
  Lit open = kTrue;
  for (const Slot& slot : contents(queue).slots) {
    Lit concerns = g_.conj(open, slot.occupied);
    if (SignalId(n.b).valid()) concerns = g_.conj(concerns, is_signal(queue, slot.signal, SignalId(n.b)));
    if (concerns == kFalse) continue;
    const Value p = holds_for({slot.signal, slot.params}, n.operands[0]);
    v.error = g_.disj(v.error, g_.conj(concerns, p.error));
    v.assumed = g_.disj(v.assumed, g_.conj(concerns, p.assumed));
    const Lit stops = g_.disj(p.error, p.assumed);
    const Lit here = g_.conj(concerns, g_.conj(a_.truth(p.word), neg(stops)));
    yes = g_.disj(yes, here);
    open = g_.conj(open, neg(g_.disj(here, g_.conj(concerns, stops))));
  }
  v.word = boolean_word(yes);
  return v;
}

Value Execution::head_is(const expr::Node& n) {
  const QueueId queue(n.a);
  const Selected sel = selected(queue);
  Value v;
  v.error = sel.error;
  v.assumed = sel.assumed;
  const Message m = message_at(queue, sel.at);
  Lit concerns = g_.conj(g_.any(sel.at), neg(g_.disj(sel.error, sel.assumed)));
  if (SignalId(n.b).valid()) concerns = g_.conj(concerns, is_signal(queue, m.signal, SignalId(n.b)));
  const Value p = holds_for(m, n.operands[0]);
  v.error = g_.disj(v.error, g_.conj(concerns, p.error));
  v.assumed = g_.disj(v.assumed, g_.conj(concerns, p.assumed));
  v.word = boolean_word(g_.conj(concerns, g_.conj(a_.truth(p.word), neg(g_.disj(p.error, p.assumed)))));
  return v;
}

// && || ?: evaluate only what is needed, so errors of the other side do not count.
Value Execution::logical(const expr::Node& n) {
  const Value x = eval(n.operands[0]);
  const Lit c = a_.truth(x.word);
  const Lit going = neg(g_.disj(x.error, x.assumed));
  Value r;
  r.error = x.error;
  r.assumed = x.assumed;
  const auto add = [&](const Value& side, Lit when) {
    r.error = g_.disj(r.error, g_.conj(when, side.error));
    r.assumed = g_.disj(r.assumed, g_.conj(when, side.assumed));
  };
  if (n.op == Op::Cond) {
    const Value y = c == kFalse ? Value{} : eval(n.operands[1]);
    const Value z = c == kTrue ? Value{} : eval(n.operands[2]);
    add(y, g_.conj(going, c));
    add(z, g_.conj(going, neg(c)));
    r.word = c == kTrue ? y.word : c == kFalse ? z.word : a_.mux(c, y.word, z.word);
    return r;
  }
  const bool is_and = n.op == Op::AndAlso;
  if (c == (is_and ? kFalse : kTrue)) {
    r.word = boolean_word(c);
    return r;
  }
  const Value y = eval(n.operands[1]);
  add(y, g_.conj(going, is_and ? c : neg(c)));
  r.word = boolean_word(is_and ? g_.conj(c, a_.truth(y.word)) : g_.disj(c, a_.truth(y.word)));
  return r;
}

Value Execution::compute(system::ExprId id) {
  const expr::Node& n = s_.exprs[id];
  Value v;
  switch (form(n.op)) {
    case Form::Const:
      v.word = constant_word(n.value);
      return v;
    case Form::Cell:
      read(CellId(n.a), kTrue);
      v.word = cells_[n.a];
      return v;
    case Form::Local:
      v.word = locals_[n.a];
      return v;
    case Form::Param:
      // A predicate over a signal that the queue never carries has no message to look at.
      if (n.a < message_.params.size()) v.word = message_.params[n.a];
      return v;
    case Form::Elem:
      return element(n);
    case Form::QueueLen: {
      const std::vector<Lit> occ = occupied(QueueId(n.a));
      for (std::size_t k = 0; k < occ.size(); ++k)
        v.word = a_.mux(occ[k], constant_word(static_cast<std::int64_t>(k) + 1), v.word);
      return v;
    }
    case Form::QueueCap:
      v.word = constant_word(layout_.capacities()[n.a]);
      return v;
    case Form::QueueHas:
      return queue_has(n);
    case Form::HeadIs:
      return head_is(n);
    case Form::Idle:
      v.word = boolean_word(idle_);
      return v;
    case Form::AndAlso:
    case Form::OrElse:
    case Form::Cond:
      return logical(n);
    case Form::Unary:
    case Form::Binary:
      break;
  }
  const Value x = eval(n.operands[0]);
  Value y;
  Result r;
  if (expr::is_unary(n.op)) {
    r = a_.unary(n.op, x.word, n.a);
  } else {
    y = eval(n.operands[1]);
    r = a_.binary(n.op, x.word, y.word);
  }
  Lit going = neg(g_.disj(x.error, x.assumed));
  v.error = g_.disj(x.error, g_.conj(going, y.error));
  v.assumed = g_.disj(x.assumed, g_.conj(going, y.assumed));
  going = g_.conj(going, neg(g_.disj(y.error, y.assumed)));
  v.error = g_.disj(v.error, g_.conj(going, r.division_by_zero));
  going = g_.conj(going, neg(r.division_by_zero));
  const Lit overflow = g_.conj(going, r.overflowed);
  if (s_.integers == system::IntegerMode::OverflowIsError) v.error = g_.disj(v.error, overflow);
  if (s_.integers == system::IntegerMode::AssumeNoOverflow) v.assumed = g_.disj(v.assumed, overflow);
  v.word = std::move(r.value);
  return v;
}

Value Execution::eval(system::ExprId id) {
  if (const auto at = memo_.find(id.value); at != memo_.end()) return at->second;
  Value v = compute(id);
  memo_.emplace(id.value, v);
  return v;
}

Value Execution::evaluate(system::ExprId expression) {
  reset();
  return eval(expression);
}

}  // namespace parley::encode
