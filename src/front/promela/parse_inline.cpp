// Inlines: calls are replaced by the body in the token stream, before anything is read. `x = name(…)` calls
// one that has return statements, each of which becomes an assignment to x; they do not leave the body, as in
// Spin.
#include <fmt/format.h>

#include "front/promela/parser.hpp"

namespace parley::front::promela {

constexpr std::size_t kMaxTokens = 1u << 20;  // after the expansion of inlines

bool Parser::at_inline_call() const {
  return at(Tok::Name) && inlines_.count(peek().text) && peek(1).kind == Tok::LParen;
}

// Models older than the keyword use `return` as a name: as a statement it is followed by an expression.
bool Parser::at_return() const {
  if (!at(Tok::Name) || peek().text != "return" || find_variable("return")) return false;
  const Tok next = peek(1).kind;
  return next != Tok::Assign && next != Tok::Dot && next != Tok::Incr && next != Tok::Decr;
}

StmtPtr Parser::inline_call(ExprPtr result) {
  const diag::Span call = peek().span;
  expand_inline(std::move(result));
  StmtPtr block = braced(StmtKind::Block);
  if (block->options[0].empty())
    error("empty-sequence", call, "this inline is empty", "give it at least skip");
  return block;
}

StmtPtr Parser::return_statement() {
  const Token word = take();
  const ExprPtr result = expansions_[word.expansion].result;
  StmtPtr s = make(StmtKind::Assign, word.span);
  s->expr = expression();
  s->span = span_from(word.span);
  s->target = result;
  if (word.expansion == 0) fail(word, "'return' stands outside an inline");
  if (!result) {
    const std::string& name = expansions_[word.expansion].name;
    error("misplaced", word.span,
          fmt::format("inline '{}' returns a value here, but the call takes none", name),
          fmt::format("call it as x = {}(…)", name));
    s->target = node(ExprKind::Special, word.span);
    s->target->name = "_";
  }
  return s;
}

// Replaces name(arguments) in the token stream by the body with the arguments put in.
void Parser::expand_inline(ExprPtr result) {
  const Token name = take();
  const InlineDef& def = inlines_.at(name.text);
  for (std::uint32_t up = name.expansion; up != 0; up = expansions_[up].parent)
    if (expansions_[up].name == def.name) {
      error("cyclic-inline", name.span, fmt::format("inline '{}' calls itself", def.name));
      throw Recover{};
    }
  const Token open = take();
  std::vector<Tokens> given;
  int depth = 0;
  while (true) {
    if (at(Tok::End)) fail(peek(), "expected ')' after the arguments of the inline");
    if (at(Tok::RParen) && depth == 0) break;
    if (given.empty()) given.emplace_back();
    if (at(Tok::Comma) && depth == 0) {
      take();
      given.emplace_back();
      continue;
    }
    if (at(Tok::LParen) || at(Tok::LBracket) || at(Tok::LBrace)) ++depth;
    if (at(Tok::RParen) || at(Tok::RBracket) || at(Tok::RBrace)) --depth;
    given.back().push_back(take());
  }
  take();
  if (given.size() != def.parameters.size()) {
    auto& d = error("argument-count", name.span,
                    fmt::format("inline '{}' takes {} argument{}, {} given", def.name, def.parameters.size(),
                                def.parameters.size() == 1 ? "" : "s", given.size()));
    d.related.push_back({def.span, "defined here"});
    throw Recover{};
  }
  expansions_.push_back({def.name, name.span, name.expansion, std::move(result)});
  const auto id = static_cast<std::uint32_t>(expansions_.size() - 1);
  Tokens text;
  for (const Token& t : def.body) {
    std::size_t which = def.parameters.size();
    if (t.kind == Tok::Name)
      for (std::size_t i = 0; i < def.parameters.size(); ++i)
        if (def.parameters[i] == t.text) which = i;
    if (which == def.parameters.size()) {
      text.push_back(t);
      text.back().expansion = id;
    } else {
      for (std::size_t k = 0; k < given[which].size(); ++k) {
        text.push_back(given[which][k]);
        text.back().after_newline = k == 0 && t.after_newline;
      }
    }
  }
  if (tokens_.size() + text.size() > kMaxTokens) {
    error("too-deep", name.span, "the inlines of this model expand to too much text");
    pos_ = tokens_.size() - 1;
    throw Recover{};
  }
  tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(pos_), text.begin(), text.end());
}

}  // namespace parley::front::promela
