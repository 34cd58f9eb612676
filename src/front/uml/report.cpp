#include "front/uml/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "diag/diagnostic.hpp"
#include "diag/hidden.hpp"

namespace parley::front::uml {
namespace {

constexpr Treatment kAll[] = {Treatment::Read, Treatment::Ignored, Treatment::Approximated,
                              Treatment::Rejected};

std::string one_line(const std::string& text) {
  std::string result;
  for (const char c : diag::sanitise(text)) result += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  if (result.size() > 100) result = result.substr(0, 97) + "...";
  return result;
}

}  // namespace

const char* describe(Treatment treatment) {
  switch (treatment) {
    case Treatment::Read:
      return "read";
    case Treatment::Ignored:
      return "ignored";
    case Treatment::Approximated:
      return "over-approximated";
    case Treatment::Rejected:
      return "rejected";
  }
  return "";
}

void ImportReport::add(Treatment treatment, const std::string& kind, Entry entry) {
  auto& slot = of(treatment)[kind];
  ++slot.count;
  if (treatment != Treatment::Read) slot.entries.push_back(std::move(entry));
}

std::size_t ImportReport::count(Treatment treatment) const {
  std::size_t total = 0;
  for (const auto& [name, kind] : kinds(treatment)) total += kind.count;
  return total;
}

std::string ImportReport::text(const diag::SourceMap& sources) const {
  std::string out = fmt::format("written by {}, {}, {} state machine{}\n", tool, dialect, machines,
                                machines == 1 ? "" : "s");
  for (const auto treatment : kAll) {
    if (kinds(treatment).empty()) continue;
    out += fmt::format("{}:\n", describe(treatment));
    for (const auto& [name, kind] : kinds(treatment)) {
      out += fmt::format("  {:5} {}\n", kind.count, name);
      for (const auto& e : kind.entries) {
        out += fmt::format("        {}", sources.place(e.span));
        if (!e.element_id.empty()) out += fmt::format(" [{}]", one_line(e.element_id));
        if (!e.detail.empty()) out += fmt::format(" {}", one_line(e.detail));
        out += '\n';
      }
    }
  }
  if (ledger.total() > 0)
    out += fmt::format("states, transitions, parts and connectors: {} read, {} listed, {} rejected, of {}\n",
                       ledger.read, ledger.listed, ledger.rejected, ledger.total());
  for (const auto& file : missing_files)
    out += fmt::format("refers to `{}`, which is not beside it\n", one_line(file));
  return out;
}

std::string ImportReport::json(const diag::SourceMap& sources) const {
  nlohmann::ordered_json j;
  j["tool"] = tool;
  j["dialect"] = dialect;
  j["machines"] = machines;
  j["control_structure_lost"] = control_lost_;
  j["elements"] = {{"read", ledger.read}, {"listed", ledger.listed}, {"rejected", ledger.rejected}};
  j["missing_files"] = missing_files;
  for (const auto treatment : kAll) {
    auto& section = j[describe(treatment)];
    section = nlohmann::ordered_json::object();
    for (const auto& [name, kind] : kinds(treatment)) {
      auto& item = section[name];
      item["count"] = kind.count;
      if (treatment == Treatment::Read) continue;
      item["places"] = nlohmann::ordered_json::array();
      for (const auto& e : kind.entries) {
        item["places"].push_back(
            {{"place", sources.place(e.span)}, {"element", e.element_id}, {"text", e.detail}});
      }
    }
  }
  return diag::visible_json(j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

}  // namespace parley::front::uml
