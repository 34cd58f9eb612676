// Our C preprocessor, as far as Promela models use one (docs/promela.md, "Preprocessing"): directives and the
// files that are being read. Macros are replaced by the expander, which reads its tokens from here. Runs no
// other program and reads no file that the user has not opened to the model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "front/promela/preprocess.hpp"
#include "front/promela/preprocess_expand.hpp"
#include "front/promela/preprocess_include.hpp"
#include "front/promela/preprocess_scanner.hpp"

namespace parley::front::promela {

class Preprocessor : private TokenInput {
 public:
  Preprocessor(diag::SourceMap& sources, diag::FileId file, const PreprocessOptions& options,
               diag::Diagnostics& diagnostics);

  // The whole model; to be called once. After errors it is of no use.
  SourceText run();

 private:
  // A file that is being read.
  struct OpenFile {
    Scanner scanner;
    diag::FileId file;
    std::filesystem::path folder, real_path;
    diag::Span include;                 // the #include that opened it
    std::size_t open_conditionals = 0;  // of the files that include it
    std::string presumed_name = {};     // by #line; empty: its own
    std::int64_t line_shift = 0;        // by #line
  };
  struct Conditional {
    diag::Span place;
    bool is_read = false;      // the tokens here count
    bool may_be_read = false;  // a later branch can still be the one that counts
    bool has_else = false;
  };
  using Line = std::vector<PpToken>;

  PpToken next() override;
  PpToken next_in_call() override;
  std::uint32_t line_at(diag::Span place) const override;
  std::string file_at(diag::Span place) const override;

  // Files (preprocessor.cpp)
  void open(diag::FileId file, std::filesystem::path folder, std::filesystem::path real_path,
            diag::Span include);
  void open_command_line(const std::vector<std::string>& defines);
  // A token that counts, or End at the end of the innermost file.
  PpToken next_of_file();
  void close_file();
  bool skips() const { return !conditionals_.empty() && !conditionals_.back().is_read; }
  Scanner& scanner() { return files_.back()->scanner; }

  // Directives (preprocess_directives.cpp)
  void directive(const PpToken& hash);
  void unknown_directive(const PpToken& word);
  void define(const PpToken& word);
  void undefine(const PpToken& word);
  void include(const PpToken& word);
  std::optional<HeaderName> included_name(const PpToken& word);
  void open_conditional(const PpToken& word, bool is_true);
  void if_defined(const PpToken& word, bool wanted);
  void if_condition(const PpToken& word);
  void else_if(const PpToken& word);
  void otherwise(const PpToken& word);
  void end_if(const PpToken& word);
  bool inside_conditional(const PpToken& word);
  std::optional<bool> condition(const PpToken& word);
  void line_marker(const PpToken& word, Line line);
  std::optional<PpToken> name_behind(const PpToken& word);
  std::string rest_of_line_as_text();
  diag::Diagnostic& error(const char* code, diag::Span place, std::string message, std::string hint = {});
  const std::string& text(const PpToken& token) const { return spellings_.text(token.spelling); }

  diag::SourceMap& sources_;
  diag::FileId model_;
  diag::Diagnostics& diagnostics_;
  Spellings spellings_;
  PreprocessBudget budget_;
  IncludeFinder finder_;
  MacroTable macros_;
  Expander expander_;
  std::vector<std::unique_ptr<OpenFile>> files_;  // the innermost last
  std::vector<Conditional> conditionals_;
};

}  // namespace parley::front::promela
