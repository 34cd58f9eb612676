// Initial precisions. `Constants` looks at every comparison in guards, branch conditions, assertions,
// deferral conditions and the property, and cuts the variables compared where the comparison's outcome
// changes; cuts then flow backwards through plain copies (x = y, parameters of sends, locals), so that a
// value keeps on its way the distinctions that are made at its end.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "domain/precision.hpp"

namespace parley::domain {
namespace {

using expr::ExprId;
using expr::Op;
using system::StmtId;
using system::StmtKind;
using system::System;

// What Param and Local mean where an expression stands.
struct Place {
  expr::SignalId signal;
  std::map<std::uint32_t, std::vector<StmtId>> locals;  // local: the statements that set it
};

// variable + offset
struct Term {
  std::vector<Variable> variables;
  std::int64_t offset = 0;
};

class Collector {
 public:
  explicit Collector(const System& s) : s_(s) {}

  void everything(system::PropertyId property) {
    for (const system::Action& a : s_.actions) {
      Place place;
      if (a.trigger) place.signal = a.trigger->signal;
      setters(a.body, place);
      expression(a.guard, place);
      statement(a.body, place);
    }
    if (s_.initial_body.valid()) {
      Place place;
      setters(s_.initial_body, place);
      statement(s_.initial_body, place);
    }
    for (const system::Queue& q : s_.queues)
      for (const system::Deferral& d : q.deferrals) expression(d.condition, Place{d.signal, {}});
    for (const system::Owner& o : s_.owners)
      if (o.may_rest.valid()) expression(o.may_rest, {});
    for (std::size_t i = 0; i < s_.properties.size(); ++i)
      if (s_.properties[i].expression.valid() && (!property.valid() || property.index() == i))
        expression(s_.properties[i].expression, {});
  }

  // Cuts flow from where a value is used to where it came from, until nothing changes.
  void flow() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [to, from] : copies_)
        for (std::int64_t c : std::set<std::int64_t>(cuts_[to]))
          changed = cuts_[from].insert(c).second || changed;
    }
  }

  const std::set<std::int64_t>& cuts(const Variable& v) { return cuts_[v]; }
  const std::set<Variable>& exact() const { return exact_; }

 private:
  void setters(StmtId id, Place& place) {
    const system::Stmt& st = s_.stmt(id);
    if (st.kind == StmtKind::SetLocal || st.kind == StmtKind::Choose) place.locals[st.local].push_back(id);
    for (StmtId child : st.children) setters(child, place);
  }

  std::optional<Term> term(ExprId id, const Place& place) {
    const expr::Node& n = s_.exprs[id];
    switch (n.op) {
      case Op::Cell:
        return Term{{Variable::cell(expr::CellId(n.a))}, 0};
      case Op::Elem: {
        Term t;
        for (expr::CellId c : s_.exprs.table(expr::TableId(n.a)).cells)
          if (c.valid()) t.variables.push_back(Variable::cell(c));
        return t;
      }
      case Op::Param:
        if (!place.signal.valid()) return std::nullopt;
        return Term{{Variable::param(place.signal, n.a)}, 0};
      case Op::Local: {
        Term t;
        const auto at = place.locals.find(n.a);
        if (at != place.locals.end())
          for (StmtId st : at->second) t.variables.push_back(Variable::local(st));
        return t;
      }
      case Op::Add:
      case Op::Sub: {
        const expr::Node& y = s_.exprs[n.operands[1]];
        if (y.op != Op::Const) return std::nullopt;
        std::optional<Term> t = term(n.operands[0], place);
        if (t) t->offset += n.op == Op::Add ? y.value : -static_cast<std::int64_t>(y.value);
        return t;
      }
      default:
        return std::nullopt;
    }
  }

  void cut(const Term& t, Op op, std::int64_t constant) {
    const std::int64_t c = constant - t.offset;
    for (const Variable& v : t.variables) {
      if (op != Op::Le && op != Op::Gt) cuts_[v].insert(c);      // x < c, x >= c, x == c
      if (op != Op::Lt && op != Op::Ge) cuts_[v].insert(c + 1);  // x <= c, x > c, x == c
    }
  }

  void comparison(const expr::Node& n, const Place& place) {
    const auto x = term(n.operands[0], place), y = term(n.operands[1], place);
    const expr::Node &nx = s_.exprs[n.operands[0]], &ny = s_.exprs[n.operands[1]];
    if (x && ny.op == Op::Const) cut(*x, n.op, ny.value);
    if (y && nx.op == Op::Const) cut(*y, expr::info(n.op).mirrored, nx.value);
  }

  void expression(ExprId id, const Place& place) {
    const expr::Node& n = s_.exprs[id];
    if (expr::is_comparison(n.op)) comparison(n, place);
    Place inner = place;
    if (n.op == Op::QueueHas || n.op == Op::HeadIs) inner = Place{expr::SignalId(n.b), place.locals};
    for (ExprId x : s_.exprs.operands(id)) expression(x, inner);
  }

  void copy(const Variable& to, ExprId value, const Place& place) {
    const auto t = term(value, place);
    if (!t || t->offset != 0) return;
    for (const Variable& from : t->variables) copies_.emplace_back(to, from);
  }

  void pin(ExprId id, const Place& place) {
    if (const auto t = term(id, place))
      for (const Variable& v : t->variables) exact_.insert(v);
    for (ExprId x : s_.exprs.operands(id)) pin(x, place);
  }

  void statement(StmtId id, const Place& place) {
    const system::Stmt& st = s_.stmt(id);
    for (ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column})
      if (e.valid()) expression(e, place);
    for (ExprId e : st.args) expression(e, place);
    for (ExprId e : st.conditions) expression(e, place);
    if (st.kind == StmtKind::Assign) {
      if (st.place.cell.valid()) copy(Variable::cell(st.place.cell), st.value, place);
      if (st.place.table.valid())
        for (expr::CellId c : s_.exprs.table(st.place.table).cells)
          if (c.valid()) copy(Variable::cell(c), st.value, place);
    }
    if (st.kind == StmtKind::SetLocal) copy(Variable::local(id), st.value, place);
    // The bounds of a choice decide whether it is empty, and sorted queues are ordered by their values.
    if (st.kind == StmtKind::Choose)
      for (ExprId e : {st.lo, st.hi}) pin(e, place);
    if (st.kind == StmtKind::Send)
      for (const system::Route& r : st.routes) {
        if (!r.signal.valid()) continue;
        for (std::size_t i = 0; i < st.args.size(); ++i) {
          const Variable p = Variable::param(r.signal, static_cast<std::uint32_t>(i));
          copy(p, st.args[i], place);
          if (st.insertion == system::Insertion::Sorted) exact_.insert(p);
        }
      }
    for (StmtId child : st.children) statement(child, place);
  }

  const System& s_;
  std::map<Variable, std::set<std::int64_t>> cuts_;
  std::vector<std::pair<Variable, Variable>> copies_;  // to, from
  std::set<Variable> exact_;
};

// The partitions written in the model.
class Written {
 public:
  explicit Written(const System& s) {
    for (const system::DataPartition& p : s.partitions)
      of_.emplace(p.cell.valid() ? Variable::cell(p.cell) : Variable::param(p.signal, p.param), &p);
  }
  const system::DataPartition* find(const Variable& v) const {
    const auto at = of_.find(v);
    return at == of_.end() ? nullptr : at->second;
  }

 private:
  std::map<Variable, const system::DataPartition*> of_;
};

// Pins come first, then the options' partitions, then the model's; small types are exact unless somebody
// asks.
bool stays_exact(const StartOptions& o, const Written& written, const Variable& v, const std::string& name,
                 const expr::Type& type) {
  if (std::find(o.pinned.begin(), o.pinned.end(), name) != o.pinned.end()) return true;
  if (o.user.contains(name)) return false;
  if (const system::DataPartition* p = written.find(v)) return p->exact;
  return type.size() <= o.exact_up_to;
}

}  // namespace

std::vector<Variable> abstractable(const System& s, const StartOptions& o) {
  std::vector<Variable> all;
  const Written written(s);
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    const system::Cell& c = s.cells[i];
    const Variable v = Variable::cell(expr::CellId(i));
    if (c.type.kind == expr::TypeKind::Int && c.role == system::CellRole::Data && !c.is_timer &&
        !stays_exact(o, written, v, c.name, c.type))
      all.push_back(v);
  }
  for (std::size_t i = 0; i < s.signals.size(); ++i)
    for (std::size_t k = 0; k < s.signals[i].params.size(); ++k) {
      const expr::Type& t = s.signals[i].params[k];
      const Variable v = Variable::param(expr::SignalId(i), static_cast<std::uint32_t>(k));
      if (t.kind == expr::TypeKind::Int && !stays_exact(o, written, v, show(s, v), t)) all.push_back(v);
    }
  for (std::size_t i = 0; i < s.stmts.size(); ++i)
    if (s.stmts[i].kind == StmtKind::SetLocal || s.stmts[i].kind == StmtKind::Choose)
      all.push_back(Variable::local(StmtId(i)));
  return all;
}

Precision initial_precision(const System& s, system::PropertyId property, const StartOptions& o,
                            std::vector<std::string>* errors) {
  Collector collector(s);
  collector.everything(property);
  collector.flow();
  Precision p;
  const Written written(s);
  std::set<std::string> unused;
  for (const auto& [name, text] : o.user) unused.insert(name);
  for (const Variable& v : abstractable(s, o)) {
    if (v.kind != Variable::Kind::Local && collector.exact().contains(v)) continue;
    const Interval range = range_of(s, v);
    const std::string name = show(s, v);
    if (const auto at = o.user.find(name); at != o.user.end()) {
      unused.erase(name);
      if (auto parsed = Partition::parse(at->second, range))
        p.set(v, std::move(*parsed));
      else if (errors != nullptr)
        errors->push_back(fmt::format("`{}` is no partition of {}", at->second, name));
      continue;
    }
    if (const system::DataPartition* d = written.find(v)) {
      p.set(v, Partition::at({d->starts.begin(), d->starts.end()}, range));
      continue;
    }
    Partition part(range);
    if (o.start == Start::Sign && v.kind != Variable::Kind::Local) part = Partition::sign(range);
    if (o.start == Start::Constants)
      for (std::int64_t c : collector.cuts(v)) part.cut_below(c);
    p.set(v, std::move(part));
  }
  if (errors != nullptr)
    for (const std::string& name : unused)
      errors->push_back(fmt::format("there is no integer `{}` to abstract", name));
  return p;
}

}  // namespace parley::domain
