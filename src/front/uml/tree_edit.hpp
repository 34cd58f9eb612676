// Small edits of an element tree, shared by what rewrites or builds one in the shape of UML 2: the reader of
// UML 1.x, that of tools' habits, and front ends whose files are no XML but hold the same things (StarUML's
// JSON, diagrams in text). Knows nothing of UML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/uml/xml.hpp"

namespace parley::front::uml {

inline std::string get(const Element& e, std::string_view name) {
  const auto* found = e.attribute(name);
  return found == nullptr ? std::string() : *found;
}

inline void set(Element& e, std::string_view name, std::string value) {
  for (auto& a : e.attributes) {
    if (a.vocabulary == Vocabulary::None && a.name == name) {
      a.value = std::move(value);
      return;
    }
  }
  e.attributes.push_back({Vocabulary::None, std::string(name), std::move(value)});
}

inline void adopt(Element& parent, Element* child) {
  child->parent = &parent;
  parent.children.push_back(child);
}

inline Element* fresh(XmlTree& tree, std::string_view tag, std::string_view type, diag::Span span) {
  Element e;
  e.name = tag;
  e.type = type;
  e.span = span;
  return tree.add(std::move(e));
}

// A new last child.
inline Element* grow(XmlTree& tree, Element& parent, std::string_view tag, std::string_view type,
                     diag::Span span) {
  Element* child = fresh(tree, tag, type, span);
  adopt(parent, child);
  return child;
}

inline Element* first(const Element& e, std::string_view tag) {
  for (auto* c : e.children) {
    if (c->name == tag) return c;
  }
  return nullptr;
}

// The children of that tag, taken out of their parent.
inline std::vector<Element*> take(Element& e, std::string_view tag) {
  std::vector<Element*> taken;
  std::erase_if(e.children, [&](Element* c) {
    if (c->name != tag) return false;
    taken.push_back(c);
    return true;
  });
  return taken;
}

// What stays in the tree but is to be seen by nobody.
inline void forget(Element& e) {
  e.type.clear();
  e.id.clear();
  e.foreign = true;
  for (auto* c : e.children) forget(*c);
}

}  // namespace parley::front::uml
