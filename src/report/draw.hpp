// Diagrams as text: state machines (hierarchical), the system's structure (who can send what to whom), the
// automata of temporal properties and traces, as Graphviz DOT, Mermaid and PlantUML. Layout is left to the
// tools that read them; svg() asks Graphviz itself. The ids in the DOT of a machine are stable ("v3" for
// vertex 3, "t7" for transition 7), so that the HTML report can highlight what a step does.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"
#include "system/system.hpp"
#include "verdict/narrate.hpp"

namespace parley::report {

struct DrawOptions {
  std::string id_prefix;  // before every id, to keep several drawings apart on one page
  bool effects = true;    // show effects on transitions, entry and exit actions in states
};

// A transition's text in the drawing, before quoting; internal ones are lines of their state's label.
std::string drawn_label(const model::Transition& transition, const DrawOptions& options);

std::string machine_dot(const model::Model& model, const model::Machine& machine,
                        const DrawOptions& options = {});
std::string machine_mermaid(const model::Machine& machine);
std::string machine_plantuml(const model::Machine& machine);

// Works for every front end: the control flow of one owner as its actions show it.
std::string owner_dot(const system::System& system, system::OwnerId owner, const DrawOptions& options = {});

// Owners as nodes, an edge per (sender, receiver) labelled with the signals.
std::string structure_dot(const system::System& system);
std::string structure_mermaid(const system::System& system);
std::string structure_plantuml(const system::System& system);

// The automaton of the runs that violate a temporal property, with a legend.
struct PropertyDrawing {
  std::optional<std::string> dot;
  std::string why_not;  // a sentence, if there is none
};
PropertyDrawing property_dot(const system::System& system, system::PropertyId property);

std::string trace_mermaid(const system::System& system, const verdict::Narration& narration);
std::string trace_plantuml(const system::System& system, const verdict::Narration& narration);

// The DOT text laid out by Graphviz; nullopt if there is no Graphviz on this machine or it fails.
std::optional<std::string> svg(const std::string& dot);

}  // namespace parley::report
