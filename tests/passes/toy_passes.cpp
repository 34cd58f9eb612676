#include "toy_passes.hpp"

namespace parley::passes::testing {

using namespace system;

namespace {

CellId add_cell(System& s, const std::string& name, const Type& type, std::int32_t initial) {
  Cell c;
  c.name = name;
  c.type = type;
  c.initial = initial;
  c.role = CellRole::Bookkeeping;
  return s.add(c);
}

StmtId assign(System& s, CellId cell, ExprId value) {
  Stmt st;
  st.kind = StmtKind::Assign;
  st.place.cell = cell;
  st.value = value;
  return s.add(st);
}

StmtId block(System& s, std::vector<StmtId> parts) {
  Stmt st;
  st.children = std::move(parts);
  return s.add(st);
}

System with_choices(System s) {
  const CellId junk = add_cell(s, "junk", Type::range(0, 2), 0);
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    Stmt choose;
    choose.kind = StmtKind::Choose;
    choose.local = s.actions[a].locals++;
    choose.lo = s.exprs.constant(0);
    choose.hi = s.exprs.constant(2);
    const ExprId chosen = s.exprs.local(choose.local, Type::range(0, 2));
    const StmtId before = s.add(choose);
    s.actions[a].body = block(s, {before, assign(s, junk, chosen), s.actions[a].body});
  }
  return s;
}

// Halves 2i and 2i + 1 of action i.
System with_halves(System s) {
  const std::vector<Action> whole = std::move(s.actions);
  s.actions.clear();
  const ExprId half = s.exprs.binary(expr::Op::Le, s.read(CellId(0)), s.exprs.constant(s.cells[0].initial));
  for (const Action& a : whole)
    for (const ExprId which : {half, s.exprs.negate(half)}) {
      Action part = a;
      part.guard = s.exprs.both(which, a.guard);
      s.add(part);
    }
  return s;
}

// The new action is the last.
System with_clock(System s) {
  const CellId go = add_cell(s, "go", Type::boolean(), 0);
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    s.actions[a].guard = s.exprs.both(s.read(go), s.actions[a].guard);
    s.actions[a].body = block(s, {assign(s, go, s.exprs.boolean(false)), s.actions[a].body});
  }
  Owner clock;
  clock.name = "clock";
  clock.may_rest = s.exprs.boolean(true);
  Action tick;
  tick.name = "tick";
  tick.owner = s.add(clock);
  tick.guard = s.exprs.negate(s.read(go));
  tick.body = assign(s, go, s.exprs.boolean(true));
  s.add(tick);
  return s;
}

// The copy of cell 0 is the last cell.
System with_copy(System s) {
  const CellId copy = add_cell(s, "copy", s.cells[0].type, s.cells[0].initial);
  for (std::size_t a = 0; a < s.actions.size(); ++a)
    s.actions[a].body = block(s, {s.actions[a].body, assign(s, copy, s.read(CellId(0)))});
  return s;
}

// A pass that only adds, seen from its result: what was added is gone.
Passed removing(const System& larger, const System& smaller) {
  return {smaller, same_ids(larger, smaller)};
}

}  // namespace

Toy adds_choices(const System& s) {
  Toy toy{s, {with_choices(s), {}}};
  toy.passed.back = same_ids(s, toy.passed.system);
  toy.passed.back.keeps_choices = false;
  return toy;
}

Toy removes_choices(const System& s) {
  System larger = with_choices(s);
  Passed passed = removing(larger, s);
  passed.back.keeps_choices = false;
  return {std::move(larger), std::move(passed)};
}

Toy splits_actions(const System& s) {
  Toy toy{s, {with_halves(s), {}}};
  toy.passed.back = same_ids(s, toy.passed.system);
  for (std::size_t a = 0; a < toy.passed.system.actions.size(); ++a)
    toy.passed.back.actions[a] = {ActionId(a / 2)};
  return toy;
}

Toy merges_actions(const System& s) {
  System larger = with_halves(s);
  Passed passed = removing(larger, s);
  for (std::size_t a = 0; a < s.actions.size(); ++a)
    passed.back.actions[a] = {ActionId(2 * a), ActionId(2 * a + 1)};
  return {std::move(larger), std::move(passed)};
}

Toy adds_steps(const System& s) {
  Toy toy{s, {with_clock(s), {}}};
  toy.passed.back = same_ids(s, toy.passed.system);
  return toy;
}

Toy hides_steps(const System& s) {
  System larger = with_clock(s);
  Passed passed = removing(larger, s);
  passed.back.silent = {ActionId(larger.actions.size() - 1)};
  return {std::move(larger), std::move(passed)};
}

Toy merges_cells(const System& s) {
  System larger = with_copy(s);
  Passed passed = removing(larger, s);
  passed.back.cells[0].push_back(CellId(larger.cells.size() - 1));
  return {std::move(larger), std::move(passed)};
}

System without_stretches(System s) {
  for (Action& a : s.actions) a.hold = {};
  return s;
}

bool asks_for_idle(const System& s) {
  for (std::size_t e = 0; e < s.exprs.size(); ++e)
    if (s.exprs[ExprId(e)].op == expr::Op::Idle) return true;
  return false;
}

}  // namespace parley::passes::testing
