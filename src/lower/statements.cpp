#include "lower/statements.hpp"

#include <algorithm>
#include <span>
#include <utility>

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

class Writer {
 public:
  Writer(Context& c, Scope scope, Frame& frame) : c_(c), s_(std::move(scope)), f_(frame) {}

  StmtId body(const model::Behaviour& b) {
    s_.locals.assign(b.slots, ExprId{});
    std::vector<StmtId> list = capture([&] { statement(*b.body, true); });
    if (flag_) list.insert(list.begin(), c_.set_local(*flag_, c_.pool().boolean(false)));
    return c_.block(std::move(list));
  }
  void result_into(std::uint32_t local, const model::TypeRef& type) {
    result_ = local;
    result_type_ = &type.resolved;
  }

 private:
  expr::Pool& pool() { return c_.pool(); }
  void emit(StmtId s) { out_->push_back(s); }

  template <class F>
  std::vector<StmtId> capture(F&& write) {
    std::vector<StmtId> list;
    std::vector<StmtId>* outer = std::exchange(out_, &list);
    write();
    out_ = outer;
    return list;
  }
  template <class F>
  StmtId captured(F&& write) {
    return c_.block(capture(write));
  }

  ExprId save(ExprId value) {
    const expr::Node n = pool()[value];
    if (n.op == Op::Const) return value;
    const std::uint32_t t = f_.take();
    emit(c_.set_local(t, value));
    return pool().local(t, n.type);
  }

  // Fails at run time when the value does not fit the type.
  ExprId checked(ExprId value, const model::ModelType& type, const diag::Span& span,
                 const std::string& what) {
    if (fits(pool(), value, type)) return value;
    const ExprId v = save(value);
    const ExprId inside = pool().both(pool().binary(Op::Ge, v, pool().constant(type.lo)),
                                      pool().binary(Op::Le, v, pool().constant(type.hi)));
    emit(c_.when(
        inside, c_.skip(),
        c_.fail(RuntimeError::RangeExceeded, "value outside the range of `" + what + "`", origin_of(span))));
    return v;
  }

  // --- expressions
  // ---------------------------------------------------------------------------------------------

  ExprId value(const model::Expr& e) {
    if (is_pure(c_, e)) return pure(c_, e, s_);
    switch (e.kind) {
      case ExprKind::Any:
        return any(e);
      case ExprKind::Call:
        return call(e, true);
      case ExprKind::Unary: {
        const ExprId x = value(*e.operands[0]);
        return e.text == "!"   ? pool().negate(x)
               : e.text == "-" ? pool().unary(Op::Neg, x)
               : e.text == "~" ? pool().unary(Op::BitNot, x)
                               : x;
      }
      case ExprKind::Binary:
        return binary(e);
      case ExprKind::Conditional: {
        const ExprId condition = value(*e.operands[0]);
        const std::uint32_t t = f_.take();
        const StmtId then = captured([&] { emit(c_.set_local(t, value(*e.operands[1]))); });
        const StmtId otherwise = captured([&] { emit(c_.set_local(t, value(*e.operands[2]))); });
        emit(c_.when(condition, then, otherwise));
        return pool().local(t, c_.type(e.type));
      }
      case ExprKind::Field:
      case ExprKind::Index:
        return read(c_, place(e));
      default:
        return pure(c_, e, s_);
    }
  }

  // Values of several expressions in order; earlier ones are kept from what later ones do.
  std::vector<ExprId> values(std::span<const model::ExprPtr> list) {
    std::vector<ExprId> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
      ExprId v = value(*list[i]);
      const bool later = std::any_of(list.begin() + static_cast<long>(i) + 1, list.end(),
                                     [&](const model::ExprPtr& x) { return !is_pure(c_, *x); });
      result.push_back(later ? save(v) : v);
    }
    return result;
  }

  ExprId binary(const model::Expr& e) {
    const Op op = *binary_op(e.text);
    if (op == Op::AndAlso || op == Op::OrElse) {
      const std::uint32_t t = f_.take();
      emit(c_.set_local(t, value(*e.operands[0])));
      const ExprId left = pool().local(t, Type::boolean());
      const StmtId right = captured([&] { emit(c_.set_local(t, value(*e.operands[1]))); });
      emit(op == Op::AndAlso ? c_.when(left, right, c_.skip()) : c_.when(left, c_.skip(), right));
      return left;
    }
    const auto v = values(e.operands);
    return pool().binary(op, v[0], v[1]);
  }

  ExprId any(const model::Expr& e) {
    const std::uint32_t t = f_.take();
    const Type type = c_.type(e.type);
    ExprId lo = pool().constant(type.lo, type), hi = pool().constant(type.hi, type);
    if (e.operands.size() == 2) {
      const auto v = values(e.operands);
      lo = v[0];
      hi = v[1];
    }
    emit(c_.choose(t, lo, hi));
    return pool().local(t, type);
  }

  // Any value of a type; references with null.
  ExprId any_of(const Type& type) {
    const std::uint32_t t = f_.take();
    const bool with_null = (type.kind == TypeKind::Ref) && type.lo > 0;
    const std::int32_t lo = with_null ? type.lo - 1 : type.lo;
    emit(c_.choose(t, pool().constant(lo, type), pool().constant(type.hi, type)));
    const ExprId v = pool().local(t, type);
    if (!with_null || lo == 0) return v;
    return pool().cond(pool().equals(v, lo), pool().constant(0, type), v);
  }

  // Inlines an operation.
  ExprId call(const model::Expr& e, bool wanted) {
    Scope inner;
    inner.self = s_.self;
    inner.self_ref = s_.self_ref;
    inner.self_class = s_.self_class;
    std::vector<ExprId> arguments = values(e.operands);
    if (e.has_receiver) {
      inner.self = nullptr;
      inner.self_ref = save(arguments[0]);
      inner.self_class = e.operands[0]->type.of_class;
      arguments.erase(arguments.begin());
      const expr::Node n = pool()[inner.self_ref];
      if (n.op == Op::Const && n.value > 0) {
        inner.self = &c_.objects[static_cast<std::size_t>(n.value) - 1];
        inner.self_class = inner.self->of_class;
      } else {
        emit(c_.when(
            pool().equals(inner.self_ref, 0),
            c_.fail(RuntimeError::NullDereference, "`" + e.text + "` called on null", origin_of(e.span)),
            c_.skip()));
      }
    }
    std::optional<std::uint32_t> result;
    const model::Operation* named = operation_of(c_, e, inner.self_class);
    if (named == nullptr) return pool().constant(0);
    if (named->result.resolved.tag != model::TypeTag::Void) result = f_.take();
    inlined(e, *named, std::move(inner), arguments, result);
    if (!result || !wanted) return pool().constant(0);
    return pool().local(*result, c_.type(named->result.resolved));
  }

  void inlined(const model::Expr& e, const model::Operation& op, Scope inner,
               const std::vector<ExprId>& arguments, std::optional<std::uint32_t> result) {
    if (!count_call(c_, e)) return;
    for (std::size_t i = 0; i < op.parameters.size() && i < arguments.size(); ++i) {
      const ExprId v = checked(arguments[i], op.parameters[i].type.resolved,
                               e.operands[i + (e.has_receiver ? 1 : 0)]->span, op.parameters[i].name);
      const std::uint32_t t = f_.take();
      emit(c_.set_local(t, v));
      inner.parameters.push_back(pool().local(t, c_.type(op.parameters[i].type.resolved)));
    }
    if (!op.body) return;
    if (result) emit(c_.set_local(*result, pool().constant(0, c_.type(op.result.resolved))));
    Writer writer(c_, std::move(inner), f_);
    if (result) writer.result_into(*result, op.result);
    emit(writer.body(op.body));
  }

  // Where an attribute, field or element lies; row and column become values.
  Located place(const model::Expr& e) {
    const model::Expr* base = &e;
    ExprId column = pool().constant(0);
    ExprId row;
    const bool indexed = e.kind == ExprKind::Index;
    if (indexed) base = e.operands[0].get();
    if (base->kind == ExprKind::Field) {
      row = value(*base->operands[0]);
      if (indexed && !is_pure(c_, *e.operands[1])) row = save(row);
    }
    if (indexed) column = value(*e.operands[1]);
    if (base->kind == ExprKind::Field)
      return locate(c_, nullptr, row, base->operands[0]->type.of_class, base->index, column);
    if (base->kind == ExprKind::Name && base->symbol == SymbolKind::Attribute)
      return locate(c_, s_.self, s_.self_ref, s_.self_class, base->index, column);
    c_.refuse("not-assignable", e.span, "this cannot be assigned to");
    return {};
  }

  // --- statements
  // ----------------------------------------------------------------------------------------------

  void sequence(std::span<const model::StmtPtr> list, bool tail) {
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

  ExprId flag() {
    if (!flag_) flag_ = f_.take();
    return pool().local(*flag_, Type::boolean());
  }

  StmtId branch(ExprId condition, StmtId then, StmtId otherwise, const model::Stmt& s) {
    system::Stmt r;
    r.kind = system::StmtKind::If;
    r.value = condition;
    r.children = {then, otherwise};
    r.origin = origin_of(s.span);
    return c_.add(std::move(r));
  }

  void statement(const model::Stmt& s, bool tail) {
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

  void local(const model::Stmt& s) {
    if (s.type.resolved.is_array())
      return c_.refuse("unsupported-array", s.span, "local variables cannot be arrays",
                       "make it an attribute");
    const Type type = c_.type(s.type.resolved);
    const std::int32_t zero = type.contains(0) ? 0 : type.lo;
    ExprId v =
        s.value ? checked(value(*s.value), s.type.resolved, s.span, s.text) : pool().constant(zero, type);
    const std::uint32_t t = f_.take();
    emit(c_.set_local(t, v));
    s_.locals[s.slot] = pool().local(t, type);
  }

  void put(const Located& at, ExprId v, const model::Stmt& s) {
    system::Stmt r;
    r.kind = system::StmtKind::Assign;
    r.place = at.place;
    r.value = v;
    r.origin = origin_of(s.span);
    emit(c_.add(std::move(r)));
  }

  ExprId updated(const model::Stmt& s, ExprId old) {
    if (s.text == "++" || s.text == "--")
      return pool().binary(s.text == "++" ? Op::Add : Op::Sub, old, pool().constant(1));
    const ExprId v = value(*s.value);
    return s.text == "=" ? v : pool().binary(*binary_op(s.text.substr(0, s.text.size() - 1)), old, v);
  }

  void assign(const model::Stmt& s) {
    const model::Expr& target = *s.target;
    const bool is_name = target.kind == ExprKind::Name;
    if (is_name && (target.symbol == SymbolKind::Local || target.symbol == SymbolKind::Parameter)) {
      auto& list = target.symbol == SymbolKind::Local ? s_.locals : s_.parameters;
      const ExprId slot = target.index < list.size() ? list[target.index] : ExprId{};
      if (!slot.valid() || pool()[slot].op != Op::Local)
        return c_.refuse("not-assignable", target.span, "`" + target.text + "` cannot be assigned to",
                         "copy it into a local variable");
      const std::uint32_t index = pool()[slot].a;
      const bool keep_old = s.value && !is_pure(c_, *s.value) && s.text != "=";
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
    ExprId old = s.text == "=" ? ExprId{} : read(c_, at);
    if (effects && old.valid()) old = save(old);
    put(at, updated(s, old), s);
  }

  void send(const model::Stmt& s) {
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

  void for_loop(const model::Stmt& s) {
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
    loop(returns ? pool().both(pool().negate(flag()), going) : going, round,
         static_cast<std::uint32_t>(rounds), s);
  }

  void loop(ExprId condition, StmtId round, std::uint32_t limit, const model::Stmt& s) {
    system::Stmt r;
    r.kind = system::StmtKind::While;
    r.value = condition;
    r.children = {round};
    r.limit = limit;
    r.origin = origin_of(s.span);
    emit(c_.add(std::move(r)));
  }

  void while_loop(const model::Stmt& s) {
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

  void havoc(const model::Stmt& s) {
    const model::Expr& target = *s.target;
    if (target.kind == ExprKind::Name && target.symbol == SymbolKind::Local) {
      const ExprId slot = s_.locals[target.index];
      if (slot.valid() && pool()[slot].op == Op::Local)
        return emit(c_.set_local(pool()[slot].a, any_of(pool()[slot].type)));
    }
    const Located at = place(target);
    if (!c_.refused) put(at, any_of(at.type), s);
  }

  Context& c_;
  Scope s_;
  Frame& f_;
  std::vector<StmtId>* out_ = nullptr;
  std::optional<std::uint32_t> flag_, result_;
  const model::ModelType* result_type_ = nullptr;
};

}  // namespace

StmtId lower_behaviour(Context& c, const model::Behaviour& b, Scope scope, Frame& frame) {
  if (!b) return c.skip();
  const std::uint32_t base = frame.next;
  const StmtId result = Writer(c, std::move(scope), frame).body(b);
  frame.next = base;
  return result;
}

}  // namespace parley::lower
