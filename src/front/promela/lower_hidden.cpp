#include "front/promela/lower_hidden.hpp"

#include <algorithm>

namespace parley::front::promela {
namespace {

bool mentions(const Expr& e, const Variable* v) {
  for (const Ref::Part& part : e.ref.parts) {
    if (part.variable.get() == v) return true;
    if (part.index && mentions(*part.index, v)) return true;
  }
  return std::any_of(e.args.begin(), e.args.end(), [&](const ExprPtr& arg) { return mentions(*arg, v); });
}

bool is_plain(const ExprPtr& e, const Variable* v) {
  return e && e->kind == ExprKind::Var && e->ref.parts.size() == 1 && e->ref.parts[0].variable.get() == v;
}

bool writes(const Transition& t, const Variable* v) {
  if (!t.statement) return false;
  const Stmt& s = *t.statement;
  if (s.kind == StmtKind::Assign || s.kind == StmtKind::Declare) return is_plain(s.target, v);
  if (s.kind != StmtKind::Receive) return false;
  return std::any_of(s.args.begin(), s.args.end(), [&](const ExprPtr& arg) { return is_plain(arg, v); });
}

bool reads(const Transition& t, const Variable* v) {
  if (!t.statement) return false;
  const Stmt& s = *t.statement;
  if (s.expr && mentions(*s.expr, v)) return true;
  if (s.target && !is_plain(s.target, v) && mentions(*s.target, v)) return true;
  for (const ExprPtr& arg : s.args)
    if (!(s.kind == StmtKind::Receive && is_plain(arg, v)) && mentions(*arg, v)) return true;
  return false;
}

bool mentioned_in(const Sequence& sequence, const Variable* v) {
  for (const StmtPtr& s : sequence) {
    Transition t;
    t.statement = s.get();
    if (reads(t, v) || writes(t, v)) return true;
    for (const Sequence& option : s->options)
      if (mentioned_in(option, v)) return true;
  }
  return false;
}

// Some statement here can always be executed, so that an atomic sequence is not interrupted in this state.
bool never_blocks(const AutomatonState& s) {
  return std::any_of(s.transitions.begin(), s.transitions.end(), [](const Transition& t) {
    if (t.is_end) return false;
    if (!t.statement || t.blocks_dstep) return true;
    switch (t.statement->kind) {
      case StmtKind::Assign:
      case StmtKind::Declare:
      case StmtKind::Assert:
      case StmtKind::Print:
      case StmtKind::Printm:
      case StmtKind::Else:
        return true;
      case StmtKind::Condition:
        return t.statement->expr->kind == ExprKind::Const && t.statement->expr->value != 0;
      default:
        return false;
    }
  });
}

bool live_in_stored_state(const Automaton& a, const Variable* v) {
  std::vector<bool> live(a.states.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t s : a.reachable) {
      if (live[s]) continue;
      for (const Transition& t : a.states[s].transitions)
        if (reads(t, v) || (!writes(t, v) && t.target != 0 && live[t.target])) live[s] = true;
      changed = changed || live[s];
    }
  }
  std::vector<bool> stored(a.states.size());
  stored[a.start] = true;
  for (std::uint32_t s : a.reachable) {
    if (!never_blocks(a.states[s])) stored[s] = true;
    for (const Transition& t : a.states[s].transitions)
      if (!t.atomic) stored[t.target] = true;
  }
  for (std::uint32_t s : a.reachable)
    if (live[s] && stored[s]) return true;
  return false;
}

}  // namespace

Scratch::Scratch(const Translation& translation, const Layout& layout, Statements& statements)
    : program_(translation.program),
      s_(translation.system),
      layout_(layout),
      statements_(statements),
      written_(layout.procs.size()) {
  const auto consider = [&](const VariablePtr& v) {
    if (!v->hidden || v->is_array || v->type.base == Base::Struct || v->type.base == Base::Chan) return;
    for (const VariablePtr& other : program_.globals)
      if (other->init && mentions(*other->init, v.get())) return;
    for (const Proctype& c : program_.claims)
      if (mentioned_in(c.body, v.get())) return;
    for (const TemporalFormula& f : program_.formulas)
      if (f.formula && mentions(*f.formula, v.get())) return;
    for (std::size_t p = 0; p < layout_.procs.size(); ++p) {
      const Proctype& type = program_.proctypes[p];
      if (type.provided && mentions(*type.provided, v.get())) return;
      for (const VariablePtr& local : type.locals)
        if (local->init && mentions(*local->init, v.get())) return;
      if (live_in_stored_state(layout_.procs[p].automaton, v.get())) return;
    }
    for (std::size_t p = 0; p < layout_.procs.size(); ++p)
      for (std::uint32_t s : layout_.procs[p].automaton.reachable)
        for (const Transition& t : layout_.procs[p].automaton.states[s].transitions)
          if (writes(t, v.get())) written_[p].insert(v.get());
  };
  for (const VariablePtr& v : program_.globals) consider(v);
  for (const Proctype& p : program_.proctypes)
    for (const VariablePtr& v : p.locals) consider(v);
}

void Scratch::clear(const Slot& slot, std::vector<StmtId>& body, diag::Span span) const {
  const auto clear_one = [&](const Variable* v) {
    if (!written_[slot.proctype].contains(v)) return;
    const auto local = slot.variables.find(v);
    const Storage& storage = local != slot.variables.end() ? local->second : layout_.globals.at(v);
    for (CellId cell : storage.begin()->second.cells)
      body.push_back(statements_.assign(cell, s_.exprs.constant(0, s_.cell(cell).type), span));
  };
  for (const VariablePtr& v : program_.globals) clear_one(v.get());
  for (const VariablePtr& v : program_.proctypes[slot.proctype].locals) clear_one(v.get());
}

}  // namespace parley::front::promela
