#include "front/text/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "front/text/parser.hpp"

namespace parley::front::text {

Grammar::Grammar(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics)
    : sources_(sources), file_(file), diagnostics_(diagnostics), source_(sources.text(file)) {
  const std::size_t before = diagnostics.error_count();
  stream_ = lex(sources, file, diagnostics);
  damaged_ = diagnostics.error_count() > before;
  end_reported_ = stream_.braces_lost;
}

const Token& Grammar::peek(std::size_t ahead) const {
  const std::size_t i = at_ + ahead;
  return i < stream_.tokens.size() ? stream_.tokens[i] : stream_.tokens.back();
}

std::string_view Grammar::text(const Token& t) const {
  return std::string_view(source_).substr(t.begin, t.end - t.begin);
}

std::string Grammar::name_text(const Token& t) const {
  return t.quoted || t.kind == TokenKind::String ? stream_.decoded[t.extra] : std::string(text(t));
}

bool Grammar::at(std::string_view punctuation, std::size_t ahead) const {
  const Token& t = peek(ahead);
  return t.kind == TokenKind::Punctuation && text(t) == punctuation;
}

bool Grammar::at_word(std::string_view word, std::size_t ahead) const {
  const Token& t = peek(ahead);
  return t.kind == TokenKind::Name && !t.quoted && text(t) == word;
}

const Token& Grammar::take() {
  const Token& t = stream_.tokens[at_];
  if (t.kind == TokenKind::End) return t;
  ++at_;
  last_end_ = t.end;
  return t;
}

bool Grammar::accept(std::string_view punctuation) {
  if (!at(punctuation)) return false;
  take();
  return true;
}

bool Grammar::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

void Grammar::expect(std::string_view punctuation, std::string_view where) {
  if (accept(punctuation)) return;
  fail(fmt::format("'{}' {}", punctuation, where), at("=") ? "'=' assigns; to compare, write '=='" : "");
}

void Grammar::expect_word(std::string_view word, std::string_view where) {
  if (!accept_word(word)) fail(fmt::format("'{}' {}", word, where));
}

// A forgotten semicolon at a line's end is reported where it belongs, and nothing is skipped.
void Grammar::expect_semicolon(std::string_view what) {
  if (accept(";")) return;
  const Token& next = peek();
  const bool line_ends = next.kind == TokenKind::End || at("}") ||
                         source_.substr(last_end_, next.begin - last_end_).find('\n') != std::string::npos;
  if (!line_ends) fail(fmt::format("';' after {}", what));
  if (follows_bad_text()) return;
  const std::uint32_t begin = last_end_ > 0 ? last_end_ - 1 : 0;
  diagnostics_.error("syntax", {file_, begin, last_end_}, fmt::format("';' is missing after {}", what));
}

std::string Grammar::expect_name(std::string_view what, Span* place) {
  if (!at_name()) fail(what);
  const Token& t = take();
  if (place != nullptr) *place = span(t);
  static constexpr std::string_view kReserved[] = {"true",   "false", "null",  "this",   "if",
                                                   "else",   "for",   "while", "return", "assert",
                                                   "either", "int",   "bool",  "void"};
  for (const std::string_view word : kReserved) {
    if (!t.quoted && text(t) == word) {
      diagnostics_.error("reserved-word", span(t),
                         fmt::format("'{}' is a word of the language, not {}", word, what),
                         fmt::format("in backquotes it is a name: `{}`", word));
    }
  }
  return name_text(t);
}

std::string Grammar::expect_string(std::string_view what) {
  if (peek().kind != TokenKind::String) fail(what);
  return name_text(take());
}

std::string Grammar::describe(const Token& t) const {
  switch (t.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::String:
      return "a text";
    default:
      return fmt::format("'{}'", text(t).substr(0, 40));
  }
}

void Grammar::fail(std::string_view expected, std::string hint) {
  Span place = span(peek());
  if (at_end()) {
    if (end_reported_) throw Panic{};
    end_reported_ = true;
    if (last_end_ > 0) place = {file_, last_end_ - 1, last_end_};
  }
  if (follows_bad_text()) {  // that was news enough
    damaged_ = true;
    throw Panic{};
  }
  fail_at(place, "syntax", fmt::format("expected {}, found {}", expected, describe(peek())), std::move(hint));
}

void Grammar::fail_at(Span place, std::string code, std::string message, std::string hint) {
  damaged_ = true;
  if (diagnostics_.error_count() < static_cast<std::size_t>(kMaxErrors)) {
    diagnostics_.error(std::move(code), place, std::move(message), std::move(hint));
  } else {
    at_ = stream_.tokens.size() - 1;  // a text this wrong is not worth reading on
  }
  throw Panic{};
}

void Grammar::too_deep(Span place, std::string message, std::string hint) {
  damaged_ = true;
  diagnostics_.error("too-deep", place, std::move(message), std::move(hint));
  throw TooDeep{};
}

// Skips to behind the item that starts at `from` and went wrong at the current token: to its `;`, or over its
// braces, or to the `}` that closes the surrounding block.
void Grammar::skip_item(std::size_t from) {
  damaged_ = true;
  if (at_end()) return;
  int depth = 0, parentheses = 0;
  // Braces and parentheses the item opened before it failed are still open.
  for (std::size_t i = from; i < at_; ++i) {
    const Token& t = stream_.tokens[i];
    if (t.kind != TokenKind::Punctuation) continue;
    if (text(t) == "{") ++depth;
    if (text(t) == "}") --depth;
    if (text(t) == "(") ++parentheses;
    if (text(t) == ")") --parentheses;
  }
  if (depth < 0) depth = 0;
  if (at_ > from && depth == 0 && text(stream_.tokens[at_ - 1]) == ";") return;
  while (!at_end()) {
    if (at_declaration()) return;
    if (at("(")) ++parentheses;
    if (at(")")) --parentheses;
    if (at("]")) parentheses = 0;  // a guard or index ends here whatever is open inside it
    if (at("{")) {
      ++depth;
      parentheses = 0;
    } else if (at("}")) {
      if (depth == 0) {
        if (at_ == from) take();  // always move on
        return;
      }
      if (--depth == 0) {
        take();
        accept(";");
        return;
      }
    } else if (at(";") && depth == 0 && parentheses <= 0) {
      take();
      return;
    }
    take();
  }
}

bool Grammar::at_declaration() const {
  const Token& t = peek();
  if (t.kind != TokenKind::Name || t.quoted || (t.begin > 0 && source_[t.begin - 1] != '\n')) return false;
  if (at_word("system")) return at("{", 1);
  if (!at_name(1)) return false;
  return at_word("class") || at_word("signal") || at_word("enum") || at_word("const") || at_word("check") ||
         (at_word("partition") && at(".", 2)) || at_assumption();
}

void Grammar::unclosed(std::size_t opened) {
  damaged_ = true;
  if (unclosed_at_ == at_ || stream_.braces_lost) return;
  unclosed_at_ = at_;
  diagnostics_.error("syntax", span(peek()), fmt::format("expected '}}' before {}", describe(peek())))
      .related.push_back({span(stream_.tokens[opened]), "the innermost block that is still open"});
}

bool Grammar::follows_bad_text() const {
  const std::vector<std::uint32_t>& bad = stream_.bad;
  const std::uint32_t from = at_ > 0 ? stream_.tokens[at_ - 1].begin : 0;
  const auto it = std::lower_bound(bad.begin(), bad.end(), from);
  return it != bad.end() && *it <= peek().begin;
}

void Grammar::no_id(const std::string& id, const Token& first) {
  if (id.empty()) return;
  diagnostics_.error("misplaced-id", span(first),
                     fmt::format("{} has no identity to annotate", describe(peek())),
                     "@id belongs to enumerations, signals, classes and what is drawn in them, and objects");
}

std::string Grammar::id_annotation() {
  std::string id;
  while (at("@") && at_word("id", 1)) {
    take();
    take();
    expect("(", "after '@id'");
    id = expect_string("the element's id in double quotes");
    expect(")", "after the id");
  }
  if (at("@")) {
    take();
    fail("'id' after '@'", "the annotations are @id(\"…\") and, by itself, @assume(kind, \"…\");");
  }
  return id;
}

model::Model parse(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics) {
  return Grammar(sources, file, diagnostics).file();
}

}  // namespace parley::front::text
