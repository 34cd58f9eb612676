#include "system/failures.hpp"

#include <algorithm>
#include <map>

#include "system/may_fail.hpp"

namespace parley::system {
namespace {

class Judge {
 public:
  explicit Judge(const System& s)
      : s_(s),
        assigned_(s.cells.size(), false),
        seen_exprs_(s.exprs.size(), false),
        places_(s.stmts.size(), 0) {
    for (const Action& a : s.actions) {
      add(a.body);
      note_guard(a);
    }
    if (s.initial_body.valid()) add(s.initial_body);
    std::vector<bool> seen(s.stmts.size(), false);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {  // grows while it is walked
      if (seen[bodies_[i].index()]) continue;
      seen[bodies_[i].index()] = true;
      const Stmt& st = s.stmt(bodies_[i]);
      statements_.push_back(bodies_[i]);
      note_assignment(st);
      if (st.kind == StmtKind::If) condition_.try_emplace(st.children.front(), st.value);
      for (std::size_t k = 0; k < st.children.size(); ++k)
        if (!never_taken(st, k)) add(st.children[k]);
    }
  }

  Failures judge() {
    for (const StmtId id : statements_) statement(id);
    for (const Action& a : s_.actions) expression(a.guard);
    for (const Queue& q : s_.queues)
      for (const Deferral& d : q.deferrals) expression(d.condition);
    return result_;
  }

 private:
  void add(StmtId id) {
    bodies_.push_back(id);
    if (id.valid()) ++places_[id.index()];
  }
  // A branch of an `if` that was decided when the model was lowered.
  bool never_taken(const Stmt& st, std::size_t child) const {
    if (st.kind != StmtKind::If || s_.exprs[st.value].op != expr::Op::Const) return false;
    return (s_.exprs[st.value].value != 0) != (child == 0);
  }
  void note_assignment(const Stmt& st) {
    if (st.kind != StmtKind::Assign) return;
    if (st.place.cell.valid()) assigned_[st.place.cell.index()] = true;
    if (st.place.table.valid())
      for (const CellId c : s_.exprs.table(st.place.table).cells)
        if (c.valid()) assigned_[c.index()] = true;
  }

  // The guard still holds where the outermost list of the body assigns for the first time.
  void note_guard(const Action& a) {
    if (s_.stmt(a.body).kind != StmtKind::Block) return;
    for (const StmtId id : s_.stmt(a.body).children) {
      const StmtKind kind = s_.stmt(id).kind;
      if (kind == StmtKind::Assign) condition_.try_emplace(id, a.guard);
      if (kind != StmtKind::Choose && kind != StmtKind::Send) return;
    }
  }
  // A conjunct of the condition compares the cell with a constant in this way; that constant.
  std::optional<std::int64_t> compared(ExprId condition, expr::Op how, std::uint32_t cell) const {
    const expr::Node& n = s_.exprs[condition];
    if (n.op == expr::Op::AndAlso) {
      const auto first = compared(n.operands[0], how, cell);
      return first ? first : compared(n.operands[1], how, cell);
    }
    if (n.op != how) return std::nullopt;
    const expr::Node &x = s_.exprs[n.operands[0]], &y = s_.exprs[n.operands[1]];
    if (x.op != expr::Op::Cell || x.a != cell || y.op != expr::Op::Const) return std::nullopt;
    return y.value;
  }
  // `x = x + 1` where x < limit, `x = x - 1` where x > limit: how the environment counts and timers run. Only
  // where the statement has this one place, for the condition to be that of all.
  bool counts_within(StmtId id) const {
    const Stmt& st = s_.stmt(id);
    const auto at = condition_.find(id);
    if (at == condition_.end() || places_[id.index()] != 1 || !st.place.cell.valid()) return false;
    const expr::Node& n = s_.exprs[st.value];
    if (n.op != expr::Op::Add && n.op != expr::Op::Sub) return false;
    const expr::Node &x = s_.exprs[n.operands[0]], &by = s_.exprs[n.operands[1]];
    if (x.op != expr::Op::Cell || x.a != st.place.cell.value || by.op != expr::Op::Const || by.value != 1)
      return false;
    const Type& type = s_.cell(st.place.cell).type;
    const bool up = n.op == expr::Op::Add;
    const auto limit = compared(at->second, up ? expr::Op::Lt : expr::Op::Gt, x.a);
    return limit && (up ? *limit <= type.hi : *limit >= type.lo);
  }

  // The value of an expression that is the same in all states.
  std::optional<std::int32_t> fixed(ExprId e) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == expr::Op::Const) return n.value;
    if (n.op == expr::Op::Cell && !assigned_[n.a]) return s_.cells[n.a].initial;
    return std::nullopt;
  }
  bool is_true(ExprId e) const { return fixed(e).value_or(0) != 0; }
  bool fits(ExprId value, const Type& type) const {
    const Type& t = s_.exprs[value].type;
    if (const auto v = fixed(value)) return type.lo <= *v && *v <= type.hi;
    return type.lo <= t.lo && t.hi <= type.hi;
  }
  // The entry of the table is there whatever happens.
  bool found(TableId id, ExprId row, ExprId column) const {
    const expr::Table& t = s_.exprs.table(id);
    const auto at = [&](ExprId e) { return e.valid() ? fixed(e) : std::optional<std::int32_t>(0); };
    const auto r = at(row), c = at(column);
    if (!r || !c || *r < 0 || *c < 0) return false;
    const auto ru = static_cast<std::uint32_t>(*r), cu = static_cast<std::uint32_t>(*c);
    return ru < t.rows() && cu < t.columns && t.cells[std::size_t{ru} * t.columns + cu].valid();
  }

  // Every part of it, each once.
  void expression(ExprId root) {
    if (!root.valid()) return;
    std::vector<ExprId> open{root};
    while (!open.empty()) {
      const ExprId e = open.back();
      open.pop_back();
      if (seen_exprs_[e.index()]) continue;
      seen_exprs_[e.index()] = true;
      const expr::Node& n = s_.exprs[e];
      const bool harmless = n.op == expr::Op::Elem && found(TableId(n.a), n.operands[0], n.operands[1]);
      if (outermost_may_fail(s_, e) && !harmless) result_.errors = true;
      for (const ExprId o : s_.exprs.operands(e)) open.push_back(o);
    }
  }

  bool fails(const Stmt& st) const {
    switch (st.kind) {
      case StmtKind::Fail:
      case StmtKind::While:  // its limit
        return true;
      case StmtKind::Branch:
        return !st.has_else &&
               std::none_of(st.conditions.begin(), st.conditions.end(), [&](ExprId c) { return is_true(c); });
      case StmtKind::Choose: {
        const auto lo = fixed(st.lo), hi = fixed(st.hi);
        return !lo || !hi || *lo > *hi;
      }
      case StmtKind::Assign:
        if (st.place.cell.valid()) return !fits(st.value, s_.cell(st.place.cell).type);
        return !found(st.place.table, st.place.row, st.place.column);
      case StmtKind::Send: {
        const auto one = fixed(st.target);
        for (std::size_t i = 0; i < st.routes.size(); ++i) {
          if (one && static_cast<std::size_t>(*one) != i) continue;
          if (!st.routes[i].queue.valid()) return true;
          const std::vector<Type>& params = s_.signal(st.routes[i].signal).params;
          for (std::size_t k = 0; k < st.args.size() && k < params.size(); ++k)
            if (!fits(st.args[k], params[k])) return true;
        }
        return one && static_cast<std::size_t>(*one) >= st.routes.size();
      }
      case StmtKind::Assert:
      case StmtKind::Block:
      case StmtKind::SetLocal:
      case StmtKind::If:
      case StmtKind::Note:
      case StmtKind::Print:
        return false;
    }
    return true;
  }

  void statement(StmtId id) {
    const Stmt& st = s_.stmt(id);
    const bool counts = st.kind == StmtKind::Assign && counts_within(id);
    result_.errors = result_.errors || (fails(st) && !counts);
    result_.assertions = result_.assertions || (st.kind == StmtKind::Assert && !is_true(st.value));
    if (st.kind == StmtKind::Send)
      for (const Route& r : st.routes)
        if (r.queue.valid() && s_.queue(r.queue).overflow == OverflowPolicy::Error) result_.overflows = true;
    if (counts) return;  // nor does the sum itself overflow
    for (const ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column}) expression(e);
    for (const ExprId e : st.args) expression(e);
    for (const ExprId e : st.conditions) expression(e);
  }

  const System& s_;
  std::vector<bool> assigned_;    // cells
  std::vector<bool> seen_exprs_;  // judged before
  std::vector<StmtId> bodies_;
  std::vector<StmtId> statements_;
  std::vector<std::uint32_t> places_;   // per statement: how often it stands somewhere
  std::map<StmtId, ExprId> condition_;  // true whenever the statement is reached (from there)
  Failures result_;
};

}  // namespace

Failures possible_failures(const System& system) {
  return Judge(system).judge();
}

}  // namespace parley::system
