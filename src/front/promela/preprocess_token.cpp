#include "front/promela/preprocess_token.hpp"

#include <algorithm>
#include <array>

namespace parley::front::promela {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return begins_name(c) || is_digit(c);
}

// C99, 6.4.6 without digraphs; the longest first, so that the first that fits is the right one.
constexpr std::array<std::string_view, 23> kLongPunctuators = {
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"};
constexpr std::string_view kShortPunctuators = "[](){}.&*+-~!/%<>^|?:;=,#";

std::size_t number_length(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size()) {
    const char c = text[end];
    const char before = text[end - 1];
    const bool sign_of_exponent =
        (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
    if (!continues_name(c) && c != '.' && !sign_of_exponent) break;
    ++end;
  }
  return end;
}

Lexeme quoted(std::string_view text) {
  const char quote = text[0];
  std::size_t end = 1;
  while (end < text.size() && text[end] != '\n') {
    if (text[end] == quote) return {quote == '"' ? PpKind::String : PpKind::Character, end + 1};
    end += text[end] == '\\' && end + 1 < text.size() && text[end + 1] != '\n' ? 2 : 1;
  }
  return {PpKind::Other, end};
}

}  // namespace

SpellingId Spellings::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const SpellingId id(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

Lexeme first_lexeme(std::string_view text) {
  if (text.empty()) return {};
  const char c = text[0];
  if (begins_name(c)) {
    const auto end = std::find_if_not(text.begin(), text.end(), continues_name);
    return {PpKind::Name, static_cast<std::size_t>(end - text.begin())};
  }
  if (is_digit(c) || (c == '.' && text.size() > 1 && is_digit(text[1])))
    return {PpKind::Number, number_length(text)};
  if (c == '"' || c == '\'') return quoted(text);
  for (const std::string_view punctuator : kLongPunctuators)
    if (text.starts_with(punctuator)) return {PpKind::Punctuator, punctuator.size()};
  if (kShortPunctuators.find(c) != std::string_view::npos) return {PpKind::Punctuator, 1};
  std::size_t end = 1;  // a character of several bytes stays together
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return {PpKind::Other, end};
}

bool would_merge(PpKind first_kind, std::string_view first, PpKind second_kind, std::string_view second) {
  using enum PpKind;
  if (first.empty() || second.empty()) return false;
  const char next = second_kind == Punctuator ? second[0] : '\0';
  if (first_kind == Name)
    return second_kind == Name || second_kind == Character || second_kind == String ||
           (second_kind == Number && std::all_of(second.begin(), second.end(), continues_name));
  if (first_kind == Number)
    return second_kind == Number || second_kind == Name || second_kind == Character || next == '.' ||
           next == '+' || next == '-';
  if (first_kind == Other) return first[0] == '\\' && second_kind == Name;
  if (first_kind != Punctuator) return false;
  if (first == "<<" || first == ">>") return next == '=';
  if (first == "->") return next == '*';
  if (first.size() > 1) return false;
  switch (first[0]) {
    case '=':
    case '!':
    case '*':
    case '^':
      return next == '=';
    case '+':
    case '&':
    case '|':
    case '>':
      return next == '=' || next == first[0];
    case '<':
      return next == '=' || next == '<' || next == '%' || next == ':';
    case '-':
      return next == '=' || next == '-' || next == '>';
    case '/':
      return next == '=' || next == '/' || next == '*';
    case '%':
      return next == '=' || next == ':' || next == '%';
    case ':':
      return next == ':' || next == '>';
    case '.':
      return next == '.' || next == '%' || second_kind == Number;
    case '#':
      return next == '#' || next == '%';
    default:
      return false;
  }
}

}  // namespace parley::front::promela
