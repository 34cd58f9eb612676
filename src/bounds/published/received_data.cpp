#include "bounds/published/received_data.hpp"

#include <algorithm>

#include "system/footprint.hpp"

namespace parley::bounds::published {

using expr::Op;
using system::ExprId;
using system::StmtKind;

namespace {

// Runs one action over the marks of the cells that store message content.
class Marker {
 public:
  // `forgets`: a cell that certainly gets something else loses its mark.
  Marker(const system::System& s, const system::Action& a, std::vector<bool>& marks, bool forgets)
      : s_(s), marks_(marks), locals_(a.locals, false), joint_(a.partner.valid()), forgets_(forgets) {
    statement(a.body, true);
  }

 private:
  bool content(ExprId e) const {
    const expr::Node& n = s_.exprs[e];
    switch (n.op) {
      case Op::Param:
        return true;
      case Op::Local:
        return n.a < locals_.size() && locals_[n.a];
      case Op::Cell:
        return marks_[n.a];
      case Op::Elem: {
        const auto& cells = s_.exprs.table(system::TableId(n.a)).cells;
        return std::any_of(cells.begin(), cells.end(),
                           [&](system::CellId c) { return c.valid() && marks_[c.index()]; });
      }
      default: {
        const auto operands = s_.exprs.operands(e);
        return std::any_of(operands.begin(), operands.end(), [&](ExprId x) { return content(x); });
      }
    }
  }

  void mark(system::CellId c) {
    if (c.valid() && s_.cell(c).role == system::CellRole::Data) marks_[c.index()] = true;
  }

  void statement(system::StmtId id, bool certain) {
    const system::Stmt& st = s_.stmt(id);
    if (st.kind == StmtKind::SetLocal && st.local < locals_.size() && content(st.value))
      locals_[st.local] = true;
    if (st.kind == StmtKind::Assign) {
      // In a rendezvous the receiver stores the sender's values without a message in between.
      if (joint_ || content(st.value)) {
        if (st.place.cell.valid())
          mark(st.place.cell);
        else
          for (system::CellId c : s_.exprs.table(st.place.table).cells) mark(c);
      } else if (forgets_ && certain && st.place.cell.valid()) {
        marks_[st.place.cell.index()] = false;
      }
    }
    for (system::StmtId child : st.children) statement(child, certain && st.kind == StmtKind::Block);
  }

  const system::System& s_;
  std::vector<bool>& marks_;
  std::vector<bool> locals_;
  bool joint_, forgets_;
};

void conjuncts(const system::System& s, ExprId e, std::vector<ExprId>& out) {
  const expr::Node& n = s.exprs[e];
  if (n.op == Op::AndAlso) {
    conjuncts(s, n.operands[0], out);
    conjuncts(s, n.operands[1], out);
  } else if (n.op != Op::Const) {
    out.push_back(e);
  }
}

void inner(const system::System& s, system::StmtId id, std::vector<ExprId>& out) {
  const system::Stmt& st = s.stmt(id);
  for (ExprId e : st.conditions) conjuncts(s, e, out);
  if (st.kind == StmtKind::If || st.kind == StmtKind::While) conjuncts(s, st.value, out);
  for (system::StmtId child : st.children) inner(s, child, out);
}

// Part of a receive, no condition statement: `ch?msg(eval(x))` compares with what is being received.
bool matches_message(const system::System& s, ExprId e) {
  if (s.exprs[e].op == Op::Param) return true;
  const auto operands = s.exprs.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId x) { return matches_message(s, x); });
}

}  // namespace

ReceivedData::ReceivedData(const system::System& s, const FlowGraph& g) : s_(s), g_(g) {
  Marks anywhere(s.cells.size(), false), before;
  do {
    before = anywhere;
    for (const system::Action& a : s.actions) Marker(s, a, anywhere, false);
  } while (anywhere != before);
  stored_.resize(g.components.size());
  for (std::uint32_t c = 0; c < g.components.size(); ++c) follow(c, anywhere);
}

// Along the edges from the initial nodes, until nothing more is stored anywhere.
void ReceivedData::follow(std::uint32_t component, const Marks& anywhere) {
  const Component& c = g_.components[component];
  Marks shared = anywhere;
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (std::find(c.owners.begin(), c.owners.end(), s_.cells[i].owner) != c.owners.end()) shared[i] = false;
  std::vector<Marks>& at = stored_[component];
  at.assign(c.nodes.size(), shared);
  bool more = true;
  while (more) {
    more = false;
    for (const Edge& e : c.edges) {
      if (!e.action.valid()) continue;
      Marks after = at[e.from];
      Marker(s_, s_.action(e.action), after, true);
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (!after[i] || at[e.to][i]) continue;
        at[e.to][i] = true;
        more = true;
      }
    }
  }
}

std::vector<ReceivedData::Condition> ReceivedData::conditions(std::uint32_t component,
                                                              const Edge& edge) const {
  std::vector<Condition> found;
  if (!edge.action.valid() || s_.action(edge.action).partner.valid()) return found;
  const system::Action& action = s_.action(edge.action);
  const auto collect = [&](const std::vector<ExprId>& all, const Marks& marks) {
    for (ExprId e : all) {
      if (matches_message(s_, e)) continue;
      system::Footprint f;
      system::collect_reads(s_, e, f);
      std::erase_if(f.reads, [&](system::CellId c) { return s_.cell(c).role != system::CellRole::Data; });
      if (f.reads.empty()) continue;
      Condition b{e, std::move(f.reads), std::nullopt};
      const auto at =
          std::find_if(b.reads.begin(), b.reads.end(), [&](system::CellId c) { return marks[c.index()]; });
      if (at != b.reads.end()) b.received = *at;
      found.push_back(std::move(b));
    }
  };
  std::vector<ExprId> guard, later;
  conjuncts(s_, action.guard, guard);
  collect(guard, stored_[component][edge.from]);
  inner(s_, action.body, later);
  Marks during = stored_[component][edge.from];
  Marker(s_, action, during, false);
  collect(later, during);
  return found;
}

}  // namespace parley::bounds::published
