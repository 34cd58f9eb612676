// Writes expanded tokens as text for the lexer, each piece with its place. Lines break and spaces stand where
// gcc -E has them, since the end of a line can end a statement of Promela.
#pragma once

#include "front/promela/preprocess_token.hpp"
#include "front/promela/source_text.hpp"

namespace parley::front::promela {

class TextWriter {
 public:
  TextWriter(const diag::SourceMap& sources, const Spellings& spellings)
      : sources_(sources), spellings_(spellings) {}

  // `written_at` decides the line: the token's place, or that of the call of the macro that made it.
  void write(const PpToken& token, diag::Span written_at);
  SourceText take() { return std::move(result_); }

 private:
  const diag::SourceMap& sources_;
  const Spellings& spellings_;
  SourceText result_;
  PpToken last_;
  diag::FileId last_file_;
  std::uint32_t last_line_ = 0;
};

}  // namespace parley::front::promela
