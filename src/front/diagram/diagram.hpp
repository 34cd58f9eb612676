// State diagrams that people keep beside their code: PlantUML, Mermaid, both inside Markdown, and XState
// machines as JSON. They are read into charts, and these as UML (front/uml/uml.hpp), whose rules hold: text
// that is not understood is an error or an over-approximation, a lone diagram is one object in an open
// environment. Used by load. docs/formats.md says what is read.
#pragma once

#include "front/uml/uml.hpp"

namespace parley::front::diagram {

enum class Notation : std::uint8_t { PlantUml, Mermaid, Markdown, XState };

// As uml::load. Diagrams without a name are called after the file.
std::optional<model::Model> load(diag::SourceMap& sources, const std::string& path_name, std::string bytes,
                                 Notation notation, diag::Diagnostics& diagnostics,
                                 const uml::Options& options, uml::ImportReport& report);

}  // namespace parley::front::diagram
