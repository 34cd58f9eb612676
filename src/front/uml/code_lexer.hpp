// Tokens of behaviour text: the common ground of Java, C, C++, JavaScript and ALF. Comments are dropped; what
// is no token of these languages becomes Other, and makes the statement it stands in unknown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::front::uml {

enum class TokenKind : std::uint8_t { End, Identifier, Integer, Real, String, Character, Operator, Other };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;        // operators and identifiers as written; strings without quotes
  std::int64_t value = 0;  // Integer, Character
  std::size_t begin = 0;   // byte range in the text
  std::size_t end = 0;
  bool line_start = false;  // first token of its line
};

// Always ends with an End token.
std::vector<Token> lex_code(std::string_view code);

}  // namespace parley::front::uml
