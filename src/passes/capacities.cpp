#include "passes/capacities.hpp"

#include <algorithm>

namespace parley::passes {

using namespace system;

namespace {

using expr::Op;

// length < capacity is always true, and so on; nothing for any other expression.
std::optional<bool> decided(const expr::Pool& pool, ExprId e) {
  const expr::Node& n = pool[e];
  if (!expr::is_comparison(n.op)) return std::nullopt;
  const expr::Node &x = pool[n.operands[0]], &y = pool[n.operands[1]];
  const bool length_first = x.op == Op::QueueLen && y.op == Op::QueueCap;
  const bool length_last = x.op == Op::QueueCap && y.op == Op::QueueLen;
  if ((!length_first && !length_last) || x.a != y.a) return std::nullopt;
  switch (expr::comparison(n.op)) {
    case expr::Comparison::Eq:
      return false;
    case expr::Comparison::Ne:
      return true;
    case expr::Comparison::Lt:
    case expr::Comparison::Le:
      return length_first;
    case expr::Comparison::Gt:
    case expr::Comparison::Ge:
      return length_last;
  }
  internal_error("comparison", __FILE__, __LINE__);
}

bool marks_cut(const System& s, const Route& r) {
  return r.queue.valid() && marks_cut(s.queue(r.queue));
}

class Rewriter {
 public:
  explicit Rewriter(System& s) : s_(s) {}
  void operator()(ExprId& e) {
    if (!e.valid()) return;
    e = s_.exprs.rewrite(e, [&](ExprId x) -> ExprId {
      const std::optional<bool> d = decided(s_.exprs, x);
      return d ? s_.exprs.boolean(*d) : ExprId{};
    });
  }

 private:
  System& s_;
};

}  // namespace

Passed without_capacities(const System& original) {
  System s = original;
  Rewriter rewrite(s);
  for (Queue& q : s.queues) {
    if (q.capacity != 0U) q.capacity.reset();
    for (Deferral& d : q.deferrals) rewrite(d.condition);
  }
  for (Owner& o : s.owners) rewrite(o.may_rest);
  for (Action& a : s.actions) rewrite(a.guard);
  for (Property& p : s.properties) rewrite(p.expression);
  for (Stmt& st : s.stmts) {
    if (st.kind == StmtKind::Send && !st.routes.empty() &&
        std::all_of(st.routes.begin(), st.routes.end(), [&](const Route& r) { return marks_cut(s, r); })) {
      st.kind = StmtKind::Fail;
      st.error = RuntimeError::ProcessLimit;
      st.text = s.queue(st.routes[0].queue).name;
    }
    for (ExprId* e : {&st.value, &st.lo, &st.hi, &st.target, &st.place.row, &st.place.column}) rewrite(*e);
    for (ExprId& e : st.args) rewrite(e);
    for (ExprId& e : st.conditions) rewrite(e);
  }
  BackMap back = same_ids(original, s);
  return {std::move(s), std::move(back)};
}

}  // namespace parley::passes
