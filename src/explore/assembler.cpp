#include "explore/assembler.hpp"

#include <algorithm>

#include "support/check.hpp"
#include "system/may_fail.hpp"

namespace parley::explore {

using expr::Form;
using expr::Node;
using expr::Op;
using system::ExprId;

namespace {

// Predicates over queues may nest (a deferral condition that looks into a queue …), but not for ever.
constexpr std::uint32_t kMaxDepth = 8;

// The instruction of each strict operator: it has the operator's name.
#define PARLEY_UNARY_OPCODE(op) \
  case expr::UnaryOp::op:       \
    return Opcode::op;
Opcode opcode(expr::UnaryOp op) {
  switch (op) { PARLEY_UNARY_OPS(PARLEY_UNARY_OPCODE) }
  internal_error("unary operator", __FILE__, __LINE__);
}
#define PARLEY_BINARY_OPCODE(op) \
  case expr::BinaryOp::op:       \
    return Opcode::op;
Opcode opcode(expr::BinaryOp op) {
  switch (op) { PARLEY_BINARY_OPS(PARLEY_BINARY_OPCODE) }
  internal_error("binary operator", __FILE__, __LINE__);
}
#undef PARLEY_UNARY_OPCODE
#undef PARLEY_BINARY_OPCODE
Opcode jump_opcode(Op op) {
  switch (expr::comparison(op)) {
    case expr::Comparison::Eq:
      return Opcode::JumpEq;
    case expr::Comparison::Ne:
      return Opcode::JumpNe;
    case expr::Comparison::Lt:
      return Opcode::JumpLt;
    case expr::Comparison::Le:
      return Opcode::JumpLe;
    case expr::Comparison::Gt:
      return Opcode::JumpGt;
    case expr::Comparison::Ge:
      return Opcode::JumpGe;
  }
  internal_error("comparison", __FILE__, __LINE__);
}

}  // namespace

Assembler::Assembler(const system::System& system, const Layout& layout, Program& program)
    : system_(system), layout_(layout), program_(program) {
  program_.state_slots = layout.slots();
  program_.memory.resize(layout.slots());
  for (std::uint32_t i = 0; i < layout.slots(); ++i) program_.memory[i] = layout.filler(i);
  auto area = [&](std::uint32_t size) {
    const auto at = static_cast<std::uint32_t>(program_.memory.size());
    program_.memory.resize(at + size, 0);
    return at;
  };
  program_.idle = area(1);
  std::uint32_t locals = system.initial_locals;
  for (const auto& a : system.actions) locals = std::max(locals, a.locals);
  program_.locals = area(locals);
  for (const auto& s : system.signals)
    program_.most_params = std::max(program_.most_params, static_cast<std::uint32_t>(s.params.size()));
  program_.params = area(program_.most_params * (kMaxDepth + 1));
  for (const auto& cell : system.cells) {
    const bool zero = cell.type.kind == expr::TypeKind::Ref || cell.type.kind == expr::TypeKind::Chan;
    program_.cell_ranges.push_back({cell.type.lo, cell.type.hi, zero});
  }
  for (std::size_t i = 0; i < system.exprs.table_count(); ++i) {
    const expr::Table& t = system.exprs.table(expr::TableId(i));
    CellTable table;
    table.rows = t.rows();
    table.columns = t.columns;
    for (expr::CellId c : t.cells) table.slots.push_back(c.value);
    program_.tables.push_back(std::move(table));
  }
}

std::uint32_t Assembler::params_at(std::uint32_t depth) const {
  PARLEY_CHECK_MSG(depth <= kMaxDepth, "queue predicates nested too deeply");
  return program_.params + depth * program_.most_params;
}

std::uint32_t Assembler::emit(Opcode op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Instruction i;
  i.op = op;
  i.a = a;
  i.b = b;
  i.c = c;
  program_.code.push_back(i);
  return here() - 1;
}

std::uint32_t Assembler::constant(std::int32_t v) {
  const auto [at, fresh] = constants_.try_emplace(v, static_cast<std::uint32_t>(program_.memory.size()));
  if (fresh) program_.memory.push_back(v);
  return at->second;
}

std::uint32_t Assembler::temporary() {
  if (used_temporaries_ == temporaries_.size()) {
    temporaries_.push_back(static_cast<std::uint32_t>(program_.memory.size()));
    program_.memory.push_back(0);
  }
  return temporaries_[used_temporaries_++];
}

std::uint32_t Assembler::range(const ValueRange& r) {
  program_.ranges.push_back(r);
  return static_cast<std::uint32_t>(program_.ranges.size() - 1);
}

std::uint32_t Assembler::value(ExprId e) {
  const Node& n = system_.exprs[e];
  switch (form(n.op)) {
    case Form::Const:
      return constant(n.value);
    case Form::Cell:
      return n.a;
    case Form::Local:
      return program_.locals + n.a;
    case Form::Param:
      return params_at(depth_) + n.a;
    case Form::QueueLen:
      return layout_.queue(n.a).length;
    case Form::QueueCap:
      return constant(static_cast<std::int32_t>(layout_.shape().queues[n.a].capacity));
    case Form::Idle:
      program_.reads_idle = true;
      return program_.idle;
    case Form::Elem:
    case Form::QueueHas:
    case Form::HeadIs:
    case Form::Unary:
    case Form::Binary:
    case Form::AndAlso:
    case Form::OrElse:
    case Form::Cond:
      return compute_into(e, temporary());
  }
  internal_error("form of expression", __FILE__, __LINE__);
}

std::uint32_t Assembler::compute_into(ExprId e, std::uint32_t to) {
  const Node n = system_.exprs[e];
  switch (form(n.op)) {
    case Form::Elem: {
      const std::uint32_t row = value(n.operands[0]);
      check_null(system::TableId(n.a), row, n.operands[1]);
      const std::uint32_t column = value(n.operands[1]);
      program_.code[emit(Opcode::Load, row, column, to)].d = n.a;
      return to;
    }
    case Form::QueueHas:
    case Form::HeadIs: {
      const std::uint32_t test = queue_test(e);
      emit(n.op == Op::QueueHas ? Opcode::QueueHas : Opcode::HeadIs, test, 0, to);
      return to;
    }
    case Form::AndAlso:
    case Form::OrElse:
      as_value(e, to);
      return to;
    case Form::Cond: {
      std::vector<std::uint32_t> otherwise;
      jump_unless(n.operands[0], otherwise);
      emit(Opcode::Move, value(n.operands[1]), 0, to);
      const std::uint32_t end = emit(Opcode::Jump);
      patch_all(otherwise, here());
      emit(Opcode::Move, value(n.operands[2]), 0, to);
      patch(end, here());
      return to;
    }
    case Form::Unary: {
      const std::uint32_t x = value(n.operands[0]);
      const std::uint32_t at = emit(checked(n.op) ? Opcode::CheckedUnary : opcode(unary_op(n.op)), x, 0, to);
      program_.code[at].d8 = static_cast<std::uint8_t>(n.op);
      program_.code[at].d16 = static_cast<std::uint16_t>(n.a);
      return to;
    }
    case Form::Binary: {
      const std::uint32_t x = value(n.operands[0]), y = value(n.operands[1]);
      const std::uint32_t at =
          emit(checked(n.op) ? Opcode::CheckedBinary : opcode(binary_op(n.op)), x, y, to);
      program_.code[at].d8 = static_cast<std::uint8_t>(n.op);
      return to;
    }
    case Form::Const:
    case Form::Cell:
    case Form::Local:
    case Form::Param:
    case Form::QueueLen:
    case Form::QueueCap:
    case Form::Idle:
      break;
  }
  internal_error("a leaf has an address", __FILE__, __LINE__);
}

bool Assembler::checked(Op op) const {
  return system_.integers != system::IntegerMode::Wrap && expr::info(op).may_overflow;
}

// A short-circuit operator whose value (not its truth) is wanted.
void Assembler::as_value(ExprId e, std::uint32_t to) {
  std::vector<std::uint32_t> no;
  jump_unless(e, no);
  emit(Opcode::Move, constant(1), 0, to);
  const std::uint32_t end = emit(Opcode::Jump);
  patch_all(no, here());
  emit(Opcode::Move, constant(0), 0, to);
  patch(end, here());
}

void Assembler::jump_unless(ExprId e, std::vector<std::uint32_t>& out) {
  const Node n = system_.exprs[e];
  if (n.op == Op::Const) {
    if (n.value == 0) out.push_back(emit(Opcode::Jump));
  } else if (n.op == Op::AndAlso) {
    jump_unless(n.operands[0], out);
    jump_unless(n.operands[1], out);
  } else if (n.op == Op::OrElse) {
    std::vector<std::uint32_t> yes;
    jump_if(n.operands[0], yes);
    jump_unless(n.operands[1], out);
    patch_all(yes, here());
  } else if (n.op == Op::Not) {
    jump_if(n.operands[0], out);
  } else if (expr::is_comparison(n.op)) {
    const std::uint32_t x = value(n.operands[0]);
    const std::uint32_t y = value(n.operands[1]);
    out.push_back(emit(jump_opcode(expr::info(n.op).negation), x, y));
  } else {
    const std::uint32_t x = value(e);
    out.push_back(emit(Opcode::JumpUnless, x));
  }
}

void Assembler::jump_if(ExprId e, std::vector<std::uint32_t>& out) {
  const Node n = system_.exprs[e];
  if (n.op == Op::Const) {
    if (n.value != 0) out.push_back(emit(Opcode::Jump));
  } else if (n.op == Op::OrElse) {
    jump_if(n.operands[0], out);
    jump_if(n.operands[1], out);
  } else if (n.op == Op::AndAlso) {
    std::vector<std::uint32_t> no;
    jump_unless(n.operands[0], no);
    jump_if(n.operands[1], out);
    patch_all(no, here());
  } else if (n.op == Op::Not) {
    jump_unless(n.operands[0], out);
  } else if (expr::is_comparison(n.op)) {
    const std::uint32_t x = value(n.operands[0]);
    const std::uint32_t y = value(n.operands[1]);
    out.push_back(emit(jump_opcode(n.op), x, y));
  } else {
    const std::uint32_t x = value(e);
    out.push_back(emit(Opcode::JumpIf, x));
  }
}

std::uint32_t Assembler::condition(ExprId e) {
  if (system_.exprs.is_const(e, 1)) return kNone;
  const std::uint32_t start = here();
  std::vector<std::uint32_t> no;
  jump_unless(e, no);
  emit(Opcode::Yes);
  patch_all(no, here());
  emit(Opcode::No);
  return start;
}

std::uint32_t Assembler::queue_test(ExprId e) {
  const auto [known, fresh] =
      tests_.try_emplace({e.value, depth_}, static_cast<std::uint32_t>(program_.queue_tests.size()));
  if (!fresh) return known->second;
  const std::uint32_t index = known->second;
  const Node n = system_.exprs[e];
  QueueTest test;
  test.queue = n.a;
  if (n.b != kNone) {
    test.signal = layout_.code(n.a, system::SignalId(n.b));
    test.impossible = test.signal == kNone;
  }
  test.params = params_at(depth_ + 1);
  program_.queue_tests.push_back(test);
  if (!system_.exprs.is_const(n.operands[0], 1)) {
    Subroutine s;
    s.expression = n.operands[0];
    s.depth = depth_ + 1;
    s.test = index;
    pending_.push_back(s);
  }
  if (n.op == Op::HeadIs) program_.queue_tests[index].deferrals = deferrals(n.a, depth_ + 1);
  return index;
}

std::uint32_t Assembler::deferrals(std::uint32_t queue, std::uint32_t depth) {
  const auto known = deferrals_.find({queue, depth});
  if (known != deferrals_.end()) return known->second;
  DeferralSet set;
  set.params = params_at(depth);
  const auto index = static_cast<std::uint32_t>(program_.deferral_sets.size());
  for (const system::Deferral& d : system_.queue(expr::QueueId(queue)).deferrals) {
    const std::uint32_t code = layout_.code(queue, d.signal);
    if (code == kNone || system_.exprs.is_const(d.condition, 0)) continue;
    if (!system_.exprs.is_const(d.condition, 1)) {
      Subroutine s;
      s.expression = d.condition;
      s.depth = depth;
      s.deferrals = index;
      s.condition = set.conditions.size();
      pending_.push_back(s);
    }
    set.conditions.push_back({code, kNone});
  }
  const std::uint32_t result = set.conditions.empty() ? kNone : index;
  if (result != kNone) program_.deferral_sets.push_back(std::move(set));
  deferrals_[{queue, depth}] = result;
  return result;
}

void Assembler::finish() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Subroutine s = pending_[i];
    temporaries_.clear();
    forget_temporaries();
    depth_ = s.depth;
    const std::uint32_t pc = condition(s.expression);
    if (s.test != kNone) program_.queue_tests[s.test].predicate = pc;
    if (s.deferrals != kNone) program_.deferral_sets[s.deferrals].conditions[s.condition].pc = pc;
  }
  depth_ = 0;
  pending_.clear();
}

// Null is found before the column is looked at; only matters when the column can fail too.
void Assembler::check_null(system::TableId id, std::uint32_t row, ExprId column) {
  if (!system_.exprs.table(id).by_reference || !system::may_fail(system_, column)) return;
  const std::uint32_t over = emit(Opcode::JumpNe, row, constant(0));
  emit(Opcode::Fail);
  patch(over, here());
}

std::uint32_t Assembler::locate(system::TableId id, ExprId row_expr, ExprId column_expr) {
  const std::uint32_t row = value(row_expr);
  check_null(id, row, column_expr);
  const std::uint32_t column = value(column_expr);
  const std::uint32_t to = temporary();
  program_.code[emit(Opcode::Locate, row, column, to)].d = id.value;
  return to;
}

}  // namespace parley::explore
