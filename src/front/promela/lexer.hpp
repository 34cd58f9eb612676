// From preprocessed text to tokens, each with its place in the user's files. Knows nothing of declarations;
// `in` of `for (x in a)` is a name here.
#pragma once

#include "diag/diagnostic.hpp"
#include "front/promela/source_text.hpp"
#include "front/promela/token.hpp"

namespace parley::front::promela {

Tokens tokenize(const diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
