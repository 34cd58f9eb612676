#include "cegar/wp_refiner.hpp"

#include <algorithm>

#include "cegar/backward_walk.hpp"
#include "domain/interval_arithmetic.hpp"

namespace parley::cegar {

using domain::ceil_div;
using domain::floor_div;
using domain::Interval;
using domain::mirrored;
using domain::Variable;
using expr::BinaryOp;
using expr::Form;
using expr::Op;
using expr::UnaryOp;

namespace {

const domain::Word kWord{32};

class Walk : public BackwardWalk {
 public:
  Walk(const System& s, const AnalysisTrace& t) : BackwardWalk(s, t, "weakest preconditions") {}

 private:
  void into(const Tree& c, const Tree* a, Interval i) override {
    const expr::Node& n = system().exprs[c.expr];
    switch (form(n.op)) {
      case Form::Const:
        return;
      case Form::Cell:
      case Form::Param:
      case Form::Local:
        return ask(c, i);
      case Form::Elem:
        children_exactly(c, a);
        return ask(c, i);
      case Form::AndAlso:
      case Form::OrElse: {
        // The last operand evaluated decides; if none short-circuited, all of them do.
        const bool decided_early = (n.op == Op::AndAlso) == (c.value.lo == 0);
        if (decided_early)
          exactly(c.children.back(), child(c, a, c.children.size() - 1));
        else
          children_exactly(c, a);
        return;
      }
      case Form::Cond:
        exactly(c.children[0], child(c, a, 0));
        if (c.children.size() > 1) within(c.children[1], child(c, a, 1), i);
        return;
      case Form::Unary:
        return unary(c, a, i, expr::unary_op(n.op));
      case Form::Binary:
        return binary(c, a, i, expr::binary_op(n.op));
      case Form::QueueLen:
      case Form::QueueCap:
      case Form::QueueHas:
      case Form::HeadIs:
      case Form::Idle:
        return children_exactly(c, a);
    }
  }

  // Where no wider precondition is known, the operands are asked for exactly: always right.
  void unary(const Tree& c, const Tree* a, const Interval& i, UnaryOp op) {
    switch (op) {
      case UnaryOp::Neg:
        if (c.children[0].value.lo == kWord.min()) return children_exactly(c, a);
        return within(c.children[0], child(c, a, 0), mirrored(i));
      case UnaryOp::BitNot:
        return within(c.children[0], child(c, a, 0), {-i.hi - 1, -i.lo - 1});
      case UnaryOp::Not:
      case UnaryOp::TruncU:
      case UnaryOp::TruncS:
        return children_exactly(c, a);
    }
  }

  void binary(const Tree& c, const Tree* a, const Interval& i, BinaryOp op) {
    switch (op) {
      case BinaryOp::Add:
      case BinaryOp::Sub:
        return sum(c, a, i, op == BinaryOp::Sub);
      case BinaryOp::Mul:
        return product(c, a, i);
      case BinaryOp::Div:
        return quotient(c, a, i);
      case BinaryOp::Eq:
      case BinaryOp::Ne:
      case BinaryOp::Lt:
      case BinaryOp::Le:
      case BinaryOp::Gt:
      case BinaryOp::Ge:
        return comparison(c, a, static_cast<Op>(op));
      case BinaryOp::Rem:
      case BinaryOp::BitAnd:
      case BinaryOp::BitOr:
      case BinaryOp::BitXor:
      case BinaryOp::Shl:
      case BinaryOp::Shr:
      case BinaryOp::Ushr:
        return children_exactly(c, a);
    }
  }

  // x + y (or x - y, as x + (-y)) in i without wrapping: the slack below and above the concrete sum is shared
  // out.
  void sum(const Tree& c, const Tree* a, const Interval& i, bool minus) {
    const Tree &x = c.children[0], &y = c.children[1];
    const Tree *ax = child(c, a, 0), *ay = child(c, a, 1);
    const std::int64_t xc = x.value.lo, yc = minus ? -y.value.lo : y.value.lo;
    if (!i.contains(xc + yc)) return children_exactly(c, a);  // it wrapped
    const Interval ix = around(x, ax), iy = minus ? mirrored(around(y, ay)) : around(y, ay);
    const std::int64_t below = xc + yc - i.lo, above = i.hi - (xc + yc);
    // y gets what it needs first, then x, and y the rest: the shares add up to the slack.
    const std::int64_t x_below = std::min(below - std::min(below, yc - iy.lo), xc - ix.lo);
    const std::int64_t x_above = std::min(above - std::min(above, iy.hi - yc), ix.hi - xc);
    const Interval wx{xc - x_below, xc + x_above};
    const Interval wy{yc - (below - x_below), yc + (above - x_above)};
    within(x, ax, intersect(wx, kWord.all()));
    within(y, ay, intersect(minus ? mirrored(wy) : wy, kWord.all()));
  }

  void product(const Tree& c, const Tree* a, const Interval& i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Tree &factor = c.children[k], &other = c.children[1 - k];
      const std::int64_t f = factor.value.lo;
      if (system().exprs[factor.expr].op != Op::Const || f == 0) continue;
      if (!i.contains(f * other.value.lo)) break;  // it wrapped
      const Interval w = f > 0 ? Interval{ceil_div(i.lo, f), floor_div(i.hi, f)}
                               : Interval{ceil_div(i.hi, f), floor_div(i.lo, f)};
      return within(other, child(c, a, 1 - k), intersect(w, kWord.all()));
    }
    children_exactly(c, a);
  }

  void quotient(const Tree& c, const Tree* a, const Interval& i) {
    const std::int64_t d = c.children[1].value.lo;
    if (system().exprs[c.children[1].expr].op != Op::Const || d <= 0) return children_exactly(c, a);
    const std::int64_t lo = i.lo > 0 ? i.lo * d : (i.lo - 1) * d + 1;
    const std::int64_t hi = i.hi >= 0 ? i.hi * d + d - 1 : i.hi * d;
    within(c.children[0], child(c, a, 0), intersect({lo, hi}, kWord.all()));
  }

  // A border that separates the operands as the concrete ones are, chosen so that one of them need not be
  // cut if possible.
  void comparison(const Tree& c, const Tree* a, Op op) {
    const Tree &x = c.children[0], &y = c.children[1];
    const Tree *ax = child(c, a, 0), *ay = child(c, a, 1);
    const std::int64_t xc = x.value.lo, yc = y.value.lo;
    if (op == Op::Eq || op == Op::Ne ? xc == yc : false) {
      exactly(x, ax);
      return exactly(y, ay);
    }
    // Strict: lower < border <= upper. Else: lower <= border <= upper, for comparisons where equal counts so.
    const bool x_lower = xc < yc || (xc == yc && (op == Op::Le || op == Op::Gt));
    const Tree &lower = x_lower ? x : y, &upper = x_lower ? y : x;
    const Tree *al = x_lower ? ax : ay, *au = x_lower ? ay : ax;
    // x <= y and x > y allow (respectively forbid) equality with x below; x < y and x >= y the same with y.
    const bool may_touch = x_lower ? (op == Op::Le || op == Op::Gt) : (op == Op::Lt || op == Op::Ge);
    const std::int64_t lc = lower.value.lo, uc = upper.value.lo, gap = may_touch ? 0 : 1;
    std::int64_t border = uc;  // upper stays >= border, lower <= border - gap
    const Interval il = around(lower, al), iu = around(upper, au);
    if (system().exprs[lower.expr].op == Op::Const || (il.hi + gap >= lc + gap && il.hi + gap <= uc))
      border = std::min(uc, std::max(il.hi, lc) + gap);
    else if (iu.lo <= uc && iu.lo >= lc + gap)
      border = iu.lo;
    within(lower, al, {kWord.min(), border - gap});
    within(upper, au, {border, kWord.max()});
  }
};

}  // namespace

Refinement wp_refinement(const System& system, const AnalysisTrace& trace, const Relevance& relevance) {
  return Walk(system, trace).run(relevance);
}

}  // namespace parley::cegar
