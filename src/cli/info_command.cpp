// parley info: what is in a model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "report/text.hpp"
#include "semantics/interpreter.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

double log2_size(const system::System& s) {
  double bits = 0;
  for (const system::Cell& c : s.cells) bits += std::log2(static_cast<double>(c.type.size()));
  return bits;
}

std::string place_of(const diag::SourceMap& sources, const system::Property& p) {
  return p.origin.span.valid() ? sources.place(p.origin.span) : std::string();
}

// A temporal property: its text, where it stands, and what it says in terms of the system.
nlohmann::ordered_json temporal_json(const diag::SourceMap& sources, const system::System& s,
                                     const system::Property& p) {
  nlohmann::ordered_json j = {{"name", p.name}, {"text", p.temporal}, {"place", place_of(sources, p)}};
  if (p.formula) j["formula"] = system::show(s, *p.formula);
  if (p.claim) {
    j["start"] = p.claim->states[p.claim->start].name;
    for (const system::NeverClaim::State& state : p.claim->states) {
      nlohmann::ordered_json row = {
          {"name", state.name}, {"accepting", state.accepting}, {"final", state.final}};
      for (const system::NeverClaim::Edge& e : state.edges) {
        nlohmann::ordered_json edge = {{"guard", system::show(s, e.guard)},
                                       {"to", p.claim->states[e.target].name}};
        if (e.assertion.valid()) edge["assert"] = system::show(s, e.assertion);
        row["edges"].push_back(std::move(edge));
      }
      j["claim"].push_back(std::move(row));
    }
  }
  if (!p.unformalised.empty()) j["text-only"] = p.unformalised;
  return j;
}

void write_temporal(const diag::SourceMap& sources, const system::System& s, const system::Property& p,
                    Terminal& t) {
  const std::string place = place_of(sources, p);
  t.out << fmt::format("     {}{}: ", place, place.empty() ? "text" : "");
  if (p.formula)
    t.out << fmt::format("{}\n", diag::sanitise(system::show(s, *p.formula)));
  else if (p.claim)
    t.out << fmt::format("an automaton of {} state{}, {} accepting\n", p.claim->states.size(),
                         p.claim->states.size() == 1 ? "" : "s",
                         std::count_if(p.claim->states.begin(), p.claim->states.end(),
                                       [](const auto& state) { return state.accepting; }));
  else
    t.out << fmt::format("{}\n", diag::sanitise(p.temporal));
  if (!p.unformalised.empty())
    t.out << fmt::format("     kept as text: {}\n", diag::sanitise(p.unformalised));
}

nlohmann::ordered_json info_json(const diag::SourceMap& sources, const system::System& s) {
  nlohmann::ordered_json j = {{"model", s.name}};
  for (const system::Owner& o : s.owners) j["owners"].push_back({{"name", o.name}, {"type", o.type_name}});
  const auto capacities = semantics::capacities(s);
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    j["queues"].push_back({{"name", s.queues[i].name}, {"capacity", capacities[i]}});
  j["cells"] = s.cells.size();
  j["signals"] = s.signals.size();
  j["actions"] = s.actions.size();
  for (const system::Property& p : s.properties) j["properties"].push_back(p.name);
  for (const system::Property& p : s.properties)
    if (p.kind == system::PropertyKind::Temporal) j["temporal"].push_back(temporal_json(sources, s, p));
  for (const system::Fairness& f : s.fairness) j["fairness"].push_back(f.shown);
  if (s.run_end == system::RunEnd::Ends) j["finite-runs"] = true;
  j["assumptions"] = nlohmann::ordered_json::array();
  for (const diag::Assumption& x : s.assumptions)
    j["assumptions"].push_back({{"code", name_of(x.code)}, {"text", x.text}});
  return j;
}

int run_info(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  if (a.get("format") == "json") {
    t.out << verdict::dump(info_json(loaded->sources, s)) << '\n';
    return kAllHold;
  }
  const report::Palette& p = report::palette(t.colour);
  t.out << fmt::format(
      "{}{}{}: {} owners, {} cells ({:.0f} bits without queues), {} signals, {} queues, {} actions\n", p.bold,
      diag::sanitise(s.name), p.reset, s.owners.size(), s.cells.size(), log2_size(s), s.signals.size(),
      s.queues.size(), s.actions.size());
  t.out << "objects and processes\n";
  for (const system::Owner& o : s.owners)
    t.out << fmt::format("  {}{}{}\n", diag::sanitise(o.name), o.type_name.empty() ? "" : " : ",
                         diag::sanitise(o.type_name));
  static const char* policies[] = {"block", "cut", "lose", "error"};
  const auto capacities = semantics::capacities(s);
  if (!s.queues.empty()) t.out << "queues\n";
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    t.out << fmt::format("  {}: capacity {}{}, overflow {}\n", diag::sanitise(s.queues[i].name),
                         capacities[i], s.queues[i].capacity ? "" : " (default)",
                         policies[static_cast<int>(s.queues[i].overflow)]);
  t.out << "properties\n";
  for (std::size_t i = 0; i < s.properties.size(); ++i) {
    t.out << fmt::format("  {}. {}{}\n", i + 1, diag::sanitise(s.properties[i].name),
                         s.properties[i].implicit ? " (always looked for)" : "");
    if (s.properties[i].kind == system::PropertyKind::Temporal)
      write_temporal(loaded->sources, s, s.properties[i], t);
  }
  for (const system::Fairness& f : s.fairness)
    t.out << fmt::format("temporal properties are asked of runs with {}\n", diag::sanitise(f.shown));
  if (s.run_end == system::RunEnd::Ends) t.out << "a run that ends is a finite word\n";
  for (const diag::Assumption& x : s.assumptions)
    t.out << fmt::format("assuming that {}\n", diag::sanitise(x.text));
  if (a.has("actions")) {
    t.out << "actions\n";
    for (const system::Action& x : s.actions)
      t.out << fmt::format("  {}: {} [{}] ({})\n", diag::sanitise(s.owner(x.owner).name),
                           diag::sanitise(x.name), diag::sanitise(system::show(s, x.guard)),
                           system::describe(x.kind));
  }
  return kAllHold;
}

}  // namespace

Command info_command() {
  Command c;
  c.name = "info";
  c.summary = "tell what is in a model: objects, queues, properties";
  c.arguments = "MODEL";
  c.options = load_options() + budget_options() +
              std::vector<OptionSpec>{{"actions", "", "Lists the guarded actions of the lowered system."},
                                      format_option({"text", "json"})};
  c.run = run_info;
  return c;
}

}  // namespace parley::cli
