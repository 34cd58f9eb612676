#include "formats/outside_files.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "load/load.hpp"

namespace parley::formats {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_under(const fs::path& folder, const std::vector<std::string>& endings) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() &&
        std::find(endings.begin(), endings.end(), entry.path().extension().string()) != endings.end())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool holds_no_machine(const load::Loaded& loaded) {
  const auto& all = loaded.diagnostics.all();
  return std::any_of(all.begin(), all.end(), [](const auto& d) {
    return d.message == "the file has no state machine" || d.code == "diagram-none";
  });
}

std::string reason(const load::Loaded& loaded) {
  for (const auto& d : loaded.diagnostics.all())
    if (d.severity == diag::Severity::Error) return d.message;
  return {};
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// Counted in the text, so that no mistake of the reader hides itself. Only what is written in XMI 2.
std::size_t count_elements(const std::string& text) {
  static const std::regex vertex("<(subvertex|connectionPoint)[ >]");
  static const std::regex transition("<transition[ >]");
  static const std::regex connector("<ownedConnector[ >]");
  std::size_t n = 0;
  for (const auto& pattern : {vertex, transition, connector})
    n += static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()));
  return n;
}

}  // namespace

OutsideFiles run_outside_files(bool list) {
  OutsideFiles result;
  const auto run = [&](const char* folder, const std::vector<std::string>& endings, Tally& tally) {
    for (const auto& file : files_under(corpus() / folder, endings)) {
      if (file.filename() == "SOURCES.md") continue;
      load::LoadOptions options;
      options.havoc_unknown = true;
      const load::Loaded loaded = load::load(file.string(), options);
      if (holds_no_machine(loaded)) continue;
      ++tally.all;
      tally.good += loaded.ok() ? 1 : 0;
      if (list)
        std::fputs(fmt::format("{}  {}  {}\n", loaded.ok() ? "read   " : "refused",
                               fs::relative(file, corpus()).string(), reason(loaded))
                       .c_str(),
                   stdout);
    }
  };
  run("uml/other-tools", {".uml", ".xmi", ".xml", ".zargo", ".mdj"}, result.other_tools);
  run("plantuml", {".puml", ".plantuml", ".md", ".txt"}, result.plantuml);
  run("mermaid", {".mmd", ".md", ".txt", ".golden"}, result.mermaid);
  for (const auto& file :
       files_under(corpus() / "scxml" / "jbeard4+scxml-test-framework" / "test", {".scxml"})) {
    const bool w3c = file.string().find("w3c-ecma") != std::string::npos;
    const bool scripted = fs::exists(fs::path(file).replace_extension(".json"));
    if (w3c)
      ++result.scxml_w3c.all;
    else if (scripted)
      ++result.scxml_scripts.all;
  }
  return result;
}

std::size_t count_lost_elements() {
  std::size_t lost = 0;
  for (const auto& file : files_under(corpus() / "uml" / "papyrus-rt", {".uml"})) {
    const std::string text = read(file);
    if (text.find("StateMachine") == std::string::npos) continue;
    for (const bool havoc : {false, true}) {
      load::LoadOptions options;
      options.havoc_unknown = havoc;
      const load::Loaded loaded = load::load_model(file.string(), options);
      std::size_t there = 0;  // with the files beside it that it refers to
      for (std::size_t i = 0; i < loaded.sources.size(); ++i)
        there += count_elements(loaded.sources.text(diag::FileId(i)));
      const std::size_t accounted = loaded.import.ledger.total() - loaded.import.ledger.parts;
      if (loaded.import.machines == 0 || accounted == there) continue;
      lost += there > accounted ? there - accounted : accounted - there;
      std::fputs(
          fmt::format("{} elements in {}, {} accounted for\n", there, file.string(), accounted).c_str(),
          stdout);
    }
  }
  return lost;
}

}  // namespace parley::formats
