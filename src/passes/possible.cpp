#include "passes/possible.hpp"

#include <algorithm>
#include <map>

#include "passes/total_truth.hpp"
#include "system/may_fail.hpp"

namespace parley::passes {

using namespace system;

namespace {

// How many messages a statement may send into a queue that blocks; nothing: as many as a loop goes round.
using Sends = std::map<QueueId, std::uint32_t>;

std::optional<Sends> blocking_sends(const System& s, StmtId id) {
  const Stmt& st = s.stmt(id);
  Sends total;
  for (const Route& r : st.routes)
    if (r.queue.valid() && s.queue(r.queue).overflow == OverflowPolicy::Block) total[r.queue] = 1;
  const bool one_of = st.kind == StmtKind::If || st.kind == StmtKind::Branch;
  for (const StmtId child : st.children) {
    const auto part = blocking_sends(s, child);
    if (!part || (st.kind == StmtKind::While && !part->empty())) return std::nullopt;
    for (const auto& [queue, count] : *part)
      total[queue] = one_of ? std::max(total[queue], count) : total[queue] + count;
  }
  return total;
}

// The guard holds for the message that the trigger finds.
ExprId with_trigger(System& s, const Action& a, ExprId guard) {
  if (!a.trigger) return guard;
  return a.trigger->selection == Selection::Selected
             ? s.exprs.head_is(a.trigger->queue, a.trigger->signal, guard)
             : s.exprs.queue_has(a.trigger->queue, a.trigger->signal, guard);
}

bool selection_may_fail(const System& s, const Action& a) {
  if (!a.trigger || a.trigger->selection != Selection::Selected) return false;
  const std::vector<Deferral>& deferrals = s.queue(a.trigger->queue).deferrals;
  return std::any_of(deferrals.begin(), deferrals.end(),
                     [&](const Deferral& d) { return may_fail(s, d.condition); });
}

}  // namespace

ExprId surely_possible(System& s, ActionId id) {
  const Action a = s.action(id);
  const ExprId never = s.exprs.boolean(false);
  const auto sends = blocking_sends(s, a.body);
  if (!sends || selection_may_fail(s, a)) return never;
  const ExprId not_idle = s.exprs.rewrite(
      a.guard, [&](ExprId leaf) { return s.exprs[leaf].op == expr::Op::Idle ? never : ExprId{}; });
  const auto guard = true_without_failing(s, not_idle);
  if (!guard) return never;
  ExprId result = with_trigger(s, a, *guard);
  if (s.exprs.is_const(*guard, 0)) return never;
  for (const auto& [queue, count] : *sends) {
    const ExprId room = s.exprs.binary(expr::Op::Sub, s.exprs.queue_cap(queue), s.exprs.queue_len(queue));
    result = s.exprs.both(
        result, s.exprs.binary(expr::Op::Ge, room, s.exprs.constant(static_cast<std::int32_t>(count))));
  }
  return result;
}

std::optional<ExprId> possible_when_idle(System& s, ActionId id) {
  const Action a = s.action(id);
  const auto sends = blocking_sends(s, a.body);
  if (!sends || !sends->empty() || selection_may_fail(s, a) || may_fail(s, a.guard)) return std::nullopt;
  return with_trigger(s, a, a.guard);
}

}  // namespace parley::passes
