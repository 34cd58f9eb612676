#include "front/promela/promela.hpp"

#include "front/promela/lowering.hpp"
#include "front/promela/parser.hpp"
#include "front/promela/preprocess.hpp"

namespace parley::front::promela {

std::optional<system::System> load(diag::SourceMap& sources, const std::string& path_name, std::string text,
                                   diag::Diagnostics& diagnostics, const Options& options) {
  const diag::FileId file = sources.add(path_name, std::move(text));
  const PreprocessOptions preprocessing{options.defines, options.include_folders, options.preprocess};
  const SourceText source = preprocess(sources, file, preprocessing, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  Tokens tokens = tokenize(sources, source, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const Program program = Parser(std::move(tokens), diagnostics).run();
  if (diagnostics.has_errors()) return std::nullopt;
  std::optional<system::System> result = lower(program, sources, diagnostics, options);
  if (!result) return std::nullopt;
  result->name = path_name;
  system::validate(*result);
  return result;
}

}  // namespace parley::front::promela
