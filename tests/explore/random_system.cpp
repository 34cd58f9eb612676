#include "explore/random_system.hpp"

#include "expr/all_operators.hpp"

namespace parley::testing {

using namespace system;
using expr::Op;

Type RandomSystem::small_type() {
  switch (below(4)) {
    case 0:
      return Type::boolean();
    case 1:
      return Type::range(-1, 2);
    case 2:
      return Type::range(0, 5);
    default:
      return Type::range(0, 3);
  }
}

System RandomSystem::make() {
  s_.name = "random";
  const std::uint32_t mode = below(6);
  s_.integers = mode == 0   ? IntegerMode::OverflowIsError
                : mode == 1 ? IntegerMode::AssumeNoOverflow
                            : IntegerMode::Wrap;
  make_owners();
  make_queues();
  make_tables();
  for (std::size_t o = 0; o < s_.owners.size(); ++o) {
    s_.owners[o].may_rest = chance(50) ? s_.exprs.boolean(chance(50)) : boolean(1);
    const std::uint32_t actions = 5 + below(10);
    for (std::uint32_t i = 0; i < actions; ++i) make_action(OwnerId(o));
  }
  params_.clear();
  locals_ = s_.initial_locals = 1;
  if (chance(50)) s_.initial_body = body(1 + below(2));
  locals_ = 0;
  make_properties();
  validate(s_);
  return std::move(s_);
}

void RandomSystem::make_owners() {
  const std::uint32_t count = 2 + below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    Owner o;
    o.name = "o" + std::to_string(i);
    const OwnerId id = s_.add(o);
    Cell loc;
    loc.name = o.name;
    loc.type = {expr::TypeKind::Location, 0, static_cast<std::int32_t>(1 + below(3)), Id<void>::kNone};
    loc.role = CellRole::Location;
    loc.owner = id;
    s_.owners[id.index()].locations = {s_.add(loc)};
    const std::uint32_t cells = 1 + below(2);
    for (std::uint32_t c = 0; c < cells; ++c) {
      Cell cell;
      cell.name = o.name + ".x" + std::to_string(c);
      cell.type = chance(10) ? Type::integer() : small_type();
      cell.owner = id;
      data_.push_back(s_.add(cell));
    }
  }
}

void RandomSystem::make_queues() {
  const std::uint32_t signals = 1 + below(3);
  for (std::uint32_t i = 0; i < signals; ++i) {
    Signal sig;
    sig.name = "s" + std::to_string(i);
    const std::uint32_t params = below(3);
    for (std::uint32_t p = 0; p < params; ++p) {
      sig.params.push_back(chance(80) ? small_type() : Type::range(2, 3));
      sig.param_names.push_back("p" + std::to_string(p));
    }
    s_.add(sig);
  }
  for (std::size_t o = 0; o < s_.owners.size(); ++o) {
    Queue q;
    q.name = s_.owners[o].name;
    q.owner = OwnerId(o);
    q.capacity = 1 + below(2);
    q.overflow = static_cast<OverflowPolicy>(below(4));
    for (std::size_t i = 0; i < s_.signals.size(); ++i)
      if (i == 0 || chance(80)) q.signals.emplace_back(i);
    const QueueId id = s_.add(q);
    queue_tests_ = false;
    while (chance(35)) {
      Deferral d;
      d.signal = one_of(s_.queues[id.index()].signals);
      params_ = s_.signal(d.signal).params;
      d.condition = chance(50) ? s_.exprs.equals(s_.read(s_.owners[o].locations[0]), 0) : boolean(1);
      s_.queues[id.index()].deferrals.push_back(d);
    }
    queue_tests_ = true;
    params_.clear();
  }
}

void RandomSystem::make_tables() {
  const std::uint32_t count = 1 + below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    expr::Table t;
    t.by_reference = chance(60);
    t.columns = 1 + below(2);
    t.name = "t" + std::to_string(i);
    const std::uint32_t rows = 2 + below(2);
    for (std::uint32_t r = 0; r < rows; ++r)
      for (std::uint32_t c = 0; c < t.columns; ++c)
        t.cells.push_back((t.by_reference && r == 0) || chance(10) ? CellId{} : one_of(data_));
    s_.exprs.add_table(t);
  }
}

ExprId RandomSystem::integer(std::uint32_t depth) {
  if (depth == 0 || chance(30)) {
    const std::uint32_t pick = below(6);
    if (pick == 0 && !params_.empty()) {
      const std::uint32_t p = below(static_cast<std::uint32_t>(params_.size()));
      return s_.exprs.param(p, params_[p]);
    }
    if (pick == 1 && locals_ > 0) return s_.exprs.local(below(locals_), Type::integer());
    if (pick <= 3) return s_.read(one_of(data_));
    if (pick == 4 && chance(10)) return s_.exprs.constant(chance(50) ? expr::kIntMax : expr::kIntMin);
    return s_.exprs.constant(static_cast<std::int32_t>(below(5)) - 1);
  }
  switch (below(10)) {
    case 0: {
      const TableId t{below(static_cast<std::uint32_t>(s_.exprs.table_count()))};
      if (s_.exprs.table_count() == 0) return s_.exprs.constant(1);
      const bool wild = chance(15);
      const ExprId row = wild ? integer(depth - 1)
                              : s_.exprs.binary(Op::BitOr, s_.exprs.unary(Op::TruncU, integer(depth - 1), 1),
                                                s_.exprs.constant(1));
      return s_.exprs.elem(t, row, wild ? integer(depth - 1) : s_.exprs.constant(0), Type::integer());
    }
    case 1:
      return s_.exprs.cond(boolean(depth - 1), integer(depth - 1), integer(depth - 1));
    case 2:
      return s_.exprs.unary(chance(50) ? Op::Neg : Op::BitNot, integer(depth - 1));
    case 3:
      return s_.exprs.unary(chance(50) ? Op::TruncU : Op::TruncS, integer(depth - 1), 1 + below(32));
    case 4:
      return chance(50) ? s_.exprs.queue_len(QueueId(below(static_cast<std::uint32_t>(s_.owners.size()))))
                        : integer(depth - 1);
    case 5:
      return boolean(depth - 1);
    default: {
      const Op op = one_of(calculations());
      const bool divides = expr::info(op).may_fail;
      const ExprId y = divides && chance(85) ? s_.exprs.constant(2 + static_cast<std::int32_t>(below(2)))
                                             : integer(depth - 1);
      return s_.exprs.binary(op, integer(depth - 1), y);
    }
  }
}

ExprId RandomSystem::boolean(std::uint32_t depth) {
  if (depth == 0 || chance(20)) {
    const Owner& o = one_of(s_.owners);
    if (chance(40)) return s_.exprs.equals(s_.read(o.locations[0]), static_cast<std::int32_t>(below(3)));
    return s_.exprs.binary(one_of(comparisons()), integer(0), integer(0));
  }
  switch (below(8)) {
    case 0:
      return s_.exprs.negate(boolean(depth - 1));
    case 1:
      return s_.exprs.either(boolean(depth - 1), boolean(depth - 1));
    case 2:
      return s_.exprs.both(boolean(depth - 1), boolean(depth - 1));
    case 3:
    case 4: {
      if (!queue_tests_) return boolean(depth - 1);
      const QueueId q{below(static_cast<std::uint32_t>(s_.queues.size()))};
      const bool any = chance(25);
      const SignalId sig = any ? SignalId{} : SignalId{below(static_cast<std::uint32_t>(s_.signals.size()))};
      const std::vector<Type> outer = params_;
      const bool outer_tests = queue_tests_;
      params_ = any ? std::vector<Type>{} : s_.signal(sig).params;
      queue_tests_ = chance(20);
      const ExprId predicate = chance(50) ? s_.exprs.boolean(true) : boolean(depth - 1);
      params_ = outer;
      queue_tests_ = outer_tests;
      return chance(50) ? s_.exprs.queue_has(q, sig, predicate) : s_.exprs.head_is(q, sig, predicate);
    }
    case 5:
      if (idle_) return s_.exprs.idle();
      return boolean(depth - 1);
    default: {
      return s_.exprs.binary(one_of(comparisons()), integer(depth - 1), integer(depth - 1));
    }
  }
}

ElementId RandomSystem::element() {
  Element e;
  e.kind = static_cast<ElementKind>(below(3));
  e.name = "e" + std::to_string(s_.elements.size());
  e.ignorable = chance(20);
  return s_.add(e);
}

StmtId RandomSystem::send() {
  Stmt st;
  st.kind = StmtKind::Send;
  st.insertion = chance(20) ? Insertion::Sorted : Insertion::AtBack;
  const SignalId sig{below(static_cast<std::uint32_t>(s_.signals.size()))};
  std::vector<Route> targets;
  for (std::size_t q = 0; q < s_.queues.size(); ++q)
    for (SignalId x : s_.queues[q].signals)
      if (x == sig) targets.push_back({QueueId(q), sig});
  if (targets.empty()) return body(0);
  if (chance(70)) {
    st.target = s_.exprs.constant(0);
    st.routes = {one_of(targets)};
  } else {
    st.target = integer(1);
    st.routes = {Route{}, one_of(targets), one_of(targets)};
  }
  for (const Type& t : s_.signal(sig).params)
    st.args.push_back(chance(85) ? s_.exprs.constant(t.lo + static_cast<std::int32_t>(below(2)))
                                 : integer(2));
  return s_.add(st);
}

StmtId RandomSystem::statement(std::uint32_t depth) {
  Stmt st;
  switch (below(depth == 0 ? 8 : 13)) {
    case 0:
    case 1:
    case 2: {
      st.kind = StmtKind::Assign;
      st.place.cell = one_of(data_);
      const Type& t = s_.cell(st.place.cell).type;
      const bool wide = t.size() > 100;
      if (wide || chance(40))
        st.value = s_.exprs.constant(static_cast<std::int32_t>(below(2)));
      else
        st.value = chance(15) ? integer(2) : s_.exprs.unary(Op::TruncU, integer(2), 1);
      break;
    }
    case 3:
    case 4:
      return send();
    case 5:
      st.kind = StmtKind::Note;
      st.element = element();
      break;
    case 6:
      if (!chance(30)) return send();
      st.kind = StmtKind::Assert;
      st.value = boolean(2);
      break;
    case 7:
      if (locals_ == 0) return body(0);
      st.kind = chance(50) ? StmtKind::SetLocal : StmtKind::Choose;
      st.local = below(locals_);
      st.value = integer(1);
      st.lo = s_.exprs.constant(static_cast<std::int32_t>(below(2)));
      st.hi = chance(90) ? s_.exprs.constant(static_cast<std::int32_t>(below(3))) : integer(1);
      if (st.kind == StmtKind::Choose) st.hi = s_.exprs.unary(Op::TruncU, st.hi, 2);
      break;
    case 8:
      st.kind = StmtKind::If;
      st.value = boolean(2);
      st.children = {body(1)};
      if (chance(50)) st.children.push_back(body(1));
      break;
    case 9: {
      st.kind = StmtKind::Branch;
      const std::uint32_t n = 1 + below(3);
      for (std::uint32_t i = 0; i < n; ++i) {
        st.conditions.push_back(chance(40) ? s_.exprs.boolean(true) : boolean(1));
        st.children.push_back(statement(depth - 1));
      }
      st.has_else = chance(70);
      if (st.has_else) st.children.push_back(statement(depth - 1));
      break;
    }
    case 10:
      st.kind = StmtKind::While;
      st.value = boolean(1);
      st.limit = below(3);
      st.children = {body(1)};
      break;
    case 11:
      if (chance(70)) return statement(0);
      st.kind = StmtKind::Fail;
      break;
    default: {
      st.kind = StmtKind::Assign;
      st.place.table = TableId{below(static_cast<std::uint32_t>(s_.exprs.table_count()))};
      st.place.row = chance(80) ? s_.exprs.constant(1) : integer(1);
      st.place.column = chance(80) ? s_.exprs.constant(0) : integer(1);
      st.value = s_.exprs.unary(Op::TruncU, integer(1), 1);
      break;
    }
  }
  return s_.add(st);
}

StmtId RandomSystem::body(std::uint32_t statements) {
  Stmt st;
  for (std::uint32_t i = 0; i < statements; ++i) st.children.push_back(statement(1));
  return s_.add(st);
}

void RandomSystem::make_action(OwnerId owner) {
  Action a;
  a.name = "a" + std::to_string(s_.actions.size());
  a.owner = owner;
  const CellId loc = s_.owner(owner).locations[0];
  const std::int32_t last = s_.cell(loc).type.hi;
  a.locals = below(2);
  if (chance(45)) {
    const QueueId q =
        chance(85) ? QueueId(owner.index()) : QueueId(below(static_cast<std::uint32_t>(s_.queues.size())));
    Trigger t;
    t.queue = q;
    t.signal = one_of(s_.queue(q).signals);
    t.selection = chance(85) ? Selection::Selected : Selection::FirstMatching;
    t.consume = chance(85);
    a.trigger = t;
    params_ = s_.signal(t.signal).params;
    a.kind = chance(20) ? ActionKind::Discard : ActionKind::Fire;
  } else {
    params_.clear();
    a.kind = chance(50) ? ActionKind::Complete : ActionKind::Internal;
  }
  idle_ = chance(15);
  a.guard = s_.exprs.boolean(true);
  if (chance(10)) a.guard = s_.exprs.both(a.guard, boolean(2));
  if (chance(85)) {
    ExprId at =
        s_.exprs.equals(s_.read(loc), static_cast<std::int32_t>(below(static_cast<std::uint32_t>(last) + 1)));
    if (chance(20)) at = s_.exprs.either(at, s_.exprs.equals(s_.read(loc), 0));
    a.guard = s_.exprs.both(a.guard, at);
  }
  if (chance(35)) a.guard = s_.exprs.both(a.guard, boolean(2));
  idle_ = false;
  locals_ = a.locals;
  Stmt block;
  Stmt move;
  move.kind = StmtKind::Assign;
  move.place.cell = loc;
  move.value = s_.exprs.constant(static_cast<std::int32_t>(below(static_cast<std::uint32_t>(last) + 1)));
  block.children.push_back(body(below(3)));
  if (chance(80)) block.children.push_back(s_.add(move));
  a.body = s_.add(block);
  locals_ = 0;
  params_.clear();
  if (chance(15)) a.hold = chance(80) ? owner : OwnerId(below(static_cast<std::uint32_t>(s_.owners.size())));
  s_.add(a);
}

void RandomSystem::make_properties() {
  auto add = [&](PropertyKind kind) {
    Property p;
    p.kind = kind;
    p.name = describe(kind);
    if (kind == PropertyKind::Always || kind == PropertyKind::Never || kind == PropertyKind::Reachable)
      p.expression = boolean(2);
    s_.add(p);
  };
  for (PropertyKind kind :
       {PropertyKind::NoDeadlock, PropertyKind::NoLostMessages, PropertyKind::NoAssertionFailure,
        PropertyKind::NoRuntimeError, PropertyKind::NoOverflow, PropertyKind::NoUnreachableStates,
        PropertyKind::NoUnreachableTransitions, PropertyKind::NoEndlessCompletion,
        PropertyKind::NoUnboundedQueues, PropertyKind::Always, PropertyKind::Never, PropertyKind::Reachable,
        PropertyKind::Reachable, PropertyKind::Temporal})
    add(kind);
}

}  // namespace parley::testing
