#include "lower/completion.hpp"

#include <algorithm>

namespace parley::lower {

namespace {

// While `active` is active, `other` has not finished: it is another state of the same region (or in one), or
// it contains `active`, so that one of its regions has not ended.
bool rules_out(const MachineInfo& info, VertexId active, VertexId other) {
  if (active == other || info.contains(active, other)) return false;
  if (info.contains(other, active)) return true;
  const auto a = info.path(active), b = info.path(other);
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const bool part_in_regions = x != a.end() && y != b.end() && x->region.valid();
  return !part_in_regions;
}

bool events_exist(const Context& c) {
  return c.model.switches.completion == model::CompletionMode::First;
}

}  // namespace

ExprId region_done(Context& c, const Object& o, RegionId r) {
  ExprId done = c.pool().boolean(false);
  for (VertexId v : o.machine->states(r))
    if (o.machine->m().vertex(v).kind == VertexKind::Final)
      done = c.pool().either(done, c.at(o, r, o.machine->location(v)));
  if (const std::uint32_t k = o.machine->completed_location(r); k != 0)
    done = c.pool().either(done, c.at(o, r, k));
  if (!o.machine->initial(r).valid()) done = c.pool().either(done, c.at(o, r, 0));
  return done;
}

ExprId finished(Context& c, const Object& o, VertexId state) {
  ExprId result = c.active(o, state);
  if (o.doing[state.index()].valid()) result = c.pool().both(result, c.is(o.doing[state.index()], 0));
  for (RegionId r : o.machine->m().vertex(state).regions)
    result = c.pool().both(result, region_done(c, o, r));
  return result;
}

StmtId generate_completion(Context& c, const Object& o, VertexId state) {
  const CellId cell = o.completion[state.index()];
  if (!cell.valid()) return c.skip();
  if (!o.machine->completion_needs_order()) return c.assign(cell, 1);
  expr::Pool& pool = c.pool();
  ExprId place = pool.constant(1);
  for (CellId other : o.completion)
    if (other.valid() && other != cell)
      place = pool.binary(Op::Add, place, pool.cond(c.is(other, 0), pool.constant(0), pool.constant(1)));
  return c.assign(cell, place);
}

StmtId retract_completion(Context& c, const Object& o, VertexId state) {
  const CellId cell = o.completion[state.index()];
  if (!cell.valid()) return c.skip();
  if (!o.machine->completion_needs_order()) return c.assign(cell, 0);
  expr::Pool& pool = c.pool();
  std::vector<StmtId> list;
  for (CellId other : o.completion) {
    if (!other.valid() || other == cell) continue;
    const ExprId behind = pool.binary(Op::Gt, c.system.read(other), c.system.read(cell));
    list.push_back(c.when(
        behind, c.assign(other, pool.binary(Op::Sub, c.system.read(other), pool.constant(1))), c.skip()));
  }
  list.push_back(c.assign(cell, 0));
  return c.when(c.is(cell, 0), c.skip(), c.block(std::move(list)));
}

StmtId after_region_end(Context& c, const Object& o, RegionId r) {
  const VertexId state = o.machine->m().region(r).state;
  if (!state.valid() || !o.completion[state.index()].valid()) return c.skip();
  const CellId doing = o.doing[state.index()];
  ExprId others = doing.valid() ? c.is(doing, 0) : c.pool().boolean(true);
  for (RegionId other : o.machine->m().vertex(state).regions)
    if (other != r) others = c.pool().both(others, region_done(c, o, other));
  return c.when(others, generate_completion(c, o, state), c.skip());
}

ExprId completion_is_next(Context& c, const Object& o, VertexId state) {
  const CellId cell = o.completion[state.index()];
  if (cell.valid()) return c.is(cell, 1);
  return finished(c, o, state);
}

ExprId no_completion(Context& c, const Object& o, const std::vector<VertexId>& active) {
  ExprId result = c.pool().boolean(true);
  if (!events_exist(c) || o.machine == nullptr) return result;
  for (std::size_t v = 0; v < o.machine->m().vertices.size(); ++v) {
    if (!o.machine->has_completion(VertexId(v))) continue;
    if (std::any_of(active.begin(), active.end(),
                    [&](VertexId a) { return rules_out(*o.machine, a, VertexId(v)); }))
      continue;
    const CellId cell = o.completion[v];
    const ExprId waits = cell.valid() ? c.pool().negate(c.is(cell, 0)) : finished(c, o, VertexId(v));
    result = c.pool().both(result, c.pool().negate(waits));
  }
  return result;
}

ExprId thread_has_no_completion(Context& c, const Object& o, const std::vector<VertexId>& active) {
  ExprId result = c.pool().boolean(true);
  for (std::uint32_t number : c.threads[o.thread].members)
    result = c.pool().both(
        result, no_completion(c, c.objects[number], number == o.number ? active : std::vector<VertexId>{}));
  return result;
}

}  // namespace parley::lower
