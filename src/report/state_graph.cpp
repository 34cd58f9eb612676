#include "report/state_graph.hpp"

#include <fmt/format.h>

#include <map>

#include "report/quoting.hpp"
#include "verdict/json.hpp"

namespace parley::report {

using semantics::Outcome;
using semantics::State;
using json = nlohmann::ordered_json;

std::optional<StateGraph> state_graph(const semantics::Interpreter& in, std::size_t limit) {
  StateGraph g;
  std::map<State, std::size_t> index;
  const auto add = [&](const State& s) {
    const auto [it, fresh] = index.emplace(s, g.states.size());
    if (fresh) g.states.push_back(s);
    return it->second;
  };
  for (const auto& i : in.initial_states())
    if (i.result.outcome == Outcome::Done) g.initial.push_back(add(i.result.state));
  for (std::size_t at = 0; at < g.states.size(); ++at) {
    if (g.states.size() > limit) return std::nullopt;
    const State state = g.states[at];
    for (const auto& next : in.successors(state))
      if (next.result.outcome == Outcome::Done)
        g.edges.push_back({at, add(next.result.state), next.step.action});
  }
  return g;
}

namespace {

std::string edge_label(const system::System& s, const StateGraph::Edge& e) {
  const system::Action& a = s.action(e.action);
  return s.owner(a.owner).name + ": " + a.name;
}

std::string state_label(const system::System& s, const State& state) {
  std::string text;
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    if (s.cells[i].role == system::CellRole::Bookkeeping) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : "\n", s.cells[i].name,
                        system::show_value(s, s.cells[i].type, state.cells[i]));
  }
  for (std::size_t i = 0; i < s.queues.size(); ++i) {
    if (state.queues[i].empty()) continue;
    text += fmt::format("\n{}:", s.queues[i].name);
    for (const auto& m : state.queues[i]) text += ' ' + semantics::show(s, m);
  }
  return text;
}

}  // namespace

std::string graph_dot(const system::System& s, const StateGraph& g) {
  std::string out = "digraph states {\n  node [shape=box, fontname=monospace];\n";
  for (std::size_t i = 0; i < g.states.size(); ++i)
    out += fmt::format("  s{} [label={}{}];\n", i, dot_string(state_label(s, g.states[i])),
                       g.states[i].visible() ? "" : ", style=dashed");
  for (std::size_t i : g.initial) out += fmt::format("  start{} [shape=point]; start{} -> s{};\n", i, i, i);
  for (const StateGraph::Edge& e : g.edges)
    out += fmt::format("  s{} -> s{} [label={}];\n", e.from, e.to, dot_string(edge_label(s, e)));
  return out + "}\n";
}

std::string graph_json(const system::System& s, const StateGraph& g) {
  json j = {{"format", "parley-graph"}, {"version", 1}, {"initial", g.initial}};
  for (const State& state : g.states) {
    json values;
    for (std::size_t i = 0; i < s.cells.size(); ++i)
      values[s.cells[i].name] = system::show_value(s, s.cells[i].type, state.cells[i]);
    json queues = json::object();
    for (std::size_t i = 0; i < s.queues.size(); ++i)
      for (const auto& m : state.queues[i]) queues[s.queues[i].name].push_back(semantics::show(s, m));
    j["states"].push_back(
        {{"values", std::move(values)}, {"queues", std::move(queues)}, {"visible", state.visible()}});
  }
  j["edges"] = json::array();
  for (const StateGraph::Edge& e : g.edges)
    j["edges"].push_back({{"from", e.from}, {"to", e.to}, {"action", edge_label(s, e)}});
  return verdict::dump(j) + '\n';
}

}  // namespace parley::report
