// C preprocessing of a model: by our own preprocessor, which reads nothing and runs nothing that the user has
// not opened to the model; or, where the user asks for it, by the compiler's, as Spin does it.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess_limits.hpp"
#include "front/promela/source_text.hpp"

namespace parley::front::promela {

enum class PreprocessBy { Parley, Compiler };

struct PreprocessOptions {
  std::vector<std::string> defines;  // "NAME" or "NAME=value"
  std::vector<std::string> include_folders;
  PreprocessBy by = PreprocessBy::Parley;
  PreprocessLimits limits;
};

// `sources` grows by included files, so that places inside them can be shown.
SourceText preprocess(diag::SourceMap& sources, diag::FileId file, const PreprocessOptions& options,
                      diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
