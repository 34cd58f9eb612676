#include "certify/body.hpp"

#include <algorithm>

#include "certify/fold.hpp"

namespace parley::certify {

using expr::BinaryOp;
using expr::Form;
using expr::Op;
using expr::UnaryOp;
using system::StmtKind;
using z3::expr;
using z3::ite;

Body::Body(Z3System& owner, const Z3System::State& state, const expr& idle)
    : st(state),
      enabled(owner.z_.bool_val(true)),
      guard_error(owner.z_.bool_val(false)),
      guard_assumed(guard_error),
      fits(enabled),
      infeasible(guard_error),
      done(enabled),
      blocked(guard_error),
      cut(guard_error),
      assumed(guard_error),
      assertion(guard_error),
      error(guard_error),
      overflow(guard_error),
      lost(guard_error),
      o_(owner),
      s_(owner.s_),
      idle_(idle) {}

expr Body::free_number() {
  return o_.z_.bv_const(("choice" + std::to_string(o_.fresh_++)).c_str(), 32);
}

expr Body::is_signal(system::QueueId queue, const expr& code, system::SignalId signal) {
  const auto& signals = s_.queue(queue).signals;
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i] == signal) return code == num(static_cast<std::int64_t>(i));
  return no();
}

Body::Val Body::holds_for(const Z3System::Slot& m, system::ExprId predicate) {
  std::vector<expr> saved = m.params;
  saved.swap(params_);
  Val v = eval(predicate);
  saved.swap(params_);
  return v;
}

Body::Pick Body::select(system::QueueId q) {
  Pick pick{{}, no(), no()};
  const Z3System::Queue queue = st.queues[q.index()];
  expr open = yes();
  for (std::size_t i = 0; i < queue.slots.size(); ++i) {
    const Z3System::Slot& slot = queue.slots[i];
    expr here = open && z3::ugt(queue.length, num(static_cast<std::int64_t>(i)));
    expr deferred = no();
    for (const system::Deferral& d : s_.queue(q).deferrals) {
      const expr concerns = here && !deferred && is_signal(q, slot.signal, d.signal);
      const Val v = holds_for(slot, d.condition);
      pick.error = pick.error || (concerns && v.error);
      pick.assumed = pick.assumed || (concerns && v.assumed);
      here = here && !(concerns && (v.error || v.assumed));
      deferred = deferred || (concerns && truth(v.v) && !v.error && !v.assumed);
    }
    pick.at.push_back(folded(here && !deferred));
    open = here && deferred;
  }
  return pick;
}

Z3System::Slot Body::message(system::QueueId q, const std::vector<expr>& at) {
  Z3System::Slot m{num(0), {}};
  const auto& slots = st.queues[q.index()].slots;
  if (slots.empty()) return m;
  m = slots[0];
  for (std::size_t i = 1; i < slots.size(); ++i) {
    m.signal = ite(at[i], slots[i].signal, m.signal);
    for (std::size_t p = 0; p < m.params.size(); ++p)
      m.params[p] = ite(at[i], slots[i].params[p], m.params[p]);
  }
  return m;
}

void Body::enter(const system::Action& a) {
  if (!a.trigger) {
    const Val g = eval(a.guard);
    guard_error = g.error;
    guard_assumed = g.assumed;
    enabled = truth(g.v) && !g.error && !g.assumed;
    return;
  }
  const system::Trigger& t = *a.trigger;
  std::vector<expr> at;
  if (t.selection == system::Selection::Selected) {
    const Pick pick = select(t.queue);
    at = pick.at;
    const Z3System::Slot m = message(t.queue, at);
    params_ = m.params;
    expr there = no();
    for (const expr& x : at) there = there || x;
    there = there && !pick.error && !pick.assumed && is_signal(t.queue, m.signal, t.signal);
    const Val g = eval(a.guard);
    guard_error = pick.error || (there && g.error);
    guard_assumed = pick.assumed || (there && g.assumed);
    enabled = there && truth(g.v) && !g.error && !g.assumed;
  } else {
    expr open = yes();
    enabled = no();
    const Z3System::Queue& q = st.queues[t.queue.index()];
    for (std::size_t i = 0; i < q.slots.size(); ++i) {
      const expr concerns = open && z3::ugt(q.length, num(static_cast<std::int64_t>(i))) &&
                            is_signal(t.queue, q.slots[i].signal, t.signal);
      const Val g = holds_for(q.slots[i], a.guard);
      guard_error = guard_error || (concerns && g.error);
      guard_assumed = guard_assumed || (concerns && g.assumed);
      at.push_back(concerns && truth(g.v) && !g.error && !g.assumed);
      enabled = enabled || at.back();
      open = open && !at.back() && !(concerns && (g.error || g.assumed));
    }
    params_ = message(t.queue, at).params;
  }
  if (!t.consume) return;
  Z3System::Queue& q = st.queues[t.queue.index()];
  expr shift = no();
  for (std::size_t i = 0; i < q.slots.size(); ++i) {
    shift = shift || at[i];
    const bool last = i + 1 == q.slots.size();
    q.slots[i].signal = ite(shift, last ? num(0) : q.slots[i + 1].signal, q.slots[i].signal);
    for (std::size_t p = 0; p < q.slots[i].params.size(); ++p)
      q.slots[i].params[p] = ite(shift, last ? num(0) : q.slots[i + 1].params[p], q.slots[i].params[p]);
  }
  q.length = ite(shift, q.length - num(1), q.length);
}

Body::Found Body::find(system::TableId id, system::ExprId row_expr, system::ExprId column_expr) {
  const parley::expr::Table& t = s_.exprs.table(id);
  const Val row = eval(row_expr), column = eval(column_expr);
  Found f{{}, row.error, row.assumed};
  expr going = !row.error && !row.assumed;
  if (t.by_reference) {
    f.error = f.error || (going && row.v == num(0));
    going = going && row.v != num(0);
  }
  f.error = f.error || (going && column.error);
  f.assumed = f.assumed || (going && column.assumed);
  going = going && !column.error && !column.assumed;
  expr hit_any = no();
  for (std::uint32_t i = 0; i < t.cells.size(); ++i) {
    if (!t.cells[i].valid()) continue;
    const expr hit = row.v == num(i / t.columns) && column.v == num(i % t.columns);
    f.cells.emplace_back(t.cells[i], hit);
    hit_any = hit_any || hit;
  }
  f.error = f.error || (going && !hit_any);
  return f;
}

Body::Val Body::eval(system::ExprId id) {
  const parley::expr::Node& n = s_.exprs[id];
  Val r{num(0), no(), no()};
  switch (form(n.op)) {
    case Form::Const:
      r.v = num(n.value);
      return r;
    case Form::Cell:
      r.v = st.cells[n.a];
      return r;
    case Form::Local:
      r.v = locals_[n.a];
      return r;
    case Form::Param:
      if (n.a < params_.size()) r.v = params_[n.a];
      return r;
    case Form::Elem: {
      const Found f = find(system::TableId(n.a), n.operands[0], n.operands[1]);
      r.error = f.error;
      r.assumed = f.assumed;
      for (const auto& [cell, hit] : f.cells) r.v = ite(hit, st.cells[cell.index()], r.v);
      return r;
    }
    case Form::QueueLen:
      r.v = st.queues[n.a].length;
      return r;
    case Form::QueueCap:
      r.v = num(o_.capacities_[n.a]);
      return r;
    case Form::QueueHas: {
      const Z3System::Queue q = st.queues[n.a];
      expr open = yes(), found = no();
      for (std::size_t i = 0; i < q.slots.size(); ++i) {
        expr concerns = open && z3::ugt(q.length, num(static_cast<std::int64_t>(i)));
        if (system::SignalId(n.b).valid())
          concerns = concerns && is_signal(system::QueueId(n.a), q.slots[i].signal, system::SignalId(n.b));
        const Val p = holds_for(q.slots[i], n.operands[0]);
        r.error = r.error || (concerns && p.error);
        r.assumed = r.assumed || (concerns && p.assumed);
        const expr here = concerns && truth(p.v) && !p.error && !p.assumed;
        found = found || here;
        open = open && !here && !(concerns && (p.error || p.assumed));
      }
      r.v = bit(found);
      return r;
    }
    case Form::HeadIs: {
      const Pick pick = select(system::QueueId(n.a));
      const Z3System::Slot m = message(system::QueueId(n.a), pick.at);
      expr concerns = no();
      for (const expr& x : pick.at) concerns = concerns || x;
      concerns = concerns && !pick.error && !pick.assumed;
      if (system::SignalId(n.b).valid())
        concerns = concerns && is_signal(system::QueueId(n.a), m.signal, system::SignalId(n.b));
      const Val p = holds_for(m, n.operands[0]);
      r.error = pick.error || (concerns && p.error);
      r.assumed = pick.assumed || (concerns && p.assumed);
      r.v = bit(concerns && truth(p.v) && !p.error && !p.assumed);
      return r;
    }
    case Form::Idle:
      r.v = bit(idle_);
      return r;
    case Form::AndAlso:
    case Form::OrElse:
    case Form::Cond:
    case Form::Unary:
    case Form::Binary:
      break;
  }
  const Val x = eval(n.operands[0]);
  const expr fine = !x.error && !x.assumed;
  if (n.op == Op::AndAlso || n.op == Op::OrElse || n.op == Op::Cond) {
    const Val y = eval(n.operands[1]);
    const Val z = n.op == Op::Cond ? eval(n.operands[2]) : y;
    const expr c = truth(x.v);
    const expr on_y = fine && (n.op == Op::OrElse ? !c : c), on_z = n.op == Op::Cond ? fine && !c : no();
    r.error = x.error || (on_y && y.error) || (on_z && z.error);
    r.assumed = x.assumed || (on_y && y.assumed) || (on_z && z.assumed);
    r.v = n.op == Op::Cond      ? ite(c, y.v, z.v)
          : n.op == Op::AndAlso ? bit(c && truth(y.v))
                                : bit(c || truth(y.v));
    return r;
  }
  expr wide = z3::sext(x.v, 32), overflows = no(), by_zero = no();
  const auto fit = [&](const expr& exact) {  // 64 bits, wrapped to 32
    r.v = exact.extract(31, 0);
    overflows = z3::sext(r.v, 32) != exact;
  };
  if (parley::expr::is_unary(n.op)) {
    switch (parley::expr::unary_op(n.op)) {
      case UnaryOp::Not:
        r.v = bit(x.v == num(0));
        break;
      case UnaryOp::Neg:
        fit(-wide);
        break;
      case UnaryOp::BitNot:
        r.v = ~x.v;
        break;
      case UnaryOp::TruncU:
        r.v = n.a >= 32 ? x.v : z3::zext(x.v.extract(n.a - 1, 0), 32 - n.a);
        break;
      case UnaryOp::TruncS:
        r.v = n.a >= 32 ? x.v : z3::sext(x.v.extract(n.a - 1, 0), 32 - n.a);
        break;
    }
    r.error = x.error;
    r.assumed = x.assumed;
  } else {
    const Val y = eval(n.operands[1]);
    const expr other = z3::sext(y.v, 32), by = y.v & num(31);
    switch (parley::expr::binary_op(n.op)) {
      case BinaryOp::Add:
        fit(wide + other);
        break;
      case BinaryOp::Sub:
        fit(wide - other);
        break;
      case BinaryOp::Mul:
        if (s_.integers == system::IntegerMode::Wrap)
          r.v = x.v * y.v;
        else
          fit(wide * other);
        break;
      case BinaryOp::Div:
        r.v = x.v / y.v;
        overflows = x.v == num(parley::expr::kIntMin) && y.v == num(-1);
        by_zero = y.v == num(0);
        break;
      case BinaryOp::Rem:
        r.v = z3::srem(x.v, y.v);
        by_zero = y.v == num(0);
        break;
      case BinaryOp::BitAnd:
        r.v = x.v & y.v;
        break;
      case BinaryOp::BitOr:
        r.v = x.v | y.v;
        break;
      case BinaryOp::BitXor:
        r.v = x.v ^ y.v;
        break;
      case BinaryOp::Shl:
        if (s_.integers == system::IntegerMode::Wrap)
          r.v = z3::shl(x.v, by);
        else
          fit(z3::shl(wide, z3::zext(by, 32)));
        break;
      case BinaryOp::Shr:
        r.v = z3::ashr(x.v, by);
        break;
      case BinaryOp::Ushr:
        r.v = z3::lshr(x.v, by);
        break;
      case BinaryOp::Eq:
        r.v = bit(x.v == y.v);
        break;
      case BinaryOp::Ne:
        r.v = bit(x.v != y.v);
        break;
      case BinaryOp::Lt:
        r.v = bit(x.v < y.v);
        break;
      case BinaryOp::Le:
        r.v = bit(x.v <= y.v);
        break;
      case BinaryOp::Gt:
        r.v = bit(x.v > y.v);
        break;
      case BinaryOp::Ge:
        r.v = bit(x.v >= y.v);
        break;
    }
    r.error = x.error || (fine && y.error);
    r.assumed = x.assumed || (fine && y.assumed);
  }
  const expr calm = !r.error && !r.assumed;
  r.error = r.error || (calm && by_zero);
  if (s_.integers == system::IntegerMode::OverflowIsError)
    r.error = r.error || (calm && !by_zero && overflows);
  if (s_.integers == system::IntegerMode::AssumeNoOverflow)
    r.assumed = r.assumed || (calm && !by_zero && overflows);
  r.v = folded(r.v);
  return r;
}

expr Body::stop(const Val& v, const expr& path) {
  error = error || (path && v.error);
  assumed = assumed || (path && v.assumed);
  return folded(path && !v.error && !v.assumed);
}

void Body::execute(const std::vector<system::StmtId>& statements, std::uint32_t locals) {
  locals_.assign(locals, num(0));
  done = yes();
  for (const system::StmtId id : statements) done = statement(id, done);
}

expr Body::statement(system::StmtId id, expr path) {
  if (path.is_false()) return path;
  const system::Stmt& t = s_.stmt(id);
  switch (t.kind) {
    case StmtKind::Block:
      for (system::StmtId child : t.children) path = statement(child, path);
      return path;
    case StmtKind::Assign: {
      std::vector<std::pair<system::CellId, expr>> targets{{t.place.cell, yes()}};
      if (!t.place.cell.valid()) {
        const Found f = find(t.place.table, t.place.row, t.place.column);
        path = stop({num(0), f.error, f.assumed}, path);
        targets = f.cells;
      }
      const Val v = eval(t.value);
      path = stop(v, path);
      expr fitting = yes();
      for (const auto& [cell, hit] : targets)
        fitting = fitting && z3::implies(hit, o_.in_type(v.v, s_.cell(cell).type));
      error = error || (path && !fitting);
      path = path && fitting;
      for (const auto& [cell, hit] : targets)
        st.cells[cell.index()] = folded(ite(path && hit, v.v, st.cells[cell.index()]));
      return folded(path);
    }
    case StmtKind::SetLocal: {
      const Val v = eval(t.value);
      path = stop(v, path);
      locals_[t.local] = ite(path, v.v, locals_[t.local]);
      return path;
    }
    case StmtKind::Choose:
      return choose(t, path);
    case StmtKind::Send:
      return send(t, path);
    case StmtKind::Assert: {
      const Val v = eval(t.value);
      path = stop(v, path);
      assertion = assertion || (path && v.v == num(0));
      return path && truth(v.v);
    }
    case StmtKind::If: {
      const Val v = eval(t.value);
      path = stop(v, path);
      const expr after = statement(t.children[0], folded(path && truth(v.v)));
      const expr other = folded(path && !truth(v.v));
      return after || (t.children.size() > 1 ? statement(t.children[1], other) : other);
    }
    case StmtKind::Branch:
      return branch(t, path);
    case StmtKind::While: {
      expr left = no();
      for (std::uint32_t round = 0;; ++round) {
        if (round > 4096) throw NotExpressible("a loop of more than 4096 rounds");
        const Val v = eval(t.value);
        path = stop(v, path);
        left = left || (path && !truth(v.v));
        path = folded(path && truth(v.v));
        if (path.is_false()) return left;
        if (round == t.limit) {
          error = error || path;
          return left;
        }
        path = statement(t.children[0], path);
      }
    }
    case StmtKind::Fail:
      error = error || path;
      return no();
    case StmtKind::Note:
      return path;
    case StmtKind::Print:
      for (system::ExprId arg : t.args) path = stop(eval(arg), path);
      return path;
  }
  return path;
}

expr Body::choose(const system::Stmt& t, expr path) {
  const Val lo = eval(t.lo);
  path = stop(lo, path);
  const Val hi = eval(t.hi);
  path = stop(hi, path);
  error = error || (path && hi.v < lo.v);
  path = folded(path && hi.v >= lo.v);
  expr v = num(0);
  if (script_ != nullptr) {
    const expr first = folded(lo.v), last = folded(hi.v);
    if (!first.is_numeral() || !last.is_numeral())
      throw NotExpressible("a computed choice before a blocking send");
    const auto low = static_cast<std::int32_t>(first.get_numeral_uint64());
    const std::int64_t count = std::int64_t{static_cast<std::int32_t>(last.get_numeral_uint64())} - low + 1;
    if (count > 64) throw NotExpressible("a wide choice before a blocking send");
    v = num(low + (count > 1 && !path.is_false()
                       ? static_cast<std::int64_t>(script_->pick(static_cast<std::uint64_t>(count)))
                       : 0));
  } else {
    v = free_number();
    fits = fits && z3::implies(path, lo.v <= v && v <= hi.v);
  }
  locals_[t.local] = ite(path, v, locals_[t.local]);
  return path;
}

expr Body::branch(const system::Stmt& t, expr path) {
  std::vector<expr> open;
  expr any = no();
  for (system::ExprId c : t.conditions) {
    const Val v = eval(c);
    path = stop(v, path);
    open.push_back(truth(v.v));
    any = any || open.back();
  }
  expr which = num(0);
  if (script_ != nullptr)
    which = num(static_cast<std::int64_t>(script_->pick(open.size())));
  else if (open.size() > 1)
    which = free_number();
  expr picked_any = no(), after = no();
  for (std::size_t i = 0; i < open.size(); ++i) {
    const expr picked = folded(open[i] && which == num(static_cast<std::int64_t>(i)));
    picked_any = picked_any || picked;
    after = after || statement(t.children[i], folded(path && picked));
  }
  if (script_ != nullptr)
    infeasible = infeasible || (path && any && !picked_any);
  else
    fits = fits && z3::implies(path && any, picked_any);
  const expr none = folded(path && !any);
  if (t.has_else) return after || statement(t.children.back(), none);
  error = error || none;
  return after;
}

expr Body::send(const system::Stmt& t, expr path) {
  const Val target = eval(t.target);
  path = stop(target, path);
  std::vector<expr> hits;
  expr known = no();
  for (std::size_t i = 0; i < t.routes.size(); ++i) {
    hits.push_back(t.routes[i].queue.valid() ? target.v == num(static_cast<std::int64_t>(i)) : no());
    known = known || hits.back();
  }
  error = error || (path && !known);
  path = path && known;
  std::vector<expr> args;
  for (std::size_t p = 0; p < t.args.size(); ++p) {
    const Val v = eval(t.args[p]);
    path = stop(v, path);
    expr fitting = yes();
    for (std::size_t i = 0; i < t.routes.size(); ++i)
      if (t.routes[i].queue.valid())
        fitting = fitting && z3::implies(hits[i], o_.in_type(v.v, s_.signal(t.routes[i].signal).params[p]));
    error = error || (path && !fitting);
    path = path && fitting;
    args.push_back(v.v);
  }
  expr after = no();
  for (std::size_t i = 0; i < t.routes.size(); ++i) {
    if (!t.routes[i].queue.valid()) continue;
    const expr here = folded(path && hits[i]);
    if (here.is_false()) continue;
    const auto& signals = s_.queue(t.routes[i].queue).signals;
    const auto code = std::find(signals.begin(), signals.end(), t.routes[i].signal) - signals.begin();
    after = after || put(t, t.routes[i].queue, here, num(code), args);
  }
  return after;
}

expr Body::put(const system::Stmt& t, system::QueueId id, const expr& path, const expr& code,
               const std::vector<expr>& args) {
  Z3System::Queue& q = st.queues[id.index()];
  const expr full = path && z3::uge(q.length, num(o_.capacities_[id.index()]));
  expr after = path && !full;
  switch (s_.queue(id).overflow) {
    case system::OverflowPolicy::Block:
      blocked = blocked || full;
      break;
    case system::OverflowPolicy::Cut:
      cut = cut || full;
      break;
    case system::OverflowPolicy::Error:
      overflow = overflow || full;
      break;
    case system::OverflowPolicy::Lose:
      lost = lost || full;
      after = path;
      break;
  }
  const expr write = path && !full;
  // The place: the end, or before the first message that sorts behind this one.
  expr place = q.length;
  if (t.insertion == system::Insertion::Sorted)
    for (std::size_t k = q.slots.size(); k-- > 0;) {
      expr before = no();
      for (std::size_t c = 0; c < s_.queue(id).signals.size(); ++c) {
        const std::size_t other = s_.signal(s_.queue(id).signals[c]).params.size();
        expr smaller = args.size() < other ? yes() : no();
        for (std::size_t p = std::min(args.size(), other); p-- > 0;)
          smaller = ite(args[p] == q.slots[k].params[p], smaller, args[p] < q.slots[k].params[p]);
        before = before || (q.slots[k].signal == num(static_cast<std::int64_t>(c)) && smaller);
      }
      place = ite(z3::ugt(q.length, num(static_cast<std::int64_t>(k))) && before,
                  num(static_cast<std::int64_t>(k)), place);
    }
  const std::vector<Z3System::Slot> old = q.slots;
  for (std::size_t k = 0; k < old.size(); ++k) {
    const expr at = num(static_cast<std::int64_t>(k));
    const Z3System::Slot& left = old[k == 0 ? 0 : k - 1];
    const auto next = [&](const expr& fresh, const expr& moved, const expr& kept) {
      return folded(ite(write && place == at, fresh, ite(write && z3::ult(place, at), moved, kept)));
    };
    q.slots[k].signal = next(code, left.signal, old[k].signal);
    for (std::size_t p = 0; p < old[k].params.size(); ++p)
      q.slots[k].params[p] = next(p < args.size() ? args[p] : num(0), left.params[p], old[k].params[p]);
  }
  q.length = folded(ite(write, q.length + num(1), q.length));
  return after;
}

}  // namespace parley::certify
