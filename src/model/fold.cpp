#include <fmt/format.h>

#include "expr/operators.hpp"
#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {
namespace {

struct Folder {
  const Model& model;
  const FoldScope& scope;
  diag::Span* division;
  using Value = std::optional<std::int32_t>;

  Value operator()(const Expr& e) const {
    switch (e.kind) {
      case ExprKind::IntLiteral:
      case ExprKind::BoolLiteral:
        return static_cast<std::int32_t>(e.value);
      case ExprKind::Null:
        return 0;
      case ExprKind::Name:
        return name(e);
      case ExprKind::Index:
        return element(e);
      case ExprKind::Unary:
        return unary(e);
      case ExprKind::Binary:
        return binary(e);
      case ExprKind::Conditional: {
        const Value c = (*this)(*e.operands[0]);
        if (!c) return std::nullopt;
        return (*this)(*e.operands[*c != 0 ? 1 : 2]);
      }
      default:
        return std::nullopt;
    }
  }

  Value name(const Expr& e) const {
    switch (e.symbol) {
      case SymbolKind::Constant:
        return model.constants[e.index].resolved;
      case SymbolKind::EnumLiteral:
        return static_cast<std::int32_t>(e.index);
      case SymbolKind::Object:
        return static_cast<std::int32_t>(e.index + 1);
      case SymbolKind::FamilyIndex:
        return scope.family_index ? Value(static_cast<std::int32_t>(*scope.family_index)) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // A member of a family: phil[2].
  Value element(const Expr& e) const {
    const Expr& family = *e.operands[0];
    if (family.symbol != SymbolKind::ObjectFamily) return std::nullopt;
    const ObjectDecl& o = model.system->objects[family.index];
    const Value i = (*this)(*e.operands[1]);
    if (!i || *i < 0 || static_cast<std::uint32_t>(*i) >= o.count) return std::nullopt;
    return static_cast<std::int32_t>(o.first_object + static_cast<std::uint32_t>(*i) + 1);
  }

  Value unary(const Expr& e) const {
    const Value x = (*this)(*e.operands[0]);
    const std::optional<expr::Op> op = info(e.op).meaning;
    if (!x || !op) return std::nullopt;
    return expr::compute(*op, *x, 0u).value;
  }

  Value binary(const Expr& e) const {
    const Value x = (*this)(*e.operands[0]);
    if (!x) return x;
    if (e.op == Operator::AndAlso && *x == 0) return 0;
    if (e.op == Operator::OrElse && *x != 0) return 1;
    const Value y = (*this)(*e.operands[1]);
    if (!y) return y;
    if (e.op == Operator::AndAlso || e.op == Operator::OrElse) return *y;
    const std::optional<expr::Op> op = info(e.op).meaning;
    if (!op) return std::nullopt;
    const expr::Computed c = expr::compute(*op, *x, *y);
    if (c.error != expr::EvalError::None) {
      if (division != nullptr) *division = e.span;
      return std::nullopt;
    }
    return c.value;
  }
};

}  // namespace

std::optional<std::int32_t> fold(const Model& model, const Expr& e, const FoldScope& scope,
                                 diag::Span* division) {
  return Folder{model, scope, division}(e);
}

std::optional<std::int32_t> fold_constant(const Model& model, const Expr& e, diag::Diagnostics* diagnostics) {
  diag::Span division;
  const auto value = fold(model, e, {}, &division);
  if (!value && diagnostics != nullptr) {
    if (division.valid()) {
      diagnostics->error("constant-division", division, "division by zero in a constant");
    } else {
      diagnostics->error("not-constant", e.span, fmt::format("'{}' is not constant", show(e)),
                         "only numbers, constants and operators may stand here");
    }
  }
  return value;
}

}  // namespace parley::model
