// The UML document: the XML tree with ids and references resolved, in the shape of UML 2 whatever dialect it
// was written in. Serialisations differ in small ways (attribute or child, id or href or path, body as
// element or attribute); the accessors here hide that, so that the readers see features and metaclasses only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "front/uml/xml.hpp"

namespace parley::front::uml {

enum class Dialect : std::uint8_t { Uml2, Uml1 };

// What the rewriting of a tool's habit assumes that the file does not say.
struct HabitNote {
  const Element* element = nullptr;
  const char* what = "";  // kind of construct
  std::string assumption;
};

class Document {
 public:
  // Indexes ids; reports duplicates. Null (with a diagnostic) if this is XML but not UML.
  static std::unique_ptr<Document> open(std::unique_ptr<XmlTree> tree, diag::Diagnostics& diagnostics);

  const Element& root() const { return *tree_->root; }
  Dialect dialect() const { return dialect_; }
  // The tool that wrote the file, as far as it says: "Eclipse UML2", "MagicDraw", "ArgoUML", …
  const std::string& tool() const { return tool_; }
  const std::deque<Element>& elements() const { return tree_->elements; }

  const std::vector<HabitNote>& habit_notes() const { return habit_notes_; }

  const Element* by_id(std::string_view id) const;

  // The elements that a feature names: children with that tag (a child that is only an idref stands for what
  // it refers to), and ids in an attribute of that name. References into other files and to nothing are left
  // out.
  std::vector<const Element*> all(const Element& e, std::string_view feature) const;
  const Element* one(const Element& e, std::string_view feature) const;
  // Contained children with that tag, without following references.
  std::vector<const Element*> owned(const Element& e, std::string_view feature) const;
  // A reference as written when it leads out of the file ("href"), or nowhere; "" otherwise.
  std::string outside(const Element& e, std::string_view feature) const;
  // A simple value: an attribute, or the text of a child. "" when absent.
  std::string value(const Element& e, std::string_view feature) const;
  bool flag(const Element& e, std::string_view feature) const { return value(e, feature) == "true"; }
  std::string name(const Element& e) const { return value(e, "name"); }
  // Metaclass; for children without a written type the one that the feature implies.
  std::string_view type(const Element& e) const;
  // Number of an upper bound: -1 for `*`, 1 when absent.
  long upper(const Element& e) const;
  long lower(const Element& e) const;
  // Profile applications: elements outside UML's vocabulary that point at `e` by base_…; by local name.
  const Element* stereotype(const Element& e, std::string_view local_name) const;

 private:
  explicit Document(std::unique_ptr<XmlTree> tree) : tree_(std::move(tree)) {}
  bool index(diag::Diagnostics& diagnostics);
  void detect();
  void name_by_address(Element& e, const std::string& address);
  const Element* follow(std::string_view reference) const;
  const Element* by_path(std::string_view path) const;

  std::unique_ptr<XmlTree> tree_;
  Dialect dialect_ = Dialect::Uml2;
  std::string tool_ = "unknown";
  std::vector<HabitNote> habit_notes_;
  std::unordered_map<std::string_view, const Element*> ids_;
  std::unordered_map<const Element*, std::vector<const Element*>> stereotypes_;
};

// Rewrites what tools write in their own way into what UML 2 says. habits.cpp.
std::vector<HabitNote> rewrite_habits(XmlTree& tree, const std::string& tool);
void bring_stray_vertices(XmlTree& tree, std::vector<HabitNote>& notes);  // stray_vertices.cpp

// Rewrites a tree of UML 1.3 or 1.4 (XMI 1.x) into the shape of UML 2, in place of the root. uml1.cpp.
void rewrite_uml1(XmlTree& tree);

}  // namespace parley::front::uml
