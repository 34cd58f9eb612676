#include "front/promela/preprocess.hpp"

#include "front/promela/preprocess_external.hpp"
#include "front/promela/preprocessor.hpp"

namespace parley::front::promela {

SourceText preprocess(diag::SourceMap& sources, diag::FileId file, const PreprocessOptions& options,
                      diag::Diagnostics& diagnostics) {
  if (options.by == PreprocessBy::Compiler)
    return preprocess_with_compiler(sources, file, options, diagnostics);
  return Preprocessor(sources, file, options, diagnostics).run();
}

}  // namespace parley::front::promela
