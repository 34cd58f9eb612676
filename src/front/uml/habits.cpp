// Habits of tools, rewritten into what UML 2 says before anybody reads the tree. Each is a function with the
// tool that has it; a file of another tool that does the same is read the same way. Nothing is left out here:
// what cannot be rewritten stays as it is, so that the readers refuse or list it.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "front/uml/document.hpp"
#include "front/uml/names.hpp"
#include "front/uml/tree_edit.hpp"

namespace parley::front::uml {
namespace {

bool is_behaviour_tag(std::string_view tag) {
  return tag == "entry" || tag == "exit" || tag == "doActivity" || tag == "effect";
}

bool is_event(const Element& e) {
  return e.type.ends_with("Event");
}

bool has_text(const Element& e) {
  if (!get(e, "body").empty()) return true;
  return std::any_of(e.children.begin(), e.children.end(),
                     [](const Element* c) { return c->name == "body" || c->name == "node"; });
}

// Visual Paradigm: a final state is a pseudostate of the kind "final".
void final_pseudostates(XmlTree& tree) {
  for (auto& e : tree.elements) {
    if (e.type != "Pseudostate" || !lower_case(get(e, "kind")).starts_with("final")) continue;
    e.type = "FinalState";
    std::erase_if(e.attributes, [](const XmlAttribute& a) { return a.name == "kind"; });
  }
}

// Visual Paradigm: the diagram of a submachine is a machine inside of the machine that the state names.
void machines_inside_submachines(XmlTree& tree) {
  for (auto& e : tree.elements) {
    if (e.name != "submachine" || e.type != "StateMachine" || first(e, "region") != nullptr) continue;
    for (auto* inner : take(e, "ownedBehavior")) {
      for (auto* region : take(*inner, "region")) adopt(e, region);
      forget(*inner);
    }
  }
}

// Enterprise Architect: entry, exit and do are operations of a behaviour without text, or of the state, with
// the kind as the type of the result; their names are what is done. StarUML: the name of a behaviour is its
// text, and there may be several of one kind.
class StateBehaviours {
 public:
  StateBehaviours(XmlTree& tree, bool names_are_text) : tree_(tree), names_are_text_(names_are_text) {}

  void run() {
    const std::size_t count = tree_.elements.size();
    for (std::size_t i = 0; i < count; ++i) {
      Element& e = tree_.elements[i];
      if (is_behaviour_tag(e.name) && e.attribute("href") == nullptr) read_operations(e);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Element& e = tree_.elements[i];
      if (e.type != "State" && e.type != "Transition") continue;
      operations_of_state(e);
      for (const char* tag : {"entry", "exit", "doActivity", "effect"}) join(e, tag);
    }
  }

 private:
  void read_operations(Element& e) const {
    if (has_text(e)) return;
    std::string body;
    for (auto* o : take(e, "ownedOperation")) {
      body += get(*o, "name") + ";\n";
      forget(*o);
    }
    if (body.empty() && names_are_text_) body = get(e, "name");
    if (body.empty()) return;
    e.type = "OpaqueBehavior";
    set(e, "body", body);
  }

  static std::string kind_of(const Element& operation) {
    std::string kind = get(operation, "stereotype");
    for (const auto* p : operation.children) {
      const std::string type = get(*p, "type");
      const auto at = type.rfind('_');
      if (get(*p, "direction") == "return" && at != std::string::npos) kind = type.substr(at + 1);
    }
    return kind == "do" ? "doActivity" : kind;
  }

  void operations_of_state(Element& e) {
    for (auto* o : take(e, "ownedOperation")) {
      const std::string kind = kind_of(*o);
      if (!is_behaviour_tag(kind)) {
        adopt(e, o);
        continue;
      }
      Element* behaviour = grow(tree_, e, kind, "OpaqueBehavior", o->span);
      behaviour->id = o->id;
      set(*behaviour, "body", get(*o, "name") + ";");
      forget(*o);
    }
  }

  // Several behaviours of one kind are done one after the other.
  void join(Element& e, std::string_view tag) {
    const auto several = take(e, tag);
    for (auto* b : several) {
      if (b == several.front()) {
        adopt(e, b);
        continue;
      }
      const bool text = !get(*b, "body").empty() && !get(*several.front(), "body").empty();
      if (!text) {
        adopt(e, b);  // refused by the reader, which expects one
        continue;
      }
      set(*several.front(), "body", get(*several.front(), "body") + ";\n" + get(*b, "body"));
      forget(*b);
    }
  }

  XmlTree& tree_;
  bool names_are_text_;
};

// StarUML: an event stands in its transition, once for itself and once as a trigger of the same id; a named
// any-receive event is how its user draws a signal of that name.
void named_events(XmlTree& tree) {
  std::map<std::string, std::size_t> uses;
  for (const auto& e : tree.elements) ++uses[e.id];
  std::map<std::string, std::string> signals;
  const std::size_t count = tree.elements.size();
  for (std::size_t i = 0; i < count; ++i) {
    Element& e = tree.elements[i];
    if (!is_event(e)) continue;
    if (e.name == "trigger" && e.parent != nullptr) {
      if (!e.id.empty() && uses[e.id] > 1) {
        std::erase(e.parent->children, &e);
        forget(e);
        continue;
      }
      Element* trigger = fresh(tree, "trigger", "Trigger", e.span);
      Element& transition = *e.parent;
      std::replace(transition.children.begin(), transition.children.end(), &e, trigger);
      trigger->parent = &transition;
      set(*trigger, "name", get(e, "name"));
      e.name = "event";
      adopt(*trigger, &e);
    }
    const std::string name = get(e, "name");
    const bool unsaid = e.type == "AnyReceiveEvent" || (e.type == "SignalEvent" && get(e, "signal").empty() &&
                                                        first(e, "signal") == nullptr);
    if (name.empty() || !unsaid) continue;
    auto [it, is_new] = signals.emplace(name, e.id + "/signal");
    if (is_new) {
      for (const auto& s : tree.elements) {
        if (s.type == "Signal" && get(s, "name") == name && !s.id.empty()) it->second = s.id;
      }
      if (uses[it->second] == 0) {
        Element* signal = grow(tree, *tree.root, "packagedElement", "Signal", e.span);
        signal->id = it->second;
        set(*signal, "name", name);
      }
    }
    e.type = "SignalEvent";
    set(e, "signal", it->second);
  }
}

// Visual Paradigm: all diagrams of a package are in one region. Where it has several initial pseudostates and
// falls into parts that no transition joins, each part with its own initial, the parts are machines.
class SplitRegions {
 public:
  explicit SplitRegions(XmlTree& tree) : tree_(tree) {
    for (auto& e : tree_.elements) {
      if (!e.id.empty()) ids_.emplace(e.id, &e);
    }
  }

  void run() {
    const std::size_t count = tree_.elements.size();
    for (std::size_t i = 0; i < count; ++i) {
      Element& machine = tree_.elements[i];
      if (machine.type != "StateMachine" || machine.parent == nullptr) continue;
      std::vector<Element*> regions;
      for (auto* c : machine.children)
        if (c->name == "region") regions.push_back(c);
      if (regions.size() == 1 && initials(*regions.front()) > 1) split(machine, *regions.front());
    }
  }

 private:
  static std::size_t initials(const Element& region) {
    return static_cast<std::size_t>(
        std::count_if(region.children.begin(), region.children.end(), [](const Element* c) {
          return c->type == "Pseudostate" && (get(*c, "kind").empty() || get(*c, "kind") == "initial");
        }));
  }

  // The child of the region that an element lies in; null: elsewhere.
  Element* child_of(Element& region, const std::string& id) const {
    const auto it = ids_.find(id);
    Element* at = it == ids_.end() ? nullptr : it->second;
    while (at != nullptr && at->parent != &region) at = at->parent;
    return at;
  }

  void split(Element& machine, Element& region) {
    std::map<Element*, Element*> parent;
    std::function<Element*(Element*)> find = [&](Element* e) {
      while (parent.at(e) != e) e = parent.at(e) = parent.at(parent.at(e));
      return e;
    };
    for (auto* c : region.children) parent[c] = c;
    std::vector<Element*> open(region.children);
    while (!open.empty()) {  // transitions at any depth
      Element* e = open.back();
      open.pop_back();
      open.insert(open.end(), e->children.begin(), e->children.end());
      if (e->type != "Transition" && e->name != "transition") continue;
      Element* own = e;
      while (own->parent != &region) own = own->parent;
      for (const char* end : {"source", "target"})
        if (Element* other = child_of(region, get(*e, end))) parent[find(own)] = find(other);
    }
    std::map<Element*, std::size_t> starts;
    for (auto* c : region.children) {
      if (c->type == "Pseudostate" && (get(*c, "kind").empty() || get(*c, "kind") == "initial"))
        ++starts[find(c)];
    }
    // Every part must be a machine on its own: else the region stays as it is, and is refused.
    std::vector<Element*> roots;
    for (auto* c : region.children) {
      const bool vertex = c->name == "subvertex";
      if (vertex && starts[find(c)] != 1) return;
      if (vertex && std::find(roots.begin(), roots.end(), find(c)) == roots.end()) roots.push_back(find(c));
    }
    const std::vector<Element*> children = std::move(region.children);
    region.children.clear();
    std::map<Element*, Element*> home;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      Element* to = &region;
      if (i > 0) {
        Element* other = grow(tree_, *machine.parent, machine.name, "StateMachine", roots[i]->span);
        other->id = machine.id + "/part " + std::to_string(i + 1);
        set(*other, "name", get(machine, "name") + " " + std::to_string(i + 1));
        to = grow(tree_, *other, "region", "Region", region.span);
      }
      home[roots[i]] = to;
    }
    for (auto* c : children) {
      const auto it = home.find(find(c));
      adopt(it == home.end() ? region : *it->second, c);
    }
  }

  XmlTree& tree_;
  std::map<std::string, Element*> ids_;
};

}  // namespace

std::vector<HabitNote> rewrite_habits(XmlTree& tree, const std::string& tool) {
  std::vector<HabitNote> notes;
  final_pseudostates(tree);
  machines_inside_submachines(tree);
  const bool star = tool == "StarUML";
  if (star) named_events(tree);
  StateBehaviours(tree, star).run();
  bring_stray_vertices(tree, notes);
  SplitRegions(tree).run();
  return notes;
}

}  // namespace parley::front::uml
