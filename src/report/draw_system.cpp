// The system's structure and the control flow of owners, read off the System's actions.
#include <fmt/format.h>

#include <map>
#include <set>

#include "report/draw.hpp"
#include "report/quoting.hpp"

namespace parley::report {
namespace {

using namespace system;

// (sender, receiver queue) -> signals, over everything an action may send.
using Flows = std::map<std::pair<OwnerId, QueueId>, std::set<std::string>>;

void sends_of(const System& s, StmtId id, OwnerId by, Flows& flows) {
  const Stmt& st = s.stmt(id);
  if (st.kind == StmtKind::Send)
    for (const Route& r : st.routes)
      if (r.queue.valid()) flows[{by, r.queue}].insert(s.signal(r.signal).name);
  for (StmtId child : st.children) sends_of(s, child, by, flows);
}

Flows flows_of(const System& s) {
  Flows flows;
  for (const Action& a : s.actions) sends_of(s, a.body, a.owner, flows);
  return flows;
}

std::string node_of(const System& s, QueueId q) {
  const OwnerId owner = s.queue(q).owner;
  return owner.valid() ? fmt::format("o{}", owner.value) : fmt::format("q{}", q.value);
}

// The value k of a conjunct `location == k`.
std::optional<std::int32_t> location_in(const System& s, ExprId e, CellId cell) {
  const expr::Node& n = s.exprs[e];
  if (n.op == expr::Op::AndAlso) {
    if (auto left = location_in(s, n.operands[0], cell)) return left;
    return location_in(s, n.operands[1], cell);
  }
  if (n.op != expr::Op::Eq) return std::nullopt;
  const expr::Node& x = s.exprs[n.operands[0]];
  const expr::Node& y = s.exprs[n.operands[1]];
  if (x.op == expr::Op::Cell && x.a == cell.value && y.op == expr::Op::Const) return y.value;
  return std::nullopt;
}

void targets_of(const System& s, StmtId id, CellId cell, std::set<std::int32_t>& out) {
  const Stmt& st = s.stmt(id);
  if (st.kind == StmtKind::Assign && st.place.cell == cell && s.exprs[st.value].op == expr::Op::Const)
    out.insert(s.exprs[st.value].value);
  for (StmtId child : st.children) targets_of(s, child, cell, out);
}

}  // namespace

std::string owner_dot(const System& s, OwnerId id, const DrawOptions& o) {
  const Owner& owner = s.owner(id);
  std::string out = fmt::format(
      "digraph {} {{\n  bgcolor=\"transparent\"; node [fontname=\"sans-serif\", fontsize=11, shape=box, "
      "style=rounded];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n",
      dot_string(owner.name));
  if (owner.locations.empty()) return out + "}\n";
  const CellId cell = owner.locations.front();
  std::set<std::int32_t> used = {s.cell(cell).initial};
  std::string edges;
  for (std::size_t i = 0; i < s.actions.size(); ++i) {
    const Action& a = s.actions[i];
    if (a.owner != id && a.partner != id) continue;
    const auto from = location_in(s, a.guard, cell);
    if (!from) continue;
    std::set<std::int32_t> to;
    targets_of(s, a.body, cell, to);
    if (to.empty()) to.insert(*from);
    used.insert(*from);
    for (std::int32_t t : to) {
      used.insert(t);
      edges += fmt::format("  l{} -> l{} [id=\"{}a{}\", label={}];\n", *from + 1, t + 1, o.id_prefix, i,
                           dot_string(clipped(a.name, 50)));
    }
  }
  for (std::int32_t l : used)
    out += fmt::format("  l{} [id=\"{}l{}\", label={}];\n", l + 1, o.id_prefix, l,
                       dot_string(show_value(s, s.cell(cell).type, l)));
  return out + edges + "}\n";
}

std::string structure_dot(const System& s) {
  std::string out =
      "digraph system {\n  rankdir=LR; bgcolor=\"transparent\";\n  node [shape=box, "
      "fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (std::size_t i = 0; i < s.owners.size(); ++i)
    out += fmt::format(
        "  o{} [label={}];\n", i,
        dot_string(s.owners[i].type_name.empty() ? s.owners[i].name
                                                 : s.owners[i].name + " : " + s.owners[i].type_name));
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    if (!s.queues[i].owner.valid())
      out += fmt::format("  q{} [label={}, shape=cds];\n", i, dot_string(s.queues[i].name));
  for (const auto& [ends, signals] : flows_of(s))
    out += fmt::format("  o{} -> {} [label={}];\n", ends.first.value, node_of(s, ends.second),
                       dot_string(fmt::format("{}", fmt::join(signals, ", "))));
  // Who takes from a queue that has no owner.
  std::set<std::pair<std::uint32_t, std::uint32_t>> takers;
  for (const Action& a : s.actions)
    if (a.trigger && !s.queue(a.trigger->queue).owner.valid())
      takers.insert({a.trigger->queue.value, a.owner.value});
  for (const auto& [queue, owner] : takers)
    out += fmt::format("  q{} -> o{} [style=dashed];\n", queue, owner);
  return out + "}\n";
}

std::string structure_mermaid(const System& s) {
  std::string out = "flowchart LR\n";
  for (std::size_t i = 0; i < s.owners.size(); ++i)
    out += fmt::format("  o{}[\"{}\"]\n", i, plain_label(s.owners[i].name));
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    if (!s.queues[i].owner.valid()) out += fmt::format("  q{}[/\"{}\"/]\n", i, plain_label(s.queues[i].name));
  for (const auto& [ends, signals] : flows_of(s))
    out += fmt::format("  o{} -- \"{}\" --> {}\n", ends.first.value,
                       plain_label(fmt::format("{}", fmt::join(signals, ", "))), node_of(s, ends.second));
  return out;
}

std::string structure_plantuml(const System& s) {
  std::string out = "@startuml\nleft to right direction\n";
  for (std::size_t i = 0; i < s.owners.size(); ++i)
    out += fmt::format("rectangle \"{}\" as o{}\n", plain_label(s.owners[i].name), i);
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    if (!s.queues[i].owner.valid())
      out += fmt::format("queue \"{}\" as q{}\n", plain_label(s.queues[i].name), i);
  for (const auto& [ends, signals] : flows_of(s))
    out += fmt::format("o{} --> {} : {}\n", ends.first.value, node_of(s, ends.second),
                       plain_label(fmt::format("{}", fmt::join(signals, ", "))));
  return out + "@enduml\n";
}

}  // namespace parley::report
