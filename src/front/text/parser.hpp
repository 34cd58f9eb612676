// The parser of the text language (.ply): source text to Model, names unresolved. It reports every syntax
// error of the file and goes on behind it; the Model of a wrong text is what could be understood, marked
// `damaged`. model::resolve comes next. docs/language.md has the grammar.
#pragma once

#include "diag/diagnostic.hpp"
#include "model/model.hpp"

namespace parley::front::text {

model::Model parse(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics);

}  // namespace parley::front::text
