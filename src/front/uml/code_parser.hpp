// The parsers behind code_syntax.hpp, one on top of the other: a cursor over tokens, expressions over the
// cursor, statements over expressions. Whatever is outside of the grammar throws NotUnderstood, which the
// statement (or condition) around it catches and turns into an Unknown node; it never leaves this room.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "front/uml/code_syntax.hpp"
#include "model/operators.hpp"

namespace parley::front::uml {

struct NotUnderstood {};

class TokenCursor {
 protected:
  explicit TokenCursor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  bool at_end() const { return peek().kind == TokenKind::End; }
  bool is(std::string_view op, std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::Operator && peek(ahead).text == op;
  }
  bool is_word(std::string_view word, std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::Identifier && peek(ahead).text == word;
  }
  bool is_name(std::size_t ahead = 0) const { return peek(ahead).kind == TokenKind::Identifier; }
  bool accept(std::string_view op) { return is(op) ? (++position_, true) : false; }
  bool accept_word(std::string_view word) { return is_word(word) ? (++position_, true) : false; }
  void expect(std::string_view op) {
    if (!accept(op)) throw NotUnderstood{};
  }
  std::string take_name() {
    if (!is_name()) throw NotUnderstood{};
    return tokens_[position_++].text;
  }
  NodePtr make(NodeKind kind, std::string text = {}) const {
    auto n = std::make_unique<Node>();
    n->kind = kind;
    n->text = std::move(text);
    n->first = n->last = position_;
    return n;
  }
  NodePtr close(NodePtr n) const {
    n->last = position_;
    for (const NodePtr& child : n->children)
      if (child) n->height = std::max(n->height, child->height + 1);
    return n;
  }

  std::string qualified_name() {
    std::string name = take_name();
    while (is("::") && is_name(1)) {
      ++position_;
      name += "::" + take_name();
    }
    return name;
  }

  static bool is_type_word(std::string_view word);

  const std::vector<Token>& tokens_;
  std::size_t position_ = 0;
};

class ExpressionParser : protected TokenCursor {
 public:
  explicit ExpressionParser(const std::vector<Token>& tokens) : TokenCursor(tokens) {}
  // All tokens as one expression, also `return e;` and `e;`; Unknown if they are none.
  NodePtr lone_expression();

 protected:
  // Text that nests deeper than anybody writes is not understood, instead of exhausting the stack.
  class Nesting {
   public:
    explicit Nesting(int& depth) : depth_(depth) {
      if (++depth_ > kMaxDepth) {
        --depth_;
        throw NotUnderstood{};
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    static constexpr int kMaxDepth = 100;
    int& depth_;
  };

  // The next link of a chain (a + b + …, a.b.…): read in a loop, yet as deep as it is long for whoever walks
  // over it, its destructor first.
  NodePtr close_link(NodePtr n) const {
    n = close(std::move(n));
    if (n->height > kMaxHeight) throw NotUnderstood{};
    return n;
  }

  NodePtr expression() { return assignment(); }
  NodePtr assignment();
  NodePtr conditional();
  std::vector<NodePtr> arguments();  // behind the opening parenthesis

  int depth_ = 0;

 private:
  static constexpr int kMaxHeight = 1000;

  NodePtr binary(model::Precedence minimum);
  NodePtr unary();
  bool is_cast() const;
  NodePtr postfix();
  NodePtr primary();
};

class StatementParser : private ExpressionParser {
 public:
  explicit StatementParser(const std::vector<Token>& tokens) : ExpressionParser(tokens) {}
  NodePtr block_until_end();

 private:
  void end_statement();
  NodePtr statement();
  void skip_statement();
  NodePtr known_statement();
  NodePtr braces();
  NodePtr if_statement();
  NodePtr condition();
  NodePtr while_statement();
  NodePtr for_statement();
  NodePtr switch_statement();
  NodePtr send_statement();
  bool is_declaration() const;
  NodePtr declaration();
  void declarator(Node& block, std::string name, const std::string& type);
};

}  // namespace parley::front::uml
