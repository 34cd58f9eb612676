// Expressions inside statements: pure ones as they are, the others evaluated left to right into temporaries.
#include <algorithm>

#include "lower/writer.hpp"

namespace parley::lower {

using model::ExprKind;
using model::SymbolKind;
using system::RuntimeError;

StmtId Writer::body(const model::Behaviour& b) {
  s_.locals.assign(b.slots, ExprId{});
  std::vector<StmtId> list = capture([&] { statement(*b.body, true); });
  if (flag_) list.insert(list.begin(), c_.set_local(*flag_, c_.pool().boolean(false)));
  return c_.block(std::move(list));
}

void Writer::result_into(std::uint32_t local, const model::TypeRef& type) {
  result_ = local;
  result_type_ = &type.resolved;
}

ExprId Writer::save(ExprId value) {
  const expr::Node n = pool()[value];
  if (n.op == Op::Const) return value;
  const std::uint32_t t = f_.take();
  emit(c_.set_local(t, value));
  return pool().local(t, n.type);
}

// Fails at run time when the value does not fit the type.
ExprId Writer::checked(ExprId value, const model::ModelType& type, const diag::Span& span,
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

ExprId Writer::value(const model::Expr& e) {
  if (is_pure(c_, e)) return pure(c_, e, s_);
  switch (e.kind) {
    case ExprKind::Any:
      return any(e);
    case ExprKind::Call:
      return call(e, true);
    case ExprKind::Unary: {
      const ExprId x = value(*e.operands[0]);
      return pool().unary(meaning(e.op), x);
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
std::vector<ExprId> Writer::values(std::span<const model::ExprPtr> list) {
  std::vector<ExprId> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    ExprId v = value(*list[i]);
    const bool later = std::any_of(list.begin() + static_cast<long>(i) + 1, list.end(),
                                   [&](const model::ExprPtr& x) { return !is_pure(c_, *x); });
    result.push_back(later ? save(v) : v);
  }
  return result;
}

ExprId Writer::binary(const model::Expr& e) {
  const Op op = meaning(e.op);
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

ExprId Writer::any(const model::Expr& e) {
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
ExprId Writer::any_of(const Type& type) {
  const std::uint32_t t = f_.take();
  const bool with_null = (type.kind == TypeKind::Ref) && type.lo > 0;
  const std::int32_t lo = with_null ? type.lo - 1 : type.lo;
  emit(c_.choose(t, pool().constant(lo, type), pool().constant(type.hi, type)));
  const ExprId v = pool().local(t, type);
  if (!with_null || lo == 0) return v;
  return pool().cond(pool().equals(v, lo), pool().constant(0, type), v);
}

// Inlines an operation.
ExprId Writer::call(const model::Expr& e, bool wanted) {
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

void Writer::inlined(const model::Expr& e, const model::Operation& op, Scope inner,
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
Located Writer::place(const model::Expr& e) {
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

}  // namespace parley::lower
