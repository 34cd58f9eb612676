#include "cegar/tree_terms.hpp"

namespace parley::cegar {

using expr::Op;

const Tree* twin(const Tree& c, const Tree* a, std::size_t i) {
  if (a == nullptr || i >= a->children.size() || a->children[i].expr != c.children[i].expr) return nullptr;
  return &a->children[i];
}

TreeTerms::Word TreeTerms::build(const Tree& c, const Tree* a) {
  const expr::Node& n = s_.exprs[c.expr];
  const auto operand = [&](std::size_t i) { return build(c.children[i], twin(c, a, i)); };
  switch (n.op) {
    case Op::Cell:
    case Op::Param:
    case Op::Local:
      return name_(c, a);
    case Op::Elem:
      for (std::size_t i = 0; i < c.children.size(); ++i) must_be(operand(i), c.children[i].value.lo);
      return name_(c, a);
    case Op::AndAlso:
    case Op::OrElse: {
      const Word first = operand(0);
      if (c.children.size() > 1) return solver_.binary(n.op, first, operand(1));
      must_be(first, c.children[0].value.lo);  // what the other operand would be is not known
      return first;
    }
    case Op::Cond:
      must_be(operand(0), c.children[0].value.lo);
      return operand(1);
    default:
      break;
  }
  if (expr::is_unary(n.op) && c.children.size() == 1) {
    const Word x = operand(0);
    if (s_.integers != system::IntegerMode::Wrap) path_.push_back(solver_.exact(n.op, x));
    return solver_.unary(n.op, x, n.a);
  }
  if (expr::is_binary(n.op) && c.children.size() == 2) {
    const Word x = operand(0), y = operand(1);
    if (n.op == Op::Div || n.op == Op::Rem) path_.push_back(solver_.negation(solver_.within(y, 0, 0)));
    if (s_.integers != system::IntegerMode::Wrap) path_.push_back(solver_.exact(n.op, x, y));
    return solver_.binary(n.op, x, y);
  }
  for (std::size_t i = 0; i < c.children.size(); ++i) opaque_.emplace_back(&c.children[i], twin(c, a, i));
  return solver_.constant(static_cast<std::int32_t>(c.value.lo));
}

}  // namespace parley::cegar
