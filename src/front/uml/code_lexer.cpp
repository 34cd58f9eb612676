#include "front/uml/code_lexer.hpp"

#include <charconv>

#include "model/operators.hpp"

namespace parley::front::uml {
namespace {

bool is_name_start(unsigned char c) {
  return std::isalpha(c) || c == '_' || c == '$' || c >= 0x80;
}
bool is_name_part(unsigned char c) {
  return is_name_start(c) || std::isdigit(c);
}

// The model's operators, and what only action code has.
const std::vector<std::string>& operators() {
  static const std::vector<std::string> kOperators =
      model::tokens_with({"===", "!==", "->", "::", "++", "--", ":=", "<>", "=>"});
  return kOperators;
}
constexpr std::string_view kSingles = "+-*/%=<>!&|^~?:;,.()[]{}";

}  // namespace

std::vector<Token> lex_code(std::string_view code) {
  std::vector<Token> tokens;
  std::size_t i = 0;
  bool line_start = true;
  const auto at = [&](std::size_t k) { return k < code.size() ? static_cast<unsigned char>(code[k]) : '\0'; };
  const auto push = [&](TokenKind kind, std::size_t begin, std::size_t end) -> Token& {
    tokens.push_back({kind, std::string(code.substr(begin, end - begin)), 0, begin, end, line_start});
    line_start = false;
    return tokens.back();
  };
  while (i < code.size()) {
    const unsigned char c = at(i);
    if (c == '\n' || c == '\r') line_start = true;
    if (std::isspace(c)) {
      ++i;
    } else if (c == '/' && at(i + 1) == '/') {
      while (i < code.size() && code[i] != '\n' && code[i] != '\r') ++i;
    } else if (c == '/' && at(i + 1) == '*') {
      const auto end = code.find("*/", i + 2);
      i = end == std::string_view::npos ? code.size() : end + 2;
    } else if (is_name_start(c)) {
      const std::size_t begin = i;
      while (i < code.size() && is_name_part(at(i))) ++i;
      push(TokenKind::Identifier, begin, i);
    } else if (std::isdigit(c)) {
      const std::size_t begin = i;
      const bool hex = c == '0' && (at(i + 1) == 'x' || at(i + 1) == 'X');
      if (hex) i += 2;
      const std::size_t digits = i;
      while (hex ? std::isxdigit(at(i)) != 0 : std::isdigit(at(i)) != 0) ++i;
      std::int64_t value = 0;
      const bool octal = !hex && c == '0' && i - begin > 1;
      const auto parsed = std::from_chars(code.data() + digits, code.data() + i, value,
                                          hex     ? 16
                                          : octal ? 8
                                                  : 10);
      bool whole = parsed.ec == std::errc() && parsed.ptr == code.data() + i;
      TokenKind kind = whole ? TokenKind::Integer : TokenKind::Other;
      if (!hex && at(i) == '.' && std::isdigit(at(i + 1))) {
        kind = TokenKind::Real;
        ++i;
        while (std::isdigit(at(i))) ++i;
      }
      if (!hex && (at(i) == 'e' || at(i) == 'E') && (std::isdigit(at(i + 1)) || at(i + 1) == '-')) {
        kind = TokenKind::Real;
        i += 2;
        while (std::isdigit(at(i))) ++i;
      }
      while (at(i) == 'u' || at(i) == 'U' || at(i) == 'l' || at(i) == 'L') ++i;
      if (at(i) == 'f' || at(i) == 'F') {
        if (!hex) kind = TokenKind::Real;
        ++i;
      }
      if (is_name_part(at(i))) {
        while (is_name_part(at(i))) ++i;
        kind = TokenKind::Other;
      }
      push(kind, begin, i).value = value;
    } else if (c == '"' || c == '\'' || c == '`') {
      const std::size_t begin = i++;
      while (i < code.size() && code[i] != static_cast<char>(c)) i += code[i] == '\\' ? 2 : 1;
      const bool closed = i < code.size();
      i = std::min(i + 1, code.size());
      Token& t = push(closed ? TokenKind::String : TokenKind::Other, begin, i);
      if (closed) {
        t.text = std::string(code.substr(begin + 1, i - begin - 2));
        if (c == '\'' && t.text.size() == 1) {  // a character in C and Java, a short string in JavaScript
          t.kind = TokenKind::Character;
          t.value = static_cast<unsigned char>(t.text[0]);
        }
      }
    } else {
      std::size_t length = 0;
      for (const std::string& op : operators()) {
        if (code.substr(i, op.size()) == op) {
          length = op.size();
          break;
        }
      }
      if (length == 0 && kSingles.find(static_cast<char>(c)) != std::string_view::npos) length = 1;
      push(length == 0 ? TokenKind::Other : TokenKind::Operator, i, i + std::max<std::size_t>(length, 1));
      i += std::max<std::size_t>(length, 1);
    }
  }
  tokens.push_back({TokenKind::End, "", 0, code.size(), code.size(), true});
  return tokens;
}

}  // namespace parley::front::uml
