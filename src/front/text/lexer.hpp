// Tokens of the text language. The lexer reads a whole file at once, keeps comments aside for the formatter,
// and never stops: characters that belong nowhere are reported and skipped. There are no keywords here; the
// parser decides by place, so that models may call a state `entry` or a signal `on` wherever that is clear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "model/model.hpp"

namespace parley::front::text {

enum class TokenKind : std::uint8_t { End, Name, Integer, String, Punctuation };

struct Token {
  TokenKind kind = TokenKind::End;
  bool quoted = false;  // a name in backquotes: never a keyword
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t extra = 0;  // quoted names and strings: index of the decoded text; integers: of the value
};

struct TokenStream {
  std::vector<Token> tokens;         // ends with End
  std::vector<std::string> decoded;  // texts of quoted names and strings
  std::vector<std::int64_t> values;  // of integers
  std::vector<model::Comment> comments;
  std::vector<std::uint32_t> bad;  // where something was wrong, in order
  bool braces_lost = false;        // an unclosed text or comment may have swallowed braces
};

TokenStream lex(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics);

}  // namespace parley::front::text
