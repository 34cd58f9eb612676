#include "system/may_fail.hpp"

#include <algorithm>

namespace parley::system {

bool may_fail(const System& s, ExprId e) {
  if (!e.valid()) return false;
  const expr::Op op = s.exprs[e].op;
  if (op == expr::Op::Div || op == expr::Op::Rem || op == expr::Op::Elem) return true;
  if (s.integers != IntegerMode::Wrap &&
      (op == expr::Op::Add || op == expr::Op::Sub || op == expr::Op::Mul || op == expr::Op::Neg))
    return true;
  const auto operands = s.exprs.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return may_fail(s, o); });
}

}  // namespace parley::system
