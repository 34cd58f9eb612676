#include <fmt/format.h>

#include <algorithm>

#include "front/promela/lowering.hpp"

namespace parley::front::promela {

using system::Type;

void Lowering::unsupported(diag::Span span, const std::string& what, const std::string& hint) {
  diagnostics_.error("unsupported", span, what, hint);
}

// A disjunction (conjunction) as a balanced term, so that long lists do not make deep ones.
ExprId Lowering::any_of(std::vector<ExprId> list) {
  if (list.empty()) return s_.exprs.boolean(false);
  while (list.size() > 1) {
    std::vector<ExprId> next;
    for (std::size_t i = 0; i < list.size(); i += 2)
      next.push_back(i + 1 < list.size() ? s_.exprs.either(list[i], list[i + 1]) : list[i]);
    list = std::move(next);
  }
  return list[0];
}

ExprId Lowering::all_of(std::vector<ExprId> list) {
  if (list.empty()) return s_.exprs.boolean(true);
  while (list.size() > 1) {
    std::vector<ExprId> next;
    for (std::size_t i = 0; i < list.size(); i += 2)
      next.push_back(i + 1 < list.size() ? both(list[i], list[i + 1]) : list[i]);
    list = std::move(next);
  }
  return list[0];
}

ExprId Lowering::as_boolean(ExprId e) {
  const expr::Node& n = s_.exprs[e];
  if (n.type.kind == expr::TypeKind::Bool) return e;
  if (n.op == Op::Const) return s_.exprs.boolean(n.value != 0);
  return s_.exprs.binary(Op::Ne, e, constant(0));
}

ExprId Lowering::as_integer(ExprId e) {
  const expr::Node& n = s_.exprs[e];
  if (n.type.kind == expr::TypeKind::Int) return e;
  if (n.op == Op::Const) return constant(n.value);
  if (n.type.kind == expr::TypeKind::Bool)
    return s_.exprs.cond(e, s_.exprs.constant(1, Type::range(0, 1)), s_.exprs.constant(0, Type::range(0, 1)));
  return e;
}

ExprId Lowering::integer(const Expr& e, const Slot* slot) {
  return as_integer(build(e, slot));
}
ExprId Lowering::boolean(const Expr& e, const Slot* slot) {
  return as_boolean(build(e, slot));
}

ExprId Lowering::pid_of(const Slot& slot) {
  return slot.static_pid >= 0 ? constant(slot.static_pid) : s_.read(slot.pid);
}

ExprId Lowering::alive(const Slot& slot) {
  return s_.exprs.binary(Op::Ne, s_.read(slot.pc), s_.exprs.constant(0, procs_[slot.proctype].location_type));
}

ExprId Lowering::at_state(const Slot& slot, std::uint32_t state) {
  return s_.exprs.equals(s_.read(slot.pc), procs_[slot.proctype].location[state]);
}

ExprId Lowering::process_count() {
  return nr_pr_.valid() ? s_.read(nr_pr_) : constant(initial_processes_);
}

ExprId Lowering::build(const Expr& e, const Slot* slot) {
  switch (e.kind) {
    case ExprKind::Const:
      return constant(e.value);
    case ExprKind::Var:
      return read(e.ref, slot);
    case ExprKind::Special:
      if (e.name == "_pid") return slot ? pid_of(*slot) : constant(0);
      if (e.name == "_nr_pr") return process_count();
      if (e.name == "_last") return s_.read(last_);
      if (e.name == "_priority") return slot ? s_.read(slot->priority) : constant(1);
      diagnostics_.error("type", e.span, "'_' can only be written to");
      return constant(0);
    case ExprKind::Unary:
      if (e.op == Tok::Bang) return negate(boolean(*e.args[0], slot));
      return s_.exprs.unary(e.op == Tok::Minus ? Op::Neg : Op::BitNot, integer(*e.args[0], slot));
    case ExprKind::Binary:
      return operation(e, slot);
    case ExprKind::Cond: {
      const ExprId c = boolean(*e.args[0], slot);
      return s_.exprs.cond(c, integer(*e.args[1], slot), integer(*e.args[2], slot));
    }
    case ExprKind::Run:
      if (current_run_.get() != &e) {
        unsupported(e.span, "only one run is possible in an expression",
                    "use one statement for each process");
        return constant(1);
      }
      return current_run_value_;
    case ExprKind::Len:
    case ExprKind::Full:
    case ExprKind::Empty:
    case ExprKind::Nfull:
    case ExprKind::Nempty:
    case ExprKind::Poll:
      return poll(e, slot);
    case ExprKind::Eval:
      return build(*e.args[0], slot);
    case ExprKind::Timeout:
      return s_.exprs.idle();
    case ExprKind::Enabled: {
      const ExprId which = integer(*e.args[0], slot);
      std::vector<ExprId> ways;
      for (const Slot& other : slots_)
        if (&other != slot)
          ways.push_back(
              both(both(alive(other), s_.exprs.binary(Op::Eq, pid_of(other), which)), slot_enabled(other)));
      return any_of(ways);
    }
    case ExprKind::GetPriority: {
      const ExprId which = integer(*e.args[0], slot);
      ExprId result = constant(0);
      for (const Slot& other : slots_)
        result = s_.exprs.cond(both(alive(other), s_.exprs.binary(Op::Eq, pid_of(other), which)),
                               s_.read(other.priority), result);
      return result;
    }
    case ExprKind::RemoteLabel:
      return remote_label(e, slot);
    case ExprKind::RemoteVar:
      return remote_variable(e, slot);
    case ExprKind::PcValue:
    case ExprKind::NonProgress:
      unsupported(e.span, "this operator only makes sense in a never claim");
      return constant(0);
    case ExprKind::Temporal:
      unsupported(e.span, "a temporal operator cannot stand in a statement");
      return constant(0);
  }
  return constant(0);
}

ExprId Lowering::operation(const Expr& e, const Slot* slot) {
  if (e.op == Tok::AndAnd || e.op == Tok::OrOr) {
    const ExprId x = boolean(*e.args[0], slot);
    const ExprId y = boolean(*e.args[1], slot);
    return s_.exprs.binary(e.op == Tok::AndAnd ? Op::AndAlso : Op::OrElse, x, y);
  }
  Op op = Op::Add;
  switch (e.op) {
    case Tok::Plus:
      op = Op::Add;
      break;
    case Tok::Minus:
      op = Op::Sub;
      break;
    case Tok::Star:
      op = Op::Mul;
      break;
    case Tok::Slash:
      op = Op::Div;
      break;
    case Tok::Percent:
      op = Op::Rem;
      break;
    case Tok::Amp:
      op = Op::BitAnd;
      break;
    case Tok::Pipe:
      op = Op::BitOr;
      break;
    case Tok::Caret:
      op = Op::BitXor;
      break;
    case Tok::Shl:
      op = Op::Shl;
      break;
    case Tok::Shr:
      op = Op::Shr;
      break;
    case Tok::EqEq:
      op = Op::Eq;
      break;
    case Tok::NotEq:
      op = Op::Ne;
      break;
    case Tok::Lt:
      op = Op::Lt;
      break;
    case Tok::Le:
      op = Op::Le;
      break;
    case Tok::Gt:
      op = Op::Gt;
      break;
    case Tok::Ge:
      op = Op::Ge;
      break;
    default:
      diagnostics_.error("syntax", e.span, "this operator cannot stand here");
      return constant(0);
  }
  const ExprId x = integer(*e.args[0], slot);
  const ExprId y = integer(*e.args[1], slot);
  return s_.exprs.binary(op, x, y);
}

// --- variables ---------------------------------------------------------------------------------------------

const Lowering::LeafCells* Lowering::find_leaf(const Ref& ref, const Slot* slot, const std::string& more) {
  const Variable* root = ref.parts[0].variable.get();
  const Storage* storage = nullptr;
  if (slot)
    if (const auto found = slot->variables.find(root); found != slot->variables.end())
      storage = &found->second;
  if (!storage)
    if (const auto found = globals_.find(root); found != globals_.end()) storage = &found->second;
  if (!storage) {
    diagnostics_.error("unknown-name", ref.span, fmt::format("'{}' cannot be used here", root->name));
    return nullptr;
  }
  const auto found = storage->find(path_of(ref) + more);
  if (found == storage->end()) {
    diagnostics_.error("type", ref.span,
                       fmt::format("'{}' is a structure and has no single value", ref.leaf().name),
                       "name one of its fields");
    return nullptr;
  }
  return &found->second;
}

std::vector<ExprId> Lowering::indices_of(const Ref& ref, const Slot* slot) {
  std::vector<ExprId> result;
  for (const Ref::Part& part : ref.parts)
    if (part.variable->is_array) result.push_back(part.index ? integer(*part.index, slot) : constant(0));
  return result;
}

// The position in row-major order, -1 if an index is out of range.
ExprId Lowering::flat_index(const std::vector<std::uint32_t>& dims, const std::vector<ExprId>& indices) {
  if (dims.empty()) return constant(0);
  if (dims.size() == 1) return indices[0];
  std::vector<ExprId> inside;
  ExprId flat = constant(0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto size = static_cast<std::int32_t>(dims[i]);
    inside.push_back(s_.exprs.binary(Op::Ge, indices[i], constant(0)));
    inside.push_back(s_.exprs.binary(Op::Lt, indices[i], constant(size)));
    flat = s_.exprs.binary(Op::Add, s_.exprs.binary(Op::Mul, flat, constant(size)), indices[i]);
  }
  return s_.exprs.cond(all_of(inside), flat, constant(-1));
}

ExprId Lowering::read_leaf(const LeafCells& lc, const std::string& name, const std::vector<ExprId>& indices) {
  const ExprId flat = flat_index(lc.leaf.dims, indices);
  if (lc.fixed) {
    const expr::Node n = s_.exprs[flat];
    const Type type = channel_type();
    if (n.op == Op::Const && n.value >= 0 && static_cast<std::size_t>(n.value) < lc.queues.size())
      return s_.exprs.constant(
          static_cast<std::int32_t>(lc.queues[static_cast<std::size_t>(n.value)].value) + 1, type);
    ExprId result = s_.exprs.constant(0, type);
    for (std::size_t i = lc.queues.size(); i-- > 0;)
      result =
          s_.exprs.cond(s_.exprs.binary(Op::Eq, flat, constant(static_cast<std::int32_t>(i))),
                        s_.exprs.constant(static_cast<std::int32_t>(lc.queues[i].value) + 1, type), result);
    return result;
  }
  if (lc.leaf.dims.empty()) return s_.read(lc.cells[0]);
  expr::Table table;
  table.cells = lc.cells;
  table.columns = static_cast<std::uint32_t>(lc.cells.size());
  table.name = name;
  return s_.exprs.elem(s_.exprs.add_table(std::move(table)), constant(0), flat, s_.cell(lc.cells[0]).type);
}

ExprId Lowering::read(const Ref& ref, const Slot* slot) {
  const LeafCells* lc = find_leaf(ref, slot);
  if (!lc) return constant(0);
  return read_leaf(*lc, ref.parts[0].variable->name + path_of(ref), indices_of(ref, slot));
}

system::Place Lowering::place_of(const LeafCells& lc, const std::string& name,
                                 const std::vector<ExprId>& indices) {
  system::Place place;
  const ExprId flat = flat_index(lc.leaf.dims, indices);
  const expr::Node n = s_.exprs[flat];
  if (n.op == Op::Const && n.value >= 0 && static_cast<std::size_t>(n.value) < lc.cells.size()) {
    place.cell = lc.cells[static_cast<std::size_t>(n.value)];
    return place;
  }
  expr::Table table;
  table.cells = lc.cells;
  table.columns = static_cast<std::uint32_t>(lc.cells.size());
  table.name = name;
  place.table = s_.exprs.add_table(std::move(table));
  place.row = constant(0);
  place.column = flat;
  return place;
}

// What is left of a value when it is stored in a variable or a message field of this type.
ExprId Lowering::truncate(const DataType& type, ExprId value) {
  if (type.base == Base::Chan) {
    const expr::Node n = s_.exprs[value];
    if (n.type.kind == expr::TypeKind::Chan || s_.exprs.is_const(value, 0)) return value;
    // Some models send other small numbers through fields declared as channels; Spin keeps a byte of them.
    wants_wide_channels_ = !wide_channels_;
    const Type wanted = channel_type();
    const bool fits =
        n.op == Op::Const ? n.value >= 0 && n.value <= wanted.hi : n.type.lo >= 0 && n.type.hi <= wanted.hi;
    return fits || !wide_channels_ ? value : s_.exprs.unary(Op::TruncU, as_integer(value), 8);
  }
  value = as_integer(value);
  const expr::Node n = s_.exprs[value];
  const Type wanted = value_type(type);
  if (n.op == Op::Const ? wanted.contains(n.value) : (n.type.lo >= wanted.lo && n.type.hi <= wanted.hi))
    return value;
  switch (type.base) {
    case Base::Bit:
    case Base::Bool:
      return s_.exprs.unary(Op::TruncU, value, 1);
    case Base::Short:
      return s_.exprs.unary(Op::TruncS, value, 16);
    case Base::Unsigned:
      return s_.exprs.unary(Op::TruncU, value, type.bits);
    case Base::Mtype:
      if (wanted.hi > 255) {
        const ExprId ok = both(s_.exprs.binary(Op::Ge, value, constant(0)),
                               s_.exprs.binary(Op::Le, value, constant(wanted.hi)));
        return s_.exprs.cond(ok, value, s_.exprs.unary(Op::TruncU, value, 8));
      }
      [[fallthrough]];
    case Base::Byte:
    case Base::Pid:
      return s_.exprs.unary(Op::TruncU, value, 8);
    default:
      return value;
  }
}

// --- channels ----------------------------------------------------------------------------------------------

ExprId Lowering::channel_value(const Expr& e, const Slot* slot) {
  DataType chan;
  chan.base = Base::Chan;
  return truncate(chan, build(e, slot));
}

// The channels a reference can mean, each with the condition under which it does; `unknown` gets the
// condition that it means none of them.
std::vector<Lowering::ChannelTarget> Lowering::targets(const Ref& ref, const Slot* slot, ExprId* unknown) {
  std::vector<ChannelTarget> result;
  const LeafCells* lc = find_leaf(ref, slot);
  if (unknown) *unknown = s_.exprs.boolean(false);
  if (!lc) return result;
  if (lc->fixed) {
    const ExprId flat = flat_index(lc->leaf.dims, indices_of(ref, slot));
    std::vector<ExprId> inside;
    for (std::size_t i = 0; i < lc->queues.size(); ++i) {
      const ExprId c = s_.exprs.binary(Op::Eq, flat, constant(static_cast<std::int32_t>(i)));
      inside.push_back(c);
      if (!s_.exprs.is_const(c, 0)) result.push_back({lc->queues[i], c});
    }
    if (unknown) *unknown = negate(any_of(inside));
    return result;
  }
  const ExprId value = read(ref, slot);
  std::vector<ExprId> known;
  std::set<QueueId> seen;
  const auto add = [&](QueueId q) {
    if (!seen.insert(q).second) return;
    const ExprId c = s_.exprs.binary(
        Op::Eq, value, s_.exprs.constant(static_cast<std::int32_t>(q.value) + 1, s_.exprs[value].type));
    known.push_back(c);
    result.push_back({q, c});
  };
  const bool is_channel = ref.leaf().type.base == Base::Chan;
  for (const DeclaredChannel& c : is_channel ? channels_.of(&ref.leaf()) : channels_.all()) {
    if (!c.root->proctype) {
      add(queues_.at({0, c.number}));
      continue;
    }
    for (std::uint32_t k : procs_[*c.root->proctype].slots) add(queues_.at({k + 1, c.number}));
  }
  if (unknown) *unknown = negate(any_of(known));
  return result;
}

// Tests of channels. A rendezvous channel is always empty and never full between steps.
ExprId Lowering::poll(const Expr& e, const Slot* slot) {
  ExprId unknown;
  const std::vector<ChannelTarget> list = targets(e.ref, slot, &unknown);
  std::vector<ExprId> ways;
  ExprId length = constant(0);
  for (const ChannelTarget& t : list) {
    const ExprId len = rendezvous_[t.queue.index()] ? constant(0) : s_.exprs.queue_len(t.queue);
    const ExprId cap = rendezvous_[t.queue.index()] ? constant(1) : s_.exprs.queue_cap(t.queue);
    ExprId test = s_.exprs.boolean(false);
    switch (e.kind) {
      case ExprKind::Len:
        length = s_.exprs.cond(t.condition, len, length);
        continue;
      case ExprKind::Full:
        test = s_.exprs.binary(Op::Ge, len, cap);
        break;
      case ExprKind::Nfull:
        test = s_.exprs.binary(Op::Lt, len, cap);
        break;
      case ExprKind::Empty:
        test = s_.exprs.binary(Op::Eq, len, constant(0));
        break;
      case ExprKind::Nempty:
        test = s_.exprs.binary(Op::Gt, len, constant(0));
        break;
      default: {
        const Shape& shape = queue_shapes_[t.queue.index()];
        if (rendezvous_[t.queue.index()] || !slot) break;
        const std::vector<Pattern> wanted = patterns(e.args, *slot);
        if (wanted.size() > shape.fields.size()) break;
        std::vector<ExprId> fields;
        bool compares = false;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          fields.push_back(s_.exprs.param(static_cast<std::uint32_t>(i), value_type(shape.fields[i])));
          compares = compares || wanted[i].compare.valid();
        }
        const ExprId match = pattern_condition(wanted, fields);
        test = e.value == 1 && compares ? s_.exprs.queue_has(t.queue, shape.signal, match)
                                        : s_.exprs.head_is(t.queue, shape.signal, match);
      }
    }
    ways.push_back(both(t.condition, test));
  }
  return e.kind == ExprKind::Len ? length : any_of(ways);
}

// --- other processes ---------------------------------------------------------------------------------------

ExprId Lowering::remote_label(const Expr& e, const Slot* slot) {
  std::vector<ExprId> ways;
  const ExprId which = e.indexed ? integer(*e.args[0], slot) : ExprId();
  bool known = false, label_known = false;
  std::vector<ExprId> earlier;
  for (const Slot& other : slots_) {
    const Proctype& p = program_.proctypes[other.proctype];
    if (p.name != e.name) continue;
    known = true;
    const Automaton& a = procs_[other.proctype].automaton;
    std::uint32_t state = 0;
    for (const auto& [name, s] : a.labels)
      if (name == e.label) state = s;
    if (state == 0) continue;
    label_known = true;
    if (std::find(a.reachable.begin(), a.reachable.end(), state) == a.reachable.end()) continue;
    // Without a number the first instance is meant.
    const ExprId selected = which.valid() ? s_.exprs.binary(Op::Eq, pid_of(other), which) : all_of(earlier);
    ways.push_back(both(both(alive(other), selected), at_state(other, state)));
    earlier.push_back(negate(alive(other)));
  }
  const bool declared = std::any_of(program_.proctypes.begin(), program_.proctypes.end(),
                                    [&](const Proctype& p) { return p.name == e.name; });
  if (!known && !declared)
    diagnostics_.error("unknown-name", e.span, fmt::format("there is no proctype '{}'", e.name));
  else if (known && !label_known)
    diagnostics_.error("unknown-name", e.span,
                       fmt::format("there is no label '{}' in '{}'", e.label, e.name));
  return any_of(ways);
}

ExprId Lowering::remote_variable(const Expr& e, const Slot* slot) {
  ExprId result = constant(0);
  const ExprId which = e.indexed ? integer(*e.args[0], slot) : ExprId();
  const std::size_t index_at = e.indexed ? 1 : 0;
  for (std::size_t i = slots_.size(); i-- > 0;) {
    const Slot& other = slots_[i];
    const Proctype& p = program_.proctypes[other.proctype];
    if (p.name != e.name) continue;
    const LeafCells* lc = nullptr;
    for (const auto& list : {p.parameters, p.locals})
      for (const VariablePtr& v : list)
        if (v->name == e.label && v->type.base != Base::Struct && !lc)
          lc = &other.variables.at(v.get()).begin()->second;
    if (!lc) {
      diagnostics_.error("unknown-name", e.span,
                         fmt::format("proctype '{}' has no variable '{}'", e.name, e.label));
      return result;
    }
    std::vector<ExprId> indices;
    if (!lc->leaf.dims.empty())
      indices.push_back(e.args.size() > index_at ? integer(*e.args[index_at], slot) : constant(0));
    ExprId here = alive(other);
    if (which.valid()) here = both(here, s_.exprs.binary(Op::Eq, pid_of(other), which));
    result = s_.exprs.cond(here, as_integer(read_leaf(*lc, e.label, indices)), result);
  }
  return result;
}

}  // namespace parley::front::promela
