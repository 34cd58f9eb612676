// parley export: the system in the input format of another tool.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "export/circuit.hpp"
#include "semantics/interpreter.hpp"

namespace parley::cli {
namespace {

std::vector<system::PropertyId> chosen_properties(const system::System& s, const Arguments& a) {
  std::vector<system::PropertyId> out;
  for (std::size_t p = 0; p < s.properties.size(); ++p) {
    if (!encode::Relation::supports(s.properties[p].kind)) continue;
    const bool named =
        a.get("property") == s.properties[p].name || a.get("property") == std::to_string(p + 1);
    // A script about one property is about the one that the model asks for.
    const bool unasked = s.properties[p].implicit && a.get("as") == "smtlib";
    if (a.has("property") ? named : !unasked) out.emplace_back(p);
  }
  if (out.empty())
    throw UsageError{"there is no property to export", "exports carry safety properties of states and steps"};
  return out;
}

int run_export(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  const std::string form = a.get("as", "aiger");
  const auto properties = chosen_properties(s, a);
  if (form == "smtlib" && properties.size() > 1)
    throw UsageError{"an SMT-LIB script asks about one property", "name it with --property"};
  try {
    const exporting::Circuit circuit(s, semantics::capacities(s), properties);
    if (form == "aiger") t.out << exporting::to_aiger(circuit);
    if (form == "btor2") t.out << exporting::to_btor2(circuit);
    if (form == "smv") t.out << exporting::to_smv(circuit);
    if (form == "promela") t.out << exporting::to_promela(circuit);
    if (form == "smtlib") {
      const int bound = std::atoi(a.get("bound", "10").c_str());
      if (bound < 0 || bound > 10000) throw UsageError{"the bound must be 0 to 10000", {}};
      t.out << exporting::to_smtlib(circuit, 0, static_cast<std::uint32_t>(bound));
    }
  } catch (const encode::Unsupported& e) {
    throw UsageError{fmt::format("the model cannot be exported: {}", e.what()), {}};
  }
  return kAllHold;
}

}  // namespace

Command export_command() {
  Command c;
  c.name = "export";
  c.summary = "print the system in the format of another tool";
  c.arguments = "MODEL";
  c.description =
      "Prints the system as a sequential circuit with one bad signal per property (docs/export.md).";
  c.options = load_options() + budget_options() +
              std::vector<OptionSpec>{
                  {"as", "FORM", "In which format.", {"aiger", "btor2", "smtlib", "smv", "promela"}},
                  {"property", "NAME", "Only this property, by name or number."},
                  {"bound", "K", "SMT-LIB: steps to unroll (10)."}};
  c.run = run_export;
  return c;
}

}  // namespace parley::cli
