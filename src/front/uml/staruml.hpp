// StarUML's own files (.mdj, JSON) as a tree in the shape of UML 2, so that one reader serves both. Used by
// uml.cpp. Diagrams and their views are left out: they say how things are drawn. The format is that of
// StarUML's metamodel ("UMLState" with "entryActivities", references as {"$ref": id}).
#pragma once

#include "front/uml/xml.hpp"

namespace parley::front::uml {

// True if the text is a StarUML project.
bool is_staruml(const std::string& text);

// Null after an error, which is in the diagnostics.
std::unique_ptr<XmlTree> parse_staruml(const diag::SourceMap& sources, diag::FileId file,
                                       diag::Diagnostics& diagnostics, const XmlLimits& limits);

}  // namespace parley::front::uml
