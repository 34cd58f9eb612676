// parley check: the verdicts.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cli/cegar_options.hpp"
#include "cli/certificate_output.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/supervisor.hpp"
#include "driver/engines.hpp"
#include "driver/live_report.hpp"
#include "front/promela/trail.hpp"
#include "report/annotations.hpp"
#include "report/machine_formats.hpp"
#include "report/story.hpp"
#include "report/text.hpp"
#include "support/interrupt.hpp"
#include "verdict/json.hpp"
#include "verdict/trace_file.hpp"

namespace parley::cli {
namespace {

std::vector<std::unique_ptr<engine::Engine>> engines_of(const Arguments& a, const system::System& s,
                                                        certificate::StateCollector& states) {
  driver::EngineOptions options;
  options.steps = choice<encode::Steps>(a, "steps");
  options.order = choice<encode::ActionOrder>(a, "order");
  options.solver = choice<symbolic::SolverKind>(a, "solver");
  if (a.has("bound")) options.bound = static_cast<std::uint32_t>(count_value("bound", a.get("bound")));
  options.cegar = cegar_options_of(a);
  if (a.has("partition")) start_precision(s, {}, options.cegar);  // names what cannot be read
  std::vector<engine::EngineKind> kinds = choices<engine::EngineKind>(a, "engine");
  if (kinds.empty())
    kinds = driver::default_portfolio(s);
  else
    driver::add_temporal_search(s, kinds);
  std::vector<std::unique_ptr<engine::Engine>> engines;
  // One search that ends is enough to write its states down.
  const auto search =
      std::find_if(kinds.begin(), kinds.end(), [](auto kind) { return row(kind).exhaustive; });
  for (auto kind = kinds.begin(); kind != kinds.end(); ++kind) {
    options.all_states = {};
    if (a.has("certificate") && kind == search)
      options.all_states = [&](const semantics::State& state) { states.add(state); };
    engines.push_back(driver::make_engine(*kind, options));
  }
  return engines;
}

std::vector<std::string> properties_of(const Arguments& a, const system::System& s) {
  const std::vector<std::string> wanted = a.all("property");
  for (const std::string& w : wanted) {
    bool found = false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < s.properties.size(); ++i) {
      names.push_back(s.properties[i].name);
      found = found || w == s.properties[i].name || w == std::to_string(i + 1);
    }
    if (found) continue;
    const std::string near = diag::did_you_mean(w, names);
    throw UsageError{
        fmt::format("the model has no property `{}`", diag::sanitise(w)),
        near.empty() ? "`parley info MODEL` lists them" : fmt::format("did you mean `{}`?", near)};
  }
  return wanted;
}

nlohmann::ordered_json report_json(const load::Loaded& loaded, const driver::CheckReport& report,
                                   const semantics::Interpreter& interpreter, const Arguments& a) {
  const system::System& s = *loaded.system;
  nlohmann::ordered_json j = {{"format", "parley-result"},
                              {"version", verdict::kResultFormat},
                              {"model", s.name},
                              {"command", reproduce("check", a)},
                              {"seconds", report.seconds}};
  j["cells"] = nlohmann::ordered_json::array();
  for (const system::Cell& c : s.cells) j["cells"].push_back(c.name);
  j["queues"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    j["queues"].push_back({{"name", s.queues[i].name}, {"capacity", report.queue_capacities[i]}});
  j["results"] = nlohmann::ordered_json::array();
  for (const verdict::PropertyResult& r : report.results)
    j["results"].push_back(report::result_json(s, loaded.sources, interpreter, r));
  return j;
}

void write_trace(const std::string& path, const system::System& s, const driver::CheckReport& report) {
  for (const verdict::PropertyResult& r : report.results) {
    const auto* v = std::get_if<verdict::Violated>(&r.verdict);
    if (v == nullptr || !v->trace) continue;
    write_file(path,
               verdict::dump(verdict::to_json(s, {*v->trace, r.property, report.queue_capacities})) + '\n');
    return;
  }
}

// The first counterexample that Spin knows too: it has no run-time errors of our kind.
void write_spin_trail(const std::string& path, const semantics::Interpreter& interpreter,
                      const driver::CheckReport& report) {
  for (const verdict::PropertyResult& r : report.results) {
    const auto* v = std::get_if<verdict::Violated>(&r.verdict);
    const system::PropertyKind kind = interpreter.system().property(r.property).kind;
    if (v == nullptr || !v->trace ||
        (kind != system::PropertyKind::NoDeadlock && kind != system::PropertyKind::NoAssertionFailure))
      continue;
    write_file(path, front::promela::spin_trail(interpreter, *v->trace));
    return;
  }
}

void print_text(const load::Loaded& loaded, const driver::CheckReport& report,
                const semantics::Interpreter& interpreter, const Arguments& a, Terminal& t) {
  const system::System& s = *loaded.system;
  report::TextOptions options;
  options.colour = t.colour;
  options.width = t.width;
  options.diagram = !a.has("no-diagram");
  if (a.has("full-trace")) options.max_steps = SIZE_MAX;
  t.out << fmt::format("{}\n", diag::sanitise(s.name)) << report::summary(s, report.results, options);
  if (!a.has("quiet")) {
    for (const verdict::PropertyResult& r : report.results) {
      if (!r.violated() && !a.has("witness")) continue;
      const std::string text = report::finding(s, loaded.sources, interpreter, r, options);
      if (!text.empty()) t.out << '\n' << text;
    }
  }
  if (a.has("coverage")) {
    for (const verdict::PropertyResult& r : report.results) {
      if (!r.coverage.complete && r.coverage.unreached.empty()) continue;
      t.out << fmt::format("\ncoverage ({}): {} of {} states and transitions not reached\n", r.engine_name(),
                           r.coverage.unreached.size(), s.elements.size());
      for (verdict::ElementId e : r.coverage.unreached)
        t.out << fmt::format("    {}  ({})\n", diag::sanitise(s.element(e).name),
                             diag::sanitise(loaded.sources.place(s.element(e).origin.span)));
      break;
    }
  }
  t.out << fmt::format("\n{:.2f} s · reproduce: {}\n", report.seconds, diag::sanitise(reproduce("check", a)));
}

// Everything that a report becomes: the standard output in the chosen format, and files.
int answer(const load::Loaded& loaded, const driver::CheckReport& report, const Arguments& a, Terminal& t) {
  const system::System& s = *loaded.system;
  const semantics::Interpreter interpreter(s, report.queue_capacities);
  const report::ResultSet set{
      s, loaded.sources, interpreter, report.results, a.positional[0], reproduce("check", a), report.seconds};
  const std::string format = a.get("format", "text");
  if (format == "json")
    t.out << verdict::dump(report_json(loaded, report, interpreter, a)) << '\n';
  else if (format == "ndjson")
    t.out << report::to_ndjson(set);
  else if (format == "sarif")
    t.out << report::to_sarif(set);
  else if (format == "junit")
    t.out << report::to_junit(set);
  else if (format == "github")
    t.out << report::to_github(set);
  else
    print_text(loaded, report, interpreter, a, t);
  // Last, since the answer is there even if a file cannot be written.
  if (a.has("trace")) write_trace(a.get("trace"), s, report);
  if (a.has("spin-trail")) write_spin_trail(a.get("spin-trail"), interpreter, report);
  if (a.has("html")) write_html(a.get("html"), loaded, set);
  if (a.has("annotate")) write_file(a.get("annotate"), report::to_annotations(set));
  return driver::exit_status(report);
}

// The end came before there was a model: programs that read the answer get one without results.
int nothing_loaded(const Arguments& a, const verdict::Stop& stop, Terminal& t) {
  const std::string why = stop.text + " while loading the model";
  t.err << "parley: " << why << '\n';
  const std::string format = a.get("format");
  if (format.empty() || format == "text") return kUnknown;
  load::Loaded nothing;
  nothing.system.emplace().name = a.positional[0];
  const semantics::Interpreter interpreter(*nothing.system);
  if (format == "json") {
    nlohmann::ordered_json j = report_json(nothing, {}, interpreter, a);
    j["stopped"] = why;
    t.out << verdict::dump(j) << '\n';
  } else {
    answer(nothing, {}, a, t);
  }
  return kUnknown;
}

int check_once(const Arguments& a, Terminal& t) {
  const auto loaded = [&] {
    const LastWords no_model_yet(t.supervisor, [&](const verdict::Stop& stop, Terminal& terminal) {
      return nothing_loaded(a, stop, terminal);
    });
    return load_or_report(a.positional[0], a, t);
  }();
  if (!loaded) return kBadInput;
  if (a.has("spin-trail") && loaded->format != load::Format::Promela)
    throw UsageError{"--spin-trail is for Promela models", "--trace FILE writes a trace of any model"};
  const system::System& s = *loaded->system;
  driver::CheckOptions options;
  options.limits = limits_of(a);
  options.properties = properties_of(a, s);
  if (a.has("capacity"))
    options.capacity = static_cast<std::uint32_t>(count_value("capacity", a.get("capacity")));
  options.assume_no_errors = a.has("assume-no-errors");
  if (a.has("seed")) options.seed = count_value("seed", a.get("seed"));
  certificate::StateCollector states;
  std::vector<std::unique_ptr<engine::Engine>> engines = engines_of(a, s, states);
  ProgressLine progress(t);
  options.progress = progress.sink();
  driver::LiveReport live;
  options.live = &live;
  const LastWords last_words(t.supervisor, [&](const verdict::Stop& stop, Terminal& terminal) {
    return answer(*loaded, live.so_far(stop), a, terminal);
  });
  const driver::CheckReport report = driver::check(s, std::move(engines), options);
  progress.clear();
  const int status = answer(*loaded, report, a, t);
  if (a.has("certificate")) write_certificate(a, *loaded, report, states);
  return status;
}

// Newest change of the files that the answer depends on.
std::filesystem::file_time_type newest(const Arguments& a) {
  auto result = std::filesystem::file_time_type::min();  // the clock's zero lies in the future
  for (const std::string& path : {a.positional[0], a.get("system")}) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    if (!error) result = std::max(result, time);
  }
  return result;
}

// Checks again whenever the model changes, until interrupted.
int watch(const Arguments& a, Terminal& t) {
  for (;;) {
    const auto before = newest(a);
    if (t.colour) t.out << "\033[H\033[2J";
    if (t.supervisor != nullptr) t.supervisor->arm(Budget::of(a));  // each check has its own time
    check_once(a, t);
    if (t.supervisor != nullptr) t.supervisor->arm({});
    t.out << "watching " << diag::sanitise(a.positional[0]) << " (interrupt to stop)\n" << std::flush;
    while (newest(a) == before) {
      throw_if_interrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // editors write in more than one go
  }
}

int run_check(const Arguments& a, Terminal& t) {
  return a.has("watch") ? watch(a, t) : check_once(a, t);
}

}  // namespace

Command check_command() {
  Command c;
  c.name = "check";
  c.summary = "check the properties of a model";
  c.arguments = "MODEL";
  c.description =
      "Answers per property: holds (proved, with its assumptions), violated (with a shortest counterexample "
      "that was "
      "replayed), or unknown (why, and what was covered). With no check written in the model all "
      "property-free ones run. Run-time errors and failed assertions end runs, so they are always looked "
      "for, whatever else is asked.";
  c.options =
      load_options() + limit_options() +
      std::vector<OptionSpec>{
          {"engine", "NAME", "Which engine answers; may be repeated, then they run side by side.",
           names_of<engine::EngineKind>(), true},
          {"steps", "KIND", "Transition relation of bounded model checking (docs/symbolic.md).",
           names_of<encode::Steps>()},
          {"order", "NAME", "Order of actions within a step.", names_of<encode::ActionOrder>()},
          {"bound", "K", "How many steps or frames the symbolic engines go."},
          {"solver", "NAME", "Solver of the symbolic engines.", names_of<symbolic::SolverKind>()}} +
      refinement_options() +
      std::vector<OptionSpec>{
          {"property",
           "NAME",
           "Checks only this property (its text or number) and whether runs end in errors; may be repeated.",
           {},
           true},
          {"assume-no-errors", "",
           "Does not look for run-time errors and failed assertions that the model does not ask about, and "
           "lists that as an assumption."},
          {"capacity", "N", "Capacity of queues that declare none."},
          {"seed", "N", "Seed of everything random."},
          format_option({"text", "json", "ndjson", "sarif", "junit", "github"}),
          {"html", "FILE", "Writes a report with pictures as one self-contained HTML file."},
          {"trace", "FILE", "Writes the first counterexample as a trace file for `parley replay`."},
          {"certificate", "FILE", "Writes the evidence for all answers, for `parley verify`."},
          {"spin-trail", "FILE",
           "Promela: writes the first failed assertion or invalid end state as a trail; "
           "`spin -p -k FILE MODEL` follows it."},
          {"annotate", "FILE",
           "Writes the counterexamples keyed by the ids of the diagram's elements (JSON)."},
          {"full-trace", "", "Shows all steps of long traces."},
          {"no-diagram", "", "Leaves the sequence diagrams out."},
          {"witness", "", "Shows the witness runs of `reachable` properties too."},
          {"coverage", "", "Lists the states and transitions that were not reached."},
          {"watch", "", "Checks again whenever the model's file changes."},
          {"quiet", "", "Prints only the summary.", {}, false, 'q'}};
  c.run = run_check;
  return c;
}

}  // namespace parley::cli
