#include "cegar/tree_terms.hpp"

namespace parley::cegar {

using expr::Form;

const Tree* twin(const Tree& c, const Tree* a, std::size_t i) {
  if (a == nullptr || i >= a->children.size() || a->children[i].expr != c.children[i].expr) return nullptr;
  return &a->children[i];
}

TreeTerms::Word TreeTerms::build(const Tree& c, const Tree* a) {
  const expr::Node& n = s_.exprs[c.expr];
  const auto operand = [&](std::size_t i) { return build(c.children[i], twin(c, a, i)); };
  switch (form(n.op)) {
    case Form::Cell:
    case Form::Param:
    case Form::Local:
      return name_(c, a);
    case Form::Elem:
      for (std::size_t i = 0; i < c.children.size(); ++i) must_be(operand(i), c.children[i].value.lo);
      return name_(c, a);
    case Form::AndAlso:
    case Form::OrElse: {
      const Word first = operand(0);
      if (c.children.size() > 1) return solver_.binary(n.op, first, operand(1));
      must_be(first, c.children[0].value.lo);  // what the other operand would be is not known
      return first;
    }
    case Form::Cond:
      must_be(operand(0), c.children[0].value.lo);
      return operand(1);
    case Form::Unary: {
      if (c.children.size() != 1) break;
      const Word x = operand(0);
      if (s_.integers != system::IntegerMode::Wrap) path_.push_back(solver_.exact(n.op, x));
      return solver_.unary(n.op, x, n.a);
    }
    case Form::Binary: {
      if (c.children.size() != 2) break;
      const Word x = operand(0), y = operand(1);
      // Strict operators fail for a divisor of zero only.
      if (expr::info(n.op).may_fail) path_.push_back(solver_.negation(solver_.within(y, 0, 0)));
      if (s_.integers != system::IntegerMode::Wrap) path_.push_back(solver_.exact(n.op, x, y));
      return solver_.binary(n.op, x, y);
    }
    case Form::Const:
    case Form::QueueLen:
    case Form::QueueCap:
    case Form::QueueHas:
    case Form::HeadIs:
    case Form::Idle:
      break;  // the value that it had
  }
  for (std::size_t i = 0; i < c.children.size(); ++i) opaque_.emplace_back(&c.children[i], twin(c, a, i));
  return solver_.constant(static_cast<std::int32_t>(c.value.lo));
}

}  // namespace parley::cegar
