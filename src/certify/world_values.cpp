#include "certify/world_values.hpp"

#include <algorithm>

#include "certify/range_arithmetic.hpp"

namespace parley::certify {

using expr::Form;
using expr::Op;
using system::CellId;
using system::ExprId;

namespace {

constexpr std::size_t kMostWorlds = 20000;
const Interval kEither{0, 1};

std::optional<Amount> some(const Interval& r) {
  if (r.empty()) return std::nullopt;
  return Amount{r, std::nullopt, {}};
}

bool fits(std::int64_t v) {
  return kAnyNumber.contains(v);
}

// A truncation that changes nothing.
bool keeps(const expr::Node& n, const Interval& x) {
  if (n.a >= 32) return n.op == Op::TruncS || x.lo >= 0;
  const Interval fits = n.op == Op::TruncU
                            ? Interval{0, (std::int64_t{1} << n.a) - 1}
                            : Interval{-(std::int64_t{1} << (n.a - 1)), (std::int64_t{1} << (n.a - 1)) - 1};
  return fits.contains(x);
}

Interval without(Interval r, std::int64_t v) {
  if (r.lo == v) ++r.lo;
  if (r.hi == v) --r.hi;
  return r;
}

}  // namespace

Worlds limited(Worlds w) {
  std::sort(w.begin(), w.end());
  w.erase(std::unique(w.begin(), w.end()), w.end());
  if (w.size() > kMostWorlds) throw TooMany{};
  return w;
}

Amount WorldValues::cell(const World& w, CellId c) const {
  if (const auto at = c_.place[c.index()]) return w.now[*at];
  return {c_.elsewhere[c.index()], std::nullopt, {}};
}

std::vector<CellId> WorldValues::entries(const World& w, system::TableId id, ExprId row,
                                         ExprId column) const {
  const expr::Table& t = s_.exprs.table(id);
  const auto r = eval(w, row), k = eval(w, column);
  std::vector<CellId> found;
  if (!r || !k) return found;
  for (std::int64_t i = std::max<std::int64_t>(r->range.lo, t.by_reference ? 1 : 0);
       i <= r->range.hi && i < static_cast<std::int64_t>(t.rows()); ++i)
    for (std::int64_t j = std::max<std::int64_t>(k->range.lo, 0);
         j <= k->range.hi && j < static_cast<std::int64_t>(t.columns); ++j)
      if (const CellId c = t.cells[static_cast<std::size_t>(i * t.columns + j)]; c.valid())
        found.push_back(c);
  return found;
}

std::optional<Amount> WorldValues::eval(const World& w, ExprId id) const {
  const expr::Node& n = s_.exprs[id];
  switch (form(n.op)) {
    case Form::Const:
      return some({n.value, n.value});
    case Form::Cell:
      return cell(w, CellId(n.a));
    case Form::Local:
      return w.locals[n.a];
    case Form::Param:
      return n.a < w.params.size() ? std::optional(w.params[n.a]) : some(interval_of(n.type));
    case Form::Elem: {
      const std::vector<CellId> found = entries(w, system::TableId(n.a), n.operands[0], n.operands[1]);
      if (found.empty()) return std::nullopt;
      if (found.size() == 1) return cell(w, found[0]);
      Interval r = cell(w, found[0]).range;
      for (CellId c : found) r = hull(r, cell(w, c).range);
      return some(r);
    }
    case Form::QueueLen:
      return measures(system::QueueId(n.a)) ? some(w.length) : some({0, expr::kIntMax});
    case Form::QueueCap:
      return some({0, expr::kIntMax});
    case Form::QueueHas:
    case Form::HeadIs:
    case Form::Idle:
      return some(kEither);
    case Form::AndAlso:
    case Form::OrElse: {
      const auto x = eval(w, n.operands[0]);
      if (!x) return std::nullopt;
      const std::int64_t stop = n.op == Op::AndAlso ? 0 : 1;  // decides alone
      if (x->range.single() && x->range.lo == stop) return x;
      const auto y = eval(w, n.operands[1]);
      if (x->range.single()) return y;
      return some(y ? hull(y->range, {stop, stop}) : Interval{stop, stop});
    }
    case Form::Cond: {
      const auto c = eval(w, n.operands[0]);
      if (!c) return std::nullopt;
      if (c->range.single()) return eval(w, n.operands[c->range.lo != 0 ? 1 : 2]);
      const auto x = eval(w, n.operands[1]), y = eval(w, n.operands[2]);
      if (!x || !y) return x ? some(x->range) : y ? some(y->range) : std::nullopt;
      return some(hull(x->range, y->range));
    }
    case Form::Unary:
    case Form::Binary:
      break;
  }
  const auto x = eval(w, n.operands[0]);
  if (!x) return std::nullopt;
  if (expr::is_unary(n.op)) {
    auto r = some(range_of(n.op, x->range, n.a));
    if (r && (n.op == Op::TruncU || n.op == Op::TruncS) && r->range == x->range && keeps(n, x->range))
      return x;
    return r;
  }
  const auto y = eval(w, n.operands[1]);
  if (!y) return std::nullopt;
  auto r = some(range_of(n.op, x->range, y->range));
  if (!r || (n.op != Op::Add && n.op != Op::Sub)) return r;
  const Interval plus = n.op == Op::Add ? y->range : Interval{-y->range.hi, -y->range.lo};
  if (!fits(x->range.lo + plus.lo) || !fits(x->range.hi + plus.hi)) return r;  // may wrap
  if (x->relative_to) {
    r->relative_to = x->relative_to;
    r->shift = {x->shift.lo + plus.lo, x->shift.hi + plus.hi};
  } else if (n.op == Op::Add && y->relative_to) {
    r->relative_to = y->relative_to;
    r->shift = {y->shift.lo + x->range.lo, y->shift.hi + x->range.hi};
  }
  return r;
}

Worlds WorldValues::suppose(World w, ExprId e, bool truth) const {
  const auto known = eval(w, e);
  if (!known || !known->range.contains(truth ? 1 : 0)) return {};
  if (known->range.single()) return {std::move(w)};
  const expr::Node& n = s_.exprs[e];
  switch (n.op) {
    case Op::Not:
      return suppose(std::move(w), n.operands[0], !truth);
    case Op::AndAlso:
    case Op::OrElse: {
      Worlds all;
      if ((n.op == Op::AndAlso) == truth) {  // both operands have this truth
        for (World& x : suppose(std::move(w), n.operands[0], truth))
          for (World& y : suppose(std::move(x), n.operands[1], truth)) all.push_back(std::move(y));
        return limited(std::move(all));
      }
      // Two cases only pay if each of them says something about a listed value.
      if (!informative(w, n.operands[0], truth) || !informative(w, n.operands[1], truth))
        return {std::move(w)};
      all = suppose(w, n.operands[0], truth);
      for (World& x : suppose(std::move(w), n.operands[0], !truth))
        for (World& y : suppose(std::move(x), n.operands[1], truth)) all.push_back(std::move(y));
      return limited(std::move(all));
    }
    case Op::Cell:
    case Op::Local:
    case Op::Param:
    case Op::Elem:
      return n.type.kind != expr::TypeKind::Bool || confine(w, e, truth ? Interval{1, 1} : Interval{0, 0})
                 ? Worlds{std::move(w)}
                 : Worlds{};
    case Op::Eq:
    case Op::Ne: {
      const bool equal = (n.op == Op::Eq) == truth;
      const auto x = eval(w, n.operands[0]), y = eval(w, n.operands[1]);
      if (s_.exprs[n.operands[0]].type.kind == expr::TypeKind::Bool && y->range.single() &&
          kEither.contains(y->range.lo))
        return suppose(std::move(w), n.operands[0], (y->range.lo == 1) == equal);
      bool possible = true;
      if (equal) {
        possible = confine(w, n.operands[0], y->range) && confine(w, n.operands[1], x->range);
      } else {
        if (y->range.single()) possible = confine(w, n.operands[0], without(x->range, y->range.lo));
        if (possible && x->range.single())
          possible = confine(w, n.operands[1], without(y->range, x->range.lo));
      }
      return possible ? Worlds{std::move(w)} : Worlds{};
    }
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: {
      // Turned into  small <= large - gap.
      bool less = n.op == Op::Lt || n.op == Op::Le;
      bool strict = n.op == Op::Lt || n.op == Op::Gt;
      if (!truth) {
        less = !less;
        strict = !strict;
      }
      const ExprId small = n.operands[less ? 0 : 1], large = n.operands[less ? 1 : 0];
      const std::int64_t gap = strict ? 1 : 0;
      const Interval a = eval(w, small)->range, b = eval(w, large)->range;
      const bool possible =
          confine(w, small, {kAnyNumber.lo, b.hi - gap}) && confine(w, large, {a.lo + gap, kAnyNumber.hi});
      return possible ? Worlds{std::move(w)} : Worlds{};
    }
    default:
      return {std::move(w)};  // supposing it says nothing about the values
  }
}

bool WorldValues::informative(const World& w, ExprId e, bool truth) const {
  const expr::Node& n = s_.exprs[e];
  if (n.op == Op::Not) return informative(w, n.operands[0], !truth);
  if (n.op == Op::AndAlso || n.op == Op::OrElse) {
    const bool x = informative(w, n.operands[0], truth), y = informative(w, n.operands[1], truth);
    return (n.op == Op::AndAlso) == truth ? x || y : x && y;
  }
  if (n.op == Op::Cell) return c_.place[n.a] && !w.now[*c_.place[n.a]].range.single();
  if (n.op == Op::Local) return !w.locals[n.a].range.single();
  if (n.op == Op::Param) return n.a < w.params.size() && !w.params[n.a].range.single();
  if (n.op == Op::Elem) return true;
  if (n.op == Op::QueueLen) return measures(system::QueueId(n.a)) && !w.length.single();
  if (n.op == Op::QueueHas || n.op == Op::HeadIs) return false;
  for (ExprId o : s_.exprs.operands(e))
    if (informative(w, o, true)) return true;
  return false;
}

bool WorldValues::confine(World& w, Amount& a, const Interval& r) const {
  a.range = intersect(a.range, r);
  if (a.range.empty()) return false;
  if (!a.relative_to) return true;
  Interval& old = w.old[*a.relative_to];
  old = intersect(old, {a.range.lo - a.shift.hi, a.range.hi - a.shift.lo});
  return !old.empty();
}

bool WorldValues::confine_cell(World& w, CellId c, const Interval& r) const {
  if (const auto at = c_.place[c.index()]) return confine(w, w.now[*at], r);
  return c_.elsewhere[c.index()].meets(r);
}

bool WorldValues::confine(World& w, ExprId e, const Interval& r) const {
  const expr::Node& n = s_.exprs[e];
  switch (n.op) {
    case Op::Cell:
      return confine_cell(w, CellId(n.a), r);
    case Op::Elem: {
      const std::vector<CellId> found = entries(w, system::TableId(n.a), n.operands[0], n.operands[1]);
      return found.size() != 1 || confine_cell(w, found[0], r);
    }
    case Op::QueueLen:
      if (!measures(system::QueueId(n.a))) return true;
      w.length = intersect(w.length, r);
      return !w.length.empty();
    case Op::Local:
      return confine(w, w.locals[n.a], r);
    case Op::Param:
      return n.a >= w.params.size() || confine(w, w.params[n.a], r);
    case Op::Cond: {
      const auto c = eval(w, n.operands[0]);
      return !c || !c->range.single() || confine(w, n.operands[c->range.lo != 0 ? 1 : 2], r);
    }
    case Op::TruncU:
    case Op::TruncS: {
      const auto x = eval(w, n.operands[0]);
      return !x || !keeps(n, x->range) || confine(w, n.operands[0], r);
    }
    case Op::Add:
    case Op::Sub: {
      const auto x = eval(w, n.operands[0]), y = eval(w, n.operands[1]);
      if (!x || !y) return false;
      const Interval a = x->range, b = y->range;
      const bool add = n.op == Op::Add;
      if (!fits(add ? a.lo + b.lo : a.lo - b.hi) || !fits(add ? a.hi + b.hi : a.hi - b.lo)) return true;
      return add ? confine(w, n.operands[0], {r.lo - b.hi, r.hi - b.lo}) &&
                       confine(w, n.operands[1], {r.lo - a.hi, r.hi - a.lo})
                 : confine(w, n.operands[0], {r.lo + b.lo, r.hi + b.hi}) &&
                       confine(w, n.operands[1], {a.lo - r.hi, a.hi - r.lo});
    }
    default:
      return true;  // possible, and nothing is learned about its operands
  }
}

}  // namespace parley::certify
