// parley info: what is in a model.
#include <fmt/format.h>

#include <cmath>

#include "cli/common.hpp"
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

nlohmann::ordered_json info_json(const system::System& s) {
  nlohmann::ordered_json j = {{"model", s.name}};
  for (const system::Owner& o : s.owners) j["owners"].push_back({{"name", o.name}, {"type", o.type_name}});
  const auto capacities = semantics::capacities(s);
  for (std::size_t i = 0; i < s.queues.size(); ++i)
    j["queues"].push_back({{"name", s.queues[i].name}, {"capacity", capacities[i]}});
  j["cells"] = s.cells.size();
  j["signals"] = s.signals.size();
  j["actions"] = s.actions.size();
  for (const system::Property& p : s.properties) j["properties"].push_back(p.name);
  j["assumptions"] = s.assumptions;
  return j;
}

int run_info(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  if (a.get("format") == "json") {
    t.out << verdict::dump(info_json(s)) << '\n';
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
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    t.out << fmt::format("  {}. {}\n", i + 1, diag::sanitise(s.properties[i].name));
  for (const std::string& text : s.assumptions) t.out << fmt::format("assuming {}\n", diag::sanitise(text));
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
  c.options = load_options() +
              std::vector<OptionSpec>{{"actions", "", "Lists the guarded actions of the lowered system."},
                                      format_option({"text", "json"})};
  c.run = run_info;
  return c;
}

}  // namespace parley::cli
