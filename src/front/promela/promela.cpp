#include "front/promela/promela.hpp"

#include <fmt/format.h>

#include "front/promela/lexer.hpp"
#include "front/promela/lowering.hpp"
#include "front/promela/parser.hpp"
#include "front/promela/preprocess.hpp"
#include "system/limits.hpp"

namespace parley::front::promela {

namespace {

PreprocessOptions preprocess_options(const Options& options) {
  PreprocessOptions result{options.defines, options.include_folders, options.preprocess_by, {}};
  if (options.preprocess_seconds)
    result.limits.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(*options.preprocess_seconds));
  return result;
}

std::optional<system::System> read(diag::SourceMap& sources, const SourceText& source,
                                   diag::Diagnostics& diagnostics, const Options& options) {
  if (diagnostics.has_errors()) return std::nullopt;
  Tokens tokens = tokenize(sources, source, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const Program program = Parser(std::move(tokens), diagnostics).run();
  if (diagnostics.has_errors()) return std::nullopt;
  return lower(program, sources, diagnostics, options);
}

// What stands in a macro's replacement has the place of its call; the message says what it is a call of.
void report(const diag::Diagnostics& found, const SourceText& source, diag::Diagnostics& into) {
  for (const diag::Diagnostic& d : found.all()) {
    diag::Diagnostic& reported = d.severity == diag::Severity::Error
                                     ? into.error(d.code, d.span, d.message, d.hint)
                                     : into.warning(d.code, d.span, d.message, d.hint);
    reported.severity = d.severity;
    reported.related = d.related;
    const auto use = source.macro_uses.lower_bound({d.span.file, d.span.begin, 0});
    if (use != source.macro_uses.end() && use->first.file == d.span.file && use->first.begin == d.span.begin)
      reported.related.push_back(
          {use->second.definition, fmt::format("in the text of macro '{}', defined here", use->second.name)});
  }
}

}  // namespace

std::optional<system::System> load(diag::SourceMap& sources, const std::string& path_name, std::string text,
                                   diag::Diagnostics& diagnostics, const Options& options) {
  const diag::FileId file = sources.add(path_name, std::move(text));
  diag::Diagnostics found;
  const SourceText source = preprocess(sources, file, preprocess_options(options), found);
  std::optional<system::System> result = read(sources, source, found, options);
  if (result) {
    if (const auto oversize = system::find_oversize(*result)) {
      found.error(oversize->code, oversize->origin.span, oversize->message, oversize->hint);
      result.reset();
    }
  }
  report(found, source, diagnostics);
  if (!result) return std::nullopt;
  result->name = path_name;
  system::validate(*result);
  return result;
}

}  // namespace parley::front::promela
