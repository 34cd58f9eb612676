// UML 1.3 and 1.4 as UML 2. XMI 1.x writes objects (`UML:Class`, `Foundation.Core.Class`) inside properties
// (`UML:Classifier.feature`) inside objects; the first step turns that into the tag-and-type form of XMI 2,
// the second renames what UML 2 renamed and splits what it split (a composite state's contents into regions,
// actions into behaviours, association ends into properties). What UML 2 has no counterpart for keeps its 1.x
// type name, so that the reader reports it.
#include <algorithm>
#include <unordered_map>

#include "front/uml/document.hpp"
#include "front/uml/tree_edit.hpp"

namespace parley::front::uml {
namespace {

std::string_view last_part(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

bool is_object(const Element& e) {
  const auto last = last_part(e.name);
  return !last.empty() && std::isupper(static_cast<unsigned char>(last.front())) &&
         !e.name.starts_with("XMI.");
}

class Rewriter {
 public:
  explicit Rewriter(XmlTree& tree) : old_(tree) {}

  void run() {
    Element* root = fresh("XMI", "", *old_.root);
    root->vocabulary = Vocabulary::Xmi;
    root->type.clear();
    for (const auto* content : old_.root->children) {
      if (content->name != "XMI.content") continue;
      for (const auto* object : content->children) {
        if (is_object(*object)) adopt(*root, convert(*object, last_part(object->name)));
      }
    }
    new_.root = root;
    for (auto& e : new_.elements) {
      if (!e.id.empty()) ids_.emplace(e.id, &e);
    }
    const std::size_t count =
        new_.elements.size();  // reshaping adds regions, behaviours and triggers behind these
    for (std::size_t i = 0; i < count; ++i) reshape(new_.elements[i]);
    old_.elements.swap(new_.elements);
    old_.root = new_.root;
  }

 private:
  Element* fresh(std::string_view name, std::string_view type, const Element& place) {
    return uml::fresh(new_, name, type, place.span);
  }

  Element* convert(const Element& old, std::string_view tag) {
    Element* e = fresh(tag, last_part(old.name), old);
    e->id = old.id;
    for (const auto& a : old.attributes) {
      if (!a.name.starts_with("xmi.")) e->attributes.push_back(a);
    }
    for (const auto* property : old.children) {
      const auto feature = last_part(property->name);
      if (is_object(*property)) {  // an object without a property around it: some 1.x writers
        adopt(*e, convert(*property, "ownedElement"));
        continue;
      }
      if (property->children.empty()) {
        const auto* value = property->attribute("xmi.value");
        set(*e, feature, value != nullptr ? *value : property->text);
        continue;
      }
      for (const auto* object : property->children) {
        if (const auto* reference = object->attribute("xmi.idref")) {
          const std::string before = get(*e, feature);
          set(*e, feature, before.empty() ? *reference : before + " " + *reference);
        } else {
          adopt(*e, convert(*object, feature));
        }
      }
    }
    return e;
  }

  void reshape(Element& e) {
    if (e.type == "StateMachine") return reshape_machine(e);
    if (e.type == "SimpleState" || e.type == "CompositeState" || e.type == "SubmachineState")
      return reshape_state(e);
    if (e.type == "State" || e.type == "FinalState") return reshape_actions(e);
    if (e.type == "Transition") return reshape_transition(e);
    if (e.type == "Pseudostate" && get(e, "kind") == "branch") return set(e, "kind", "junction");
    if (e.type == "Association") return reshape_association(e);
    if (e.type == "Generalization") return reshape_generalization(e);
    if (e.type == "TimeEvent") return reshape_time(e);
    if (e.type == "ChangeEvent") return reshape_change(e);
    if (e.type == "Object") e.type = "InstanceSpecification";
    reshape_classifier(e);
  }

  void reshape_classifier(Element& e) {
    const bool classifier = e.type == "Class" || e.type == "Interface" || e.type == "DataType" ||
                            e.type == "Signal" || e.type == "Actor" || e.type == "Component" ||
                            e.type == "Enumeration";
    for (auto* c : e.children) {
      if (c->name == "ownedElement") {
        c->name = !classifier                 ? "packagedElement"
                  : c->type == "StateMachine" ? "ownedBehavior"
                                              : "nestedClassifier";
      } else if (c->name == "feature") {
        if (c->type == "Attribute") {
          c->name = "ownedAttribute";
          c->type = "Property";
          if (auto* initial = first(*c, "initialValue")) {
            initial->name = "defaultValue";
            initial->type = "OpaqueExpression";
          }
        } else if (c->type == "Operation") {
          c->name = "ownedOperation";
        } else if (c->type == "Reception") {
          c->name = "ownedReception";
        }
      } else if (c->name == "parameter" && c->type == "Parameter") {
        c->name = "ownedParameter";
        set(*c, "direction", get(*c, "kind"));
      } else if (c->name == "literal") {
        c->name = "ownedLiteral";
      }
    }
  }

  void reshape_machine(Element& e) {
    auto tops = take(e, "top");
    auto transitions = take(e, "transitions");
    if (tops.empty()) return;
    for (auto* top : tops) {
      for (auto* region : regions_of(*top)) adopt(e, region);
    }
    if (Element* region = first(e, "region")) {
      for (auto* t : transitions) {
        t->name = "transition";
        adopt(*region, t);
      }
    }
  }

  // The contents of a composite state as regions: one, or one for each part of a concurrent state.
  std::vector<Element*> regions_of(Element& composite) {
    std::vector<Element*> regions;
    auto contents = take(composite, "subvertex");
    if (get(composite, "isConcurrent") == "true" || get(composite, "isConcurent") == "true") {
      for (auto* part : contents) {
        if (part->type != "CompositeState" && part->type != "State") continue;
        Element* region = fresh("region", "Region", *part);
        region->id = part->id;
        part->id.clear();
        set(*region, "name", get(*part, "name"));
        auto inner = take(*part, "subvertex");
        for (auto& r : take(*part, "region")) {
          for (auto* v : r->children) inner.push_back(v);
        }
        for (auto* v : inner) adopt(*region, v);
        regions.push_back(region);
      }
      return regions;
    }
    if (contents.empty()) return regions;
    Element* region = fresh("region", "Region", composite);
    for (auto* v : contents) adopt(*region, v);
    regions.push_back(region);
    return regions;
  }

  void reshape_state(Element& e) {
    if (e.parent != nullptr && e.name == "top") return;  // dissolved by its machine
    for (auto* region : regions_of(e)) adopt(e, region);
    e.type = "State";
    reshape_actions(e);
  }

  void reshape_actions(Element& e) {
    for (auto* c : e.children) {
      if (c->name == "entry" || c->name == "exit" || c->name == "doActivity" || c->name == "effect")
        behaviour(*c);
    }
    for (auto* t : take(e, "internalTransition")) {
      t->name = "transition";
      set(*t, "kind", "internal");
      set(*t, "source", e.id);
      set(*t, "target", e.id);
      adopt(e, t);  // read with the transitions of the machine
    }
    const std::string deferred = get(e, "deferrableEvent");
    for (std::size_t at = 0; at < deferred.size();) {
      const auto end = std::min(deferred.find(' ', at), deferred.size());
      if (end > at) {
        Element* trigger = fresh("deferrableTrigger", "Trigger", e);
        set(*trigger, "event", deferred.substr(at, end - at));
        adopt(e, trigger);
      }
      at = end + 1;
    }
  }

  // UML 1.x actions: a script, a signal to send, or a sequence of these. One body of text in the end.
  void behaviour(Element& e) {
    std::string body, language;
    gather(e, body, language);
    e.type = "OpaqueBehavior";
    e.children.clear();
    set(e, "body", body);
    set(e, "language", language);
  }

  void gather(const Element& action, std::string& body, std::string& language) {
    const auto line = [&](const std::string& text) {
      if (text.empty()) return;
      body += body.empty() ? text : "\n" + text;
    };
    const Element* script = first(action, "script");
    if (script != nullptr && !get(*script, "body").empty()) {
      line(get(*script, "body"));
      if (language.empty()) language = get(*script, "language");
    } else if (const auto it = ids_.find(get(action, "signal"));
               action.type == "SendAction" && it != ids_.end()) {
      const Element* target = first(action, "target");
      line("send " + get(*it->second, "name") + "()" +
           (target != nullptr && !get(*target, "body").empty() ? " to " + get(*target, "body") : "") + ";");
    } else if (action.type != "ActionSequence") {
      line(get(action, "name"));
    }
    for (const auto* part : action.children) {
      if (part->name == "action") gather(*part, body, language);
    }
  }

  void reshape_transition(Element& e) {
    for (auto* c : e.children) {
      if (c->name == "effect") behaviour(*c);
      if (c->name == "guard") {
        c->type = "Constraint";
        for (auto* x : c->children) {
          if (x->name == "expression") {
            x->name = "specification";
            x->type = "OpaqueExpression";
          }
        }
      }
    }
    for (auto* event : take(e, "trigger")) {  // an event written in place
      Element* trigger = fresh("trigger", "Trigger", *event);
      event->name = "event";
      adopt(*trigger, event);
      adopt(e, trigger);
    }
    const std::string event = get(e, "trigger");
    if (event.empty()) return;
    std::erase_if(e.attributes, [](const XmlAttribute& a) { return a.name == "trigger"; });
    Element* trigger = fresh("trigger", "Trigger", e);
    set(*trigger, "event", event);
    adopt(e, trigger);
  }

  void reshape_association(Element& e) {
    for (auto* end : take(e, "connection")) {
      end->name = "ownedEnd";
      end->type = "Property";
      set(*end, "type", get(*end, get(*end, "participant").empty() ? "type" : "participant"));
      adopt(e, end);
    }
  }

  // A generalization stands beside its classes in 1.x, inside the child in 2.
  void reshape_generalization(Element& e) {
    const auto child = ids_.find(get(e, "child"));
    if (child == ids_.end()) return;
    Element* g = fresh("generalization", "Generalization", e);
    set(*g, "general", get(e, "parent"));
    adopt(*child->second, g);
  }

  void reshape_time(Element& e) {
    if (Element* when = first(e, "when")) {
      when->type = "TimeExpression";
      Element* body = fresh("expr", "OpaqueExpression", *when);
      set(*body, "body", get(*when, "body"));
      adopt(*when, body);
    }
    set(e, "isRelative", "true");
  }

  void reshape_change(Element& e) {
    if (Element* condition = first(e, "changeExpression")) condition->type = "OpaqueExpression";
  }

  XmlTree& old_;
  XmlTree new_;
  std::unordered_map<std::string, Element*> ids_;
};

}  // namespace

void rewrite_uml1(XmlTree& tree) {
  Rewriter(tree).run();
}

}  // namespace parley::front::uml
