// parley replay: a trace file on a model; says where it stops fitting.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "report/text.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

// A trace file, or a result file of `check --format json` with `--property` naming the result.
const nlohmann::json* find_trace(const nlohmann::json& j, const std::string& property) {
  if (j.is_object() && j.value("format", "") == "parley-trace") return &j;
  if (!j.is_object() || !j.contains("results")) return nullptr;
  for (const auto& r : j.at("results"))
    if (r.contains("trace") && (property.empty() || r.value("property", "") == property))
      return &r.at("trace");
  return nullptr;
}

int run_replay(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  diag::Diagnostics diagnostics;
  const auto text = driver::read_file(a.positional[1], diagnostics);
  if (!text) {
    t.err << diag::render(loaded->sources, diagnostics.sorted());
    return kBadInput;
  }
  const auto j = nlohmann::json::parse(*text, nullptr, false);
  const nlohmann::json* found = j.is_discarded() ? nullptr : find_trace(j, a.get("property"));
  if (found == nullptr) {
    t.err << fmt::format("parley: `{}` holds no trace\n", diag::sanitise(a.positional[1]));
    return kBadInput;
  }
  std::string why;
  const auto trace = verdict::trace_from_json(s, *found, why);
  if (!trace) {
    t.err << fmt::format("parley: {}\n", diag::sanitise(why));
    return kBadInput;
  }
  std::optional<std::uint32_t> capacity;
  if (a.has("capacity")) capacity = static_cast<std::uint32_t>(count_value("capacity", a.get("capacity")));
  const semantics::Interpreter interpreter(s, semantics::capacities(s, capacity));
  const verdict::Replay r = verdict::replay(interpreter, *trace);
  report::TextOptions options;
  options.colour = t.colour;
  options.width = t.width;
  options.max_steps = a.has("full-trace") ? SIZE_MAX : options.max_steps;
  t.out << report::trace_steps(s, verdict::narrate(interpreter, *trace), options);
  if (!r.complete) {
    t.out << fmt::format("does not fit: {}\n", diag::sanitise(r.why));
    return kViolated;
  }
  t.out << fmt::format("fits: all {} steps\n", trace->steps.size());
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (verdict::confirm(interpreter, system::PropertyId(i), *trace).confirmed)
      t.out << fmt::format("shows: {}\n", diag::sanitise(s.properties[i].name));
  return kAllHold;
}

}  // namespace

Command replay_command() {
  Command c;
  c.name = "replay";
  c.summary = "replay a trace file on a model and say where it stops fitting";
  c.arguments = "MODEL TRACE.json";
  c.description =
      "TRACE.json is a trace written by `parley check --trace`, or the JSON result of `parley check`. Exit "
      "status 0: "
      "it fits, 1: it does not.";
  c.options =
      load_options() + budget_options() +
      std::vector<OptionSpec>{{"property", "NAME", "Which result's trace to take from a result file."},
                              {"capacity", "N", "Capacity of queues that declare none."},
                              {"full-trace", "", "Shows all steps of long traces."}};
  c.min_arguments = c.max_arguments = 2;
  c.run = run_replay;
  return c;
}

}  // namespace parley::cli
