#include "passes/total_truth.hpp"

#include <unordered_map>

#include "support/check.hpp"
#include "system/may_fail.hpp"

namespace parley::passes {

using namespace system;
using expr::BinaryOp;
using expr::Form;
using expr::Op;

namespace {

struct Unsayable {};

// Conditions under which expressions have a value. They never fail themselves: a part is asked only behind
// the condition that it has a value.
class Definedness {
 public:
  explicit Definedness(System& system) : s_(system), e_(system.exprs) {}

  ExprId of(ExprId id) {
    if (const auto known = memo_.find(id.value); known != memo_.end()) return known->second;
    const ExprId made = may_fail(s_, id) ? composed(id) : e_.boolean(true);
    memo_[id.value] = made;
    return made;
  }

 private:
  ExprId composed(ExprId id) {
    const expr::Node n = e_[id];  // a copy: the pool grows
    const ExprId x = n.operands[0], y = n.operands[1];
    switch (form(n.op)) {
      case Form::AndAlso:
        return e_.both(of(x), e_.either(e_.negate(x), of(y)));
      case Form::OrElse:
        return e_.both(of(x), e_.either(x, of(y)));
      case Form::Cond: {
        const ExprId first = of(y), second = of(n.operands[2]);
        return e_.both(of(x), e_.either(e_.both(x, first), e_.both(e_.negate(x), second)));
      }
      case Form::Elem:
        return e_.both(of(x), e_.both(of(y), inside(e_.table(TableId(n.a)), x, y)));
      case Form::Unary:
        return e_.both(of(x), overflows(n.op) ? without_overflow(n) : e_.boolean(true));
      case Form::Binary: {
        const ExprId operands = e_.both(of(x), of(y));
        const ExprId divides = expr::info(n.op).may_fail ? e_.negate(e_.equals(y, 0)) : e_.boolean(true);
        return e_.both(operands, e_.both(divides, overflows(n.op) ? without_overflow(n) : e_.boolean(true)));
      }
      case Form::QueueHas:
      case Form::HeadIs:
      case Form::Const:
      case Form::Cell:
      case Form::Local:
      case Form::Param:
      case Form::QueueLen:
      case Form::QueueCap:
      case Form::Idle:
        break;
    }
    throw Unsayable{};
  }

  bool overflows(Op op) const { return s_.integers != IntegerMode::Wrap && expr::info(op).may_overflow; }

  ExprId number(std::int32_t value) { return e_.constant(value); }

  // The operands have values. Each condition stays within 32 bits itself.
  ExprId without_overflow(const expr::Node& n) {
    const ExprId x = n.operands[0], y = n.operands[1];
    const ExprId least = number(expr::kIntMin), most = number(expr::kIntMax);
    const auto by_sign = [&](ExprId natural, ExprId negative) {
      const ExprId is_natural = e_.binary(Op::Ge, y, number(0));
      return e_.either(e_.both(is_natural, natural), e_.both(e_.negate(is_natural), negative));
    };
    switch (n.op) {
      case Op::Neg:
        return e_.binary(Op::Ne, x, least);
      case Op::Add:
        return by_sign(e_.binary(Op::Le, x, e_.binary(Op::Sub, most, y)),
                       e_.binary(Op::Ge, x, e_.binary(Op::Sub, least, y)));
      case Op::Sub:
        return by_sign(e_.binary(Op::Ge, x, e_.binary(Op::Add, least, y)),
                       e_.binary(Op::Le, x, e_.binary(Op::Add, most, y)));
      case Op::Div:
        return e_.either(e_.binary(Op::Ne, x, least), e_.binary(Op::Ne, y, number(-1)));
      default:
        throw Unsayable{};
    }
  }

  ExprId inside(const expr::Table& table, ExprId row, ExprId column) {
    const expr::Table t = table;  // a copy: the pool grows
    const auto between = [&](ExprId x, std::uint32_t from, std::uint32_t to) {
      return e_.both(e_.binary(Op::Ge, x, number(static_cast<std::int32_t>(from))),
                     e_.binary(Op::Lt, x, number(static_cast<std::int32_t>(to))));
    };
    const std::uint32_t first = t.by_reference ? 1 : 0;
    ExprId result = e_.both(between(row, first, t.rows()), between(column, 0, t.columns));
    for (std::uint32_t r = first; r < t.rows(); ++r)
      for (std::uint32_t c = 0; c < t.columns; ++c)
        if (!t.cells[std::size_t{r} * t.columns + c].valid())
          result = e_.both(result, e_.negate(e_.both(e_.equals(row, static_cast<std::int32_t>(r)),
                                                     e_.equals(column, static_cast<std::int32_t>(c)))));
    return result;
  }

  System& s_;
  expr::Pool& e_;
  std::unordered_map<std::uint32_t, ExprId> memo_;
};

}  // namespace

std::optional<ExprId> true_without_failing(System& system, ExprId expression) {
  try {
    return system.exprs.both(Definedness(system).of(expression), expression);
  } catch (const Unsayable&) {
    return std::nullopt;
  }
}

}  // namespace parley::passes
