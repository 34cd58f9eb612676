#include "system/activation.hpp"

#include <algorithm>

namespace parley::system {

namespace {

// A predicate over a message may not look at another message.
bool looks_into_queues(const expr::Pool& pool, ExprId e) {
  const expr::Op op = pool[e].op;
  if (op == expr::Op::HeadIs || op == expr::Op::QueueHas) return true;
  const auto operands = pool.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return looks_into_queues(pool, o); });
}

ExprId enabled(System& s, const Action& a) {
  if (!a.trigger) return a.guard;
  if (looks_into_queues(s.exprs, a.guard)) return s.exprs.boolean(true);
  return a.trigger->selection == Selection::Selected
             ? s.exprs.head_is(a.trigger->queue, a.trigger->signal, a.guard)
             : s.exprs.queue_has(a.trigger->queue, a.trigger->signal, a.guard);
}

}  // namespace

System asking_for(const System& system, const std::vector<ActionId>& actions) {
  System s = system;
  Property never;
  never.kind = PropertyKind::Never;
  never.name = "one of these actions is enabled";
  never.expression = s.exprs.boolean(false);
  for (ActionId a : actions)
    never.expression = s.exprs.either(never.expression, enabled(s, system.action(a)));
  s.properties = {never};
  return s;
}

}  // namespace parley::system
