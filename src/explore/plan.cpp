#include "explore/plan.hpp"

#include <algorithm>

#include "explore/assembler.hpp"
#include "expr/operators.hpp"
#include "system/may_fail.hpp"

namespace parley::explore {

using expr::Form;
using expr::Node;
using expr::Op;
using system::ExprId;
using system::StmtKind;

namespace {

// A plan is a table over the values of its cell; wider cells are no use as an index.
constexpr std::uint64_t kMostValues = 4096;
constexpr std::uint64_t kMostEntries = 1 << 20;
constexpr std::uint64_t kMostTabulated = 256;

CodeRange index_range(const Layout& layout, std::uint32_t cell) {
  const CodeRange r = layout.shape().cells[cell];
  return r.null ? CodeRange{std::min(r.lo, 0), std::max(r.hi, 0), false} : r;
}

std::uint64_t values_of(const Layout& layout, std::uint32_t cell) {
  const CodeRange r = index_range(layout, cell);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(r.hi) - r.lo) + 1;
}

bool on_selected_message(const system::Action& a) {
  return a.trigger && a.trigger->selection == system::Selection::Selected;
}
bool searches_queue(const system::Action& a) {
  return a.trigger && a.trigger->selection == system::Selection::FirstMatching;
}

}  // namespace

Plans::Plans(const system::System& system, const Layout& layout) : system_(system), layout_(layout) {
  index_cell_.assign(system.owners.size(), kNone);
  std::vector<std::map<std::uint32_t, std::uint32_t>> uses(system.owners.size());
  std::uint64_t most = kMostValues;
  for (const system::Queue& q : system.queues) most = std::min(most, kMostEntries / (q.signals.size() + 1));
  for (const system::Action& a : system.actions) {
    conjuncts_.push_back(conjuncts(a.guard));
    if (searches_queue(a)) continue;
    std::set<std::uint32_t> cells;
    for (const Conjunct& c : conjuncts_.back())
      if (c.early && c.cell != kNone && values_of(layout, c.cell) <= most) cells.insert(c.cell);
    for (std::uint32_t c : cells) ++uses[a.owner.index()][c];
  }
  for (std::size_t o = 0; o < uses.size(); ++o) {
    std::uint32_t best = 0;
    for (const auto& [cell, count] : uses[o])
      if (count > best) {
        best = count;
        index_cell_[o] = cell;
      }
  }
}

namespace {

// The only cell an expression reads; kNone: it reads none, several, or something else.
std::uint32_t only_cell(const expr::Pool& pool, ExprId e) {
  const Node& n = pool[e];
  if (n.op == Op::Cell) return n.a;
  const expr::OpClass kind = expr::info(n.op).kind;
  if (n.op != Op::Const && (kind == expr::OpClass::Leaf || kind == expr::OpClass::QueueTest)) return kNone;
  std::uint32_t cell = kNone;
  for (ExprId x : pool.operands(e)) {
    if (pool[x].op == Op::Const) continue;
    const std::uint32_t found = only_cell(pool, x);
    if (found == kNone || (cell != kNone && found != cell)) return kNone;
    cell = found;
  }
  return cell;
}

// Its value when that cell has the given one; the expression can not fail.
std::int32_t value_at(const expr::Pool& pool, ExprId e, std::int32_t cell) {
  const Node& n = pool[e];
  auto operand = [&](std::size_t i) { return value_at(pool, n.operands[i], cell); };
  switch (form(n.op)) {
    case Form::Const:
      return n.value;
    case Form::Cell:
      return cell;
    case Form::AndAlso:
      return operand(0) != 0 && operand(1) != 0;
    case Form::OrElse:
      return operand(0) != 0 || operand(1) != 0;
    case Form::Cond:
      return operand(0) != 0 ? operand(1) : operand(2);
    case Form::Unary:
      return expr::compute(n.op, operand(0), n.a).value;
    case Form::Binary:
      return expr::compute(n.op, operand(0), operand(1)).value;
    case Form::Local:
    case Form::Param:
    case Form::Elem:
    case Form::QueueLen:
    case Form::QueueCap:
    case Form::QueueHas:
    case Form::HeadIs:
    case Form::Idle:
      break;  // only_cell finds no cell in these
  }
  internal_error("an expression over one cell", __FILE__, __LINE__);
}

}  // namespace

// A condition over one small cell is the set of values that make it true.
std::optional<std::pair<std::uint32_t, std::set<std::int32_t>>> Plans::tabulated(ExprId e) const {
  const std::uint32_t cell = only_cell(system_.exprs, e);
  if (cell == kNone || values_of(layout_, cell) > kMostTabulated || system::may_fail(system_, e))
    return std::nullopt;
  std::set<std::int32_t> values;
  const CodeRange r = index_range(layout_, cell);
  for (std::int64_t v = r.lo; v <= r.hi; ++v)
    if (value_at(system_.exprs, e, static_cast<std::int32_t>(v)) != 0)
      values.insert(static_cast<std::int32_t>(v));
  return {{cell, std::move(values)}};
}

std::vector<Plans::Conjunct> Plans::conjuncts(ExprId guard) const {
  std::vector<Conjunct> out;
  std::vector<ExprId> todo{guard};
  bool early = true;
  while (!todo.empty()) {
    const ExprId e = todo.back();
    todo.pop_back();
    const Node& n = system_.exprs[e];
    if (n.op == Op::AndAlso) {
      todo.push_back(n.operands[1]);
      todo.push_back(n.operands[0]);
      continue;
    }
    Conjunct c;
    c.expression = e;
    early = early && !system::may_fail(system_, e);
    c.early = early;
    if (auto found = tabulated(e)) {
      c.cell = found->first;
      c.values = std::move(found->second);
    }
    out.push_back(std::move(c));
  }
  return out;
}

bool Plans::in_plan(std::size_t action, const Conjunct& c) const {
  const system::Action& a = system_.actions[action];
  return c.early && c.cell != kNone && c.cell == index_cell_[a.owner.index()] && !searches_queue(a);
}

std::uint32_t Plans::guard(std::size_t action, Assembler& assembler) const {
  std::vector<ExprId> rest;
  for (const Conjunct& c : conjuncts_[action])
    if (!in_plan(action, c) && !system_.exprs.is_const(c.expression, 1)) rest.push_back(c.expression);
  if (rest.empty()) return kNone;
  const std::uint32_t start = assembler.here();
  std::vector<std::uint32_t> no;
  for (ExprId e : rest) assembler.jump_unless(e, no);
  assembler.emit(Opcode::Yes);
  assembler.patch_all(no, assembler.here());
  assembler.emit(Opcode::No);
  return start;
}

std::vector<OwnerPlan> Plans::owners(const Program& program) const {
  std::vector<OwnerPlan> plans(system_.owners.size());
  for (std::size_t o = 0; o < plans.size(); ++o) {
    OwnerPlan& plan = plans[o];
    std::vector<std::uint32_t> mine;
    for (std::uint32_t i = 0; i < program.actions.size(); ++i)
      if (program.actions[i].owner == o && program.actions[i].signal != kNone) mine.push_back(i);
    if (index_cell_[o] != kNone) {
      const CodeRange r = index_range(layout_, index_cell_[o]);
      plan.cell = index_cell_[o];
      plan.lo = r.lo;
      plan.values = static_cast<std::uint32_t>(r.hi - r.lo) + 1;
    }
    auto allows = [&](std::uint32_t action, std::uint32_t value) {
      return std::all_of(conjuncts_[action].begin(), conjuncts_[action].end(), [&](const Conjunct& c) {
        return !in_plan(action, c) || c.values.contains(plan.lo + static_cast<std::int32_t>(value));
      });
    };
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_queue;
    std::vector<std::uint32_t> spontaneous;
    for (std::uint32_t i : mine) {
      const system::Action& a = system_.actions[i];
      if (searches_queue(a))
        plan.first_matching.push_back(i);
      else if (on_selected_message(a))
        by_queue[program.actions[i].queue].push_back(i);
      else
        spontaneous.push_back(i);
    }
    for (std::uint32_t v = 0; v < plan.values; ++v) {
      plan.spontaneous.begin.push_back(static_cast<std::uint32_t>(plan.spontaneous.actions.size()));
      for (std::uint32_t i : spontaneous)
        if (allows(i, v)) plan.spontaneous.actions.push_back(i);
    }
    plan.spontaneous.begin.push_back(static_cast<std::uint32_t>(plan.spontaneous.actions.size()));
    for (auto& [queue, actions] : by_queue) {
      OwnerPlan::Consuming c;
      c.queue = queue;
      c.signals = static_cast<std::uint32_t>(program.queues[queue].params.size());
      for (std::uint32_t v = 0; v < plan.values; ++v)
        for (std::uint32_t s = 0; s < c.signals; ++s) {
          c.begin.push_back(static_cast<std::uint32_t>(c.actions.size()));
          for (std::uint32_t i : actions)
            if (program.actions[i].signal == s && allows(i, v)) c.actions.push_back(i);
        }
      c.begin.push_back(static_cast<std::uint32_t>(c.actions.size()));
      c.all = std::move(actions);
      plan.consuming.push_back(std::move(c));
    }
  }
  return plans;
}

// Constant assignments at the top level of a body are certain; everything else written is unknown.
void Plans::forget_written(system::StmtId id, Facts& facts, bool certain) const {
  const system::Stmt& s = system_.stmt(id);
  if (s.kind == StmtKind::Assign) {
    if (!s.place.cell.valid()) {
      for (system::CellId c : system_.exprs.table(s.place.table).cells)
        if (c.valid()) facts.erase(c.value);
      return;
    }
    facts.erase(s.place.cell.value);
    const Node& n = system_.exprs[s.value];
    if (certain && n.op == Op::Const) facts[s.place.cell.value] = {n.value};
    return;
  }
  for (system::StmtId child : s.children) forget_written(child, facts, certain && s.kind == StmtKind::Block);
}

Plans::Facts Plans::after(std::size_t action) const {
  Facts facts;
  for (const Conjunct& c : conjuncts_[action])
    if (c.cell != kNone) {
      const auto [at, fresh] = facts.try_emplace(c.cell, c.values);
      if (fresh) continue;
      std::erase_if(at->second, [&](std::int32_t v) { return !c.values.contains(v); });
    }
  if (system_.actions[action].body.valid()) forget_written(system_.actions[action].body, facts, true);
  return facts;
}

std::vector<bool> Plans::may_complete_forever() const {
  std::vector<bool> result(system_.owners.size(), false);
  std::vector<std::vector<std::uint32_t>> completing(system_.owners.size());
  for (std::uint32_t i = 0; i < system_.actions.size(); ++i) {
    const system::Action& a = system_.actions[i];
    if (a.kind != system::ActionKind::Complete) continue;
    completing[a.owner.index()].push_back(i);
    if (a.hold.valid()) result[a.owner.index()] = true;  // what a stretch leaves is not looked at
  }
  for (std::size_t o = 0; o < result.size(); ++o) {
    if (result[o] || completing[o].empty()) continue;
    // Remove actions that nothing remaining can follow until none is left (no cycle) or none goes.
    std::vector<std::uint32_t> left = completing[o];
    std::map<std::uint32_t, Facts> leaves;
    for (std::uint32_t a : left) leaves[a] = after(a);
    auto can_follow = [&](std::uint32_t a, std::uint32_t b) {
      for (const Conjunct& c : conjuncts_[b]) {
        const auto known = c.cell == kNone ? leaves[a].end() : leaves[a].find(c.cell);
        if (known == leaves[a].end()) continue;
        if (std::none_of(c.values.begin(), c.values.end(),
                         [&](std::int32_t v) { return known->second.contains(v); }))
          return false;
      }
      return true;
    };
    for (bool changed = true; changed && !left.empty();) {
      const std::vector<std::uint32_t> before = left;
      std::erase_if(left, [&](std::uint32_t a) {
        return std::none_of(before.begin(), before.end(), [&](std::uint32_t b) { return can_follow(a, b); });
      });
      changed = left.size() != before.size();
    }
    result[o] = !left.empty();
  }
  return result;
}

}  // namespace parley::explore
