// The conformance runner behind `make test-pssm`: the PSSM tests of the corpus one by one, then the import
// statistics. Writes docs/conformance.md and ends with a summary line; --check only looks,
// --traces prints the sets. With no corpus it says so and succeeds.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "pssm/corpus_statistics.hpp"
#include "pssm/traces.hpp"

namespace {

namespace fs = std::filesystem;
using namespace parley::conformance;

std::string joined(const std::vector<std::string>& labels) {
  return fmt::format("{}", fmt::join(labels, " "));
}

// What is known about single tests, by name: hand checks and explanations of differences.
std::map<std::string, std::string> read_remarks(const fs::path& path) {
  std::map<std::string, std::string> remarks;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) remarks[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return remarks;
}

std::string short_name(const std::string& model) {
  std::string name = model.substr(0, model.find('$'));
  if (const auto at = name.find("_Test"); at != std::string::npos) name.erase(at, 5);
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  const char* shared = std::getenv("PARLEY_SHARED");
  const fs::path corpus =
      fs::path(shared != nullptr ? shared : PARLEY_SOURCE_DIR "/../shared") / "corpus" / "uml";
  const std::string option = argc > 1 ? argv[1] : "";
  const bool verbose = option == "--traces";
  const bool writes = option != "--check";
  if (!fs::exists(corpus)) {
    std::cout << "skipped: the corpus is not there (" << corpus.string()
              << ")\nsummary: pssm=0/0 imported=0/0\n";
    return 0;
  }
  const auto remarks = read_remarks(PARLEY_SOURCE_DIR "/tests/pssm/remarks.tsv");
  const auto remark_of = [&](const std::string& name) {
    const auto it = remarks.find(name);
    return it == remarks.end() ? std::string() : it->second;
  };
  const fs::path pssm = corpus / "tetrabox-pssm";
  std::string table = "| test | result | admitted traces | remark |\n|---|---|---|---|\n";
  std::size_t passed = 0, total = 0, unexplained = 0;
  for (const auto& scenario : read_scenarios((pssm / "scenarios.tsv").string())) {
    ++total;
    const std::string name = short_name(scenario.model);
    auto test = read_pssm((pssm / "models" / (scenario.model + ".xmi")).string());
    Traces traces;
    if (test.error.empty()) traces = all_traces(test, scenario.stimulus);
    const std::string error = test.error.empty() ? traces.error : test.error;
    const bool ok = error.empty() && traces.all.contains(scenario.expected);
    passed += ok ? 1 : 0;
    std::vector<std::string> notes;
    if (!error.empty()) notes.push_back(error);
    if (scenario.expects_values) notes.push_back("compared without the values of the event");
    if (test.has_do_activity) notes.push_back("do-activity run at once after entry");
    const std::string remark = remark_of(name);
    if (!remark.empty()) notes.push_back(remark);
    if ((!ok || traces.all.size() > 3) && remark.empty()) ++unexplained;
    table += fmt::format("| {} | {} | {} | {} |\n", name,
                         ok              ? "pass"
                         : error.empty() ? "**fail**"
                                         : "**not run**",
                         traces.all.size(), fmt::join(notes, "; "));
    if (verbose || !ok) {
      std::cout << fmt::format("{} {} ({} traces)\n  published: {}\n", name, ok ? "pass" : "FAIL",
                               traces.all.size(), joined(scenario.expected));
      if (!error.empty()) std::cout << "  " << error << "\n";
      if (!ok || traces.all.size() > 1) {
        for (const auto& t : traces.all) std::cout << "  admitted:  " << joined(t) << "\n";
      }
    }
  }
  const auto statistics = read_corpus(corpus.string());
  if (writes) {
    std::ifstream head(PARLEY_SOURCE_DIR "/tests/pssm/conformance_head.md");
    std::ofstream out(PARLEY_SOURCE_DIR "/docs/conformance.md");
    out << head.rdbuf() << "\n## PSSM tests\n\n"
        << fmt::format("{} of {} published traces are among those that Parley admits.\n\n", passed, total)
        << table << "\n## Import of the corpus\n\n"
        << fmt::format(
               "{} of {} files with a state machine are read without losing control structure; {} more UML "
               "files have none.\n\n",
               statistics.imported(), statistics.files.size(), statistics.without_machine)
        << corpus_table(statistics);
  }
  if (unexplained > 0) std::cout << unexplained << " results need a remark in tests/pssm/remarks.tsv\n";
  std::cout << fmt::format("summary: pssm={}/{} imported={}/{}\n", passed, total, statistics.imported(),
                           statistics.files.size());
  const bool enough = statistics.files.empty() || statistics.imported() * 10 >= statistics.files.size() * 9;
  return unexplained == 0 && enough ? 0 : 1;
}
