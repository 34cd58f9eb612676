#include "front/text/lexer.hpp"

#include <fmt/format.h>

#include <cstring>

#include "model/operators.hpp"
#include "model/show.hpp"

namespace parley::front::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Lexer {
 public:
  Lexer(const std::string& text, diag::FileId file, diag::Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  TokenStream run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (skip_blanks()) token();
    add(TokenKind::End, size(), size());
    return std::move(out_);
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  char peek(std::uint32_t ahead = 0) const { return at_ + ahead < size() ? text_[at_ + ahead] : '\0'; }
  diag::Span span(std::uint32_t begin, std::uint32_t end) const { return {file_, begin, end}; }
  void add(TokenKind kind, std::uint32_t begin, std::uint32_t end, std::uint32_t extra = 0,
           bool quoted = false) {
    out_.tokens.push_back({kind, quoted, begin, end, extra});
  }

  // A text full of errors, a binary file say, is not listed to its end.
  void report(const char* code, diag::Span where, std::string message, std::string hint = {}) {
    static constexpr std::size_t kMaxErrors = 1000;
    out_.bad.push_back(where.begin);
    if (diagnostics_.error_count() < kMaxErrors) {
      diagnostics_.error(code, where, std::move(message), std::move(hint));
    }
  }

  // Skips white space and collects comments; false at the end of the text.
  bool skip_blanks() {
    while (at_ < size()) {
      const char c = peek();
      if (c == '\n') fresh_line_ = true;
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        const std::uint32_t begin = at_;
        while (at_ < size() && text_[at_] != '\n') ++at_;
        std::uint32_t end = at_;
        while (end > begin && (text_[end - 1] == '\r' || text_[end - 1] == ' ' || text_[end - 1] == '\t'))
          --end;
        comment(begin, end);
      } else if (c == '/' && peek(1) == '*') {
        const std::uint32_t begin = at_;
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string::npos) {
          report("unclosed-comment", span(begin, begin + 2), "this comment is never closed",
                 "end it with */");
          at_ = size();
          out_.braces_lost = true;
          return false;
        }
        at_ = static_cast<std::uint32_t>(close + 2);
        comment(begin, at_);
      } else {
        return true;
      }
    }
    return false;
  }

  void comment(std::uint32_t begin, std::uint32_t end) {
    out_.comments.push_back({text_.substr(begin, end - begin), span(begin, end), fresh_line_});
  }

  void token() {
    fresh_line_ = false;
    const char c = peek();
    if (is_letter(c) || identifier_rune(at_) > 0) return name();
    if (is_digit(c)) return number();
    if (c == '`' || c == '"') return quoted(c);
    static const std::vector<std::string> kPunctuation = model::tokens_with({"<->", "->", "..", "++", "--"});
    for (const std::string& p : kPunctuation) {
      const auto length = static_cast<std::uint32_t>(p.size());
      if (text_.compare(at_, length, p) == 0) {
        add(TokenKind::Punctuation, at_, at_ + length);
        at_ += length;
        return;
      }
    }
    if (std::strchr("{}()[];,.:=<>+-*/%&|^~!?@", c) != nullptr && c != '\0') {
      add(TokenKind::Punctuation, at_, at_ + 1);
      ++at_;
      return;
    }
    stray();
  }

  // A run of characters that belong nowhere is one error.
  void stray() {
    const std::uint32_t begin = at_;
    do {
      ++at_;
    } while (at_ < size() &&
             (static_cast<unsigned char>(peek()) >= 0x80 || peek() == '#' || peek() == '\\') &&
             identifier_rune(at_) == 0);
    report("bad-character", span(begin, at_),
           fmt::format("'{}' belongs nowhere in the language", text_.substr(begin, at_ - begin)),
           "names with odd characters are written in backquotes: `like this`");
  }

  std::uint32_t identifier_rune(std::uint32_t at) const {
    return static_cast<std::uint32_t>(model::letter_length(text_, at));
  }

  void name() {
    const std::uint32_t begin = at_;
    while (at_ < size()) {
      if (is_letter(peek()) || is_digit(peek())) {
        ++at_;
      } else if (const std::uint32_t length = identifier_rune(at_); length > 0) {
        at_ += length;
      } else {
        break;
      }
    }
    add(TokenKind::Name, begin, at_);
  }

  void number() {
    const std::uint32_t begin = at_;
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    if (hex) at_ += 2;
    std::int64_t value = 0;
    bool too_large = false, digits = false;
    const std::int64_t limit = hex ? 0xFFFFFFFFll : 2147483648ll;
    for (; at_ < size(); ++at_) {
      if (peek() == '_') continue;
      const int digit = hex ? hex_digit(peek()) : (is_digit(peek()) ? peek() - '0' : -1);
      if (digit < 0) break;
      digits = true;
      value = value * (hex ? 16 : 10) + digit;
      if (value > limit) too_large = true, value = limit;
    }
    if (is_letter(peek()) || !digits) {
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      report("bad-number", span(begin, at_), "this is not a number",
             "numbers are decimal (42) or hexadecimal (0x2A)");
      value = 0;
    } else if (too_large) {
      report("number-too-large", span(begin, at_), "this number does not fit into 32 bits",
             "integers go from -2147483648 to 2147483647");
      value = 0;
    }
    // As in Java, a hexadecimal literal gives the bits: 0xFFFFFFFF is -1.
    if (hex) value = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    add(TokenKind::Integer, begin, at_, static_cast<std::uint32_t>(out_.values.size()));
    out_.values.push_back(value);
  }

  // `name` or "text", with the escapes \\ \` \" \n \t \xHH; neither goes over a line's end.
  void quoted(char quote) {
    const std::uint32_t begin = at_++;
    std::string decoded;
    while (at_ < size() && peek() != quote && peek() != '\n') {
      if (peek() != '\\') {
        decoded += text_[at_++];
        continue;
      }
      const char c = peek(1);
      if (c == 'x' && hex_digit(peek(2)) >= 0 && hex_digit(peek(3)) >= 0) {
        decoded += static_cast<char>(hex_digit(peek(2)) * 16 + hex_digit(peek(3)));
        at_ += 4;
        continue;
      }
      if (c == 'n')
        decoded += '\n';
      else if (c == 't')
        decoded += '\t';
      else if (c == '\\' || c == '`' || c == '"')
        decoded += c;
      else {
        report("bad-escape", span(at_, std::min(at_ + 2, size())), "unknown escape",
               "known ones are \\\\ \\` \\\" \\n \\t and \\xHH");
        ++at_;
        continue;
      }
      at_ += 2;
    }
    const bool is_name = quote == '`';
    if (peek() == quote) {
      ++at_;
    } else {
      out_.braces_lost = true;
      report("unclosed-quote", span(begin, at_),
             fmt::format("this {} is not closed on its line", is_name ? "name" : "text"));
    }
    if (is_name && decoded.empty()) {
      report("empty-name", span(begin, at_), "a name must not be empty");
      decoded = "?";
    }
    add(is_name ? TokenKind::Name : TokenKind::String, begin, at_,
        static_cast<std::uint32_t>(out_.decoded.size()), is_name);
    out_.decoded.push_back(std::move(decoded));
  }

  const std::string& text_;
  diag::FileId file_;
  diag::Diagnostics& diagnostics_;
  std::uint32_t at_ = 0;
  bool fresh_line_ = true;
  TokenStream out_;
};

}  // namespace

TokenStream lex(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics) {
  return Lexer(sources.text(file), file, diagnostics).run();
}

}  // namespace parley::front::text
