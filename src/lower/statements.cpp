#include <algorithm>

#include "lower/writer.hpp"

namespace parley::lower {

using model::ExprKind;
using model::StmtKind;
using model::SymbolKind;
using system::RuntimeError;

namespace {

constexpr std::int64_t kUnroll = 32;

bool may_return(const model::Stmt& s) {
  if (s.kind == StmtKind::Return) return true;
  return std::any_of(s.children.begin(), s.children.end(),
                     [](const model::StmtPtr& x) { return may_return(*x); });
}

bool always_returns(const model::Stmt& s) {
  switch (s.kind) {
    case StmtKind::Return:
      return true;
    case StmtKind::Block:
      return std::any_of(s.children.begin(), s.children.end(),
                         [](const model::StmtPtr& x) { return always_returns(*x); });
    case StmtKind::If:
      return s.children.size() == 2 && always_returns(*s.children[0]) && always_returns(*s.children[1]);
    case StmtKind::Either:
      return std::all_of(s.children.begin(), s.children.end(),
                         [](const model::StmtPtr& x) { return always_returns(*x); });
    default:
      return false;
  }
}

}  // namespace

void Writer::sequence(std::span<const model::StmtPtr> list, bool tail) {
  for (std::size_t i = 0; i < list.size() && !c_.refused; ++i) {
    const model::Stmt& s = *list[i];
    const auto rest = list.subspan(i + 1);
    if (rest.empty() || !may_return(s)) {
      statement(s, tail && rest.empty());
      continue;
    }
    if (always_returns(s)) return statement(s, tail);  // what follows is dead
    // `if (c) return …; rest` is if/else: no flag needed.
    if (s.kind == StmtKind::If && always_returns(*s.children[0])) {
      const ExprId condition = value(*s.value);
      const StmtId then = captured([&] { statement(*s.children[0], tail); });
      const StmtId otherwise = captured([&] {
        if (s.children.size() < 2) return sequence(rest, tail);
        statement(*s.children[1], false);
        if (may_return(*s.children[1]))
          emit(c_.when(pool().negate(flag()), captured([&] { sequence(rest, tail); }), c_.skip()));
        else
          sequence(rest, tail);
      });
      return emit(branch(condition, then, otherwise, s));
    }
    statement(s, false);
    return emit(c_.when(pool().negate(flag()), captured([&] { sequence(rest, tail); }), c_.skip()));
  }
}

ExprId Writer::flag() {
  if (!flag_) flag_ = f_.take();
  return pool().local(*flag_, Type::boolean());
}

StmtId Writer::branch(ExprId condition, StmtId then, StmtId otherwise, const model::Stmt& s) {
  system::Stmt r;
  r.kind = system::StmtKind::If;
  r.value = condition;
  r.children = {then, otherwise};
  r.origin = origin_of(s.span);
  return c_.add(std::move(r));
}

void Writer::statement(const model::Stmt& s, bool tail) {
  if (c_.refused) return;
  switch (s.kind) {
    case StmtKind::Block:
      return sequence(s.children, tail);
    case StmtKind::Local:
      return local(s);
    case StmtKind::Assign:
      return assign(s);
    case StmtKind::Send:
      return send(s);
    case StmtKind::Assert: {
      system::Stmt r;
      r.kind = system::StmtKind::Assert;
      r.value = value(*s.value);
      r.text = s.text;
      r.origin = origin_of(s.span);
      return emit(c_.add(std::move(r)));
    }
    case StmtKind::If: {
      const ExprId condition = value(*s.value);
      const StmtId then = captured([&] { statement(*s.children[0], tail); });
      const StmtId otherwise = captured([&] {
        if (s.children.size() > 1) statement(*s.children[1], tail);
      });
      return emit(branch(condition, then, otherwise, s));
    }
    case StmtKind::For:
      return for_loop(s);
    case StmtKind::While:
      return while_loop(s);
    case StmtKind::Either: {
      system::Stmt r;
      r.kind = system::StmtKind::Branch;
      r.origin = origin_of(s.span);
      for (const auto& child : s.children) {
        r.conditions.push_back(pool().boolean(true));
        r.children.push_back(captured([&] { statement(*child, tail); }));
      }
      return emit(c_.add(std::move(r)));
    }
    case StmtKind::Call: {
      call(*s.value, false);
      return;
    }
    case StmtKind::Return: {
      if (s.value && result_)
        emit(c_.set_local(*result_, checked(value(*s.value), *result_type_, s.span, "the result")));
      if (!tail) emit(c_.set_local((flag(), *flag_), pool().boolean(true)));
      return;
    }
    case StmtKind::StartTimer: {
      const Located at = place(*s.target);
      const ExprId ticks = save(value(*s.value));
      emit(c_.when(pool().binary(Op::Ge, ticks, pool().constant(0)), c_.skip(),
                   c_.fail(RuntimeError::RangeExceeded, "a timer cannot be started with a negative time",
                           origin_of(s.span))));
      return put(at, ticks, s);
    }
    case StmtKind::StopTimer:
      return put(place(*s.target), pool().constant(-1), s);
    case StmtKind::Havoc:
      return havoc(s);
  }
}

void Writer::local(const model::Stmt& s) {
  if (s.type.resolved.is_array())
    return c_.refuse("unsupported-array", s.span, "local variables cannot be arrays", "make it an attribute");
  const Type type = c_.type(s.type.resolved);
  const std::int32_t zero = type.contains(0) ? 0 : type.lo;
  ExprId v =
      s.value ? checked(value(*s.value), s.type.resolved, s.span, s.text) : pool().constant(zero, type);
  const std::uint32_t t = f_.take();
  emit(c_.set_local(t, v));
  s_.locals[s.slot] = pool().local(t, type);
}

void Writer::put(const Located& at, ExprId v, const model::Stmt& s) {
  system::Stmt r;
  r.kind = system::StmtKind::Assign;
  r.place = at.place;
  r.value = v;
  r.origin = origin_of(s.span);
  emit(c_.add(std::move(r)));
}

ExprId Writer::updated(const model::Stmt& s, ExprId old) {
  const ExprId v = s.value ? value(*s.value) : pool().constant(1);  // x++ adds one
  return s.op == model::Operator::None ? v : pool().binary(meaning(s.op), old, v);
}

void Writer::assign(const model::Stmt& s) {
  const model::Expr& target = *s.target;
  const bool is_name = target.kind == ExprKind::Name;
  if (is_name && (target.symbol == SymbolKind::Local || target.symbol == SymbolKind::Parameter)) {
    auto& list = target.symbol == SymbolKind::Local ? s_.locals : s_.parameters;
    const ExprId slot = target.index < list.size() ? list[target.index] : ExprId{};
    if (!slot.valid() || pool()[slot].op != Op::Local)
      return c_.refuse("not-assignable", target.span, "`" + target.text + "` cannot be assigned to",
                       "copy it into a local variable");
    const std::uint32_t index = pool()[slot].a;
    const bool keep_old = s.value && !is_pure(c_, *s.value) && s.op != model::Operator::None;
    const ExprId old = keep_old ? save(slot) : slot;
    return emit(c_.set_local(index, checked(updated(s, old), target.type, s.span, target.text)));
  }
  Located at = place(target);
  if (c_.refused) return;
  const bool effects = s.value && !is_pure(c_, *s.value);
  if (effects && at.place.table.valid()) {
    at.place.row = save(at.place.row);
    at.place.column = save(at.place.column);
  }
  ExprId old = s.op == model::Operator::None ? ExprId{} : read(c_, at);
  if (effects && old.valid()) old = save(old);
  put(at, updated(s, old), s);
}

void Writer::send(const model::Stmt& s) {
  system::Stmt r;
  r.kind = system::StmtKind::Send;
  r.origin = origin_of(s.span);
  const bool effects =
      std::any_of(s.args.begin(), s.args.end(), [&](const model::ExprPtr& x) { return !is_pure(c_, *x); });
  ExprId target;
  if (s.target) {
    target = value(*s.target);
    if (effects) target = save(target);
  } else {
    target = s_.self != nullptr ? s_.self->ref_value(pool(), c_.ref_type(s_.self->of_class)) : s_.self_ref;
  }
  r.args = values(s.args);
  const auto route = [&](std::int32_t ref) -> system::Route {
    if (ref <= 0) return {};
    const Object& o = c_.objects[static_cast<std::size_t>(ref) - 1];
    if (o.machine == nullptr) return {};
    return {c_.threads[o.thread].queue, o.signals[s.signal.index()]};
  };
  const expr::Node n = pool()[target];
  const ClassId of_class = s.target ? s.target->type.of_class : s_.self_class;
  if (n.op == Op::Const) {
    r.target = pool().constant(0);
    r.routes = {route(n.value)};
  } else {
    r.target = target;
    r.routes.resize(c_.objects.size() + 1);
    for (std::size_t i = 1; i <= c_.objects.size(); ++i)
      if (!of_class.valid() || model::is_a(c_.model, c_.objects[i - 1].of_class, of_class))
        r.routes[i] = route(static_cast<std::int32_t>(i));
    while (r.routes.size() > 1 && !r.routes.back().queue.valid()) r.routes.pop_back();
  }
  emit(c_.add(std::move(r)));
}

void Writer::for_loop(const model::Stmt& s) {
  const std::int64_t lo = fold(c_, *s.value, s_, "the bound of a loop");
  const std::int64_t hi = fold(c_, *s.hi, s_, "the bound of a loop");
  const bool returns = may_return(s);
  if (hi < lo) return;
  if (hi - lo < kUnroll) {
    for (std::int64_t i = lo; i <= hi && !c_.refused; ++i) {
      s_.locals[s.slot] = pool().constant(static_cast<std::int32_t>(i));
      const StmtId round = captured([&] { statement(*s.children[0], false); });
      emit(returns && i > lo ? c_.when(pool().negate(flag()), round, c_.skip()) : round);
    }
    return;
  }
  const std::uint32_t counter = f_.take();
  const ExprId i =
      pool().local(counter, Type::range(static_cast<std::int32_t>(lo), static_cast<std::int32_t>(hi)));
  s_.locals[s.slot] = i;
  emit(c_.set_local(counter, pool().constant(static_cast<std::int32_t>(lo))));
  // The last round must not count past the largest integer: `more` says whether to go on.
  const std::uint32_t more = f_.take();
  emit(c_.set_local(more, pool().boolean(true)));
  const ExprId going = pool().local(more, Type::boolean());
  const StmtId round = captured([&] {
    statement(*s.children[0], false);
    emit(c_.when(pool().equals(i, static_cast<std::int32_t>(hi)), c_.set_local(more, pool().boolean(false)),
                 c_.set_local(counter, pool().binary(Op::Add, i, pool().constant(1)))));
  });
  const std::int64_t rounds = std::min<std::int64_t>(hi - lo + 1, UINT32_MAX);
  loop(returns ? pool().both(pool().negate(flag()), going) : going, round, static_cast<std::uint32_t>(rounds),
       s);
}

void Writer::loop(ExprId condition, StmtId round, std::uint32_t limit, const model::Stmt& s) {
  system::Stmt r;
  r.kind = system::StmtKind::While;
  r.value = condition;
  r.children = {round};
  r.limit = limit;
  r.origin = origin_of(s.span);
  emit(c_.add(std::move(r)));
}

void Writer::while_loop(const model::Stmt& s) {
  const std::int32_t limit = fold(c_, *s.hi, s_, "the limit of a loop");
  const bool returns = may_return(s);
  ExprId condition;
  std::optional<std::uint32_t> t;
  if (is_pure(c_, *s.value)) {
    condition = pure(c_, *s.value, s_);
  } else {  // evaluated before the first round and at the end of every round
    t = f_.take();
    emit(c_.set_local(*t, value(*s.value)));
    condition = pool().local(*t, Type::boolean());
  }
  const StmtId round = captured([&] {
    statement(*s.children[0], false);
    if (t) emit(c_.set_local(*t, value(*s.value)));
  });
  if (returns) condition = pool().both(pool().negate(flag()), condition);
  loop(condition, round, static_cast<std::uint32_t>(std::max(limit, 0)), s);
}

void Writer::havoc(const model::Stmt& s) {
  const model::Expr& target = *s.target;
  if (target.kind == ExprKind::Name && target.symbol == SymbolKind::Local) {
    const ExprId slot = s_.locals[target.index];
    if (slot.valid() && pool()[slot].op == Op::Local)
      return emit(c_.set_local(pool()[slot].a, any_of(pool()[slot].type)));
  }
  const Located at = place(target);
  if (!c_.refused) put(at, any_of(at.type), s);
}

StmtId lower_behaviour(Context& c, const model::Behaviour& b, Scope scope, Frame& frame) {
  if (!b) return c.skip();
  const std::uint32_t base = frame.next;
  const StmtId result = Writer(c, std::move(scope), frame).body(b);
  frame.next = base;
  return result;
}

}  // namespace parley::lower
