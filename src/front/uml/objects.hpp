// The objects of a system as a tree, before they are declared: instance specifications if the file has them;
// else the parts of the class that is part of nothing; else one object for each class with a machine. Used by
// structure.cpp, which declares the objects and lets the wiring find out who knows whom. Not visible outside
// of front/uml.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "front/uml/importer.hpp"

namespace parley::front::uml {

struct ObjectNode {
  std::size_t cls = 0;
  std::string name;
  int parent = -1;
  const Element* element = nullptr;                  // part or instance specification
  std::map<std::string, std::vector<int>> children;  // by id of the part (of its root definition)
  bool is_object = false;                            // it gets an object of its own
};

struct ObjectTree {
  std::vector<ObjectNode> nodes;
  std::map<const Element*, int> instances;  // instance specification -> node

  int size() const { return static_cast<int>(nodes.size()); }
  ObjectNode& operator[](int node) { return nodes[static_cast<std::size_t>(node)]; }
  const ObjectNode& operator[](int node) const { return nodes[static_cast<std::size_t>(node)]; }
};

ObjectTree find_objects(Import& import);

// The definition that a port or part redefines, in the end.
const Element* root_definition(const Document& document, const Element* e);

}  // namespace parley::front::uml
