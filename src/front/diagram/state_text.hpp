// State diagrams in text: PlantUML's and Mermaid's, which share their shape (`A --> B : label`, `state X { …
// }`,
// `[*]`, `--` between regions, notes, stereotypes). Styles, colours, notes and titles are skipped; a line
// that is nothing known is an error. Used by diagram.cpp.
#pragma once

#include <optional>

#include "diag/diagnostic.hpp"
#include "front/diagram/chart.hpp"

namespace parley::front::diagram {

enum class TextDialect : std::uint8_t { PlantUml, Mermaid };

// A piece of a file that is one diagram.
struct Piece {
  TextDialect dialect = TextDialect::PlantUml;
  std::uint32_t begin = 0, end = 0;
  std::string name;  // "": none is given
};

// Null after an error, and for a diagram of another kind.
std::optional<Chart> read_state_text(const diag::SourceMap& sources, diag::FileId file, const Piece& piece,
                                     diag::Diagnostics& diagnostics);
// Whether the piece is a state diagram at all.
bool is_state_diagram(std::string_view text, TextDialect dialect);

}  // namespace parley::front::diagram
