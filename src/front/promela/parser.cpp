#include "front/promela/parser.hpp"

#include <fmt/format.h>

namespace parley::front::promela {

Parser::Parser(Tokens tokens, diag::Diagnostics& diagnostics)
    : tokens_(std::move(tokens)), diagnostics_(diagnostics) {
  expansions_.push_back({});  // number 0: not from an inline
  scopes_.push_back({"_", {}});
}

Program Parser::run() {
  while (!at(Tok::End)) {
    try {
      unit();
    } catch (const Recover&) {
      skip_to_unit();
    }
  }
  program_.end = peek().span;
  read_formulas();
  check_runs();
  return std::move(program_);
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
  Token t = peek();
  if (pos_ + 1 < tokens_.size()) ++pos_;
  return t;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(Tok kind, const char* where, const char* hint) {
  if (at(kind)) return take();
  const std::string place = where;
  if (kind == Tok::Name && place.rfind("as ", 0) == 0) fail(peek(), "expected " + place.substr(3), hint);
  fail(peek(), fmt::format("expected {} {}", describe(kind), place), hint);
}

void Parser::fail(const Token& token, const std::string& what, const std::string& hint) {
  error("syntax", token.span, fmt::format("{}, found {}", what, describe(token)), hint);
  throw Recover{};
}

diag::Diagnostic& Parser::error(const char* code, diag::Span span, std::string message, std::string hint) {
  diag::Diagnostic& d = diagnostics_.error(code, span, std::move(message), std::move(hint));
  // Inside an inline the place is the definition's; say which call led there.
  for (std::uint32_t at = peek().expansion; at != 0; at = expansions_[at].parent)
    d.related.push_back(
        {expansions_[at].call, fmt::format("in this call of inline '{}'", expansions_[at].name)});
  return d;
}

// From `begin` to the last token taken; of one file, which macro text from elsewhere may not be.
diag::Span Parser::span_from(const diag::Span& begin) const {
  if (pos_ == 0) return begin;
  const diag::Span& last = tokens_[pos_ - 1].span;
  if (!begin.valid() || !last.valid() || begin.file != last.file || last.end < begin.begin) return begin;
  return diag::join(begin, last);
}

void Parser::skip_braces() {
  if (!at(Tok::LBrace)) return;
  int depth = 0;
  do {
    if (at(Tok::LBrace)) ++depth;
    if (at(Tok::RBrace)) --depth;
    if (at(Tok::End)) return;
    take();
  } while (depth > 0);
}

void Parser::push_scope() {
  scopes_.push_back({fmt::format("{}{}_", scopes_.back().path, ++scope_counter_), {}});
}
void Parser::pop_scope() {
  scopes_.pop_back();
}

diag::Span Parser::span_between(std::size_t begin, std::size_t end) const {
  if (begin >= end) return {};
  diag::Span span = tokens_[begin].span;
  const diag::Span last = tokens_[end - 1].span;
  if (last.file != span.file || last.end < span.begin) return {};
  span.end = last.end;
  return span;
}

std::string Parser::text_between(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (!text.empty()) text += tokens_[i].after_newline ? '\n' : ' ';
    text += tokens_[i].text;
  }
  return text;
}

}  // namespace parley::front::promela
