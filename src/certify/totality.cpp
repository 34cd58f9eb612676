#include "certify/totality.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace parley::certify {

using expr::Op;

bool total(Op op, system::IntegerMode integers) {
  const bool wraps = integers == system::IntegerMode::Wrap;
  switch (op) {
    case Op::Const:
    case Op::Cell:
    case Op::Local:
    case Op::Param:
    case Op::QueueLen:
    case Op::QueueCap:
    case Op::QueueHas:
    case Op::HeadIs:
    case Op::Idle:
      return true;
    case Op::Elem:
      return false;  // null, or beyond the array
    case Op::Not:
    case Op::BitNot:
    case Op::TruncU:
    case Op::TruncS:
      return true;
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Shl:
      return wraps;
    case Op::Div:
    case Op::Rem:
      return false;
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shr:
    case Op::Ushr:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::AndAlso:
    case Op::OrElse:
    case Op::Cond:
      return true;
  }
  internal_error("operator", __FILE__, __LINE__);
}

bool total(const system::System& s, system::ExprId e) {
  const expr::Node& n = s.exprs[e];
  const bool division = n.op == Op::Rem || (n.op == Op::Div && s.integers == system::IntegerMode::Wrap);
  const bool by_number =
      division && s.exprs[n.operands[1]].op == Op::Const && s.exprs[n.operands[1]].value != 0;
  if (!total(n.op, s.integers) && !by_number) return false;
  if (n.op == Op::HeadIs)
    for (const system::Deferral& d : s.queue(system::QueueId(n.a)).deferrals)
      if (!total(s, d.condition)) return false;
  const auto operands = s.exprs.operands(e);
  return std::all_of(operands.begin(), operands.end(), [&](system::ExprId o) { return total(s, o); });
}

}  // namespace parley::certify
