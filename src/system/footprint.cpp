#include "system/footprint.hpp"

#include <algorithm>

namespace parley::system {
namespace {

template <class T>
void tidy(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

void collect_table(const System& s, TableId id, std::vector<CellId>& cells) {
  for (CellId c : s.exprs.table(id).cells)
    if (c.valid()) cells.push_back(c);
}

class Collector {
 public:
  Collector(const System& s, Footprint& f) : s_(s), f_(f) {}

  void expression(ExprId root) {
    if (seen_.size() < s_.exprs.size()) seen_.resize(s_.exprs.size());
    if (seen_[root.index()]) return;
    seen_[root.index()] = true;
    const expr::Node& n = s_.exprs[root];
    switch (expr::form(n.op)) {
      case expr::Form::Cell:
        f_.reads.push_back(CellId(n.a));
        break;
      case expr::Form::Elem:
        collect_table(s_, TableId(n.a), f_.reads);
        break;
      case expr::Form::QueueLen:
      case expr::Form::QueueCap:
      case expr::Form::QueueHas:
        f_.tests.push_back(QueueId(n.a));
        break;
      case expr::Form::HeadIs:
        f_.tests.push_back(QueueId(n.a));
        deferrals(QueueId(n.a));
        break;
      case expr::Form::Idle:
        f_.reads_idle = true;
        break;
      case expr::Form::Const:
      case expr::Form::Local:
      case expr::Form::Param:
      case expr::Form::AndAlso:
      case expr::Form::OrElse:
      case expr::Form::Cond:
      case expr::Form::Unary:
      case expr::Form::Binary:
        break;  // what it reads, its operands read
    }
    for (ExprId x : s_.exprs.operands(root)) expression(x);
  }

  // Which message is selected depends on what is deferred.
  void deferrals(QueueId queue) {
    for (const Deferral& d : s_.queue(queue).deferrals) expression(d.condition);
  }

  void statement(StmtId id) {
    const Stmt& st = s_.stmt(id);
    for (ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column})
      if (e.valid()) expression(e);
    for (ExprId e : st.args) expression(e);
    for (ExprId e : st.conditions) expression(e);
    if (st.kind == StmtKind::Assign) {
      if (st.place.cell.valid())
        f_.writes.push_back(st.place.cell);
      else
        collect_table(s_, st.place.table, f_.writes);
    }
    if (st.kind == StmtKind::Send)
      for (const Route& r : st.routes)
        if (r.queue.valid()) f_.puts.push_back(r.queue);
    for (StmtId child : st.children) statement(child);
  }

 private:
  const System& s_;
  Footprint& f_;
  std::vector<bool> seen_;
};

void tidy_all(Footprint& f) {
  tidy(f.guard_reads);
  tidy(f.reads);
  tidy(f.writes);
  tidy(f.takes);
  tidy(f.puts);
  tidy(f.tests);
}

}  // namespace

Footprint footprint(const System& s, ActionId id) {
  const Action& a = s.action(id);
  Footprint f;
  Collector c(s, f);
  c.expression(a.guard);
  if (a.trigger) {
    f.takes.push_back(a.trigger->queue);
    c.deferrals(a.trigger->queue);
  }
  f.guard_reads = f.reads;
  c.statement(a.body);
  tidy_all(f);
  return f;
}

void collect_reads(const System& s, ExprId e, Footprint& into) {
  Collector(s, into).expression(e);
  tidy_all(into);
}

}  // namespace parley::system
