#include "front/uml/code_syntax.hpp"

#include <set>

#include "model/operators.hpp"

namespace parley::front::uml {
namespace {

struct NotUnderstood {};  // inside this file only: leaves the statement being parsed

constexpr int kMaxDepth = 100;

const std::set<std::string_view> kTypeWords = {
    "int",   "bool",   "boolean", "Boolean",  "Integer",  "unsigned", "signed",  "short",   "long",
    "char",  "byte",   "float",   "double",   "String",   "size_t",   "auto",    "var",     "const",
    "final", "static", "uint8_t", "uint16_t", "uint32_t", "int8_t",   "int16_t", "int32_t", "struct"};

class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  NodePtr block_until_end() {
    auto block = make(NodeKind::Block);
    while (!at_end()) block->children.push_back(statement());
    return close(std::move(block));
  }

  NodePtr lone_expression() {
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

 private:
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
    int& depth_;
  };

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
    return n;
  }

  // A statement ends at `;`, where a line ends if the language allows it, or before `}`.
  void end_statement() {
    if (accept(";") || at_end() || is("}")) return;
    if (peek().line_start) return;
    throw NotUnderstood{};
  }

  NodePtr statement() {
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
  void skip_statement() {
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

  NodePtr known_statement() {
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

  NodePtr braces() {
    auto n = make(NodeKind::Block);
    expect("{");
    while (!at_end() && !is("}")) n->children.push_back(statement());
    expect("}");
    return close(std::move(n));
  }

  NodePtr if_statement() {
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
  NodePtr condition() {
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

  NodePtr while_statement() {
    auto n = make(NodeKind::While);
    ++position_;
    expect("(");
    n->children.push_back(condition());
    expect(")");
    n->children.push_back(statement());
    return close(std::move(n));
  }

  NodePtr for_statement() {
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

  NodePtr switch_statement() {
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
  NodePtr send_statement() {
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

  std::string qualified_name() {
    std::string name = take_name();
    while (is("::") && is_name(1)) {
      ++position_;
      name += "::" + take_name();
    }
    return name;
  }

  // `Type name`, `Type<…> *name = …`, `let name : Type = …`, `const int x`: two names in a row, or a word for
  // a type.
  bool is_declaration() const {
    if (is_word("let") && is_name(1)) return true;
    if (!is_name() || is_word("new") || is_word("delete") || is_word("throw") || is_word("else"))
      return false;
    std::size_t i = 0;
    while (is_name(i) && kTypeWords.contains(peek(i).text) && is_name(i + 1)) ++i;
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

  NodePtr declaration() {
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
        type +=
            (type.empty() || tokens_[k].text == "::" || type.ends_with("::") ? "" : " ") + tokens_[k].text;
      position_ = i;
      declarator(*block, take_name(), type);
      while (accept(",")) declarator(*block, take_name(), type);
    }
    end_statement();
    if (block->children.size() == 1) return std::move(block->children.front());
    block->detail = "declarations";
    return close(std::move(block));
  }

  void declarator(Node& block, std::string name, const std::string& type) {
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

  NodePtr expression() { return assignment(); }

  NodePtr assignment() {
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

  NodePtr conditional() {
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

  static std::string plain_operator(const std::string& text) {
    if (text == "===") return "==";
    if (text == "!==" || text == "<>") return "!=";
    if (text == "and") return "&&";
    if (text == "or") return "||";
    return text;
  }

  // Java's and C's order is that of the model's own operators.
  static model::Precedence precedence(const Token& t) {
    const bool word = t.kind == TokenKind::Identifier && (t.text == "or" || t.text == "and");
    if (!word && t.kind != TokenKind::Operator) return model::Precedence::None;
    const model::OperatorInfo& found = model::info(model::operator_spelled(plain_operator(t.text), 2));
    return found.in_checks ? model::Precedence::None : found.precedence;
  }

  NodePtr binary(model::Precedence minimum) {
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
      left = close(std::move(n));
    }
  }

  NodePtr unary() {
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
  bool is_cast() const {
    std::size_t i = 1;
    bool type_word = false;
    bool star = false;
    while (is_name(i) || is("::", i) || is("*", i) || is("&", i)) {
      type_word |= is_name(i) && kTypeWords.contains(peek(i).text);
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

  std::vector<NodePtr> arguments() {
    std::vector<NodePtr> result;
    if (accept(")")) return result;
    do {
      result.push_back(assignment());
    } while (accept(","));
    expect(")");
    return result;
  }

  NodePtr postfix() {
    const std::size_t start = position_;
    auto e = primary();
    for (;;) {
      if (is(".") || is("->")) {
        ++position_;
        auto n = make(NodeKind::Member, take_name());
        n->first = start;
        n->children.push_back(std::move(e));
        e = close(std::move(n));
      } else if (is("(")) {
        ++position_;
        auto n = make(NodeKind::Call);
        n->first = start;
        n->children.push_back(std::move(e));
        for (auto& a : arguments()) n->children.push_back(std::move(a));
        e = close(std::move(n));
      } else if (is("[")) {
        ++position_;
        auto n = make(NodeKind::Index);
        n->first = start;
        n->children.push_back(std::move(e));
        n->children.push_back(expression());
        expect("]");
        e = close(std::move(n));
      } else if ((is("++") || is("--")) && !peek().line_start) {
        auto n = make(NodeKind::PostIncrement, peek().text);
        ++position_;
        n->first = start;
        n->children.push_back(std::move(e));
        e = close(std::move(n));
      } else {
        return e;
      }
    }
  }

  NodePtr primary() {
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

  const std::vector<Token>& tokens_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string Code::excerpt(const Node& node) const {
  if (node.first >= node.last || node.last > tokens.size()) return {};
  const std::size_t begin = tokens[node.first].begin;
  return text.substr(begin, tokens[node.last - 1].end - begin);
}

Code parse_statements(std::string text) {
  Code code;
  code.text = std::move(text);
  code.tokens = lex_code(code.text);
  code.root = Parser(code.tokens).block_until_end();
  return code;
}

Code parse_expression(std::string text) {
  Code code;
  code.text = std::move(text);
  code.tokens = lex_code(code.text);
  code.root = Parser(code.tokens).lone_expression();
  return code;
}

}  // namespace parley::front::uml
