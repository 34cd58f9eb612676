#include "cli/model_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/output.hpp"
#include "cli/supervisor.hpp"

namespace parley::cli {

std::vector<OptionSpec> operator+(std::vector<OptionSpec> a, std::vector<OptionSpec> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const load::FormatInfo& f : load::formats()) names.emplace_back(f.name);
  return names;
}

}  // namespace

std::vector<OptionSpec> load_options() {
  return {{"set", "NAME=VALUE", "Sets a constant of the model; may be repeated.", {}, true},
          {"semantics",
           "SWITCH=VALUE",
           "Sets a semantics switch (docs/semantics.md); may be repeated.",
           {},
           true},
          {"fair",
           "STRENGTH",
           "Temporal properties are asked of runs in which no object or process is passed over for ever "
           "(weak: while it can move all the time; strong: while it can move again and again), or of all "
           "runs, whatever the model assumes (none).",
           {"weak", "strong", "none"}},
          {"finite-runs", "",
           "Temporal properties read a run that ends as a finite word; else its last state goes on for "
           "ever."},
          {"system", "FILE.ply", "UML: takes objects, wiring and checks from this text model."},
          {"format-in", "FORMAT",
           "What the file is; default: by its ending, and where that says nothing by its content.",
           format_names()},
          {"class",
           "NAME",
           "UML: reads only the state machine of this class (or of this name); may be repeated.",
           {},
           true},
          {"names-are-triggers", "",
           "UML: a transition with a name and without a trigger waits for an event of that name."},
          {"havoc-unknown", "",
           "UML: over-approximates text that is not understood, and lists it as an assumption."},
          {"include",
           "FOLDER",
           "Promela: #include may read files of this folder too; may be repeated.",
           {},
           true,
           'I'},
          {"cpp", "",
           "Promela: preprocesses with the compiler, which reads any file that the model names (only for "
           "models you trust)."}};
}

std::vector<OptionSpec> budget_options() {
  return {{"time", "SECONDS", "Stops after this time (20, 20s, 3m) and says what was covered."},
          {"memory", "BYTES",
           "Stops at this much memory (500M, 4G, none) and says what was covered; default: 80 % of the "
           "machine's."}};
}

std::vector<OptionSpec> limit_options() {
  return budget_options() +
         std::vector<OptionSpec>{{"states", "N", "Stops after this many states and says what was covered."}};
}

OptionSpec format_option(std::vector<std::string> values) {
  return {"format", "FORMAT", "How results are written.", std::move(values)};
}

namespace {

std::map<std::string, std::string> pairs(const std::string& option, const std::vector<std::string>& words) {
  std::map<std::string, std::string> result;
  for (const std::string& w : words) {
    const std::size_t equals = w.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError{fmt::format("--{} needs NAME=VALUE, not `{}`", option, diag::sanitise(w)), {}};
    result[w.substr(0, equals)] = w.substr(equals + 1);
  }
  return result;
}

}  // namespace

load::LoadOptions load_options_of(const Arguments& a) {
  load::LoadOptions options;
  options.constants = pairs("set", a.all("set"));
  options.switches = pairs("semantics", a.all("semantics"));
  // Switches like the others, so that certificates and replays know them.
  if (a.has("fair")) options.switches["fairness"] = a.get("fair");
  if (a.has("finite-runs")) options.switches["runs"] = "finite";
  options.havoc_unknown = a.has("havoc-unknown");
  if (a.has("format-in")) options.format = load::format_of_name(a.get("format-in"));
  options.names_are_triggers = a.has("names-are-triggers");
  options.classes = a.all("class");
  options.system_path = a.get("system");
  options.include_folders = a.all("include");
  options.compiler_preprocesses = a.has("cpp");
  if (a.has("time")) options.seconds = seconds_value("time", a.get("time"));
  return options;
}

engine::Limits limits_of(const Arguments& a) {
  engine::Limits limits;
  if (a.has("time")) limits.seconds = seconds_value("time", a.get("time"));
  limits.memory_bytes = memory_value(a);
  if (a.has("states")) limits.states = count_value("states", a.get("states"));
  return limits;
}

namespace {

constexpr std::size_t kShownOfAKind = 5;

// What may come by the thousand and has one remedy.
bool is_foldable(const diag::Diagnostic& d) {
  return d.severity == diag::Severity::Warning || d.code == "uml-text";
}

// The first few of each kind, and how many more there are.
std::vector<diag::Diagnostic> folded(std::vector<diag::Diagnostic> all,
                                     std::map<std::string, std::size_t>& left_out) {
  std::map<std::string, std::size_t> seen;
  std::erase_if(all, [&](const diag::Diagnostic& d) {
    if (!is_foldable(d) || ++seen[d.code] <= kShownOfAKind) return false;
    ++left_out[d.code];
    return true;
  });
  return all;
}

// Text that is not understood is no wall: what goes on, and how.
void say_how_to_go_on(const load::Loaded& loaded, const std::string& command_line, Terminal& t) {
  const auto unknown = std::count_if(loaded.diagnostics.all().begin(), loaded.diagnostics.all().end(),
                                     [](const diag::Diagnostic& d) { return d.code == "uml-text"; });
  if (unknown == 0) return;
  t.err << fmt::format(
      "{} place{} of behaviour text {} not understood. To go on with any outcome for {}, listed as an "
      "assumption:\n  {} --havoc-unknown\nOr give what there is in a file of your own: --system FILE.ply "
      "(docs/uml.md has a template).\n",
      unknown, unknown == 1 ? "" : "s", unknown == 1 ? "is" : "are", unknown == 1 ? "it" : "them",
      command_line);
}

}  // namespace

void print_diagnostics(const load::Loaded& loaded, Terminal& t) {
  std::map<std::string, std::size_t> more;
  t.err << diag::render(loaded.sources, folded(loaded.diagnostics.sorted(), more), {t.colour, 100});
  for (const auto& [code, count] : more)
    t.err << fmt::format("... and {} more of this kind [{}]\n", count, code);
}

std::optional<load::Loaded> load_or_report(const std::string& path, const Arguments& arguments, Terminal& t) {
  if (t.supervisor != nullptr) t.supervisor->doing("while the model is loaded");
  load::Loaded loaded = load::load(path, load_options_of(arguments));
  if (t.supervisor != nullptr) t.supervisor->doing("");
  print_diagnostics(loaded, t);
  if (loaded.ok()) return loaded;
  const std::size_t n = loaded.diagnostics.error_count();
  t.err << fmt::format("parley: {} error{} in {}\n", n, n == 1 ? "" : "s", diag::sanitise(path));
  say_how_to_go_on(loaded, reproduce("check", arguments), t);
  return std::nullopt;
}

}  // namespace parley::cli
