#include "front/promela/lower_initial.hpp"

#include <algorithm>

namespace parley::front::promela {

void InitialValues::set() {
  for (const VariablePtr& v : program_.globals) set_initial(v, nullptr);
  for (const Slot& slot : layout_.slots) {
    if (slot.initial_pid < 0) continue;
    for (const VariablePtr& v : program_.proctypes[slot.proctype].locals) set_initial(v, &slot);
  }
}

void InitialValues::set_initial(const VariablePtr& v, const Slot* slot) {
  for (const auto& [path, lc] : (slot ? slot->variables : layout_.globals).at(v.get())) {
    const Variable& leaf = *lc.leaf.variable;
    for (std::size_t i = 0; i < lc.cells.size(); ++i) {
      system::Cell& cell = s_.cells[lc.cells[i].index()];
      if (!lc.queues.empty()) {
        cell.initial = static_cast<std::int32_t>(lc.queues[i].value) + 1;
      } else if (leaf.init) {
        const ExprId value =
            leaf.type.base == Base::Chan
                ? expressions_.channel_value(*leaf.init, slot)
                : variables_.truncate(stored_type(leaf), expressions_.integer(*leaf.init, slot));
        s_.cells[lc.cells[i].index()].initial = initial_value(value, leaf.init->span);
      } else if (!leaf.init_list.empty()) {
        // Spin repeats the last value for the elements that are left.
        const std::int32_t given = leaf.init_list[std::min(i, leaf.init_list.size() - 1)];
        cell.initial = initial_value(variables_.truncate(stored_type(leaf), terms_.constant(given)), v->span);
      }
    }
  }
}

// The value of an initialiser, read in the state that earlier initialisers have made.
std::int32_t InitialValues::initial_value(ExprId e, diag::Span span) {
  for (int round = 0; round < 8; ++round) {
    const expr::Node& n = s_.exprs[e];
    if (n.op == Op::Const) return n.value;
    e = s_.exprs.rewrite(e, [&](ExprId leaf) -> ExprId {
      const expr::Node node = s_.exprs[leaf];
      if (node.op == Op::Cell) return s_.exprs.constant(s_.cells[node.a].initial, node.type);
      if (node.op == Op::QueueLen) return s_.exprs.constant(0);
      if (node.op == Op::Idle) return s_.exprs.boolean(false);
      return {};
    });
  }
  diagnostics_.error("not-constant", span, "this initial value cannot be computed");
  return 0;
}

}  // namespace parley::front::promela
