// The C preprocessor, run as Spin runs it (gcc -std=gnu99 -E -x c), over a model that has directives. A model
// without any is read as it stands, so that a machine without a compiler can still check it.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/lexer.hpp"

namespace parley::front::promela {

struct PreprocessOptions {
  std::vector<std::string> defines;  // "NAME" or "NAME=value"
  std::vector<std::string> include_folders;
  bool enabled = true;  // false: never run a program (fuzzing); directives are then errors
};

SourceText preprocess(const diag::SourceMap& sources, diag::FileId file, const PreprocessOptions& options,
                      diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
