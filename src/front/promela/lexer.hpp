// From preprocessed text to tokens: line markers of the preprocessor are followed, so that every token has
// its place in the user's file. Knows nothing of declarations; `in` of `for (x in a)` is a name here.
#pragma once

#include <string>

#include "diag/diagnostic.hpp"
#include "front/promela/token.hpp"

namespace parley::front::promela {

struct SourceText {
  std::string text;   // what is read; may contain "# line "file"" markers
  diag::FileId file;  // the user's file
  bool preprocessed = false;
};

// `sources` grows by included files, so that places inside them can be shown.
Tokens tokenize(diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
