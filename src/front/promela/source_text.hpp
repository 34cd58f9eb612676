// A model's text after preprocessing, as the lexer reads it, with the place in the user's files of every
// piece of it. Made by both preprocessors (preprocess.hpp, preprocess_external.hpp); it knows nothing of
// tokens.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "diag/source.hpp"

namespace parley::front::promela {

// A stretch of the text that came from one place.
struct Piece {
  std::uint32_t at = 0;  // where it begins in the text
  diag::Span
      place;  // as long as the piece: byte for byte; otherwise the place of the whole, e.g. a macro's call
};

// A macro whose replacement stands at a place of the user's file.
struct MacroUse {
  std::string name;
  diag::Span definition;
};

struct SourceText {
  std::string text;           // has neither comments nor directives
  std::vector<Piece> pieces;  // by `at`, without overlap; the text between two pieces is white space
  diag::FileId file;          // the user's file
  std::map<diag::Span, MacroUse> macro_uses;  // by the place of the call

  // The place of text[begin, end).
  diag::Span place_of(std::size_t begin, std::size_t end) const;
};

}  // namespace parley::front::promela
