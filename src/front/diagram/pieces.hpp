// Where the diagrams of a file are: between @startuml and @enduml, in fences of a Markdown file, or the whole
// file. Used by diagram.cpp.
#pragma once

#include <vector>

#include "front/diagram/state_text.hpp"

namespace parley::front::diagram {

// The state diagrams of a PlantUML file; of a Mermaid file; of a Markdown file, which may hold both. Diagrams
// of other kinds are left out and counted.
std::vector<Piece> plantuml_pieces(const std::string& text, std::size_t& others);
std::vector<Piece> mermaid_pieces(const std::string& text);
std::vector<Piece> markdown_pieces(const std::string& text, std::size_t& others);

}  // namespace parley::front::diagram
