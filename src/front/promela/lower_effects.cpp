#include "front/promela/lower_effects.hpp"

#include <fmt/format.h>

namespace parley::front::promela {
namespace {

const Expr* find_run(const Expr* e) {
  if (e == nullptr || e->kind == ExprKind::Run) return e;
  for (const ExprPtr& arg : e->args)
    if (const Expr* found = find_run(arg.get())) return found;
  return nullptr;
}

}  // namespace

std::vector<Alternative> Effects::alternatives(const Transition& t, const Slot& slot) {
  Alternative a;
  a.guard = s_.exprs.boolean(true);
  if (t.is_end) {
    a.guard = s_.exprs.binary(Op::Eq, s_.exprs.binary(Op::Add, terms_.pid_of(slot), terms_.constant(1)),
                              terms_.process_count());
    return {a};
  }
  if (t.blocks_dstep) {
    a.body.push_back(statements_.failure(system::RuntimeError::NoBranchEnabled,
                                         "nothing can be executed inside a d_step", t.span));
    return {a};
  }
  if (!t.statement) return {a};
  const Stmt& s = *t.statement;
  switch (s.kind) {
    case StmtKind::Send:
      return messages_.send(s, slot);
    case StmtKind::Receive:
      return messages_.receive(s, slot);
    case StmtKind::Assign:
    case StmtKind::Declare:
      assign(s, slot, a);
      break;
    case StmtKind::Condition: {
      const Expr* run = find_run(s.expr.get());
      const Expressions::RunScope scope(expressions_, run, run ? terms_.process_count() : ExprId());
      // The number of a new process is never zero: its creator is there before it.
      if (s.expr->kind != ExprKind::Run) a.guard = expressions_.boolean(*s.expr, &slot);
      if (run) process_start_.start(*run, slot, a.body);
      break;
    }
    case StmtKind::Assert: {
      if (options_.ignore_assertions) break;
      system::Stmt st;
      st.kind = system::StmtKind::Assert;
      st.value = expressions_.boolean(*s.expr, &slot);
      st.text = text_of(sources_, s.expr->span);
      st.origin.span = s.span;
      a.body.push_back(s_.add(std::move(st)));
      break;
    }
    case StmtKind::Print:
    case StmtKind::Printm: {
      system::Stmt st;
      st.kind = system::StmtKind::Print;
      for (const ExprPtr& arg : s.args) st.args.push_back(expressions_.build(*arg, &slot));
      st.text = print_format(s);
      st.origin.span = s.span;
      a.body.push_back(s_.add(std::move(st)));
      break;
    }
    case StmtKind::SetPriority: {
      const ExprId which = expressions_.integer(*s.args[0], &slot);
      DataType byte;
      byte.base = Base::Byte;
      const ExprId value = variables_.truncate(byte, expressions_.integer(*s.args[1], &slot));
      for (const Slot& other : layout_.slots)
        a.body.push_back(statements_.assign(
            other.priority,
            s_.exprs.cond(
                terms_.both(terms_.alive(other), s_.exprs.binary(Op::Eq, terms_.pid_of(other), which)), value,
                s_.read(other.priority)),
            s.span));
      break;
    }
    default:
      break;  // else: lowering of the state gives it its guard
  }
  return {a};
}

// %e prints the name of an mtype value: the format says from which table of names ("%#2e").
std::string Effects::print_format(const Stmt& s) const {
  const std::string format = s.kind == StmtKind::Print ? s.text : "%e";
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    result += format[i];
    if (format[i] != '%' || i + 1 >= format.size()) continue;
    const char kind = format[++i];
    if (kind == 'e' && next < s.args.size()) {
      const Expr& arg = *s.args[next];
      std::string set;
      if (arg.kind == ExprKind::Var) set = arg.ref.leaf().type.mtype_set;
      for (const MtypeSet& m : program_.mtypes)
        for (const std::string& name : m.names)
          if (arg.kind == ExprKind::Const && name == arg.mtype) set = m.name;
      if (const auto found = layout_.mtype_tables.find(set); found != layout_.mtype_tables.end())
        result += fmt::format("#{}", found->second);
    }
    if (kind != '%') ++next;
    result += kind;
  }
  return result;
}

void Effects::assign(const Stmt& s, const Slot& slot, Alternative& a) {
  if (!s.target) return;  // the declaration of a structure
  const Expr* run = find_run(s.expr.get());
  ExprId number;
  if (run) number = statements_.keep(terms_.process_count(), a.locals, s.span, a.body);
  const Expressions::RunScope scope(expressions_, run, number);
  if (run) process_start_.start(*run, slot, a.body);
  if (s.target->kind == ExprKind::Special) {
    if (s.target->name == "_priority") {
      DataType byte;
      byte.base = Base::Byte;
      a.body.push_back(statements_.assign(
          slot.priority, variables_.truncate(byte, expressions_.integer(*s.expr, &slot)), s.span));
    }
    return;
  }
  const Ref& ref = s.target->ref;
  const LeafCells* lc = variables_.find_leaf(ref, &slot);
  if (!lc) return;
  const DataType type = stored_type(ref.leaf());
  const ExprId value = type.base == Base::Chan
                           ? expressions_.channel_value(*s.expr, &slot)
                           : variables_.truncate(type, expressions_.integer(*s.expr, &slot));
  a.body.push_back(statements_.assign(variables_.place_of(*lc, ref.parts[0].variable->name + path_of(ref),
                                                          expressions_.indices_of(ref, &slot)),
                                      value, s.span));
}

}  // namespace parley::front::promela
