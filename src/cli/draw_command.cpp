// parley draw: machines, the system's structure, automata of properties and traces as pictures or as text for
// picture tools.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "report/draw.hpp"
#include "verdict/narrate.hpp"
#include "verdict/trace_file.hpp"

namespace parley::cli {
namespace {

std::string as_svg(const std::string& dot) {
  const auto picture = report::svg(dot);
  if (!picture)
    throw UsageError{"there is no Graphviz on this machine",
                     "install the package graphviz, or draw with --as dot"};
  return *picture + '\n';
}

std::string draw_structure(const system::System& s, const std::string& form) {
  if (form == "mermaid") return report::structure_mermaid(s);
  if (form == "plantuml") return report::structure_plantuml(s);
  const std::string dot = report::structure_dot(s);
  return form == "dot" ? dot : as_svg(dot);
}

// Machines by class name for models, control flow by owner name for Promela.
std::string draw_machine(const load::Loaded& loaded, const std::string& wanted, const std::string& form) {
  std::vector<std::string> names;
  if (loaded.model) {
    for (const model::Class& c : loaded.model->classes) {
      if (!c.machine) continue;
      names.push_back(c.name);
      if (!wanted.empty() && wanted != c.name) continue;
      if (form == "mermaid") return report::machine_mermaid(*c.machine);
      if (form == "plantuml") return report::machine_plantuml(*c.machine);
      const std::string dot = report::machine_dot(*loaded.model, *c.machine);
      return form == "dot" ? dot : as_svg(dot);
    }
  } else {
    for (std::size_t i = 0; i < loaded.system->owners.size(); ++i) {
      const system::Owner& o = loaded.system->owners[i];
      if (o.locations.empty()) continue;
      names.push_back(o.name);
      if (!wanted.empty() && wanted != o.name && wanted != o.type_name) continue;
      if (form == "mermaid" || form == "plantuml")
        throw UsageError{"control flow of processes is drawn as svg or dot", {}};
      const std::string dot = report::owner_dot(*loaded.system, system::OwnerId(i));
      return form == "dot" ? dot : as_svg(dot);
    }
  }
  const std::string near = diag::did_you_mean(wanted, names);
  throw UsageError{wanted.empty() ? "the model has no state machine"
                                  : fmt::format("there is no machine `{}`", diag::sanitise(wanted)),
                   near.empty() ? fmt::format("machines: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean `{}`?", near)};
}

std::string draw_property(const system::System& s, const std::string& wanted, const std::string& form) {
  std::vector<std::string> names;
  for (const system::Property& p : s.properties)
    if (p.kind == system::PropertyKind::Temporal)
      names.push_back(fmt::format("`{}`", diag::sanitise(p.name)));
  const std::string hint = names.empty() ? "the model has no temporal property"
                                         : fmt::format("temporal properties: {}", fmt::join(names, ", "));
  const auto id = verdict::property_named(s, wanted);
  if (!id) throw UsageError{fmt::format("there is no property `{}`", diag::sanitise(wanted)), hint};
  if (form == "mermaid" || form == "plantuml")
    throw UsageError{"automata of properties are drawn as svg or dot", {}};
  const report::PropertyDrawing drawing = report::property_dot(s, *id);
  if (!drawing.dot)
    throw UsageError{
        fmt::format("`{}` cannot be drawn: {}", diag::sanitise(wanted), diag::sanitise(drawing.why_not)),
        hint};
  return form == "dot" ? *drawing.dot : as_svg(*drawing.dot);
}

std::string draw_trace(const load::Loaded& loaded, const std::string& path, const std::string& form) {
  diag::Diagnostics diagnostics;
  const auto text = load::read_file(path, diagnostics);
  if (!text) throw UsageError{fmt::format("`{}` cannot be read", diag::sanitise(path)), {}};
  verdict::ClaimedTrace claimed;
  try {
    claimed = verdict::read_claimed_trace(*loaded.system, verdict::parse_strictly(*text));
  } catch (const verdict::Malformed& e) {
    throw UsageError{fmt::format("`{}`: {}", diag::sanitise(path), diag::sanitise(e.why)), {}};
  }
  const semantics::Interpreter interpreter(
      *loaded.system, claimed.capacities.value_or(semantics::capacities(*loaded.system)));
  const verdict::Narration n = claimed.shows ? verdict::narrate(interpreter, *claimed.shows, claimed.trace)
                                             : verdict::narrate(interpreter, claimed.trace);
  if (form == "mermaid") return report::trace_mermaid(*loaded.system, n);
  if (form == "plantuml") return report::trace_plantuml(*loaded.system, n);
  throw UsageError{"traces are drawn as mermaid or plantuml", "`parley check --html` draws them in a page"};
}

int run_draw(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const std::string form = a.get("as", "svg");
  if (a.has("trace"))
    t.out << draw_trace(*loaded, a.get("trace"), form);
  else if (a.has("property"))
    t.out << draw_property(*loaded->system, a.get("property"), form);
  else if (a.has("structure"))
    t.out << draw_structure(*loaded->system, form);
  else
    t.out << draw_machine(*loaded, a.get("machine"), form);
  return kAllHold;
}

}  // namespace

Command draw_command() {
  Command c;
  c.name = "draw";
  c.summary = "draw state machines, the structure, a property's automaton or a trace";
  c.arguments = "MODEL";
  c.description = "Draws the first machine unless told otherwise; prints to standard output.";
  c.options =
      load_options() + budget_options() +
      std::vector<OptionSpec>{
          {"machine", "NAME", "The machine of this class (Promela: this process)."},
          {"property", "NAME",
           "The automaton of the runs that violate this temporal property (by its text or number)."},
          {"structure", "", "Who can send what to whom."},
          {"trace", "FILE", "The trace of a trace file, as a sequence diagram."},
          {"as", "FORM", "In which form (svg needs Graphviz).", {"svg", "dot", "mermaid", "plantuml"}}};
  c.run = run_draw;
  return c;
}

}  // namespace parley::cli
