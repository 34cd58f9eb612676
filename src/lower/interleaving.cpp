#include "lower/interleaving.hpp"

#include <algorithm>

#include "system/may_fail.hpp"

namespace parley::lower {

using system::StmtKind;

namespace {

class Collector {
 public:
  Collector(const Context& c, Effects& into) : c_(c), e_(into) {}

  void expression(ExprId id) {
    if (!id.valid() || !seen_.insert(id).second) return;
    const expr::Pool& pool = c_.system.exprs;
    const expr::Node& n = pool[id];
    if (n.op == Op::Cell) e_.reads.insert(CellId(n.a));
    if (n.op == Op::Elem) table(TableId(n.a), e_.reads);
    if (n.op == Op::QueueLen || n.op == Op::QueueHas || n.op == Op::HeadIs) e_.fails = true;  // be careful
    if (system::may_fail(n.op, c_.system.integers)) e_.fails = true;
    for (ExprId x : pool.operands(id)) expression(x);
  }

  void statement(StmtId id) {
    if (!done_.insert(id).second) return;
    const system::Stmt& s = c_.system.stmt(id);
    for (StmtId child : s.children) statement(child);
    for (ExprId x : s.conditions) expression(x);
    for (ExprId x : s.args) expression(x);
    for (ExprId x : {s.value, s.lo, s.hi, s.target}) expression(x);
    switch (s.kind) {
      case StmtKind::Assign:
        if (s.place.cell.valid()) {
          e_.writes.insert(s.place.cell);
          const Type& have = c_.system.exprs[s.value].type;
          const Type& want = c_.system.cell(s.place.cell).type;
          const expr::Node& v = c_.system.exprs[s.value];
          const bool fits =
              v.op == Op::Const ? want.contains(v.value) : have.lo >= want.lo && have.hi <= want.hi;
          if (!fits && want.kind == TypeKind::Int) e_.fails = true;
        } else {
          table(s.place.table, e_.writes);
          expression(s.place.row);
          expression(s.place.column);
        }
        return;
      case StmtKind::Send:
        if (s.routes.size() > 1 || !s.routes.front().queue.valid()) e_.fails = true;
        for (const system::Route& r : s.routes)
          if (r.queue.valid()) {
            e_.puts.insert(r.queue);
            if (c_.system.queue(r.queue).overflow == system::OverflowPolicy::Error) e_.fails = true;
          }
        return;
      case StmtKind::Assert:
      case StmtKind::Fail:
      case StmtKind::While:
        e_.fails = true;
        return;
      case StmtKind::Branch:
        e_.fails = e_.fails || !s.has_else;
        return;
      case StmtKind::Block:
      case StmtKind::SetLocal:
      case StmtKind::Choose:
      case StmtKind::If:
      case StmtKind::Note:
      case StmtKind::Print:
        return;
    }
  }

 private:
  void table(TableId id, std::set<CellId>& into) {
    e_.fails = true;
    for (CellId cell : c_.system.exprs.table(id).cells)
      if (cell.valid()) into.insert(cell);
  }

  const Context& c_;
  Effects& e_;
  std::set<ExprId> seen_;
  std::set<StmtId> done_;
};

template <class T>
bool meet(const std::set<T>& a, const std::set<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& x) { return b.contains(x); });
}

}  // namespace

Effects effects_of(const Context& c, StmtId statement) {
  Effects e;
  Collector(c, e).statement(statement);
  return e;
}

bool independent(const Effects& a, const Effects& b) {
  return !meet(a.writes, b.writes) && !meet(a.writes, b.reads) && !meet(a.reads, b.writes) &&
         !meet(a.puts, b.puts) && !(a.fails && b.fails);
}

StmtId in_any_order(Context& c, const std::vector<StmtId>& given, std::uint32_t first) {
  std::vector<StmtId> parts = given;
  std::erase_if(parts, [&](StmtId s) { return s == c.skip(); });
  if (parts.size() < 2 || c.switches().regions == model::RegionOrder::Declared) return c.block(parts);
  std::vector<Effects> effects;
  for (StmtId s : parts) effects.push_back(effects_of(c, s));
  bool dependent = false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) dependent = dependent || !independent(effects[i], effects[k]);
  if (!dependent) return c.block(parts);
  expr::Pool& pool = c.pool();
  if (parts.size() == 2) {
    const ExprId pick = pool.local(first, Type::boolean());
    return c.block({c.choose(first, pool.boolean(false), pool.boolean(true)),
                    c.when(pick, c.block({parts[1], parts[0]}), c.block({parts[0], parts[1]}))});
  }
  // One after the other, each time any of those not done yet.
  std::vector<StmtId> list;
  system::Stmt next;
  next.kind = StmtKind::Branch;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t done = first + static_cast<std::uint32_t>(i);
    list.push_back(c.set_local(done, pool.boolean(false)));
    next.conditions.push_back(pool.negate(pool.local(done, Type::boolean())));
    next.children.push_back(c.block({c.set_local(done, pool.boolean(true)), parts[i]}));
  }
  const StmtId pick = c.add(std::move(next));
  for (std::size_t i = 0; i < parts.size(); ++i) list.push_back(pick);
  return c.block(std::move(list));
}

}  // namespace parley::lower
