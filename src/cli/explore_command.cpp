// parley explore: counts of the state space, and the state graph as DOT or JSON when it is small.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/progress.hpp"
#include "cli/supervisor.hpp"
#include "driver/engines.hpp"
#include "driver/live_report.hpp"
#include "load/error_search.hpp"
#include "report/state_graph.hpp"
#include "report/text.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

using semantics::Interpreter;

int print_graph(const Interpreter& in, const std::string& format, std::size_t limit, Terminal& t) {
  const std::optional<report::StateGraph> graph = report::state_graph(in, limit);
  if (!graph) {
    t.err << fmt::format(
        "parley: more than {} states; a graph that large helps nobody (--states raises the limit)\n", limit);
    return kUnknown;
  }
  t.out << (format == "json" ? report::graph_json(in.system(), *graph)
                             : report::graph_dot(in.system(), *graph));
  return kAllHold;
}

// "no run-time errors: division by zero …": what ended a run.
std::string ending(const system::System& s, const verdict::PropertyResult& e) {
  return fmt::format("{} is violated: {}", s.property(e.property).name,
                     std::get<verdict::Violated>(e.verdict).reason);
}

int tell(const load::Loaded& loaded, const driver::CheckReport& report, const Arguments& a, Terminal& t) {
  const system::System& s = *loaded.system;
  const verdict::PropertyResult& r = report.results.at(0);
  std::vector<verdict::PropertyResult> errors(report.results.begin() + 1, report.results.end());
  std::erase_if(errors, [](const verdict::PropertyResult& e) { return !e.violated(); });
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
    j["ended_runs"] = nlohmann::ordered_json::array();
    for (const verdict::PropertyResult& e : errors) j["ended_runs"].push_back(ending(s, e));
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
    for (const verdict::PropertyResult& e : errors)
      t.out << fmt::format("  some runs end early: {}\n", diag::sanitise(ending(s, e)));
    for (const verdict::Assumption& x : r.assumptions)
      t.out << fmt::format("  assuming that {}\n", diag::sanitise(x.text));
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict))
      t.out << "  " << diag::sanitise(u->reason) << '\n';
    for (verdict::ElementId e : c.unreached)
      t.out << fmt::format("  not reached: {}  ({})\n", diag::sanitise(s.element(e).name),
                           diag::sanitise(loaded.sources.place(s.element(e).origin.span)));
  }
  return c.complete ? kAllHold : kUnknown;
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
    return print_graph(in, a.get("graph"), limit, t);
  }
  // A property that nothing violates: the search ends only when it has seen everything.
  system::Property everything;
  everything.kind = system::PropertyKind::Never;
  everything.name = "(explore)";
  everything.expression = s.exprs.boolean(false);
  std::vector<system::Property> properties{everything};
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (load::looks_for_errors(s, system::PropertyId(i))) properties.push_back(s.properties[i]);
  s.properties = std::move(properties);
  driver::CheckOptions options;
  options.limits = limits_of(a);
  options.capacity = capacity;
  ProgressLine progress(t);
  options.progress = progress.sink();
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(
      driver::make_engine(a.has("dfs") ? engine::EngineKind::DepthFirst : engine::EngineKind::BreadthFirst));
  driver::LiveReport live;
  options.live = &live;
  const LastWords last_words(t.supervisor, [&](const verdict::Stop& stop, Terminal& terminal) {
    return tell(*loaded, live.so_far(stop), a, terminal);
  });
  const driver::CheckReport report = driver::check(s, std::move(engines), options);
  progress.clear();
  return tell(*loaded, report, a, t);
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
