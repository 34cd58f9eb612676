// Expressions of behaviour text, with the precedences that Java, C and JavaScript share.
#include <set>

#include "front/uml/code_parser.hpp"

namespace parley::front::uml {
namespace {

std::string plain_operator(const std::string& text) {
  if (text == "===") return "==";
  if (text == "!==" || text == "<>") return "!=";
  if (text == "and") return "&&";
  if (text == "or") return "||";
  return text;
}

// Java's and C's order is that of the model's own operators.
model::Precedence precedence(const Token& t) {
  const bool word = t.kind == TokenKind::Identifier && (t.text == "or" || t.text == "and");
  if (!word && t.kind != TokenKind::Operator) return model::Precedence::None;
  const model::OperatorInfo& found = model::info(model::operator_spelled(plain_operator(t.text), 2));
  return found.in_checks ? model::Precedence::None : found.precedence;
}

}  // namespace

bool TokenCursor::is_type_word(std::string_view word) {
  static const std::set<std::string_view> kTypeWords = {
      "int",   "bool",   "boolean", "Boolean",  "Integer",  "unsigned", "signed",  "short",   "long",
      "char",  "byte",   "float",   "double",   "String",   "size_t",   "auto",    "var",     "const",
      "final", "static", "uint8_t", "uint16_t", "uint32_t", "int8_t",   "int16_t", "int32_t", "struct"};
  return kTypeWords.contains(word);
}

NodePtr ExpressionParser::lone_expression() {
  if (at_end()) return close(make(NodeKind::Empty));
  const std::size_t start = position_;
  try {
    accept_word("return");
    auto e = expression();
    while (accept(";")) {
    }
    if (!at_end()) throw NotUnderstood{};
    return e;
  } catch (const NotUnderstood&) {
    auto unknown = make(NodeKind::Unknown);
    unknown->first = start;
    position_ = tokens_.size() - 1;
    return close(std::move(unknown));
  }
}

NodePtr ExpressionParser::assignment() {
  Nesting nesting(depth_);
  const std::size_t start = position_;
  auto left = conditional();
  const std::string op = is(":=") ? "=" : peek().text;
  if (peek().kind == TokenKind::Operator && model::assignment_spelled(op)) {
    ++position_;
    auto n = make(NodeKind::Assign, op);
    n->first = start;
    n->children.push_back(std::move(left));
    n->children.push_back(assignment());
    return close(std::move(n));
  }
  return left;
}

NodePtr ExpressionParser::conditional() {
  Nesting nesting(depth_);
  const std::size_t start = position_;
  auto test = binary(model::Precedence::None);
  if (!accept("?")) return test;
  auto n = make(NodeKind::Conditional);
  n->first = start;
  n->children.push_back(std::move(test));
  n->children.push_back(assignment());
  expect(":");
  n->children.push_back(assignment());
  return close(std::move(n));
}

NodePtr ExpressionParser::binary(model::Precedence minimum) {
  Nesting nesting(depth_);
  const std::size_t start = position_;
  auto left = unary();
  for (;;) {
    const model::Precedence level = precedence(peek());
    if (level == model::Precedence::None || level < minimum) return left;
    auto n = make(NodeKind::Binary, plain_operator(peek().text));
    ++position_;
    n->first = start;
    n->children.push_back(std::move(left));
    n->children.push_back(binary(model::tighter(level)));
    left = close_link(std::move(n));
  }
}

NodePtr ExpressionParser::unary() {
  Nesting nesting(depth_);
  for (const std::string_view op : {"!", "-", "+", "~", "*", "&", "++", "--"}) {
    if (!is(op)) continue;
    auto n = make(NodeKind::Unary, std::string(op));
    ++position_;
    n->children.push_back(unary());
    return close(std::move(n));
  }
  if (is_word("not")) {
    auto n = make(NodeKind::Unary, "!");
    ++position_;
    n->children.push_back(unary());
    return close(std::move(n));
  }
  if (is("(") && is_cast()) {
    auto n = make(NodeKind::Cast);
    ++position_;
    while (!is(")")) n->text += (n->text.empty() ? "" : " ") + tokens_[position_++].text;
    ++position_;
    n->children.push_back(unary());
    return close(std::move(n));
  }
  return postfix();
}

// `(int) x`, `(const T *) x`: type words or a name with stars, and then something that starts an operand.
bool ExpressionParser::is_cast() const {
  std::size_t i = 1;
  bool type_word = false;
  bool star = false;
  while (is_name(i) || is("::", i) || is("*", i) || is("&", i)) {
    type_word |= is_name(i) && is_type_word(peek(i).text);
    star |= is("*", i);
    ++i;
  }
  if (i == 1 || !is(")", i)) return false;
  const Token& next = peek(i + 1);
  const bool operand = next.kind == TokenKind::Identifier || next.kind == TokenKind::Integer ||
                       next.kind == TokenKind::Character ||
                       (next.kind == TokenKind::Operator &&
                        (next.text == "(" || next.text == "*" || next.text == "&" || next.text == "-"));
  if (type_word) return operand;
  return star && operand && is("*", i - 1);
}

std::vector<NodePtr> ExpressionParser::arguments() {
  std::vector<NodePtr> result;
  if (accept(")")) return result;
  do {
    result.push_back(assignment());
  } while (accept(","));
  expect(")");
  return result;
}

NodePtr ExpressionParser::postfix() {
  const std::size_t start = position_;
  auto e = primary();
  for (;;) {
    if (is(".") || is("->")) {
      ++position_;
      auto n = make(NodeKind::Member, take_name());
      n->first = start;
      n->children.push_back(std::move(e));
      e = close_link(std::move(n));
    } else if (is("(")) {
      ++position_;
      auto n = make(NodeKind::Call);
      n->first = start;
      n->children.push_back(std::move(e));
      for (auto& a : arguments()) n->children.push_back(std::move(a));
      e = close_link(std::move(n));
    } else if (is("[")) {
      ++position_;
      auto n = make(NodeKind::Index);
      n->first = start;
      n->children.push_back(std::move(e));
      n->children.push_back(expression());
      expect("]");
      e = close_link(std::move(n));
    } else if ((is("++") || is("--")) && !peek().line_start) {
      auto n = make(NodeKind::PostIncrement, peek().text);
      ++position_;
      n->first = start;
      n->children.push_back(std::move(e));
      e = close_link(std::move(n));
    } else {
      return e;
    }
  }
}

NodePtr ExpressionParser::primary() {
  const Token& t = peek();
  auto n = make(NodeKind::Empty);
  switch (t.kind) {
    case TokenKind::Integer:
    case TokenKind::Character:
      n->kind = NodeKind::Integer;
      n->value = t.value;
      ++position_;
      return close(std::move(n));
    case TokenKind::Real:
    case TokenKind::String:
      n->kind = t.kind == TokenKind::Real ? NodeKind::Real : NodeKind::String;
      n->text = t.text;
      ++position_;
      return close(std::move(n));
    case TokenKind::Identifier:
      break;
    case TokenKind::Operator:
      if (accept("(")) {
        auto e = expression();
        expect(")");
        return e;
      }
      if (is("::") && is_name(1)) {  // a name of the global scope
        ++position_;
        n->kind = NodeKind::Name;
        n->text = qualified_name();
        return close(std::move(n));
      }
      throw NotUnderstood{};
    default:
      throw NotUnderstood{};
  }
  if (t.text == "true" || t.text == "false" || t.text == "TRUE" || t.text == "FALSE") {
    n->kind = NodeKind::Boolean;
    n->value = t.text == "true" || t.text == "TRUE" ? 1 : 0;
    ++position_;
    return close(std::move(n));
  }
  if (t.text == "null" || t.text == "nullptr" || t.text == "NULL" || t.text == "this" || t.text == "self") {
    n->kind = t.text == "this" || t.text == "self" ? NodeKind::This : NodeKind::Null;
    ++position_;
    return close(std::move(n));
  }
  if (t.text == "new") {
    ++position_;
    n->kind = NodeKind::New;
    n->text = qualified_name();
    if (accept("(")) n->children = arguments();
    return close(std::move(n));
  }
  if (t.text == "else" || t.text == "return" || t.text == "delete" || t.text == "throw")
    throw NotUnderstood{};
  n->kind = NodeKind::Name;
  n->text = qualified_name();
  return close(std::move(n));
}

}  // namespace parley::front::uml
