// One state machine while it is read: the machine of the model with what its readers leave for each other.
// machines.cpp puts regions, states and points into it, transitions.cpp the transitions between them, and
// machine_tidy.cpp brings what was drawn into the forms that the model has. Not visible outside of front/uml.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "front/uml/importer.hpp"
#include "front/uml/redefinition.hpp"

namespace parley::front::uml {

// One expansion of a machine: the machine itself, or a submachine inside a state.
struct Expansion {
  std::map<const Element*, model::VertexId> vertices;
  std::vector<Chain> transitions;
};

struct Activity {
  model::VertexId state;
  model::Behaviour behaviour;
  const Element* element;
};

struct MachineDraft {
  std::size_t class_index = 0;
  bool is_rt = false;  // a UML-RT machine: an entry point that leads nowhere means the history
  model::Machine machine;
  std::vector<std::unique_ptr<Expansion>> expansions;  // the machine itself first
  std::set<const Element*> skipped;                    // vertices and transitions that were left out
  std::vector<Activity> activities;
};

std::string kind_name(model::VertexKind kind);  // "choice", "entry point"
// The element that a vertex comes from; the document for a vertex that was made up.
const Element& place_of(const Import& import, const model::Machine& machine, model::VertexId id);

// ---- transitions.cpp: those of all expansions
void read_transitions(Import& import, MachineDraft& draft);

// ---- machine_tidy.cpp: after all transitions are there
void tidy(Import& import, MachineDraft& draft);

}  // namespace parley::front::uml
