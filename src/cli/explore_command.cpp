// parley explore: counts of the state space, and the state graph as DOT or JSON when it is small.
#include <fmt/format.h>

#include <deque>
#include <map>

#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "driver/engines.hpp"
#include "report/text.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;

struct Graph {
  struct Edge {
    std::size_t from, to;
    std::string label;
  };
  std::vector<State> states;
  std::vector<std::size_t> initial;
  std::vector<Edge> edges;
  bool complete = true;
};

// By the reference semantics; inner states of exclusive stretches are shown too (dashed in DOT).
Graph build(const Interpreter& in, std::size_t limit) {
  Graph g;
  std::map<State, std::size_t> index;
  const auto add = [&](const State& s) {
    const auto [it, fresh] = index.emplace(s, g.states.size());
    if (fresh) g.states.push_back(s);
    return it->second;
  };
  for (const auto& i : in.initial_states())
    if (i.result.outcome == Outcome::Done) g.initial.push_back(add(i.result.state));
  for (std::size_t at = 0; at < g.states.size(); ++at) {
    if (g.states.size() > limit) {
      g.complete = false;
      break;
    }
    const State state = g.states[at];
    for (const auto& next : in.successors(state)) {
      if (next.result.outcome != Outcome::Done) continue;
      const system::Action& a = in.system().action(next.step.action);
      g.edges.push_back({at, add(next.result.state), in.system().owner(a.owner).name + ": " + a.name});
    }
  }
  return g;
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

std::string dot_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : diag::sanitise(text)) {
    if (c == '"') out += '\\';
    out += c;
  }
  std::string lines;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out.compare(i, 4, "\\x0a") == 0) {
      lines += "\\n";
      i += 3;
    } else {
      lines += out[i];
    }
  }
  return lines + '"';
}

int print_graph(const system::System& s, const Interpreter& in, const std::string& format, std::size_t limit,
                Terminal& t) {
  const Graph g = build(in, limit);
  if (!g.complete) {
    t.err << fmt::format(
        "parley: more than {} states; a graph that large helps nobody (--states raises the limit)\n", limit);
    return kUnknown;
  }
  if (format == "json") {
    nlohmann::ordered_json j = {{"format", "parley-graph"}, {"version", 1}, {"initial", g.initial}};
    for (const State& state : g.states) {
      nlohmann::ordered_json values;
      for (std::size_t i = 0; i < s.cells.size(); ++i)
        values[s.cells[i].name] = system::show_value(s, s.cells[i].type, state.cells[i]);
      nlohmann::ordered_json queues = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < s.queues.size(); ++i)
        for (const auto& m : state.queues[i]) queues[s.queues[i].name].push_back(semantics::show(s, m));
      j["states"].push_back(
          {{"values", std::move(values)}, {"queues", std::move(queues)}, {"visible", state.visible()}});
    }
    j["edges"] = nlohmann::ordered_json::array();
    for (const Graph::Edge& e : g.edges)
      j["edges"].push_back({{"from", e.from}, {"to", e.to}, {"action", e.label}});
    t.out << verdict::dump(j) << '\n';
    return kAllHold;
  }
  t.out << "digraph states {\n  node [shape=box, fontname=monospace];\n";
  for (std::size_t i = 0; i < g.states.size(); ++i)
    t.out << fmt::format("  s{} [label={}{}];\n", i, dot_quoted(state_label(s, g.states[i])),
                         g.states[i].visible() ? "" : ", style=dashed");
  for (std::size_t i : g.initial) t.out << fmt::format("  start{} [shape=point]; start{} -> s{};\n", i, i, i);
  for (const Graph::Edge& e : g.edges)
    t.out << fmt::format("  s{} -> s{} [label={}];\n", e.from, e.to, dot_quoted(e.label));
  t.out << "}\n";
  return kAllHold;
}

int run_explore(const Arguments& a, Terminal& t) {
  auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  system::System& s = *loaded->system;
  std::optional<std::uint32_t> capacity;
  if (a.has("capacity")) capacity = static_cast<std::uint32_t>(count_value("capacity", a.get("capacity")));
  if (a.has("graph")) {
    const Interpreter in(s, semantics::capacities(s, capacity));
    const std::size_t limit = a.has("states") ? count_value("states", a.get("states")) : 2000;
    return print_graph(s, in, a.get("graph"), limit, t);
  }
  // A property that nothing violates: the search ends only when it has seen everything.
  system::Property everything;
  everything.kind = system::PropertyKind::Never;
  everything.name = "(explore)";
  everything.expression = s.exprs.boolean(false);
  s.properties = {everything};
  driver::CheckOptions options;
  options.limits = limits_of(a);
  options.capacity = capacity;
  ProgressLine progress(t);
  options.progress = progress.sink();
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(driver::make_engine(a.has("dfs") ? "dfs" : "explicit"));
  const driver::CheckReport report = driver::check(s, std::move(engines), options);
  progress.clear();
  const verdict::PropertyResult& r = report.results.at(0);
  const verdict::Coverage& c = r.coverage;
  const double rate = c.seconds > 0 ? static_cast<double>(c.states.value_or(0)) / c.seconds : 0;
  if (a.get("format") == "json") {
    nlohmann::ordered_json j = {{"format", "parley-exploration"},
                                {"version", 1},
                                {"states", c.states.value_or(0)},
                                {"transitions", c.transitions.value_or(0)},
                                {"depth", c.depth.value_or(0)},
                                {"complete", c.complete},
                                {"memory_bytes", c.memory_bytes.value_or(0)},
                                {"seconds", c.seconds},
                                {"states_per_second", rate}};
    if (c.bytes_per_state) j["bytes_per_state"] = *c.bytes_per_state;
    j["unreached"] = nlohmann::ordered_json::array();
    for (verdict::ElementId e : c.unreached) j["unreached"].push_back(s.element(e).name);
    t.out << verdict::dump(j) << '\n';
  } else {
    t.out << fmt::format("{} states, {} transitions, depth {}{}\n", report::with_commas(c.states.value_or(0)),
                         report::with_commas(c.transitions.value_or(0)), c.depth.value_or(0),
                         c.complete ? "" : " (not complete)");
    t.out << fmt::format("{:.2f} s, {} states/s, {}", c.seconds,
                         report::with_commas(static_cast<std::uint64_t>(rate)),
                         report::bytes_text(c.memory_bytes.value_or(0)));
    if (c.bytes_per_state) t.out << fmt::format(", {:.1f} bytes per state", *c.bytes_per_state);
    t.out << '\n';
    for (std::size_t i = 0; i < c.max_queue_length.size() && i < s.queues.size(); ++i)
      t.out << fmt::format("  queue of {}: at most {} of {}\n", diag::sanitise(s.queues[i].name),
                           c.max_queue_length[i], report.queue_capacities[i]);
    for (const verdict::Assumption& x : r.assumptions)
      t.out << fmt::format("  assuming {}\n", diag::sanitise(x.text));
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict))
      t.out << "  " << diag::sanitise(u->reason) << '\n';
    for (verdict::ElementId e : c.unreached)
      t.out << fmt::format("  not reached: {}  ({})\n", diag::sanitise(s.element(e).name),
                           diag::sanitise(loaded->sources.place(s.element(e).origin.span)));
  }
  return c.complete ? kAllHold : kUnknown;
}

}  // namespace

Command explore_command() {
  Command c;
  c.name = "explore";
  c.summary = "count the states of a model, or print its state graph";
  c.arguments = "MODEL";
  c.options =
      load_options() + limit_options() +
      std::vector<OptionSpec>{{"graph", "FORM", "Prints the state graph of a small model.", {"dot", "json"}},
                              {"dfs", "", "Searches depth first."},
                              {"capacity", "N", "Capacity of queues that declare none."},
                              format_option({"text", "json"})};
  c.run = run_explore;
  return c;
}

}  // namespace parley::cli
