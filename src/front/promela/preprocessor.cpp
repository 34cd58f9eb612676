#include "front/promela/preprocessor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "front/promela/preprocess_writer.hpp"

namespace parley::front::promela {
namespace {

std::filesystem::path folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace

Preprocessor::Preprocessor(diag::SourceMap& sources, diag::FileId file, const PreprocessOptions& options,
                           diag::Diagnostics& diagnostics)
    : sources_(sources),
      model_(file),
      diagnostics_(diagnostics),
      budget_(options.limits),
      finder_(folder_of(sources.name(file)), options.include_folders, options.limits.include_bytes),
      macros_(spellings_),
      expander_(*this, macros_, spellings_, budget_, diagnostics) {
  std::error_code error;  // a model that is no file includes files all the same
  open(file, folder_of(sources.name(file)), std::filesystem::canonical(sources.name(file), error), {});
  if (!options.defines.empty()) open_command_line(options.defines);
}

SourceText Preprocessor::run() {
  TextWriter writer(sources_, spellings_);
  try {
    for (PpToken token = expander_.next(); token.kind != PpKind::End; token = expander_.next())
      writer.write(token, token.from_macro ? expander_.call() : token.place);
  } catch (const PreprocessLimitReached& limit) {
    const diag::Span here = expander_.is_replacing() ? expander_.call() : scanner().here();
    error("preprocessor-limit", limit.place.valid() ? limit.place : here, limit.what, limit.hint);
  }
  SourceText result = writer.take();
  result.file = model_;
  result.macro_uses = expander_.macro_uses();
  return result;
}

void Preprocessor::open(diag::FileId file, std::filesystem::path folder, std::filesystem::path real_path,
                        diag::Span include) {
  files_.push_back(std::make_unique<OpenFile>(
      OpenFile{Scanner(sources_.text(file), file, spellings_, diagnostics_), file, std::move(folder),
               std::move(real_path), include, conditionals_.size()}));
}

// Definitions of the command line are a text of their own, read before the model, so that they have places
// too.
void Preprocessor::open_command_line(const std::vector<std::string>& defines) {
  std::string text;
  for (const std::string& define : defines) {
    const std::size_t equals = define.find('=');
    std::string line = "#define " + define.substr(0, equals) +
                       (equals == std::string::npos ? " 1" : ' ' + define.substr(equals + 1));
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + '\n';
  }
  open(sources_.add("<command line>", std::move(text)), ".", {}, {});
}

PpToken Preprocessor::next_of_file() {
  while (true) {
    const PpToken token = scanner().next();
    budget_.tick();
    if (token.first_on_line && token.kind == PpKind::Punctuator && text(token) == "#")
      directive(token);
    else if (token.kind == PpKind::End || !skips())
      return token;
  }
}

PpToken Preprocessor::next() {
  while (true) {
    const PpToken token = next_of_file();
    if (token.kind != PpKind::End) return token;
    close_file();
    if (files_.size() == 1) return token;
    files_.pop_back();
  }
}

PpToken Preprocessor::next_in_call() {
  return next_of_file();
}

void Preprocessor::close_file() {
  for (; conditionals_.size() > files_.back()->open_conditionals; conditionals_.pop_back())
    error("unmatched-conditional", conditionals_.back().place, "this condition has no #endif in its file",
          "write #endif where the text that depends on it ends");
}

std::uint32_t Preprocessor::line_at(diag::Span place) const {
  const std::int64_t shift = place.file == files_.back()->file ? files_.back()->line_shift : 0;
  return static_cast<std::uint32_t>(sources_.position(place).line + shift);
}

std::string Preprocessor::file_at(diag::Span place) const {
  const OpenFile& innermost = *files_.back();
  const bool renamed = place.file == innermost.file && !innermost.presumed_name.empty();
  return renamed ? innermost.presumed_name : sources_.name(place.file);
}

diag::Diagnostic& Preprocessor::error(const char* code, diag::Span place, std::string message,
                                      std::string hint) {
  diag::Diagnostic& diagnostic = diagnostics_.error(code, place, std::move(message), std::move(hint));
  // The way into the file, from the inside out; a long way is told from its ends.
  constexpr std::size_t kShown = 4;
  for (std::size_t i = files_.size(); i-- > 1;)
    if (files_[i]->include.valid() && (i < kShown || i + kShown > files_.size()))
      diagnostic.related.push_back({files_[i]->include, "included here"});
  return diagnostic;
}

}  // namespace parley::front::promela
