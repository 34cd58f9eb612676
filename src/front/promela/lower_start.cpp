#include "front/promela/lower_start.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::promela {

void ProcessStart::start(const Expr& run, const Slot& caller, std::vector<StmtId>& body) {
  std::size_t p = 0;
  while (p < program_.proctypes.size() && program_.proctypes[p].name != run.name) ++p;
  if (p == program_.proctypes.size()) return;
  std::vector<ExprId> args = expressions_.message_values(run.args, caller);
  std::size_t wanted = 0;
  for (const VariablePtr& v : program_.proctypes[p].parameters)
    for (const Leaf& leaf : leaves(program_, *v)) wanted += leaf.elements();
  if (wanted != args.size()) {
    diagnostics_.error("argument-count", run.span,
                       fmt::format("'{}' takes {} values, {} given", run.name, wanted, args.size()));
    return;
  }
  StmtId result = beyond_limit(p, run);
  for (std::size_t k = layout_.procs[p].slots.size(); k-- > 0;) {
    const Slot& slot = layout_.slots[layout_.procs[p].slots[k]];
    system::Stmt choice;
    choice.kind = system::StmtKind::If;
    choice.value = terms_.negate(terms_.alive(slot));
    choice.children = {start_slot(slot, args, run, run.span), result};
    choice.origin.span = run.span;
    result = s_.add(std::move(choice));
  }
  body.push_back(result);
}

// What happens when every slot is taken. Where the number of instances is bounded by the program, this is
// never executed. Otherwise the run is cut, and every engine says so: by a message into a queue that never
// has room.
StmtId ProcessStart::beyond_limit(std::size_t p, const Expr& run) {
  const Proc& proc = layout_.procs[p];
  if (proc.bounded)
    return statements_.failure(
        system::RuntimeError::ProcessLimit,
        fmt::format("more than {} processes of type '{}' exist", proc.slots.size(), run.name), run.span);
  Limit& limit = limits_[p];
  if (!limit.queue.valid()) {
    system::Signal signal;
    signal.name = "start " + run.name;
    signal.origin.span = program_.proctypes[p].span;
    limit.signal = s_.add(std::move(signal));
    system::Queue queue;
    queue.name = fmt::format("new {} processes ({} can exist)", run.name, proc.slots.size());
    queue.limit =
        fmt::format("no more than {} process{} of type '{}' exist{} at a time", proc.slots.size(),
                    proc.slots.size() == 1 ? "" : "es", run.name, proc.slots.size() == 1 ? "s" : "");
    queue.capacity = 0;
    queue.overflow = system::OverflowPolicy::Cut;
    queue.signals = {limit.signal};
    queue.origin.span = program_.proctypes[p].span;
    limit.queue = s_.add(std::move(queue));
  }
  system::Stmt st;
  st.kind = system::StmtKind::Send;
  st.target = terms_.constant(0);
  st.routes = {{limit.queue, limit.signal}};
  st.origin.span = run.span;
  return s_.add(std::move(st));
}

StmtId ProcessStart::start_slot(const Slot& slot, const std::vector<ExprId>& args, const Expr& run,
                                diag::Span span) {
  const Proctype& p = program_.proctypes[slot.proctype];
  std::vector<StmtId> body;
  std::size_t next = 0;
  for (const VariablePtr& v : p.parameters)
    for (const Leaf& leaf : leaves(program_, *v)) {
      const LeafCells& lc = slot.variables.at(v.get()).at(leaf.path);
      for (CellId cell : lc.cells)
        body.push_back(
            statements_.assign(cell, variables_.truncate(stored_type(*leaf.variable), args[next++]), span));
    }
  if (slot.pid.valid()) body.push_back(statements_.assign(slot.pid, terms_.process_count(), span));
  if (slot.priority.valid()) {
    const std::int32_t given = run.value > 0 ? run.value : p.has_priority ? p.priority : 1;
    body.push_back(statements_.assign(slot.priority, terms_.constant(std::clamp(given, 0, 255)), span));
  }
  for (const VariablePtr& v : p.locals)
    for (const auto& [path, lc] : slot.variables.at(v.get())) {
      const Variable& leaf = *lc.leaf.variable;
      for (std::size_t i = 0; i < lc.cells.size(); ++i) {
        ExprId value;
        if (!lc.queues.empty())
          value =
              s_.exprs.constant(static_cast<std::int32_t>(lc.queues[i].value) + 1, layout_.channel_type());
        else if (leaf.init)
          value = leaf.type.base == Base::Chan
                      ? expressions_.channel_value(*leaf.init, &slot)
                      : variables_.truncate(stored_type(leaf), expressions_.integer(*leaf.init, &slot));
        else if (!leaf.init_list.empty())
          value = variables_.truncate(
              stored_type(leaf), terms_.constant(leaf.init_list[std::min(i, leaf.init_list.size() - 1)]));
        if (value.valid()) body.push_back(statements_.assign(lc.cells[i], value, span));
      }
    }
  const Proc& proc = layout_.procs[slot.proctype];
  body.push_back(statements_.assign(
      slot.pc, s_.exprs.constant(proc.location[proc.automaton.start], proc.location_type), span));
  if (layout_.nr_pr.valid())
    body.push_back(statements_.assign(
        layout_.nr_pr, s_.exprs.binary(Op::Add, s_.read(layout_.nr_pr), terms_.constant(1)), span));
  return statements_.block(std::move(body), span);
}

}  // namespace parley::front::promela
