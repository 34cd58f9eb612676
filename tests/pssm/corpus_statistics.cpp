#include "pssm/corpus_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "front/uml/uml.hpp"
#include "model/resolve.hpp"

namespace parley::conformance {
namespace {

namespace fs = std::filesystem;
using front::uml::ImportReport;
using front::uml::Treatment;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::map<std::string, std::size_t> counts(const ImportReport& report, Treatment treatment) {
  std::map<std::string, std::size_t> result;
  for (const auto& [name, kind] : report.kinds(treatment)) result[name] = kind.count;
  return result;
}

}  // namespace

std::size_t CorpusResult::imported() const {
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const FileResult& f) { return f.imported; }));
}

CorpusResult read_corpus(const std::string& folder) {
  CorpusResult result;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".uml" && extension != ".xmi" && extension != ".zargo"))
      continue;
    const auto relative = fs::relative(entry.path(), folder);
    if (relative.begin()->string() == "tetrabox-pssm") continue;             // another metamodel
    if (relative.string().find(".unzipped") != std::string::npos) continue;  // what the .zargo files hold
    paths.push_back(relative);
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    const std::string bytes = slurp(fs::path(folder) / path);
    FileResult file;
    file.path = path.string();
    file.folder = path.begin()->string();
    for (const bool havoc : {false, true}) {
      diag::SourceMap sources;
      diag::Diagnostics diagnostics;
      ImportReport report;
      front::uml::Options options;
      options.havoc_unknown = havoc;
      auto model = front::uml::load(sources, path.string(), bytes, diagnostics, options, report);
      if (!havoc) {
        file.strict = model.has_value();
        continue;
      }
      file.tool = report.tool;
      file.machines = report.machines;
      file.read = counts(report, Treatment::Read);
      file.ignored = counts(report, Treatment::Ignored);
      file.approximated = counts(report, Treatment::Approximated);
      file.rejected = counts(report, Treatment::Rejected);
      file.imported = model.has_value() && !report.control_structure_lost();
      if (model) {
        model::resolve(*model, diagnostics);
        file.resolved = model->resolved;
      }
      file.errors = diagnostics.error_count();
      for (const auto& d : diagnostics.all()) {
        if (d.severity == diag::Severity::Error && file.first_error.empty())
          file.first_error = d.code + ": " + d.message;
      }
    }
    if (file.machines == 0)
      ++result.without_machine;
    else
      result.files.push_back(std::move(file));
  }
  return result;
}

std::string corpus_table(const CorpusResult& result) {
  std::map<std::string, std::vector<const FileResult*>> by_folder;
  for (const auto& f : result.files) by_folder[f.folder].push_back(&f);
  std::string out =
      "| source | files with a machine | imported | resolved | also without `--havoc-unknown` | states | "
      "transitions |\n|---|---|---|---|---|---|---|\n";
  const auto get = [](const std::map<std::string, std::size_t>& m, const char* key) {
    const auto it = m.find(key);
    return it == m.end() ? std::size_t{0} : it->second;
  };
  for (const auto& [folder, files] : by_folder) {
    std::size_t imported = 0, resolved = 0, strict = 0, states = 0, transitions = 0;
    for (const auto* f : files) {
      imported += f->imported;
      resolved += f->resolved;
      strict += f->strict;
      states += get(f->read, "state");
      transitions += get(f->read, "external transition") + get(f->read, "local transition") +
                     get(f->read, "internal transition");
    }
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", folder, files.size(), imported, resolved,
                       strict, states, transitions);
  }
  const auto section = [&](const char* title, std::map<std::string, std::size_t> FileResult::*field) {
    std::map<std::string, std::map<std::string, std::size_t>> total;
    for (const auto& f : result.files) {
      for (const auto& [kind, count] : f.*field) total[kind][f.folder] += count;
    }
    out += fmt::format("\n{}\n\n| construct | count | where |\n|---|---|---|\n", title);
    for (const auto& [kind, folders] : total) {
      std::size_t sum = 0;
      std::vector<std::string> where;
      for (const auto& [folder, count] : folders) {
        sum += count;
        where.push_back(fmt::format("{} {}", folder, count));
      }
      out += fmt::format("| {} | {} | {} |\n", kind, sum, fmt::join(where, ", "));
    }
  };
  section("Read:", &FileResult::read);
  section("Ignored (no effect on behaviour, or not needed):", &FileResult::ignored);
  section("Over-approximated:", &FileResult::approximated);
  section("Rejected:", &FileResult::rejected);
  out += "\nFiles that are not imported:\n\n| file | first reason |\n|---|---|\n";
  for (const auto& f : result.files) {
    if (!f.imported || !f.resolved) out += fmt::format("| `{}` | {} |\n", f.path, f.first_error);
  }
  return out;
}

}  // namespace parley::conformance
