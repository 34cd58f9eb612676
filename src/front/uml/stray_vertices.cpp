// Vertices that are not where the transitions at them are: drawn in one diagram, kept by the tool elsewhere.
// Visual Paradigm puts states into packages, Modelio a part of a diagram into a second machine, Enterprise
// Architect lets a transition lead to a machine as if it were a state. They are brought into the region of
// the transitions; what that assumes is in the notes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "front/uml/document.hpp"
#include "front/uml/names.hpp"
#include "front/uml/tree_edit.hpp"

namespace parley::front::uml {
namespace {

bool is_vertex(const Element& e) {
  return e.type == "State" || e.type == "FinalState" || e.type == "Pseudostate";
}

bool is_initial(const Element& e) {
  return e.type == "Pseudostate" && (get(e, "kind").empty() || lower_case(get(e, "kind")) == "initial");
}

Element* machine_around(Element* e) {
  while (e != nullptr && e->type != "StateMachine") e = e->parent;
  return e;
}

class StrayVertices {
 public:
  StrayVertices(XmlTree& tree, std::vector<HabitNote>& notes) : tree_(tree), notes_(notes) {
    for (auto& e : tree_.elements)
      if (!e.id.empty()) ids_.emplace(e.id, &e);
  }

  void run() {
    const std::size_t count = tree_.elements.size();
    for (std::size_t i = 0; i < count; ++i) {
      Element& t = tree_.elements[i];
      if (t.name != "transition" || t.parent == nullptr || t.parent->name != "region") continue;
      for (const char* end : {"source", "target"}) {
        const auto it = ids_.find(get(t, end));
        if (it == ids_.end()) continue;
        Element& vertex = *it->second;
        if (vertex.type == "StateMachine")
          stand_in(t, end, vertex);
        else if (is_vertex(vertex) && vertex.name != "connectionPoint")
          bring(vertex, t);
      }
    }
  }

 private:
  // A machine as the end of a transition: a state that has it as its submachine.
  void stand_in(Element& transition, const char* end, Element& machine) {
    if (machine_around(&transition) == &machine) return;
    Element*& state = stand_ins_[{transition.parent, &machine}];
    if (state == nullptr) {
      state = grow(tree_, *transition.parent, "subvertex", "State", machine.span);
      state->id = machine.id + "/state";
      set(*state, "name", get(machine, "name"));
      if (first(machine, "region") != nullptr) set(*state, "submachine", machine.id);
      notes_.push_back(
          {&machine, "transition to a state machine",
           fmt::format("the state machine `{}`, which transitions lead to, is a state that consists of it",
                       get(machine, "name"))});
    }
    set(transition, end, state->id);
  }

  void bring(Element& vertex, Element& transition) {
    if (vertex.parent == nullptr) return;
    Element& region = *transition.parent;
    if (vertex.parent->name != "region") {  // in a package
      std::erase(vertex.parent->children, &vertex);
      vertex.name = "subvertex";
      adopt(region, &vertex);
      return;
    }
    Element* own = machine_around(&vertex);
    Element* here = machine_around(&region);
    if (own == nullptr || here == nullptr || own == here) return;
    // Of two machines that transitions join, the one that does not say where it starts is part of the other.
    if (starts(*own) && starts(*here)) return;
    if (starts(*own)) std::swap(own, here);
    Element* to = first(*here, "region");
    if (to == nullptr) return;
    for (auto* r : take(*own, "region")) {
      for (auto* c : r->children) adopt(*to, c);
      r->children.clear();
      forget(*r);
    }
    notes_.push_back(
        {own, "state machine joined to another by transitions",
         fmt::format("the state machine `{}`, which has no initial state and is joined to `{}` by "
                     "transitions, is a part of it",
                     get(*own, "name"), get(*here, "name"))});
  }

  static bool starts(const Element& machine) {
    for (const auto* r : machine.children)
      if (r->name == "region" && std::any_of(r->children.begin(), r->children.end(),
                                             [](const Element* c) { return is_initial(*c); }))
        return true;
    return false;
  }

  XmlTree& tree_;
  std::vector<HabitNote>& notes_;
  std::map<std::string, Element*> ids_;
  std::map<std::pair<Element*, Element*>, Element*> stand_ins_;
};

}  // namespace

void bring_stray_vertices(XmlTree& tree, std::vector<HabitNote>& notes) {
  StrayVertices(tree, notes).run();
}

}  // namespace parley::front::uml
