#include "report/machine_formats.hpp"

#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "report/quoting.hpp"
#include "report/rules.hpp"
#include "report/story.hpp"
#include "report/text.hpp"
#include "verdict/json.hpp"

namespace parley::report {
namespace {

using json = nlohmann::ordered_json;
using verdict::PropertyResult;

// What went wrong in one sentence; empty if the property holds.
std::string reason(const PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->reason;
  if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict)) return u->reason;
  return {};
}

// The sentence above and what else was found out about the property.
std::string explanation(const PropertyResult& r) {
  std::string text = reason(r);
  for (const std::string& note : r.notes) text += (text.empty() ? "" : "; ") + note;
  return text;
}

// The place to point at: where it goes wrong, else where the property stands.
diag::Span place(const system::System& s, const PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict); v != nullptr && v->origin.span.valid())
    return v->origin.span;
  return s.property(r.property).origin.span;
}

json sarif_location(const ResultSet& set, const diag::Span& span) {
  json physical = {{"artifactLocation", {{"uri", set.model_path}}}};
  if (span.valid()) {
    const diag::Position from = set.sources.position(span);
    const diag::Position to = set.sources.position(span.file, std::max(span.begin, span.end));
    physical["artifactLocation"]["uri"] = set.sources.name(span.file);
    physical["region"] = {{"startLine", from.line},
                          {"startColumn", from.column},
                          {"endLine", to.line},
                          {"endColumn", to.column}};
  }
  return {{"physicalLocation", std::move(physical)}};
}

json code_flow(const ResultSet& set, system::PropertyId property, const verdict::Trace& trace) {
  const verdict::Narration n = verdict::narrate(set.interpreter, property, trace);
  json locations = json::array();
  for (std::size_t i = 0; i < n.steps.size(); ++i) {
    const verdict::NarratedStep& step = n.steps[i];
    const system::Action& a = set.system.action(step.action);
    std::string text = fmt::format("{}. {}: {}", i + 1, set.system.owner(a.owner).name, a.name);
    for (std::uint32_t m : step.received)
      if (m != 0) text += fmt::format(", takes {} #{}", n.messages[m - 1].text, m);
    for (std::uint32_t m : step.sent)
      text += fmt::format(", sends {} #{} to {}", n.messages[m - 1].text, m,
                          set.system.queue(n.messages[m - 1].queue).name);
    const bool repeats = n.loop_start && *n.loop_start <= i;
    if (n.loop_start == i) text += " (from here on it repeats)";
    if (n.loop_start && i + 1 == n.steps.size())
      text += repeats ? fmt::format(" (then step {} again, for ever)", *n.loop_start + 1)
                      : std::string(" (here the run ends)");
    json location = sarif_location(set, a.origin.span);
    location["message"] = {{"text", diag::sanitise(text)}};
    json entry = {{"location", std::move(location)}};
    if (n.loop_start) entry["nestingLevel"] = repeats ? 1 : 0;  // viewers set the loop in
    locations.push_back(std::move(entry));
  }
  return json::array({{{"threadFlows", json::array({{{"locations", std::move(locations)}}})}}});
}

// GitHub's own escaping of workflow commands: message and property values.
std::string github_escape(std::string_view text, bool in_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (in_property && c == ':')
      out += "%3A";
    else if (in_property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string to_sarif(const ResultSet& set) {
  json rule_list = json::array();
  for (const Rule& r : rules())
    rule_list.push_back({{"id", r.id},
                         {"shortDescription", {{"text", r.title}}},
                         {"fullDescription", {{"text", r.page}}},
                         {"help", {{"text", r.page}}}});
  json results = json::array();
  for (const PropertyResult& r : set.results) {
    const system::Property& p = set.system.property(r.property);
    json j = {{"ruleId", rule_of(p.kind).id}};
    j["kind"] = r.holds() ? "pass" : r.violated() ? "fail" : "open";
    j["level"] = r.violated() ? "error" : "none";
    std::string text = fmt::format("{}: {}", p.name, verdict::word(r.verdict));
    if (const std::string why = explanation(r); !why.empty()) text += ": " + why;
    j["message"] = {{"text", diag::sanitise(text)}};
    j["locations"] = json::array({sarif_location(set, place(set.system, r))});
    if (const auto* v = std::get_if<verdict::Violated>(&r.verdict); v != nullptr && v->trace)
      j["codeFlows"] = code_flow(set, r.property, *v->trace);
    json assumptions = json::array();
    for (const verdict::Assumption& a : r.assumptions) assumptions.push_back(a.text);
    j["properties"] = {{"engine", r.engine_name()}, {"assumptions", std::move(assumptions)}};
    if (!r.notes.empty()) j["properties"]["notes"] = r.notes;
    if (r.implicit) j["properties"]["implicit"] = true;
    results.push_back(std::move(j));
  }
  json run = {
      {"tool", {{"driver", {{"name", "parley"}, {"version", "0.1.0"}, {"rules", std::move(rule_list)}}}}},
      {"invocations", json::array({{{"commandLine", set.command}, {"executionSuccessful", true}}})},
      {"results", std::move(results)}};
  return verdict::dump(
             json({{"$schema",
                    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", json::array({std::move(run)})}})) +
         '\n';
}

std::string to_junit(const ResultSet& set) {
  std::size_t failures = 0, skipped = 0;
  for (const PropertyResult& r : set.results) {
    failures += r.violated() ? 1 : 0;
    skipped += r.unknown() ? 1 : 0;
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"{0}\" failures=\"{1}\" skipped=\"{2}\" time=\"{3:.3f}\">\n"
      "  <testsuite name=\"{4}\" tests=\"{0}\" failures=\"{1}\" skipped=\"{2}\" time=\"{3:.3f}\">\n",
      set.results.size(), failures, skipped, set.seconds, html_text(set.system.name));
  TextOptions plain;
  plain.diagram = false;
  for (const PropertyResult& r : set.results) {
    out +=
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", html_text(set.system.name),
                    html_text(set.system.property(r.property).name), r.coverage.seconds);
    if (r.holds()) {
      out += r.notes.empty() ? "/>\n"
                             : fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                                           html_text(explanation(r)));
      continue;
    }
    out += ">\n";
    if (r.violated()) {
      std::string body;
      std::string text = finding(set.system, set.sources, set.interpreter, r, plain);
      for (const std::string& note : r.notes) text += "  " + note + '\n';
      for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        body += html_text(text.substr(from, to - from)) + '\n';
        from = to + 1;
      }
      out += fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n", html_text(reason(r)),
                         rule_of(set.system.property(r.property).kind).id, body);
    } else {
      out += fmt::format("      <skipped message=\"{}\"/>\n", html_text("unknown: " + explanation(r)));
    }
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string to_github(const ResultSet& set) {
  std::string out;
  for (const PropertyResult& r : set.results) {
    const char* level = r.violated() ? "error" : r.unknown() ? "warning" : "notice";
    const system::Property& p = set.system.property(r.property);
    std::string where;
    if (const diag::Span span = place(set.system, r); span.valid()) {
      const diag::Position at = set.sources.position(span);
      where =
          fmt::format("file={},line={},col={},",
                      github_escape(diag::sanitise(set.sources.name(span.file)), true), at.line, at.column);
    }
    std::string text = fmt::format("{} ({})", verdict::word(r.verdict), p.name);
    if (const std::string why = explanation(r); !why.empty()) text += ": " + why;
    out += fmt::format("::{} {}title={}::{}\n", level, where, github_escape(rule_of(p.kind).id, true),
                       github_escape(diag::sanitise(text), false));
  }
  return out;
}

std::string to_ndjson(const ResultSet& set) {
  std::string out;
  for (const PropertyResult& r : set.results) {
    json j = {
        {"format", "parley-result-line"}, {"version", verdict::kResultFormat}, {"model", set.system.name}};
    j.update(result_json(set.system, set.sources, set.interpreter, r));
    j["rule"] = rule_of(set.system.property(r.property).kind).id;
    out += verdict::dump(j, -1) + '\n';
  }
  return out;
}

}  // namespace parley::report
