#include "system/may_fail.hpp"

#include <algorithm>

namespace parley::system {

bool may_fail(expr::Op op, IntegerMode integers) {
  const expr::OpInfo& i = expr::info(op);
  return i.may_fail || (i.may_overflow && integers != IntegerMode::Wrap);
}

namespace {

// A strict operator that fails for a divisor of zero, and this one is another number.
bool divides_by_number(const System& s, const expr::Node& n) {
  if (!expr::info(n.op).may_fail || !expr::is_binary(n.op)) return false;
  const expr::Node& y = s.exprs[n.operands[1]];
  return y.op == expr::Op::Const && y.value != 0;
}

}  // namespace

bool outermost_may_fail(const System& s, ExprId e) {
  const expr::Node& n = s.exprs[e];
  const bool overflows = expr::info(n.op).may_overflow && s.integers != IntegerMode::Wrap;
  return may_fail(n.op, s.integers) && (overflows || !divides_by_number(s, n));
}

bool may_fail(const System& s, ExprId e) {
  if (!e.valid()) return false;
  const expr::Node& n = s.exprs[e];
  if (outermost_may_fail(s, e)) return true;
  if (n.op == expr::Op::HeadIs)
    for (const Deferral& d : s.queue(QueueId(n.a)).deferrals)
      if (may_fail(s, d.condition)) return true;
  const auto operands = s.exprs.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return may_fail(s, o); });
}

}  // namespace parley::system
