// How this differs from semantics/: values are ranges, an open condition is resolved by a recorded choice
// (semantics/choices.hpp) and then assumed, which narrows the ranges it speaks about.
#include "bounds/abstract_run.hpp"

#include <fmt/format.h>

#include "support/check.hpp"

namespace parley::bounds {

using expr::Op;
using system::CellId;
using system::ExprId;
using system::StmtKind;

namespace {

struct Infeasible {};

class Run {
 public:
  Run(const RunContext& c, const std::vector<Interval>& view, semantics::Choices& choices)
      : c_(c), s_(c.system), choices_(choices) {
    way_.before = view;
    for (std::size_t i = 0; i < view.size(); ++i)
      way_.after.push_back({view[i], static_cast<std::int32_t>(i), Interval::of(0)});
  }

  // Whether the guard can be true at all; cheap, and false for most actions in most nodes.
  bool may_fire(const system::Action& a) {
    if (a.trigger && !receive(*a.trigger)) return false;
    const std::optional<Interval> r = attempt(a.guard);
    return r && r->hi != 0;
  }

  Way action(const system::Action& a) {
    locals_.assign(a.locals, Known{Interval::of(0), -1, {}});
    if (a.trigger) {
      const system::Signal& signal = s_.signal(a.trigger->signal);
      signal_ = a.trigger->signal;
      MessageClass taken{a.trigger->queue, a.trigger->signal, {}};
      if (!receive(*a.trigger)) throw Infeasible{};
      for (std::size_t i = 0; i < signal.params.size(); ++i)
        if (c_.messages && c_.splits.split(a.trigger->signal, i)) {
          params_[i].range = pick_value(params_[i].range);
          taken.values.push_back(static_cast<std::int32_t>(params_[i].range.lo));
        }
      if (a.trigger->consume && c_.messages) way_.taken = taken;
    }
    require(a.guard);
    statement(a.body);
    return std::move(way_);
  }
  Way initial() {
    locals_.assign(s_.initial_locals, Known{Interval::of(0), -1, {}});
    if (s_.initial_body.valid()) statement(s_.initial_body);
    return std::move(way_);
  }

 private:
  // What a message of the trigger can carry; false if there is none.
  bool receive(const system::Trigger& t) {
    const std::vector<Interval>* known = c_.params != nullptr ? c_.params->of(t.queue, t.signal) : nullptr;
    if (c_.params != nullptr && known == nullptr) return false;
    params_.clear();
    const std::vector<expr::Type>& types = s_.signal(t.signal).params;
    for (std::size_t i = 0; i < types.size(); ++i)
      params_.push_back({known != nullptr ? (*known)[i] : Interval::of(types[i]), -1, {}});
    return true;
  }
  // What may be sent from here on, told to who wants to know.
  void note_sent(const system::Route& route, const system::Stmt& st, bool anything) {
    if (c_.sent == nullptr) return;
    std::vector<Interval> ranges;
    for (std::size_t i = 0; i < s_.signal(route.signal).params.size(); ++i) {
      Interval r = Interval::of(s_.signal(route.signal).params[i]);
      if (!anything && i < st.args.size()) r = r.meet(eval(st.args[i]).range);
      if (r.empty()) throw Infeasible{};
      ranges.push_back(r);
    }
    c_.sent->add(route.queue, route.signal, ranges);
  }

  // --- choices
  Interval pick_value(const Interval& r) {
    if (r.single()) return r;
    const std::int64_t count = r.hi - r.lo + 1;
    if (count > 1024) throw TooWide("a value with too many possibilities would have to be told apart");
    return Interval::of(r.lo + static_cast<std::int64_t>(choices_.pick(static_cast<std::uint64_t>(count))));
  }

  // --- values
  Known plain(const Interval& r) {
    if (r.empty()) throw Infeasible{};
    return {r, -1, {}};
  }

  Known eval(ExprId id) {
    const expr::Node& n = s_.exprs[id];
    switch (n.op) {
      case Op::Const:
        return plain(Interval::of(n.value));
      case Op::Cell:
        return load(CellId(n.a));
      case Op::Local:
        return locals_[n.a];
      case Op::Param:
        return in_predicate_ || n.a >= params_.size() ? plain(Interval::of(n.type)) : params_[n.a];
      case Op::Elem: {
        const std::vector<CellId> cells = candidates(system::TableId(n.a), n.operands[0], n.operands[1]);
        if (cells.empty()) throw Infeasible{};
        if (cells.size() == 1) return load(cells[0]);
        Interval r = load(cells[0]).range;
        for (CellId cell : cells) r = r.join(load(cell).range);
        return plain(r);
      }
      case Op::QueueLen:
      case Op::QueueCap:
        return plain({0, expr::kIntMax});
      case Op::QueueHas:
      case Op::HeadIs:
      case Op::Idle:
        return plain(Interval::boolean());
      case Op::AndAlso: {
        const Interval x = eval(n.operands[0]).range;
        if (x.hi == 0) return plain(Interval::of(0));
        if (x.lo == 1) return eval(n.operands[1]);
        // An operand that always fails leaves only the runs that do not evaluate it.
        const Interval y = attempt(n.operands[1]).value_or(Interval::of(0));
        return plain({0, y.hi});
      }
      case Op::OrElse: {
        const Interval x = eval(n.operands[0]).range;
        if (x.lo == 1) return plain(Interval::of(1));
        if (x.hi == 0) return eval(n.operands[1]);
        const Interval y = attempt(n.operands[1]).value_or(Interval::of(1));
        return plain({y.lo, 1});
      }
      case Op::Cond: {
        const Interval c = eval(n.operands[0]).range;
        if (c.lo == 1) return eval(n.operands[1]);
        if (c.hi == 0) return eval(n.operands[2]);
        const std::optional<Interval> x = attempt(n.operands[1]), y = attempt(n.operands[2]);
        if (!x || !y) return plain(x ? *x : y ? *y : Interval{1, 0});
        return plain(x->join(*y));
      }
      default:
        break;
    }
    const Known x = eval(n.operands[0]);
    if (expr::is_unary(n.op)) {
      Known r = plain(apply_unary(n.op, n.a, x.range));
      if ((n.op == Op::TruncU || n.op == Op::TruncS) && r.range == x.range) return x;
      return r;
    }
    const Known y = eval(n.operands[1]);
    Known r = plain(apply_binary(n.op, x.range, y.range));
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

  Known load(CellId cell) {
    const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
    return slot >= 0 ? way_.after[static_cast<std::size_t>(slot)] : plain(c_.ranges[cell.index()]);
  }

  // The cells a table access may mean; indices that fail are left out.
  std::vector<CellId> candidates(system::TableId id, ExprId row_expr, ExprId column_expr) {
    const expr::Table& t = s_.exprs.table(id);
    const std::optional<Interval> row = attempt(row_expr), column = attempt(column_expr);
    std::vector<CellId> cells;
    if (!row || !column) return cells;
    const Interval rows = row->meet({t.by_reference ? 1 : 0, static_cast<std::int64_t>(t.rows()) - 1});
    const Interval columns = column->meet({0, static_cast<std::int64_t>(t.columns) - 1});
    for (std::int64_t r = rows.lo; r <= rows.hi; ++r)
      for (std::int64_t k = columns.lo; k <= columns.hi; ++k) {
        const CellId cell = t.cells[static_cast<std::size_t>(r * t.columns + k)];
        if (cell.valid()) cells.push_back(cell);
      }
    return cells;
  }
  std::optional<Interval> attempt(ExprId e) {
    try {
      return eval(e).range;
    } catch (const Infeasible&) {
      return std::nullopt;
    }
  }

  // --- conditions
  void require(ExprId e) {
    const Interval r = eval(e).range;
    if (r.hi == 0) throw Infeasible{};
    if (r.lo != 1) {
      note_open(e);
      assume(e, true);
    }
  }
  bool decide(ExprId e) {
    const Interval r = eval(e).range;
    if (r.single()) return r.lo != 0;
    note_open(e);
    const bool truth = choices_.pick(2) == 0;
    assume(e, truth);
    return truth;
  }

  void note_open(ExprId e) {
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

  void assume(ExprId e, bool truth) {
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
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
        return compare(n.op, n.operands[0], n.operands[1], truth);
      case Op::Cell:
      case Op::Local:
      case Op::Param:
      case Op::Elem:
        if (n.type.kind == expr::TypeKind::Bool) narrow(e, Interval::of(truth ? 1 : 0));
        return;
      default:
        return;
    }
  }
  // Whether assuming the expression can narrow a range.
  bool teaches(ExprId e, bool truth) const {
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
  // Assumes unless already known.
  void check(ExprId e, bool truth) {
    const Interval r = eval(e).range;
    if (!r.contains(truth ? 1 : 0)) throw Infeasible{};
    if (!r.single()) assume(e, truth);
  }

  void compare(Op op, ExprId x, ExprId y, bool truth) {
    if (!truth) {
      static constexpr std::pair<Op, Op> kOpposite[] = {{Op::Eq, Op::Ne}, {Op::Ne, Op::Eq}, {Op::Lt, Op::Ge},
                                                        {Op::Ge, Op::Lt}, {Op::Gt, Op::Le}, {Op::Le, Op::Gt}};
      for (const auto& [from, to] : kOpposite)
        if (from == op) return compare(to, x, y, true);
    }
    // A comparison of a truth value with a constant is that truth value.
    const Interval a = eval(x).range, b = eval(y).range;
    if ((op == Op::Eq || op == Op::Ne) && s_.exprs[x].type.kind == expr::TypeKind::Bool && b.single() &&
        Interval::boolean().contains(b.lo))
      return check(x, (b.lo == 1) == (op == Op::Eq));
    switch (op) {
      case Op::Eq:
        narrow(x, b);
        return narrow(y, a);
      case Op::Ne:
        if (b.single()) narrow(x, {a.lo == b.lo ? a.lo + 1 : a.lo, a.hi == b.lo ? a.hi - 1 : a.hi});
        if (a.single()) narrow(y, {b.lo == a.lo ? b.lo + 1 : b.lo, b.hi == a.lo ? b.hi - 1 : b.hi});
        return;
      case Op::Lt:
        narrow(x, {expr::kIntMin, b.hi - 1});
        return narrow(y, {a.lo + 1, expr::kIntMax});
      case Op::Le:
        narrow(x, {expr::kIntMin, b.hi});
        return narrow(y, {a.lo, expr::kIntMax});
      case Op::Gt:
        return compare(Op::Lt, y, x, true);
      default:
        return compare(Op::Le, y, x, true);
    }
  }

  // The expression's value lies in r.
  void narrow(ExprId e, const Interval& r) {
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
        return;
    }
  }
  void narrow_cell(CellId cell, const Interval& r) {
    const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
    if (slot >= 0)
      narrow_known(way_.after[static_cast<std::size_t>(slot)], r);
    else if (c_.ranges[cell.index()].meet(r).empty())
      throw Infeasible{};
  }
  void narrow_known(Known& k, const Interval& r) {
    k.range = k.range.meet(r);
    if (k.range.empty()) throw Infeasible{};
    if (k.base < 0) return;
    Interval& old = way_.before[static_cast<std::size_t>(k.base)];
    old = old.meet({k.range.lo - k.delta.hi, k.range.hi - k.delta.lo});
    if (old.empty()) throw Infeasible{};
  }

  // --- statements
  void assign(const system::Stmt& st) {
    CellId cell = st.place.cell;
    if (!cell.valid()) {
      const std::vector<CellId> cells = candidates(st.place.table, st.place.row, st.place.column);
      if (cells.empty()) throw Infeasible{};
      // Which one matters only among exact cells; that it is none of them is one more case.
      std::vector<CellId> exact;
      for (CellId x : cells) {
        const std::int32_t slot = c_.view.slot_of_cell[x.index()];
        if (slot >= 0 && (c_.view.exact[static_cast<std::size_t>(slot)] || cells.size() == 1))
          exact.push_back(x);
      }
      const std::size_t cases = exact.size() + (exact.size() < cells.size() ? 1 : 0);
      const std::size_t k = cases > 1 ? choices_.pick(cases) : 0;
      if (k >= exact.size()) return perhaps_assign(cells, st);
      cell = exact[k];
    }
    const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
    if (slot < 0) return;
    const std::uint32_t place = static_cast<std::uint32_t>(slot);
    Known v = eval(st.value);
    v.range = v.range.meet(Interval::of(s_.cell(cell).type));
    if (v.range.empty()) throw Infeasible{};
    if (c_.view.exact[place]) {
      const bool open = !v.range.single();
      if (open) note_open(st.value);
      v.range = pick_value(v.range);
      if (open) v.base = -1;
    }
    way_.after[place] = v;
  }

  // One of several ranged cells gets the value: each of them may.
  void perhaps_assign(const std::vector<CellId>& cells, const system::Stmt& st) {
    const Known v = eval(st.value);
    for (CellId cell : cells) {
      const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
      if (slot < 0 || c_.view.exact[static_cast<std::size_t>(slot)]) continue;
      const Interval range = v.range.meet(Interval::of(s_.cell(cell).type));
      if (range.empty()) continue;
      Known& k = way_.after[static_cast<std::size_t>(slot)];
      k = {k.range.join(range), -1, {}};
    }
  }

  void send(const system::Stmt& st, std::int64_t times) {
    const Interval targets = eval(st.target).range.meet({0, static_cast<std::int64_t>(st.routes.size()) - 1});
    std::vector<system::Route> routes;
    for (std::int64_t t = targets.lo; t <= targets.hi; ++t) {
      const system::Route& r = st.routes[static_cast<std::size_t>(t)];
      if (!r.queue.valid()) continue;
      bool seen = false;
      for (const system::Route& o : routes) seen = seen || (o.queue == r.queue && o.signal == r.signal);
      if (!seen) routes.push_back(r);
    }
    if (routes.empty()) throw Infeasible{};
    if (!c_.messages) return;
    if (routes.size() > 1) note_open(st.target);
    const system::Route route = routes.size() == 1 ? routes[0] : routes[choices_.pick(routes.size())];
    note_sent(route, st, false);
    MessageClass m{route.queue, route.signal, {}};
    for (std::size_t i = 0; i < st.args.size(); ++i) {
      if (!c_.splits.split(route.signal, i)) continue;
      const Interval r = eval(st.args[i]).range.meet(Interval::of(s_.signal(route.signal).params[i]));
      if (r.empty()) throw Infeasible{};
      if (!r.single()) note_open(st.args[i]);
      m.values.push_back(static_cast<std::int32_t>(pick_value(r).lo));
    }
    way_.sent.emplace_back(std::move(m), times);
  }

  void statement(system::StmtId id) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Block:
        for (system::StmtId child : st.children) statement(child);
        return;
      case StmtKind::Assign:
        return assign(st);
      case StmtKind::SetLocal:
        locals_[st.local] = eval(st.value);
        return;
      case StmtKind::Choose: {
        const Interval lo = eval(st.lo).range, hi = eval(st.hi).range;
        locals_[st.local] = plain({lo.lo, hi.hi});
        return;
      }
      case StmtKind::Send:
        return send(st, 1);
      case StmtKind::Assert:
        return require(st.value);
      case StmtKind::If: {
        if (!matters(id)) return;
        const Interval c = eval(st.value).range;
        if (c.single() || teaches(st.value, true) || teaches(st.value, false)) {
          if (decide(st.value))
            statement(st.children[0]);
          else if (st.children.size() > 1)
            statement(st.children[1]);
          return;
        }
        // Nothing to learn from the condition: one of the parts below that matter, or nothing.
        note_open(st.value);
        bool nothing = st.children.size() < 2;
        std::vector<system::StmtId> parts;
        for (system::StmtId child : st.children) collect_parts(child, parts, nothing);
        const std::size_t cases = parts.size() + (nothing ? 1 : 0);
        const std::size_t k = cases > 1 ? choices_.pick(cases) : 0;
        if (k < parts.size()) statement(parts[k]);
        return;
      }
      case StmtKind::Branch:
        return branch(st);
      case StmtKind::While:
        return loop(st);
      case StmtKind::Fail:
        throw Infeasible{};
      case StmtKind::Note:
      case StmtKind::Print:
        return;
    }
  }

  bool matters(system::StmtId id) const {
    return (c_.messages ? c_.view.matters : c_.view.matters_quietly)[id.index()] != 0;
  }
  // The parts of a tree of Ifs that may run and matter.
  void collect_parts(system::StmtId id, std::vector<system::StmtId>& parts, bool& nothing) {
    const system::Stmt* st = &s_.stmt(id);
    while (st->kind == StmtKind::Block && st->children.size() == 1) {
      id = st->children[0];
      st = &s_.stmt(id);
    }
    if (!matters(id)) {
      nothing = true;
      return;
    }
    if (st->kind == StmtKind::If) {
      const std::optional<Interval> c = attempt(st->value);
      if (!c) return;
      if (!c->single() && !teaches(st->value, true) && !teaches(st->value, false)) {
        for (system::StmtId child : st->children) collect_parts(child, parts, nothing);
        nothing = nothing || st->children.size() < 2;
        return;
      }
    }
    parts.push_back(id);
  }

  void branch(const system::Stmt& st) {
    // Alternatives that change nothing and whose conditions teach nothing are one case.
    std::vector<std::size_t> cases;
    bool nothing = false;
    for (std::size_t i = 0; i < st.conditions.size(); ++i) {
      const std::optional<Interval> c = attempt(st.conditions[i]);
      if (!c || c->hi == 0) continue;
      if (!matters(st.children[i]) && !teaches(st.conditions[i], true))
        nothing = true;
      else
        cases.push_back(i);
    }
    if (st.has_else) cases.push_back(st.conditions.size());
    const std::size_t count = cases.size() + (nothing ? 1 : 0);
    if (count == 0) throw Infeasible{};
    const std::size_t k = count > 1 ? choices_.pick(count) : 0;
    if (k >= cases.size()) return;
    if (cases[k] < st.conditions.size()) {
      require(st.conditions[cases[k]]);
    } else {
      for (ExprId e : st.conditions) check(e, false);
    }
    statement(st.children[cases[k]]);
  }

  void loop(const system::Stmt& st) {
    for (std::uint32_t round = 0; round < st.limit; ++round) {
      const Interval c = eval(st.value).range;
      if (c.hi == 0) return;
      if (c.lo != 1) break;
      if (round > 1000) break;
      statement(st.children[0]);
    }
    const Interval c = eval(st.value).range;
    if (c.hi == 0) return;
    if (c.lo == 1 && c.hi == 1 && st.limit <= 1000) throw Infeasible{};  // the limit is an error
    forget(st.children[0], std::max<std::int64_t>(st.limit, 1));
    check(st.value, false);
  }

  // Whatever the statement may do, any number of times up to `times`.
  void forget(system::StmtId id, std::int64_t times) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Assign: {
        std::vector<CellId> cells{st.place.cell};
        if (!cells[0].valid()) cells = s_.exprs.table(st.place.table).cells;
        for (CellId cell : cells) {
          if (!cell.valid()) continue;
          const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
          if (slot < 0) continue;
          Known& k = way_.after[static_cast<std::size_t>(slot)];
          k = {Interval::of(s_.cell(cell).type), -1, {}};
          if (c_.view.exact[static_cast<std::size_t>(slot)]) k.range = pick_value(k.range);
        }
        return;
      }
      case StmtKind::SetLocal:
      case StmtKind::Choose:
        locals_[st.local] = {Interval::all(), -1, {}};
        return;
      case StmtKind::Send:
        if (!c_.messages) return;
        for (const system::Route& r : st.routes) {
          if (!r.queue.valid()) continue;
          note_sent(r, st, true);
          forget_send(st, r, 0, MessageClass{r.queue, r.signal, {}}, times);
        }
        return;
      case StmtKind::While:
        times *= std::max<std::int64_t>(st.limit, 1);
        if (times > (std::int64_t{1} << 40)) throw TooWide("nested loops that send");
        break;
      default:
        break;
    }
    for (system::StmtId child : st.children) forget(child, times);
  }
  // Every class the message may belong to, each as often as all of them together.
  void forget_send(const system::Stmt& st, const system::Route& r, std::size_t arg, MessageClass m,
                   std::int64_t times) {
    if (arg == st.args.size()) {
      way_.sent.emplace_back(std::move(m), times);
      return;
    }
    if (!c_.splits.split(r.signal, arg)) return forget_send(st, r, arg + 1, std::move(m), times);
    const Interval values = Interval::of(s_.signal(r.signal).params[arg]);
    for (std::int64_t v = values.lo; v <= values.hi; ++v) {
      MessageClass next = m;
      next.values.push_back(static_cast<std::int32_t>(v));
      forget_send(st, r, arg + 1, std::move(next), times);
    }
  }

  const RunContext& c_;
  const system::System& s_;
  semantics::Choices& choices_;
  Way way_;
  std::vector<Known> locals_, params_;
  system::SignalId signal_;
  bool in_predicate_ = false;
};

// Memoised over the statements; bodies are trees.
char mark(const system::System& s, const View& v, system::StmtId id, bool messages, std::vector<char>& memo) {
  const system::Stmt& st = s.stmt(id);
  bool matters = false;
  switch (st.kind) {
    case StmtKind::Assign:
      if (st.place.cell.valid()) {
        matters = v.slot_of_cell[st.place.cell.index()] >= 0;
      } else {
        for (CellId c : s.exprs.table(st.place.table).cells)
          matters = matters || (c.valid() && v.slot_of_cell[c.index()] >= 0);
      }
      break;
    case StmtKind::SetLocal:
    case StmtKind::Choose:
    case StmtKind::Fail:
      matters = true;
      break;
    case StmtKind::Send:
      matters = messages;
      break;
    default:
      break;
  }
  for (system::StmtId child : st.children) matters = mark(s, v, child, messages, memo) != 0 || matters;
  return memo[id.index()] = matters ? 1 : 0;
}

}  // namespace

void View::prepare(const system::System& s) {
  matters.assign(s.stmts.size(), 0);
  matters_quietly.assign(s.stmts.size(), 0);
  const auto both = [&](system::StmtId body) {
    if (!body.valid()) return;
    mark(s, *this, body, true, matters);
    mark(s, *this, body, false, matters_quietly);
  };
  both(s.initial_body);
  for (const system::Action& a : s.actions) both(a.body);
}

void for_each_way(const RunContext& context, system::ActionId action, const std::vector<Interval>& view,
                  const std::function<void(const Way&)>& found) {
  semantics::Choices choices;
  if (action.valid() && !Run(context, view, choices).may_fire(context.system.action(action))) return;
  std::size_t count = 0;
  do {
    if (++count > context.max_ways)
      throw TooWide(action.valid()
                        ? fmt::format("`{}` can go too many ways", context.system.action(action).name)
                        : "the initialisation can go too many ways");
    try {
      Run run(context, view, choices);
      found(action.valid() ? run.action(context.system.action(action)) : run.initial());
    } catch (const Infeasible&) {
    }
  } while (choices.advance());
}

}  // namespace parley::bounds
