#include "bounds/queue_tests.hpp"

namespace parley::bounds {

using expr::Op;
using system::ExprId;

namespace {

class Collector {
 public:
  explicit Collector(const system::System& s) : s_(s) {}

  void expression(ExprId e) {
    if (!e.valid()) return;
    const expr::Node& n = s_.exprs[e];
    if (expr::is_comparison(n.op)) {
      for (const int side : {0, 1}) {
        const expr::Node& other = s_.exprs[n.operands[1 - side]];
        if (other.op == Op::Const)
          return compared(n.operands[side], side == 0 ? n.op : expr::info(n.op).mirrored, other.value);
      }
    }
    if (n.op == Op::QueueLen || n.op == Op::QueueCap || n.op == Op::QueueHas)
      found.push_back({QueueTest::Kind::Opaque, system::QueueId(n.a), {}, 0, false});
    if (n.op == Op::HeadIs) {
      const system::QueueId q{n.a};
      const bool plain = s_.queue(q).deferrals.empty();
      found.push_back({plain ? QueueTest::Kind::Head : QueueTest::Kind::Opaque, q, {}, 0, false});
    }
    for (ExprId o : s_.exprs.operands(e)) expression(o);
  }
  void statement(system::StmtId id) {
    const system::Stmt& st = s_.stmt(id);
    for (ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column}) expression(e);
    for (ExprId e : st.args) expression(e);
    for (ExprId e : st.conditions) expression(e);
    for (system::StmtId child : st.children) statement(child);
  }

  std::vector<QueueTest> found;

 private:
  // One side of a comparison with a number: a length, or one of several by condition.
  void compared(ExprId e, Op op, std::int64_t number) {
    const expr::Node& n = s_.exprs[e];
    if (n.op == Op::QueueLen) {
      found.push_back({QueueTest::Kind::Length, system::QueueId(n.a), op, number, false});
    } else if (n.op == Op::Cond) {
      expression(n.operands[0]);
      compared(n.operands[1], op, number);
      compared(n.operands[2], op, number);
    } else {
      expression(e);
    }
  }

  const system::System& s_;
};

}  // namespace

std::vector<QueueTest> queue_tests(const system::System& system, system::ActionId action) {
  Collector c(system);
  c.expression(system.action(action).guard);
  const std::size_t in_guard = c.found.size();
  if (system.action(action).body.valid()) c.statement(system.action(action).body);
  for (std::size_t i = in_guard; i < c.found.size(); ++i) c.found[i].in_body = true;
  return std::move(c.found);
}

bool same_for_all_longer(const QueueTest& test, std::int64_t length) {
  switch (expr::comparison(test.op)) {
    case expr::Comparison::Lt:
    case expr::Comparison::Ge:
      return length >= test.number;
    case expr::Comparison::Le:
    case expr::Comparison::Gt:
    case expr::Comparison::Eq:
    case expr::Comparison::Ne:
      return length > test.number;
  }
  internal_error("comparison", __FILE__, __LINE__);
}

bool asks_whether_full(const QueueTest& test, std::int64_t capacity) {
  if (test.kind != QueueTest::Kind::Length) return false;
  const auto answer = [&](std::int64_t length) {
    switch (expr::comparison(test.op)) {
      case expr::Comparison::Lt:
        return length < test.number;
      case expr::Comparison::Le:
        return length <= test.number;
      case expr::Comparison::Gt:
        return length > test.number;
      case expr::Comparison::Ge:
        return length >= test.number;
      case expr::Comparison::Eq:
        return length == test.number;
      case expr::Comparison::Ne:
        return length != test.number;
    }
    internal_error("comparison", __FILE__, __LINE__);
  };
  return answer(capacity - 1) != answer(capacity);
}

}  // namespace parley::bounds
