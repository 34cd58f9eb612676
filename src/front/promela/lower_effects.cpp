#include <fmt/format.h>

#include <algorithm>

#include "front/promela/lowering.hpp"

namespace parley::front::promela {

using SysKind = system::StmtKind;

StmtId Lowering::assign(system::Place place, ExprId value, diag::Span span) {
  system::Stmt st;
  st.kind = SysKind::Assign;
  st.place = place;
  st.value = value;
  st.origin.span = span;
  return s_.add(std::move(st));
}

StmtId Lowering::assign(CellId cell, ExprId value, diag::Span span) {
  system::Place place;
  place.cell = cell;
  return assign(place, value, span);
}

StmtId Lowering::block(std::vector<StmtId> children, diag::Span span) {
  if (children.size() == 1) return children[0];
  system::Stmt st;
  st.kind = SysKind::Block;
  st.children = std::move(children);
  st.origin.span = span;
  return s_.add(std::move(st));
}

StmtId Lowering::failure(system::RuntimeError error, std::string text, diag::Span span) {
  system::Stmt st;
  st.kind = SysKind::Fail;
  st.error = error;
  st.text = std::move(text);
  st.origin.span = span;
  return s_.add(std::move(st));
}

// All ways to execute the statement of a transition; where it stands is not part of the guards.
std::vector<Lowering::Alternative> Lowering::alternatives(const Transition& t, const Slot& slot) {
  std::vector<Alternative> out;
  Alternative a;
  a.guard = s_.exprs.boolean(true);
  if (t.is_end) {
    a.guard = s_.exprs.binary(Op::Eq, s_.exprs.binary(Op::Add, pid_of(slot), constant(1)), process_count());
    return {a};
  }
  if (t.blocks_dstep) {
    a.body.push_back(
        failure(system::RuntimeError::NoBranchEnabled, "nothing can be executed inside a d_step", t.span));
    return {a};
  }
  if (!t.statement) return {a};
  const Stmt& s = *t.statement;
  switch (s.kind) {
    case StmtKind::Send:
      send_alternatives(s, slot, out);
      return out;
    case StmtKind::Receive:
      receive_alternatives(s, slot, out);
      return out;
    case StmtKind::Assign:
    case StmtKind::Declare:
      assign_alternative(s, slot, a);
      break;
    case StmtKind::Condition: {
      current_run_ = find_run(s.expr, s);
      if (current_run_) {
        current_run_value_ = process_count();
        // The number of a new process is never zero: its creator is there before it.
        if (s.expr->kind != ExprKind::Run) a.guard = boolean(*s.expr, &slot);
        start_process(*current_run_, slot, a);
      } else {
        a.guard = boolean(*s.expr, &slot);
      }
      current_run_ = nullptr;
      break;
    }
    case StmtKind::Assert: {
      if (options_.ignore_assertions) break;
      system::Stmt st;
      st.kind = SysKind::Assert;
      st.value = boolean(*s.expr, &slot);
      st.text = text_of(s.expr->span);
      st.origin.span = s.span;
      a.body.push_back(s_.add(std::move(st)));
      break;
    }
    case StmtKind::Print:
    case StmtKind::Printm: {
      system::Stmt st;
      st.kind = SysKind::Print;
      for (const ExprPtr& arg : s.args) st.args.push_back(build(*arg, &slot));
      st.text = print_format(s);
      st.origin.span = s.span;
      a.body.push_back(s_.add(std::move(st)));
      break;
    }
    case StmtKind::SetPriority: {
      const ExprId which = integer(*s.args[0], &slot);
      DataType byte;
      byte.base = Base::Byte;
      const ExprId value = truncate(byte, integer(*s.args[1], &slot));
      for (const Slot& other : slots_)
        a.body.push_back(
            assign(other.priority,
                   s_.exprs.cond(both(alive(other), s_.exprs.binary(Op::Eq, pid_of(other), which)), value,
                                 s_.read(other.priority)),
                   s.span));
      break;
    }
    default:
      break;  // else: lowering of the state gives it its guard
  }
  out.push_back(std::move(a));
  return out;
}

// %e prints the name of an mtype value: the format says from which table of names ("%#2e").
std::string Lowering::print_format(const Stmt& s) const {
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
      if (const auto found = mtype_tables_.find(set); found != mtype_tables_.end())
        result += fmt::format("#{}", found->second);
    }
    if (kind != '%') ++next;
    result += kind;
  }
  return result;
}

ExprPtr Lowering::find_run(const ExprPtr& e, const Stmt& s) {
  if (!e) return nullptr;
  if (e->kind == ExprKind::Run) return e;
  for (const ExprPtr& arg : e->args)
    if (ExprPtr found = find_run(arg, s)) return found;
  return nullptr;
}

void Lowering::assign_alternative(const Stmt& s, const Slot& slot, Alternative& a) {
  if (!s.target) return;  // the declaration of a structure
  current_run_ = find_run(s.expr, s);
  ExprId local;
  if (current_run_) {
    system::Stmt keep;
    keep.kind = SysKind::SetLocal;
    keep.local = a.locals;
    keep.value = process_count();
    keep.origin.span = s.span;
    local = s_.exprs.local(a.locals++, s_.exprs[keep.value].type);
    a.body.push_back(s_.add(std::move(keep)));
    start_process(*current_run_, slot, a);
    current_run_value_ = local;
  }
  const auto done = [&] { current_run_ = nullptr; };
  if (s.target->kind == ExprKind::Special) {
    if (s.target->name == "_priority") {
      DataType byte;
      byte.base = Base::Byte;
      a.body.push_back(assign(slot.priority, truncate(byte, integer(*s.expr, &slot)), s.span));
    }
    return done();
  }
  const Ref& ref = s.target->ref;
  const LeafCells* lc = find_leaf(ref, &slot);
  if (!lc) return done();
  const DataType type = stored_type(ref.leaf());
  const ExprId value =
      type.base == Base::Chan ? channel_value(*s.expr, &slot) : truncate(type, integer(*s.expr, &slot));
  a.body.push_back(assign(place_of(*lc, ref.parts[0].variable->name + path_of(ref), indices_of(ref, &slot)),
                          value, s.span));
  done();
}

// --- messages ----------------------------------------------------------------------------------------------

// The values of a list of arguments, structures spread over their fields.
std::vector<ExprId> Lowering::message_values(const std::vector<ExprPtr>& args, const Slot& slot) {
  std::vector<ExprId> values;
  for (const ExprPtr& arg : args) {
    if (arg->kind != ExprKind::Var || arg->ref.leaf().type.base != Base::Struct) {
      values.push_back(build(*arg, &slot));
      continue;
    }
    for (const Leaf& leaf : message_leaves(program_, arg->ref)) {
      const LeafCells* lc = find_leaf(arg->ref, &slot, leaf.path);
      if (!lc) return values;
      for (std::uint32_t i = 0; i < leaf.elements(); ++i) {
        std::vector<ExprId> indices = indices_of(arg->ref, &slot);
        std::uint32_t rest = i;
        std::vector<std::uint32_t> inner;
        for (std::size_t d = leaf.dims.size(); d-- > 0; rest /= leaf.dims[d])
          inner.insert(inner.begin(), rest % leaf.dims[d]);
        for (std::uint32_t x : inner) indices.push_back(constant(static_cast<std::int32_t>(x)));
        values.push_back(read_leaf(*lc, arg->ref.leaf().name + leaf.path, indices));
      }
    }
  }
  return values;
}

std::vector<Lowering::Pattern> Lowering::patterns(const std::vector<ExprPtr>& args, const Slot& slot) {
  std::vector<Pattern> result;
  for (const ExprPtr& arg : args) {
    Pattern p;
    if (arg->kind == ExprKind::Const || arg->kind == ExprKind::Eval) {
      p.compare = integer(arg->kind == ExprKind::Eval ? *arg->args[0] : *arg, &slot);
      result.push_back(p);
    } else if (arg->kind == ExprKind::Var && arg->ref.leaf().type.base == Base::Struct) {
      for (const Leaf& leaf : message_leaves(program_, arg->ref))
        for (std::uint32_t i = 0; i < leaf.elements(); ++i) {
          p.target = arg.get();
          p.path = leaf.path;
          p.spread = true;
          p.fixed_element.clear();
          std::uint32_t rest = i;
          for (std::size_t d = leaf.dims.size(); d-- > 0; rest /= leaf.dims[d])
            p.fixed_element.insert(p.fixed_element.begin(), rest % leaf.dims[d]);
          result.push_back(p);
        }
    } else {
      if (arg->kind == ExprKind::Var || arg->name != "_") p.target = arg.get();
      result.push_back(p);
    }
  }
  return result;
}

ExprId Lowering::pattern_condition(const std::vector<Pattern>& list, const std::vector<ExprId>& values) {
  std::vector<ExprId> tests;
  for (std::size_t i = 0; i < list.size() && i < values.size(); ++i)
    if (list[i].compare.valid())
      tests.push_back(s_.exprs.binary(Op::Eq, as_integer(values[i]), list[i].compare));
  return all_of(tests);
}

void Lowering::store(const Pattern& p, ExprId value, const Slot& slot, diag::Span span,
                     std::vector<StmtId>& body) {
  if (p.compare.valid() || !p.target) return;
  if (p.target->kind == ExprKind::Special) {
    // Spin overwrites the number of the process; only a value that changes nothing has a meaning here.
    system::Stmt st;
    st.kind = SysKind::If;
    st.value = s_.exprs.binary(Op::Ne, as_integer(value), integer(*p.target, &slot));
    st.children = {
        failure(system::RuntimeError::Other, fmt::format("a receive changes {}", p.target->name), span)};
    st.origin.span = span;
    body.push_back(s_.add(std::move(st)));
    return;
  }
  const Ref& ref = p.target->ref;
  const LeafCells* lc = find_leaf(ref, &slot, p.path);
  if (!lc) return;
  std::vector<ExprId> indices = indices_of(ref, &slot);
  for (std::uint32_t x : p.fixed_element) indices.push_back(constant(static_cast<std::int32_t>(x)));
  body.push_back(assign(place_of(*lc, ref.parts[0].variable->name + path_of(ref) + p.path, indices),
                        truncate(stored_type(*lc->leaf.variable), value), span));
}

void Lowering::send_alternatives(const Stmt& s, const Slot& slot, std::vector<Alternative>& out) {
  ExprId unknown;
  const std::vector<ExprId> values = message_values(s.args, slot);
  for (const ChannelTarget& target : targets(s.target->ref, &slot, &unknown)) {
    const Shape& shape = queue_shapes_[target.queue.index()];
    Alternative a;
    a.guard = target.condition;
    a.queue = target.queue;
    if (values.size() != shape.fields.size()) {
      if (!rendezvous_[target.queue.index()])
        a.guard = both(a.guard, s_.exprs.binary(Op::Lt, s_.exprs.queue_len(target.queue),
                                                s_.exprs.queue_cap(target.queue)));
      a.body.push_back(failure(
          system::RuntimeError::Other,
          fmt::format("{} values are sent on a channel of {} fields", values.size(), shape.fields.size()),
          s.span));
      out.push_back(std::move(a));
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) a.args.push_back(truncate(shape.fields[i], values[i]));
    if (rendezvous_[target.queue.index()]) {
      a.rendezvous_send = true;
      out.push_back(std::move(a));
      continue;
    }
    if (!options_.lose_messages)
      a.guard = both(a.guard, s_.exprs.binary(Op::Lt, s_.exprs.queue_len(target.queue),
                                              s_.exprs.queue_cap(target.queue)));
    system::Stmt st;
    st.kind = SysKind::Send;
    st.target = constant(0);
    st.routes = {{target.queue, shape.signal}};
    st.args = a.args;
    st.insertion = s.sorted ? system::Insertion::Sorted : system::Insertion::AtBack;
    st.origin.span = s.span;
    a.body.push_back(s_.add(std::move(st)));
    out.push_back(std::move(a));
  }
  if (s_.exprs.is_const(unknown, 0)) return;
  Alternative a;
  a.guard = unknown;
  a.body.push_back(failure(system::RuntimeError::SendToNull,
                           "a message is sent to a variable that holds no channel", s.span));
  out.push_back(std::move(a));
}

void Lowering::receive_alternatives(const Stmt& s, const Slot& slot, std::vector<Alternative>& out) {
  ExprId unknown;
  const std::vector<Pattern> wanted = patterns(s.args, slot);
  for (const ChannelTarget& target : targets(s.target->ref, &slot, &unknown)) {
    const Shape& shape = queue_shapes_[target.queue.index()];
    Alternative a;
    a.guard = target.condition;
    a.queue = target.queue;
    a.patterns = wanted;
    const bool meets = rendezvous_[target.queue.index()];
    if (wanted.size() != shape.fields.size() && !meets) {
      a.guard = both(a.guard, s_.exprs.binary(Op::Gt, s_.exprs.queue_len(target.queue), constant(0)));
      a.body.push_back(failure(system::RuntimeError::Other,
                               fmt::format("{} values are received from a channel of {} fields",
                                           wanted.size(), shape.fields.size()),
                               s.span));
      out.push_back(std::move(a));
      continue;
    }
    if (meets) {
      a.rendezvous_receive = true;
      out.push_back(std::move(a));
      continue;
    }
    std::vector<ExprId> fields;
    for (std::size_t i = 0; i < shape.fields.size(); ++i)
      fields.push_back(s_.exprs.param(static_cast<std::uint32_t>(i), value_type(shape.fields[i])));
    system::Trigger trigger;
    trigger.queue = target.queue;
    trigger.signal = shape.signal;
    trigger.selection = s.random ? system::Selection::FirstMatching : system::Selection::Selected;
    trigger.consume = !s.copy;
    a.trigger = trigger;
    a.guard = both(a.guard, pattern_condition(wanted, fields));
    for (std::size_t i = 0; i < wanted.size(); ++i) store(wanted[i], fields[i], slot, s.span, a.body);
    out.push_back(std::move(a));
  }
  if (s_.exprs.is_const(unknown, 0)) return;
  Alternative a;
  a.guard = unknown;
  a.body.push_back(failure(system::RuntimeError::NullDereference,
                           "a message is received from a variable that holds no channel", s.span));
  out.push_back(std::move(a));
}

// --- who can move ------------------------------------------------------------------------------------------

// The statement of this transition can be executed now, standing where it stands. A rendezvous needs a
// partner to send to; a receive from one is never executed on its own account.
ExprId Lowering::executable(const Transition& t, const Slot& slot, bool needs_partner) {
  if (t.statement && t.statement->kind == StmtKind::Else) return s_.exprs.boolean(true);
  std::vector<ExprId> ways;
  // Only the guards are wanted: the bodies made on the way are dropped again.
  const std::size_t bodies = s_.stmts.size();
  const ExprPtr outer_run = current_run_;
  const ExprId outer_value = current_run_value_;
  for (const Alternative& a : alternatives(t, slot)) {
    if (a.rendezvous_receive) continue;
    if (a.rendezvous_send) {
      ways.push_back(needs_partner ? both(a.guard, partner_exists(a, slot)) : a.guard);
    } else if (a.trigger) {
      ways.push_back(a.trigger->selection == system::Selection::FirstMatching
                         ? s_.exprs.queue_has(a.trigger->queue, a.trigger->signal, a.guard)
                         : s_.exprs.head_is(a.trigger->queue, a.trigger->signal, a.guard));
    } else {
      ways.push_back(a.guard);
    }
  }
  s_.stmts.resize(bodies);
  current_run_ = outer_run;
  current_run_value_ = outer_value;
  return any_of(ways);
}

ExprId Lowering::partner_exists(const Alternative& send, const Slot& sender) {
  std::vector<ExprId> ways;
  for (const Slot& other : slots_) {
    if (&other == &sender) continue;
    const Automaton& a = procs_[other.proctype].automaton;
    for (std::uint32_t state : a.reachable)
      for (const Transition& t : a.states[state].transitions) {
        if (!t.statement || t.statement->kind != StmtKind::Receive) continue;
        for (const Alternative& r : alternatives(t, other)) {
          if (!r.rendezvous_receive || r.queue != send.queue || r.patterns.size() != send.args.size())
            continue;
          ways.push_back(all_of({at_state(other, state), r.guard, pattern_condition(r.patterns, send.args)}));
        }
      }
  }
  return any_of(ways);
}

// enabled(pid): some transition of the process can be executed; a rendezvous send counts without partner.
ExprId Lowering::slot_enabled(const Slot& slot) {
  const Automaton& a = procs_[slot.proctype].automaton;
  std::vector<ExprId> ways;
  for (std::uint32_t state : a.reachable) {
    if (a.states[state].in_dstep) continue;
    std::vector<ExprId> here;
    for (const Transition& t : a.states[state].transitions) here.push_back(executable(t, slot, false));
    ways.push_back(both(at_state(slot, state), any_of(here)));
  }
  return any_of(ways);
}

ExprId Lowering::highest_priority(const Slot& slot) {
  if (!program_.uses_priority) return s_.exprs.boolean(true);
  std::vector<ExprId> rivals;
  for (const Slot& other : slots_)
    if (&other != &slot)
      rivals.push_back(
          all_of({alive(other), s_.exprs.binary(Op::Gt, s_.read(other.priority), s_.read(slot.priority)),
                  slot_enabled(other)}));
  return negate(any_of(rivals));
}

// What must not be executable for a transition to be taken: other escapes that come first; for an else
// everything before it; inside a d_step every earlier option.
ExprId Lowering::before(const AutomatonState& state, std::size_t index, const Slot& slot) {
  const Transition& t = state.transitions[index];
  const bool is_else = t.statement && t.statement->kind == StmtKind::Else;
  std::vector<ExprId> conditions;
  for (std::size_t i = 0; i < index; ++i) {
    const Transition& u = state.transitions[i];
    const bool outranks = u.escape != 0 && u.escape != t.escape;
    const bool same_dstep = t.dstep != 0 && u.dstep == t.dstep;
    if (outranks || same_dstep || (is_else && t.dstep == 0))
      conditions.push_back(negate(executable(u, slot, true)));
  }
  return all_of(conditions);
}

// --- starting processes ------------------------------------------------------------------------------------

// run P(args): the first free slot of P is started; none free is an error, so that the answer is never
// silently about fewer processes.
std::optional<StmtId> Lowering::start_process(const Expr& run, const Slot& caller, Alternative& a) {
  std::size_t p = 0;
  while (p < program_.proctypes.size() && program_.proctypes[p].name != run.name) ++p;
  if (p == program_.proctypes.size()) return std::nullopt;
  std::vector<ExprId> args = message_values(run.args, caller);
  std::size_t wanted = 0;
  for (const VariablePtr& v : program_.proctypes[p].parameters)
    for (const Leaf& leaf : leaves(program_, *v)) wanted += leaf.elements();
  if (wanted != args.size()) {
    diagnostics_.error("argument-count", run.span,
                       fmt::format("'{}' takes {} values, {} given", run.name, wanted, args.size()));
    return std::nullopt;
  }
  StmtId result = beyond_limit(p, run);
  for (std::size_t k = procs_[p].slots.size(); k-- > 0;) {
    const Slot& slot = slots_[procs_[p].slots[k]];
    system::Stmt choice;
    choice.kind = SysKind::If;
    choice.value = negate(alive(slot));
    choice.children = {start_slot(slot, args, run, run.span), result};
    choice.origin.span = run.span;
    result = s_.add(std::move(choice));
  }
  a.body.push_back(result);
  return result;
}

// What happens when every slot is taken. Where the number of instances is bounded by the program, this is
// never executed. Otherwise the run is cut, and every engine says so: by a message into a queue that never
// has room.
StmtId Lowering::beyond_limit(std::size_t p, const Expr& run) {
  Proc& proc = procs_[p];
  if (proc.bounded)
    return failure(system::RuntimeError::ProcessLimit,
                   fmt::format("more than {} processes of type '{}' exist", proc.slots.size(), run.name),
                   run.span);
  if (!proc.limit.valid()) {
    system::Signal signal;
    signal.name = "start " + run.name;
    signal.origin.span = program_.proctypes[p].span;
    proc.limit_signal = s_.add(std::move(signal));
    system::Queue queue;
    queue.name = fmt::format("new {} processes ({} can exist)", run.name, proc.slots.size());
    queue.limit =
        fmt::format("no more than {} process{} of type '{}' exist{} at a time", proc.slots.size(),
                    proc.slots.size() == 1 ? "" : "es", run.name, proc.slots.size() == 1 ? "s" : "");
    queue.capacity = 0;
    queue.overflow = system::OverflowPolicy::Cut;
    queue.signals = {proc.limit_signal};
    queue.origin.span = program_.proctypes[p].span;
    proc.limit = s_.add(std::move(queue));
  }
  system::Stmt st;
  st.kind = SysKind::Send;
  st.target = constant(0);
  st.routes = {{proc.limit, proc.limit_signal}};
  st.origin.span = run.span;
  return s_.add(std::move(st));
}

StmtId Lowering::start_slot(const Slot& slot, const std::vector<ExprId>& args, const Expr& run,
                            diag::Span span) {
  const Proctype& p = program_.proctypes[slot.proctype];
  std::vector<StmtId> body;
  std::size_t next = 0;
  for (const VariablePtr& v : p.parameters)
    for (const Leaf& leaf : leaves(program_, *v)) {
      const LeafCells& lc = slot.variables.at(v.get()).at(leaf.path);
      for (CellId cell : lc.cells)
        body.push_back(assign(cell, truncate(stored_type(*leaf.variable), args[next++]), span));
    }
  if (slot.pid.valid()) body.push_back(assign(slot.pid, process_count(), span));
  if (slot.priority.valid()) {
    const std::int32_t given = run.value > 0 ? run.value : p.has_priority ? p.priority : 1;
    body.push_back(assign(slot.priority, constant(std::clamp(given, 0, 255)), span));
  }
  for (const VariablePtr& v : p.locals)
    for (const auto& [path, lc] : slot.variables.at(v.get())) {
      const Variable& leaf = *lc.leaf.variable;
      for (std::size_t i = 0; i < lc.cells.size(); ++i) {
        ExprId value;
        if (!lc.queues.empty())
          value = s_.exprs.constant(static_cast<std::int32_t>(lc.queues[i].value) + 1, channel_type());
        else if (leaf.init)
          value = leaf.type.base == Base::Chan ? channel_value(*leaf.init, &slot)
                                               : truncate(stored_type(leaf), integer(*leaf.init, &slot));
        else if (!leaf.init_list.empty())
          value =
              truncate(stored_type(leaf), constant(leaf.init_list[std::min(i, leaf.init_list.size() - 1)]));
        if (value.valid()) body.push_back(assign(lc.cells[i], value, span));
      }
    }
  const Proc& proc = procs_[slot.proctype];
  body.push_back(
      assign(slot.pc, s_.exprs.constant(proc.location[proc.automaton.start], proc.location_type), span));
  if (nr_pr_.valid())
    body.push_back(assign(nr_pr_, s_.exprs.binary(Op::Add, s_.read(nr_pr_), constant(1)), span));
  return block(std::move(body), span);
}

}  // namespace parley::front::promela
