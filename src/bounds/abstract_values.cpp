// How this differs from semantics/: values are ranges, an open condition is resolved by a recorded choice
// (semantics/choices.hpp) and then assumed, which narrows the ranges it speaks about.
#include "bounds/abstract_values.hpp"

namespace parley::bounds {

using expr::Comparison;
using expr::Form;
using expr::Op;
using system::CellId;
using system::ExprId;

AbstractValues::AbstractValues(const RunContext& c, const std::vector<Interval>& view,
                               semantics::Choices& choices)
    : c_(c), s_(c.system), choices_(choices) {
  way_.before = view;
  for (std::size_t i = 0; i < view.size(); ++i)
    way_.after.push_back({view[i], static_cast<std::int32_t>(i), only(0)});
}

Interval AbstractValues::pick_value(const Interval& r) {
  if (r.single()) return r;
  const std::int64_t count = r.hi - r.lo + 1;
  if (count > 1024) throw TooWide("a value with too many possibilities would have to be told apart");
  return only(r.lo + static_cast<std::int64_t>(choices_.pick(static_cast<std::uint64_t>(count))));
}

Known AbstractValues::plain(const Interval& r) {
  if (r.empty()) throw Infeasible{};
  return {r, -1, {}};
}

Known AbstractValues::eval(ExprId id) {
  const expr::Node& n = s_.exprs[id];
  switch (form(n.op)) {
    case Form::Const:
      return plain(only(n.value));
    case Form::Cell:
      return load(CellId(n.a));
    case Form::Local:
      return locals_[n.a];
    case Form::Param:
      return in_predicate_ || n.a >= params_.size() ? plain(values_of(n.type)) : params_[n.a];
    case Form::Elem: {
      const std::vector<CellId> cells = candidates(system::TableId(n.a), n.operands[0], n.operands[1]);
      if (cells.empty()) throw Infeasible{};
      if (cells.size() == 1) return load(cells[0]);
      Interval r = load(cells[0]).range;
      for (CellId cell : cells) r = hull(r, load(cell).range);
      return plain(r);
    }
    case Form::QueueLen:
    case Form::QueueCap:
      return plain({0, expr::kIntMax});
    case Form::QueueHas:
    case Form::HeadIs:
    case Form::Idle:
      return plain(domain::kBoth);
    case Form::AndAlso: {
      const Interval x = eval(n.operands[0]).range;
      if (x.hi == 0) return plain(only(0));
      if (x.lo == 1) return eval(n.operands[1]);
      // An operand that always fails leaves only the runs that do not evaluate it.
      const Interval y = attempt(n.operands[1]).value_or(only(0));
      return plain({0, y.hi});
    }
    case Form::OrElse: {
      const Interval x = eval(n.operands[0]).range;
      if (x.lo == 1) return plain(only(1));
      if (x.hi == 0) return eval(n.operands[1]);
      const Interval y = attempt(n.operands[1]).value_or(only(1));
      return plain({y.lo, 1});
    }
    case Form::Cond: {
      const Interval c = eval(n.operands[0]).range;
      if (c.lo == 1) return eval(n.operands[1]);
      if (c.hi == 0) return eval(n.operands[2]);
      const std::optional<Interval> x = attempt(n.operands[1]), y = attempt(n.operands[2]);
      if (!x || !y) return plain(x ? *x : y ? *y : Interval{1, 0});
      return plain(hull(*x, *y));
    }
    case Form::Unary:
    case Form::Binary:
      break;
  }
  const Known x = eval(n.operands[0]);
  if (expr::is_unary(n.op)) {
    Known r = plain(apply(n.op, x.range, n.a));
    if ((n.op == Op::TruncU || n.op == Op::TruncS) && r.range == x.range) return x;
    return r;
  }
  const Known y = eval(n.operands[1]);
  Known r = plain(apply(n.op, x.range, y.range));
  // A sum that cannot wrap keeps its relation to the cell it started from.
  if (n.op == Op::Add && x.base >= 0 && r.range.lo == x.range.lo + y.range.lo &&
      r.range.hi == x.range.hi + y.range.hi) {
    r.base = x.base;
    r.delta = {x.delta.lo + y.range.lo, x.delta.hi + y.range.hi};
  } else if (n.op == Op::Add && y.base >= 0 && r.range.lo == x.range.lo + y.range.lo &&
             r.range.hi == x.range.hi + y.range.hi) {
    r.base = y.base;
    r.delta = {y.delta.lo + x.range.lo, y.delta.hi + x.range.hi};
  } else if (n.op == Op::Sub && x.base >= 0 && r.range.lo == x.range.lo - y.range.hi &&
             r.range.hi == x.range.hi - y.range.lo) {
    r.base = x.base;
    r.delta = {x.delta.lo - y.range.hi, x.delta.hi - y.range.lo};
  }
  return r;
}

Known AbstractValues::load(CellId cell) {
  const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
  return slot >= 0 ? way_.after[static_cast<std::size_t>(slot)] : plain(c_.ranges[cell.index()]);
}

std::vector<CellId> AbstractValues::candidates(system::TableId id, ExprId row_expr, ExprId column_expr) {
  const expr::Table& t = s_.exprs.table(id);
  const std::optional<Interval> row = attempt(row_expr), column = attempt(column_expr);
  std::vector<CellId> cells;
  if (!row || !column) return cells;
  const Interval rows = intersect(*row, {t.by_reference ? 1 : 0, static_cast<std::int64_t>(t.rows()) - 1});
  const Interval columns = intersect(*column, {0, static_cast<std::int64_t>(t.columns) - 1});
  for (std::int64_t r = rows.lo; r <= rows.hi; ++r)
    for (std::int64_t k = columns.lo; k <= columns.hi; ++k) {
      const CellId cell = t.cells[static_cast<std::size_t>(r * t.columns + k)];
      if (cell.valid()) cells.push_back(cell);
    }
  return cells;
}

std::optional<Interval> AbstractValues::attempt(ExprId e) {
  try {
    return eval(e).range;
  } catch (const Infeasible&) {
    return std::nullopt;
  }
}

void AbstractValues::require(ExprId e) {
  const Interval r = eval(e).range;
  if (r.hi == 0) throw Infeasible{};
  if (r.lo != 1) {
    note_open(e);
    assume(e, true);
  }
}

bool AbstractValues::decide(ExprId e) {
  const Interval r = eval(e).range;
  if (r.single()) return r.lo != 0;
  note_open(e);
  const bool truth = choices_.pick(2) == 0;
  assume(e, truth);
  return truth;
}

void AbstractValues::note_open(ExprId e) {
  const expr::Node& n = s_.exprs[e];
  if (n.op == Op::Cell) {
    if (!load(CellId(n.a)).range.single()) way_.open_reads.push_back(CellId(n.a));
  } else if (n.op == Op::Param && !in_predicate_ && n.a < params_.size()) {
    if (!params_[n.a].range.single()) way_.open_params.emplace_back(signal_, n.a);
  } else if (n.op == Op::Elem) {
    for (CellId cell : candidates(system::TableId(n.a), n.operands[0], n.operands[1]))
      if (!load(cell).range.single()) way_.open_reads.push_back(cell);
  }
  if (n.op == Op::QueueHas || n.op == Op::HeadIs) return;
  for (ExprId o : s_.exprs.operands(e)) note_open(o);
}

void AbstractValues::assume(ExprId e, bool truth) {
  const expr::Node& n = s_.exprs[e];
  switch (n.op) {
    case Op::Not:
      return assume(n.operands[0], !truth);
    case Op::AndAlso:
    case Op::OrElse: {
      const bool both = (n.op == Op::AndAlso) == truth;  // x && y, or !(x || y)
      if (both) {
        check(n.operands[0], truth);
        check(n.operands[1], truth);
        return;
      }
      // One of them: the first, or not the first but the second. Not worth two ways unless both teach
      // something.
      if (!teaches(n.operands[0], truth) || !teaches(n.operands[1], truth)) return;
      if (choices_.pick(2) == 0) return check(n.operands[0], truth);
      check(n.operands[0], !truth);
      return check(n.operands[1], truth);
    }
    case Op::Cell:
    case Op::Local:
    case Op::Param:
    case Op::Elem:
      if (n.type.kind == expr::TypeKind::Bool) narrow(e, only(truth ? 1 : 0));
      return;
    default:  // nothing is learned from the rest
      if (expr::is_comparison(n.op)) compare(n.op, n.operands[0], n.operands[1], truth);
      return;
  }
}

bool AbstractValues::teaches(ExprId e, bool truth) const {
  const expr::Node& n = s_.exprs[e];
  switch (n.op) {
    case Op::Not:
      return teaches(n.operands[0], !truth);
    case Op::AndAlso:
    case Op::OrElse: {
      const bool x = teaches(n.operands[0], truth), y = teaches(n.operands[1], truth);
      return (n.op == Op::AndAlso) == truth ? x || y : x && y;
    }
    case Op::Cell: {
      const std::int32_t slot = c_.view.slot_of_cell[n.a];
      return slot >= 0 && !way_.after[static_cast<std::size_t>(slot)].range.single();
    }
    case Op::Local:
      return !locals_[n.a].range.single();
    case Op::Param:
      return n.a < params_.size() && !params_[n.a].range.single();
    case Op::Elem:
      return true;
    case Op::QueueHas:
    case Op::HeadIs:
      return false;
    default: {
      const auto operands = s_.exprs.operands(e);
      return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return teaches(o, true); });
    }
  }
}

void AbstractValues::check(ExprId e, bool truth) {
  const Interval r = eval(e).range;
  if (!r.contains(truth ? 1 : 0)) throw Infeasible{};
  if (!r.single()) assume(e, truth);
}

void AbstractValues::compare(Op op, ExprId x, ExprId y, bool truth) {
  if (!truth) return compare(expr::info(op).negation, x, y, true);
  // A comparison of a truth value with a constant is that truth value.
  const Interval a = eval(x).range, b = eval(y).range;
  if ((op == Op::Eq || op == Op::Ne) && s_.exprs[x].type.kind == expr::TypeKind::Bool && b.single() &&
      domain::kBoth.contains(b.lo))
    return check(x, (b.lo == 1) == (op == Op::Eq));
  switch (expr::comparison(op)) {
    case Comparison::Eq:
      narrow(x, b);
      return narrow(y, a);
    case Comparison::Ne:
      if (b.single()) narrow(x, {a.lo == b.lo ? a.lo + 1 : a.lo, a.hi == b.lo ? a.hi - 1 : a.hi});
      if (a.single()) narrow(y, {b.lo == a.lo ? b.lo + 1 : b.lo, b.hi == a.lo ? b.hi - 1 : b.hi});
      return;
    case Comparison::Lt:
      narrow(x, {expr::kIntMin, b.hi - 1});
      return narrow(y, {a.lo + 1, expr::kIntMax});
    case Comparison::Le:
      narrow(x, {expr::kIntMin, b.hi});
      return narrow(y, {a.lo, expr::kIntMax});
    case Comparison::Gt:
    case Comparison::Ge:
      return compare(expr::info(op).mirrored, y, x, true);
  }
}

void AbstractValues::narrow(ExprId e, const Interval& r) {
  const expr::Node& n = s_.exprs[e];
  switch (n.op) {
    case Op::Cell:
      return narrow_cell(CellId(n.a), r);
    case Op::Elem: {
      const std::vector<CellId> cells = candidates(system::TableId(n.a), n.operands[0], n.operands[1]);
      if (cells.size() == 1) narrow_cell(cells[0], r);
      return;
    }
    case Op::Local:
      return narrow_known(locals_[n.a], r);
    case Op::Param:
      if (!in_predicate_ && n.a < params_.size()) narrow_known(params_[n.a], r);
      return;
    case Op::Cond: {
      const std::optional<Interval> c = attempt(n.operands[0]);
      if (c && c->single()) narrow(n.operands[c->lo != 0 ? 1 : 2], r);
      return;
    }
    case Op::TruncU:
    case Op::TruncS:
      if (eval(e).range == eval(n.operands[0]).range) narrow(n.operands[0], r);
      return;
    case Op::Add:
    case Op::Sub: {
      const Interval x = eval(n.operands[0]).range, y = eval(n.operands[1]).range, sum = eval(e).range;
      const bool add = n.op == Op::Add;
      const Interval exact = add ? Interval{x.lo + y.lo, x.hi + y.hi} : Interval{x.lo - y.hi, x.hi - y.lo};
      if (exact != sum) return;  // may wrap
      if (add) {
        narrow(n.operands[0], {r.lo - y.hi, r.hi - y.lo});
        narrow(n.operands[1], {r.lo - x.hi, r.hi - x.lo});
      } else {
        narrow(n.operands[0], {r.lo + y.lo, r.hi + y.hi});
        narrow(n.operands[1], {x.lo - r.hi, x.hi - r.lo});
      }
      return;
    }
    default:
      return;  // nothing is learned about the operands
  }
}

void AbstractValues::narrow_cell(CellId cell, const Interval& r) {
  const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
  if (slot >= 0)
    narrow_known(way_.after[static_cast<std::size_t>(slot)], r);
  else if (intersect(c_.ranges[cell.index()], r).empty())
    throw Infeasible{};
}

void AbstractValues::narrow_known(Known& k, const Interval& r) {
  k.range = intersect(k.range, r);
  if (k.range.empty()) throw Infeasible{};
  if (k.base < 0) return;
  Interval& old = way_.before[static_cast<std::size_t>(k.base)];
  old = intersect(old, {k.range.lo - k.delta.hi, k.range.hi - k.delta.lo});
  if (old.empty()) throw Infeasible{};
}

}  // namespace parley::bounds
