// Types of operators: what each wants of its operands, and what it gives.
#include <fmt/format.h>

#include "model/resolver.hpp"
#include "model/show.hpp"
#include "support/check.hpp"

namespace parley::model {

void Resolver::unary(Expr& e, Scope& scope) {
  const bool logical = e.op == Operator::Not;
  e.type = logical ? kBool : kInt;
  const std::string use = fmt::format("the operand of '{}'", spelling(e.op));
  want(*e.operands[0], logical ? TypeTag::Bool : TypeTag::Int, scope, use.c_str());
}

bool Resolver::fits(const ModelType& from, const ModelType& to) const {
  if (from.tag == TypeTag::Unknown || to.tag == TypeTag::Unknown) return true;
  if (from.tag != to.tag || from.is_array() || to.is_array()) return false;
  if (from.tag == TypeTag::Enum) return from.enumeration == to.enumeration;
  if (from.tag == TypeTag::Ref)
    return !from.of_class.valid() || (to.of_class.valid() && is_a(m_, from.of_class, to.of_class));
  return from.tag == TypeTag::Int || from.tag == TypeTag::Bool;
}

bool Resolver::comparable(const ModelType& a, const ModelType& b) const {
  return fits(a, b) || fits(b, a) || (a.tag == TypeTag::Ref && b.tag == TypeTag::Ref && !b.of_class.valid());
}

void Resolver::binary(Expr& e, Scope& scope) {
  Expr& left = *e.operands[0];
  Expr& right = *e.operands[1];
  const std::string use = fmt::format("the operand of '{}'", spelling(e.op));
  const auto both = [&](TypeTag tag, ModelType result) {
    e.type = result;
    want(left, tag, scope, use.c_str());
    want(right, tag, scope, use.c_str());
  };
  switch (e.op) {
    case Operator::AndAlso:
    case Operator::OrElse:
      return both(TypeTag::Bool, kBool);
    case Operator::Eq:
    case Operator::Ne:
      return equality(e, scope);
    case Operator::BitAnd:
    case Operator::BitOr:
    case Operator::BitXor:
      return bitwise(e, scope);
    case Operator::Lt:
    case Operator::Le:
    case Operator::Gt:
    case Operator::Ge:
      return both(TypeTag::Int, kBool);
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul:
    case Operator::Shl:
    case Operator::Shr:
    case Operator::Ushr:
      return both(TypeTag::Int, kInt);
    case Operator::Div:
    case Operator::Rem:
      both(TypeTag::Int, kInt);
      if (right.kind == ExprKind::IntLiteral && right.value == 0)
        error("constant-division", e.span, "division by zero");
      return;
    case Operator::None:
    case Operator::Not:
    case Operator::Neg:
    case Operator::BitNot:
    case Operator::Choice:
    case Operator::Implies:
    case Operator::Iff:
    case Operator::Globally:
    case Operator::Finally:
    case Operator::Next:
    case Operator::Until:
    case Operator::WeakUntil:
    case Operator::Release:
      break;
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

void Resolver::equality(Expr& e, Scope& scope) {
  Expr& left = *e.operands[0];
  Expr& right = *e.operands[1];
  e.type = kBool;
  const bool swap = is_ambiguous_literal(left, scope);
  Expr& first = swap ? right : left;
  Expr& second = swap ? left : right;
  const ModelType a = expression(first, scope);
  const ModelType b = expression(second, scope, &a);
  for (const Expr* side : {&left, &right})
    if (ReferenceUse* use = reference_use(*side)) use->tested = true;
  if (a.tag == TypeTag::Timer || b.tag == TypeTag::Timer || !comparable(a, b)) {
    error("type-mismatch", e.span,
          fmt::format("cannot compare {} with {}", show(left.type, m_), show(right.type, m_)));
  }
}

void Resolver::bitwise(Expr& e, Scope& scope) {
  const ModelType a = expression(*e.operands[0], scope);
  const ModelType b = expression(*e.operands[1], scope);
  if (a.tag == TypeTag::Unknown || b.tag == TypeTag::Unknown) return;
  const bool same =
      a.tag == b.tag && (a.tag == TypeTag::Int || a.tag == TypeTag::Bool) && !a.is_array() && !b.is_array();
  e.type = a.tag == TypeTag::Bool ? kBool : kInt;
  if (!same) {
    error("type-mismatch", e.span,
          fmt::format("'{}' needs two ints or two bools, not {} and {}", spelling(e.op), show(a, m_),
                      show(b, m_)));
    e.type = {};
  }
}

void Resolver::conditional(Expr& e, Scope& scope, const ModelType* expected) {
  want(*e.operands[0], TypeTag::Bool, scope,
       e.op == Operator::Implies ? "the operand of '->'" : "the condition of '?'");
  const ModelType a = expression(*e.operands[1], scope, expected);
  const ModelType b = expression(*e.operands[2], scope, expected != nullptr ? expected : &a);
  if (a.tag == TypeTag::Unknown || b.tag == TypeTag::Unknown) return;
  if (fits(a, b)) {
    e.type = b;
  } else if (fits(b, a)) {
    e.type = a;
  } else if (e.op == Operator::Implies) {
    error("type-mismatch", e.operands[1]->span,
          fmt::format("the operand of '->' must be bool, but '{}' is {}", show(*e.operands[1]), show(a, m_)));
  } else {
    error("type-mismatch", e.span, fmt::format("the results of '?' are {} and {}", show(a, m_), show(b, m_)));
  }
  if (e.type.tag == TypeTag::Int) e.type = kInt;
}

}  // namespace parley::model
