#include "explore/plan.hpp"

#include <algorithm>

#include "explore/assembler.hpp"

namespace parley::explore {

using expr::Node;
using expr::Op;
using system::ExprId;
using system::StmtKind;

namespace {

// A plan is a table over the values of its cell; wider cells are no use as an index.
constexpr std::uint64_t kMostValues = 4096;
constexpr std::uint64_t kMostEntries = 1 << 20;

std::uint64_t values_of(const Layout& layout, std::uint32_t cell) {
  const CodeRange r = layout.shape().cells[cell];
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

std::optional<std::pair<std::uint32_t, std::set<std::int32_t>>> Plans::equality(ExprId e) const {
  const Node& n = system_.exprs[e];
  auto is_bool_cell = [](const Node& x) { return x.op == Op::Cell && x.type.kind == expr::TypeKind::Bool; };
  if (is_bool_cell(n)) return {{n.a, {1}}};
  if (n.op == Op::Not && is_bool_cell(system_.exprs[n.operands[0]]))
    return {{system_.exprs[n.operands[0]].a, {0}}};
  if (n.op == Op::Eq) {
    const Node& x = system_.exprs[n.operands[0]];
    const Node& y = system_.exprs[n.operands[1]];
    if (x.op == Op::Cell && y.op == Op::Const) return {{x.a, {y.value}}};
    if (y.op == Op::Cell && x.op == Op::Const) return {{y.a, {x.value}}};
  }
  if (n.op == Op::OrElse) {
    auto x = equality(n.operands[0]);
    const auto y = equality(n.operands[1]);
    if (!x || !y || x->first != y->first) return std::nullopt;
    x->second.insert(y->second.begin(), y->second.end());
    return x;
  }
  return std::nullopt;
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
    early = early && !may_fail(system_, e);
    c.early = early;
    if (auto found = equality(e)) {
      c.cell = found->first;
      c.values = std::move(found->second);
    }
    out.push_back(std::move(c));
  }
  return out;
}

const Plans::Conjunct* Plans::indexed(std::size_t action) const {
  const system::Action& a = system_.actions[action];
  if (searches_queue(a)) return nullptr;
  const std::uint32_t cell = index_cell_[a.owner.index()];
  if (cell == kNone) return nullptr;
  for (const Conjunct& c : conjuncts_[action])
    if (c.early && c.cell == cell) return &c;
  return nullptr;
}

std::uint32_t Plans::guard(std::size_t action, Assembler& assembler) const {
  const Conjunct* tested = indexed(action);
  std::vector<ExprId> rest;
  for (const Conjunct& c : conjuncts_[action])
    if (&c != tested && !system_.exprs.is_const(c.expression, 1)) rest.push_back(c.expression);
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
      const CodeRange r = layout_.shape().cells[index_cell_[o]];
      plan.cell = index_cell_[o];
      plan.lo = r.lo;
      plan.values = static_cast<std::uint32_t>(r.hi - r.lo) + 1;
    }
    auto allows = [&](std::uint32_t action, std::uint32_t value) {
      const Conjunct* c = indexed(action);
      return c == nullptr || c->values.contains(plan.lo + static_cast<std::int32_t>(value));
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
