// The compiler's preprocessor, run as Spin runs it (gcc -std=gnu99 -E -x c), for those who ask for it
// (--cpp). It reads whatever file the model names and has no limits of its own: only for models that one
// trusts. It is ended at the time limit.
#pragma once

#include "front/promela/preprocess.hpp"

namespace parley::front::promela {

SourceText preprocess_with_compiler(diag::SourceMap& sources, diag::FileId file,
                                    const PreprocessOptions& options, diag::Diagnostics& diagnostics);

// Text with the line markers of a preprocessor, and the places that they mean. A word is looked for in the
// line it came from; text made by a macro gets the whole line.
SourceText follow_markers(diag::SourceMap& sources, diag::FileId file, const std::string& marked);

}  // namespace parley::front::promela
