// Diagrams as a tree in the shape of UML 2: one class with its state machine for each, one signal for each
// name of an event in any of them. Used by diagram.cpp and xstate.cpp; what the tree means is front/uml's
// business.
#pragma once

#include <memory>
#include <vector>

#include "front/diagram/chart.hpp"
#include "front/uml/xml.hpp"

namespace parley::front::diagram {

// `tool` is what the report says wrote the file. Variables that actions assign become attributes.
std::unique_ptr<uml::XmlTree> to_uml(const std::vector<Chart>& charts, const std::string& tool);

}  // namespace parley::front::diagram
