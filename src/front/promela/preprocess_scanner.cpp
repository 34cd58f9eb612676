#include "front/promela/preprocess_scanner.hpp"

#include <algorithm>

namespace parley::front::promela {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace

Scanner::Scanner(const std::string& text, diag::FileId file, Spellings& spellings,
                 diag::Diagnostics& diagnostics)
    : file_(file), spellings_(spellings), diagnostics_(diagnostics) {
  join_lines(text);
}

// A backslash at the end of a line, also with blanks behind it as in gcc, joins it with the next. A carriage
// return without a line feed ends a line too.
void Scanner::join_lines(const std::string& text) {
  clean_.reserve(text.size());
  const std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark is no text
  if (begin > 0) splices_.push_back({0, begin});
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\\') {
      std::size_t end = i + 1;
      while (end < text.size() && is_blank(text[end])) ++end;
      if (end < text.size() && text[end] == '\n') {
        splices_.push_back({clean_.size(), end + 1 - clean_.size()});
        i = end;
        continue;
      }
    }
    const bool old_line_end = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    clean_ += old_line_end ? '\n' : text[i];
  }
}

std::uint32_t Scanner::original(std::size_t offset) const {
  const auto next = std::upper_bound(splices_.begin(), splices_.end(), offset,
                                     [](std::size_t o, const Splice& splice) { return o < splice.at; });
  const std::size_t shift = next == splices_.begin() ? 0 : std::prev(next)->shift;
  return static_cast<std::uint32_t>(offset + shift);
}

diag::Span Scanner::place_of(std::size_t begin, std::size_t end) const {
  return {file_, original(begin), end > begin ? original(end - 1) + 1 : original(begin)};
}

void Scanner::skip_comment() {
  const std::size_t close = clean_.find("*/", at_ + 2);
  if (close == std::string::npos) {
    diagnostics_.error("unterminated-comment", place_of(at_, at_ + 2), "this comment is never closed",
                       "close it with */");
    at_ = clean_.size();
  } else {
    at_ = close + 2;
  }
  after_space_ = true;
}

bool Scanner::skip_blank(Lines lines) {
  while (at_ < clean_.size()) {
    const char c = clean_[at_];
    if (c == '\n') {
      if (lines == Lines::Stay) return false;
      ++at_;
      first_on_line_ = true;
      after_space_ = false;
    } else if (is_blank(c)) {
      ++at_;
      after_space_ = true;
    } else if (at("/*")) {
      skip_comment();
    } else if (at("//")) {
      at_ = std::min(clean_.find('\n', at_), clean_.size());
    } else {
      return true;
    }
  }
  return false;
}

PpToken Scanner::token() {
  const Lexeme lexeme = first_lexeme(std::string_view(clean_).substr(at_));
  PpToken t;
  t.kind = lexeme.kind;
  t.first_on_line = first_on_line_;
  t.after_space = after_space_;
  t.spelling = spellings_.intern(std::string_view(clean_).substr(at_, lexeme.length));
  t.place = place_of(at_, at_ + lexeme.length);
  at_ += lexeme.length;
  first_on_line_ = after_space_ = false;
  return t;
}

PpToken Scanner::next() {
  if (skip_blank(Lines::Cross)) return token();
  PpToken end;
  end.place = here();
  return end;
}

PpToken Scanner::next_on_line() {
  if (skip_blank(Lines::Stay)) return token();
  PpToken end;
  end.place = here();
  return end;
}

std::vector<PpToken> Scanner::rest_of_line() {
  std::vector<PpToken> tokens;
  for (PpToken t = next_on_line(); t.kind != PpKind::End; t = next_on_line()) tokens.push_back(t);
  return tokens;
}

std::optional<HeaderName> Scanner::header_name() {
  if (!skip_blank(Lines::Stay) || (clean_[at_] != '"' && clean_[at_] != '<')) return std::nullopt;
  const bool in_quotes = clean_[at_] == '"';
  const std::size_t close = clean_.find(in_quotes ? '"' : '>', at_ + 1);
  const std::size_t line_end = clean_.find('\n', at_);
  if (close == std::string::npos || close > line_end) return std::nullopt;
  HeaderName name{clean_.substr(at_ + 1, close - at_ - 1), in_quotes, place_of(at_, close + 1)};
  at_ = close + 1;
  return name;
}

}  // namespace parley::front::promela
