// Who knows whom: the declared objects of the system and the values of their attributes. References come from
// parts, connectors (connectors.cpp calls in), slots of instance specifications, and where a class has one
// object only, from that. The first value that an attribute gets stays. Not visible outside of front/uml.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "front/uml/objects.hpp"

namespace parley::front::uml {

class Wiring {
 public:
  // Declares the objects of the tree in the model's system.
  Wiring(Import& import, const ObjectTree& tree);

  bool is_declared(int node) const { return declared_.contains(node); }
  // Gives an attribute (or one element of it) its value; false if it has one, or the node is no object.
  bool wire(int node, const std::string& attribute, std::optional<long> index, model::ExprPtr value);
  // The first free attribute of `from` whose type fits refers to `to`.
  void wire_by_type(int from, int to);

  void refer_to_parts();
  // Values of instance specifications: references were wired as parts; numbers and literals here.
  void wire_slots();
  // A reference that nothing sets, to a class with exactly one object in the system, can only mean that
  // object.
  void wire_the_only_candidate();
  void report_unused() const;

 private:
  void declare(int node);
  model::ObjectDecl* object_of(int node);
  std::string attribute_of(std::size_t cls, const Element* feature) const;
  model::ExprPtr slot_value(const Element& value, const ValueType& type) const;

  Import& import_;
  const Document& document_;
  const ObjectTree& tree_;
  std::map<int, std::size_t> declared_;
};

// ---- connectors.cpp: connectors between ports and parts, and ports that find each other by registration
void connect_objects(Import& import, const ObjectTree& tree, Wiring& wiring);

}  // namespace parley::front::uml
