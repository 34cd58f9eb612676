#include "explore/compile.hpp"

#include <algorithm>

#include "explore/assembler.hpp"
#include "explore/plan.hpp"
#include "support/check.hpp"
#include "system/may_fail.hpp"

namespace parley::explore {
namespace {

using system::ExprId;
using system::Stmt;
using system::StmtId;
using system::StmtKind;
using system::System;

ValueRange range_of_type(const system::Type& t) {
  return {t.lo, t.hi, t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan};
}

class Bodies {
 public:
  Bodies(const System& system, const Layout& layout, Program& program, Assembler& assembler)
      : system_(system), layout_(layout), program_(program), asm_(assembler) {}

  std::uint32_t body(StmtId id) {
    if (!id.valid() || is_empty(id)) return kNone;
    asm_.forget_temporaries();
    const std::uint32_t start = asm_.here();
    statement(id);
    asm_.emit(Opcode::Done);
    return start;
  }

 private:
  bool is_empty(StmtId id) const {
    const Stmt& s = system_.stmt(id);
    return s.kind == StmtKind::Block &&
           std::all_of(s.children.begin(), s.children.end(), [&](StmtId c) { return is_empty(c); });
  }

  void statement(StmtId id) {
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Block:
        for (StmtId child : s.children) statement(child);
        return;
      case StmtKind::Assign:
        return assign(s);
      case StmtKind::SetLocal: {
        const std::uint32_t x = asm_.value(s.value);
        asm_.emit(Opcode::Move, x, 0, program_.locals + s.local);
        return;
      }
      case StmtKind::Choose: {
        const std::uint32_t lo = asm_.value(s.lo);
        const std::uint32_t hi = asm_.value(s.hi);
        asm_.emit(Opcode::Choose, lo, hi, program_.locals + s.local);
        return;
      }
      case StmtKind::Send:
        return send(s);
      case StmtKind::Assert: {
        std::vector<std::uint32_t> ok;
        asm_.jump_if(s.value, ok);
        asm_.emit(Opcode::AssertionFails);
        asm_.patch_all(ok, asm_.here());
        return;
      }
      case StmtKind::If:
        return conditional(s);
      case StmtKind::Branch:
        return branch(s);
      case StmtKind::While:
        return loop(s);
      case StmtKind::Fail:
        asm_.emit(Opcode::Fail);
        return;
      case StmtKind::Note:
        asm_.emit(Opcode::Note, s.element.value);
        return;
      case StmtKind::Print:
        // Only evaluated: an argument may fail.
        for (ExprId e : s.args)
          if (system::may_fail(system_, e)) asm_.value(e);
        return;
    }
  }

  void assign(const Stmt& s) {
    if (!s.place.cell.valid()) {
      const std::uint32_t slot = asm_.locate(s.place.table, s.place.row, s.place.column);
      const std::uint32_t x = asm_.value(s.value);
      asm_.emit(Opcode::StoreAt, x, 0, slot);
      return;
    }
    const system::Cell& cell = system_.cell(s.place.cell);
    const std::uint32_t x = asm_.value(s.value);
    if (always_fits(s.value, cell.type))
      asm_.emit(Opcode::Store, x, 0, s.place.cell.value);
    else
      asm_.emit(Opcode::StoreChecked, x, asm_.range(range_of_type(cell.type)), s.place.cell.value);
  }

  // Only what is certain: constants, cells (checked when written) and truth values.
  bool always_fits(ExprId e, const system::Type& type) const {
    if (type.lo == expr::kIntMin && type.hi == expr::kIntMax) return true;
    const expr::Node& n = system_.exprs[e];
    if (n.op == expr::Op::Const) return type.contains(n.value);
    if (n.op == expr::Op::Cell) {
      const system::Type& from = system_.cell(expr::CellId(n.a)).type;
      const bool null_ok = type.contains(0) || range_of_type(from).zero == false;
      return from.lo >= type.lo && from.hi <= type.hi && null_ok;
    }
    const bool truth = n.op == expr::Op::Not || expr::is_comparison(n.op) || expr::is_short_circuit(n.op);
    return truth && type.contains(0) && type.contains(1);
  }

  void send(const Stmt& s) {
    SendCode code;
    code.target = asm_.value(s.target);
    // The target is tested before the arguments are computed; only matters when an argument can fail.
    const bool careful =
        std::any_of(s.args.begin(), s.args.end(), [&](ExprId e) { return system::may_fail(system_, e); });
    for (const system::Route& r : s.routes) {
      SendRoute route;
      if (r.queue.valid()) {
        route.queue = r.queue.value;
        route.code = layout_.code(r.queue.index(), r.signal);
        PARLEY_CHECK_MSG(route.code != kNone, system_.queue(r.queue).name);
      }
      code.routes.push_back(route);
    }
    code.sorted = s.insertion == system::Insertion::Sorted;
    const auto index = static_cast<std::uint32_t>(program_.sends.size());
    program_.sends.push_back(code);
    if (careful) asm_.emit(Opcode::TestTarget, index);
    std::vector<std::uint32_t> args;
    for (ExprId e : s.args) {
      args.push_back(asm_.value(e));
      // An argument outside its range fails before the next one is computed.
      if (careful)
        asm_.emit(Opcode::TestArgument, index, static_cast<std::uint32_t>(args.size() - 1), args.back());
    }
    program_.sends[index].args = std::move(args);
    asm_.emit(Opcode::Send, index);
  }

  void conditional(const Stmt& s) {
    std::vector<std::uint32_t> otherwise;
    asm_.jump_unless(s.value, otherwise);
    statement(s.children[0]);
    if (s.children.size() < 2) return asm_.patch_all(otherwise, asm_.here());
    const std::uint32_t end = asm_.emit(Opcode::Jump);
    asm_.patch_all(otherwise, asm_.here());
    statement(s.children[1]);
    asm_.patch(end, asm_.here());
  }

  void branch(const Stmt& s) {
    for (std::size_t i = 0; i < s.conditions.size(); ++i) {
      std::vector<std::uint32_t> closed;
      asm_.jump_unless(s.conditions[i], closed);
      asm_.emit(Opcode::BranchOpen, 0, 0, static_cast<std::uint32_t>(i));
      asm_.patch_all(closed, asm_.here());
    }
    const auto index = static_cast<std::uint32_t>(program_.branches.size());
    program_.branches.emplace_back();
    asm_.emit(Opcode::BranchPick, index);
    std::vector<std::uint32_t> ends;
    BranchCode code;
    for (std::size_t i = 0; i < s.children.size(); ++i) {
      if (i < s.conditions.size())
        code.targets.push_back(asm_.here());
      else
        code.otherwise = asm_.here();
      statement(s.children[i]);
      ends.push_back(asm_.emit(Opcode::Jump));
    }
    if (!s.has_else) code.otherwise = kNone;
    asm_.patch_all(ends, asm_.here());
    program_.branches[index] = std::move(code);
  }

  void loop(const Stmt& s) {
    const std::uint32_t round = asm_.temporary();
    asm_.emit(Opcode::Move, asm_.constant(0), 0, round);
    const std::uint32_t top = asm_.here();
    std::vector<std::uint32_t> out;
    asm_.jump_unless(s.value, out);
    asm_.emit(Opcode::CountRound, asm_.constant(static_cast<std::int32_t>(s.limit)), 0, round);
    statement(s.children[0]);
    asm_.emit(Opcode::Jump, 0, 0, top);
    asm_.patch_all(out, asm_.here());
  }

  const System& system_;
  const Layout& layout_;
  Program& program_;
  Assembler& asm_;
};

QueueCode queue_code(const System& system, const Layout& layout, std::size_t q, Assembler& assembler) {
  QueueCode code;
  code.place = layout.queue(q);
  code.overflow = system.queues[q].overflow;
  code.capacity = layout.queue(q).capacity;
  code.deferrals = assembler.deferrals(static_cast<std::uint32_t>(q), 1);
  for (system::SignalId s : system.queues[q].signals) {
    std::vector<ValueRange> params;
    for (const system::Type& t : system.signal(s).params) params.push_back(range_of_type(t));
    code.params.push_back(std::move(params));
  }
  return code;
}

ActionCode action_code(const System& system, const Layout& layout, const system::Action& a) {
  ActionCode code;
  code.owner = a.owner.value;
  code.hold = a.hold.value;
  code.locals = a.locals;
  code.discards = a.kind == system::ActionKind::Discard;
  code.completes = a.kind == system::ActionKind::Complete;
  if (!a.trigger) return code;
  code.queue = a.trigger->queue.value;
  code.signal = layout.code(a.trigger->queue.index(), a.trigger->signal);
  code.params = static_cast<std::uint32_t>(system.signal(a.trigger->signal).params.size());
  code.first_matching = a.trigger->selection == system::Selection::FirstMatching;
  code.consume = a.trigger->consume;
  return code;
}

}  // namespace

Program compile(const System& system, const Layout& layout) {
  Program program;
  Assembler assembler(system, layout, program);
  Bodies bodies(system, layout, program, assembler);
  auto condition = [&](ExprId e) {
    assembler.forget_temporaries();
    return assembler.condition(e);
  };
  for (std::size_t q = 0; q < system.queues.size(); ++q)
    program.queues.push_back(queue_code(system, layout, q, assembler));
  const Plans plans(system, layout);
  for (std::size_t i = 0; i < system.actions.size(); ++i) {
    ActionCode code = action_code(system, layout, system.actions[i]);
    if (code.signal != kNone) {  // otherwise its message can never be there
      assembler.forget_temporaries();
      code.guard = plans.guard(i, assembler);
      code.body = bodies.body(system.actions[i].body);
    }
    program.actions.push_back(code);
  }
  program.owners = plans.owners(program);
  program.may_complete_forever = plans.may_complete_forever();
  program.initial_body = bodies.body(system.initial_body);
  program.initial_locals = system.initial_locals;
  for (const system::Owner& o : system.owners) {
    PARLEY_CHECK_MSG(o.may_rest.valid(), o.name);
    program.may_rest.push_back(condition(o.may_rest));
  }
  for (const system::Property& p : system.properties)
    program.properties.push_back(p.expression.valid() ? condition(p.expression) : kNone);
  program.overflow_is_error = system.integers == system::IntegerMode::OverflowIsError;
  program.elements = static_cast<std::uint32_t>(system.elements.size());
  assembler.finish();
  return program;
}

}  // namespace parley::explore
