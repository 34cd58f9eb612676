// Statements of behaviour text.
#include "front/uml/code_syntax.hpp"

#include "front/uml/code_parser.hpp"

namespace parley::front::uml {

NodePtr StatementParser::block_until_end() {
  auto block = make(NodeKind::Block);
  while (!at_end()) block->children.push_back(statement());
  return close(std::move(block));
}

// A statement ends at `;`, where a line ends if the language allows it, or before `}`.
void StatementParser::end_statement() {
  if (accept(";") || at_end() || is("}")) return;
  if (peek().line_start) return;
  throw NotUnderstood{};
}

NodePtr StatementParser::statement() {
  const std::size_t start = position_;
  try {
    Nesting nesting(depth_);
    return known_statement();
  } catch (const NotUnderstood&) {
    position_ = start;
    auto unknown = make(NodeKind::Unknown);
    skip_statement();
    return close(std::move(unknown));
  }
}

// To the end of the statement: a `;` outside of brackets, or behind a braced block.
void StatementParser::skip_statement() {
  int depth = 0;
  bool moved = false;
  while (!at_end()) {
    if (is("}") && depth == 0) {
      if (!moved) ++position_;  // a stray brace
      return;
    }
    const bool opens = is("(") || is("[") || is("{");
    const bool closes = is(")") || is("]") || is("}");
    const bool brace = is("}");
    const bool semicolon = is(";");
    ++position_;
    moved = true;
    if (opens) ++depth;
    if (closes && depth > 0) --depth;
    if (depth == 0 && (semicolon || (brace && !is_word("else") && !is_word("while")))) return;
  }
}

NodePtr StatementParser::known_statement() {
  if (is(";")) {
    auto n = make(NodeKind::Empty);
    ++position_;
    return close(std::move(n));
  }
  if (is("{")) return braces();
  if (is_word("if")) return if_statement();
  if (is_word("while") && is("(", 1)) return while_statement();
  if (is_word("for") && is("(", 1)) return for_statement();
  if (is_word("switch") && is("(", 1)) return switch_statement();
  if (is_word("return")) {
    auto n = make(NodeKind::Return);
    ++position_;
    if (!is(";") && !at_end() && !is("}")) n->children.push_back(expression());
    end_statement();
    return close(std::move(n));
  }
  if (is_word("break")) {
    auto n = make(NodeKind::Break);
    ++position_;
    end_statement();
    return close(std::move(n));
  }
  if ((is_word("send") || is_word("SEND")) && is_name(1)) return send_statement();
  if (is_declaration()) return declaration();
  auto n = make(NodeKind::ExpressionStatement);
  n->children.push_back(expression());
  end_statement();
  return close(std::move(n));
}

NodePtr StatementParser::braces() {
  auto n = make(NodeKind::Block);
  expect("{");
  while (!at_end() && !is("}")) n->children.push_back(statement());
  expect("}");
  return close(std::move(n));
}

NodePtr StatementParser::if_statement() {
  auto n = make(NodeKind::If);
  ++position_;
  expect("(");
  n->children.push_back(condition());
  expect(")");
  n->children.push_back(statement());
  if (accept_word("else")) n->children.push_back(statement());
  return close(std::move(n));
}

// A condition in parentheses that is not understood does not make its branches unknown.
NodePtr StatementParser::condition() {
  const std::size_t start = position_;
  try {
    auto e = expression();
    if (!is(")")) throw NotUnderstood{};
    return e;
  } catch (const NotUnderstood&) {
    position_ = start;
    auto unknown = make(NodeKind::Unknown);
    for (int depth = 0; !at_end(); ++position_) {
      if (is("(")) ++depth;
      if (is(")") && depth-- == 0) return close(std::move(unknown));
    }
    throw;
  }
}

NodePtr StatementParser::while_statement() {
  auto n = make(NodeKind::While);
  ++position_;
  expect("(");
  n->children.push_back(condition());
  expect(")");
  n->children.push_back(statement());
  return close(std::move(n));
}

NodePtr StatementParser::for_statement() {
  auto n = make(NodeKind::For);
  ++position_;
  expect("(");
  n->children.push_back(is(";") ? known_statement() : is_declaration() ? declaration() : known_statement());
  n->children.push_back(is(";") ? make(NodeKind::Empty) : expression());
  expect(";");
  n->children.push_back(is(")") ? make(NodeKind::Empty) : expression());
  expect(")");
  n->children.push_back(statement());
  return close(std::move(n));
}

NodePtr StatementParser::switch_statement() {
  auto n = make(NodeKind::Switch);
  ++position_;
  expect("(");
  n->children.push_back(expression());
  expect(")");
  expect("{");
  while (!at_end() && !is("}")) {
    auto c = make(NodeKind::Case);
    if (accept_word("default")) {
      c->children.push_back(make(NodeKind::Empty));
    } else if (accept_word("case")) {
      c->children.push_back(conditional());
    } else {
      throw NotUnderstood{};
    }
    expect(":");
    while (!at_end() && !is("}") && !is_word("case") && !is_word("default"))
      c->children.push_back(statement());
    n->children.push_back(close(std::move(c)));
  }
  expect("}");
  return close(std::move(n));
}

// send Sig(args) to target;   send new Sig(args) to target;   send Sig;   target may be missing
NodePtr StatementParser::send_statement() {
  auto n = make(NodeKind::Send);
  ++position_;
  accept_word("new");
  n->text = qualified_name();
  n->children.push_back(make(NodeKind::Empty));
  if (accept("(")) {
    for (auto& a : arguments()) n->children.push_back(std::move(a));
  }
  if (accept_word("to") || accept_word("TO")) n->children[0] = expression();
  end_statement();
  return close(std::move(n));
}

// `Type name`, `Type<…> *name = …`, `let name : Type = …`, `const int x`: two names in a row, or a word for
// a type.
bool StatementParser::is_declaration() const {
  if (is_word("let") && is_name(1)) return true;
  if (!is_name() || is_word("new") || is_word("delete") || is_word("throw") || is_word("else")) return false;
  std::size_t i = 0;
  while (is_name(i) && is_type_word(peek(i).text) && is_name(i + 1)) ++i;
  if (i > 0 && (is("=", i + 1) || is(";", i + 1) || is(",", i + 1) || is("[", i + 1))) return true;
  if (!is_name(i)) return false;
  ++i;
  while (is("::", i) && is_name(i + 1)) i += 2;
  if (is("<", i)) {
    std::size_t j = i + 1;
    while (is_name(j) || is("::", j) || is(",", j) || is("*", j) || is("<", j)) ++j;
    if (!is(">", j) && !is(">>", j)) return false;
    while (is(">", j) || is(">>", j)) ++j;
    i = j;
  }
  const bool pointer = is("*", i) || is("&", i);
  while (is("*", i) || is("&", i) || is_word("const", i)) ++i;
  if (!is_name(i)) return false;
  // `a * b;` is no declaration worth having; `T *b = …` and `T b` are.
  return pointer ? is("=", i + 1) || is(";", i + 1)
                 : is("=", i + 1) || is(";", i + 1) || is(",", i + 1) || is("(", i + 1) || is("[", i + 1);
}

NodePtr StatementParser::declaration() {
  auto block = make(NodeKind::Block);
  std::string type;
  if (accept_word("let")) {
    const std::string name = take_name();
    if (accept(":")) type = qualified_name();
    declarator(*block, name, type);
  } else {
    const std::size_t begin = position_;
    // The last name before `=`, `;`, `,`, `(` or `[` is declared; what stands before it is the type.
    std::size_t i = position_;
    int angle = 0;
    for (; i + 1 < tokens_.size(); ++i) {
      const auto& next = tokens_[i + 1];
      if (tokens_[i].text == "<") ++angle;
      if (tokens_[i].text == ">") --angle;
      if (tokens_[i].text == ">>") angle -= 2;
      if (angle <= 0 && tokens_[i].kind == TokenKind::Identifier && next.kind != TokenKind::Identifier &&
          next.text != "::" && next.text != "<" && next.text != "*" && next.text != "&") {
        break;
      }
    }
    for (std::size_t k = begin; k < i; ++k)
      type += (type.empty() || tokens_[k].text == "::" || type.ends_with("::") ? "" : " ") + tokens_[k].text;
    position_ = i;
    declarator(*block, take_name(), type);
    while (accept(",")) declarator(*block, take_name(), type);
  }
  end_statement();
  if (block->children.size() == 1) return std::move(block->children.front());
  block->detail = "declarations";
  return close(std::move(block));
}

void StatementParser::declarator(Node& block, std::string name, const std::string& type) {
  auto n = make(NodeKind::Declaration, std::move(name));
  n->first = position_ - 1;
  n->detail = type;
  if (accept("=")) {
    n->children.push_back(assignment());
  } else if (is("(") || is("[")) {
    throw NotUnderstood{};
  }
  block.children.push_back(close(std::move(n)));
}

std::string Code::excerpt(const Node& node) const {
  if (node.first >= node.last || node.last > tokens.size()) return {};
  const std::size_t begin = tokens[node.first].begin;
  return text.substr(begin, tokens[node.last - 1].end - begin);
}

Code parse_statements(std::string text) {
  Code code;
  code.text = std::move(text);
  code.tokens = lex_code(code.text);
  code.root = StatementParser(code.tokens).block_until_end();
  return code;
}

Code parse_expression(std::string text) {
  Code code;
  code.text = std::move(text);
  code.tokens = lex_code(code.text);
  code.root = ExpressionParser(code.tokens).lone_expression();
  return code;
}

}  // namespace parley::front::uml
