#include "formats/dialects.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "load/load.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::formats {
namespace {

namespace fs = std::filesystem;

struct Expected {
  load::LoadOptions options;
  std::vector<std::pair<std::string, std::string>> lines;
};

Expected read_expected(const fs::path& path) {
  Expected e;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key != "options") {
      e.lines.emplace_back(key, value);
      continue;
    }
    std::istringstream words(value);
    for (std::string word; words >> word;) {
      if (word == "--havoc-unknown") e.options.havoc_unknown = true;
      if (word == "--names-are-triggers") e.options.names_are_triggers = true;
      if (word.starts_with("--class=")) e.options.classes.push_back(word.substr(8));
    }
  }
  return e;
}

std::vector<fs::path> dialect_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(PARLEY_SOURCE_DIR "/tests/formats/dialects"))
    if (entry.is_regular_file() && entry.path().extension() != ".expected") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

fs::path expected_of(fs::path file) {
  return file.replace_extension(".expected");
}

std::size_t vertices(const model::Machine& m, model::VertexKind kind) {
  return static_cast<std::size_t>(std::count_if(
      m.vertices.begin(), m.vertices.end(), [&](const auto& v) { return v.kind == kind && !v.implicit; }));
}

std::map<std::string, std::size_t> counts(const load::Loaded& loaded, const std::string& of_class) {
  std::map<std::string, std::size_t> n;
  n["elements"] = loaded.import.ledger.total();
  if (!loaded.model) return n;
  n["signals"] = loaded.model->signals.size();
  n["objects"] = loaded.model->objects.size();
  for (const auto& c : loaded.model->classes) {
    if (!c.machine || (!of_class.empty() && c.name != of_class)) continue;
    ++n["machines"];
    n["states"] += vertices(*c.machine, model::VertexKind::State);
    n["finals"] += vertices(*c.machine, model::VertexKind::Final);
    n["transitions"] += c.machine->transitions.size();
  }
  return n;
}

// What is not as the file beside it says; "" if all is.
std::string difference(const load::Loaded& loaded, const Expected& expected) {
  std::string of_class;
  bool fails = false;
  const auto& found = loaded.diagnostics.all();
  for (const auto& [key, value] : expected.lines) {
    const std::string& text = value;
    const auto any = [&](auto matches) { return std::any_of(found.begin(), found.end(), matches); };
    bool good = true;
    if (key == "class") {
      of_class = value;
    } else if (key == "error" || key == "warning") {
      fails |= key == "error";
      const auto severity = key == "error" ? diag::Severity::Error : diag::Severity::Warning;
      good = any([&](const auto& d) { return d.code == text && d.severity == severity; });
    } else if (key == "message") {
      good = any([&](const auto& d) { return d.message.find(text) != std::string::npos; });
    } else if (key == "hint") {
      good = any([&](const auto& d) { return d.hint.find(text) != std::string::npos; });
    } else if (key == "assumes") {
      good =
          loaded.model && std::any_of(loaded.model->assumptions.begin(), loaded.model->assumptions.end(),
                                      [&](const auto& a) { return a.text.find(text) != std::string::npos; });
    } else {
      const auto n = counts(loaded, of_class)[key];
      if (std::to_string(n) != value) return fmt::format("{} {} instead of {}", key, n, value);
    }
    if (!good) return fmt::format("no {} {}", key, value);
  }
  if (!fails && loaded.diagnostics.has_errors())
    return diag::render(loaded.sources, loaded.diagnostics.sorted());
  if (fails && loaded.model && !loaded.diagnostics.has_errors()) return "it is read";
  return {};
}

}  // namespace

Dialects run_dialects() {
  Dialects dialects;
  for (const fs::path& file : dialect_files()) {
    const std::string name = fs::relative(file, PARLEY_SOURCE_DIR).string();
    if (!fs::exists(expected_of(file))) {
      dialects.all.count(false, name, "nothing says what must be read of it");
      continue;
    }
    const Expected expected = read_expected(expected_of(file));
    const load::Loaded loaded = load::load_model(file.string(), expected.options);
    const std::string problem = difference(loaded, expected);
    dialects.all.count(problem.empty(), name, problem);
    if (loaded.format != load::Format::XState) continue;
    ++dialects.xstate.all;
    dialects.xstate.good += problem.empty() ? 1 : 0;
  }
  return dialects;
}

Tally run_round_trips() {
  Tally tally;
  for (const fs::path& file : dialect_files()) {
    const Expected expected = read_expected(expected_of(file));
    const load::Loaded loaded = load::load(file.string(), expected.options);
    if (!loaded.ok() || !loaded.model) continue;
    const std::string text = front::text::print(*loaded.model);
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    model::Model again = front::text::parse(sources, sources.add("again.ply", text), diagnostics);
    const bool printed_same = front::text::print(again) == text;
    const bool assumed_same = again.assumptions == loaded.model->assumptions;
    model::resolve(again, diagnostics, {});
    const auto lowered = diagnostics.has_errors() ? std::nullopt : lower::lower(again, diagnostics);
    const bool same = lowered && lowered->system.actions.size() == loaded.system->actions.size() &&
                      lowered->system.cells.size() == loaded.system->cells.size() &&
                      lowered->system.stmts.size() == loaded.system->stmts.size();
    tally.count(
        printed_same && assumed_same && same, file.filename().string(),
        printed_same ? diag::render(sources, diagnostics.sorted()) + "another system" : "another text");
  }
  return tally;
}

}  // namespace parley::formats
