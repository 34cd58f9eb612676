// The syntax of behaviour text: a tree of statements and expressions as written, before anything is known
// about names. One grammar for the common subset of Java, C, C++, JavaScript and ALF; a statement outside of
// it becomes an Unknown node that covers its text, and parsing goes on behind it. code_meaning.hpp turns the
// tree into the action language.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "front/uml/code_lexer.hpp"

namespace parley::front::uml {

enum class NodeKind : std::uint8_t {
  // expressions
  Integer,
  Real,
  String,
  Boolean,
  Null,
  This,
  Name /* text; qualified names joined by :: */,
  Member /* children[0] . text, or -> */,
  Call /* children[0] is the callee */,
  Index,
  Unary,
  PostIncrement,
  Binary,
  Conditional,
  Assign /* text: operator */,
  Cast /* text: type */,
  New /* text: type, children: arguments */,
  // statements
  Block,
  If /* condition, then, else? */,
  While,
  For /* init, condition, step, body; any may be Empty */,
  Switch /* value, then Case nodes */,
  Case /* children[0]: label or Empty for default; rest statements */,
  Return,
  Break,
  Declaration /* text: name, type in `detail`, children[0]: initial value? */,
  ExpressionStatement,
  Send /* text: signal, children[0]: target or Empty, rest: arguments */,
  Empty,
  Unknown
};

struct Node {
  NodeKind kind = NodeKind::Empty;
  std::string text;
  std::string detail;
  std::int64_t value = 0;
  std::vector<std::unique_ptr<Node>> children;
  std::size_t first = 0;  // tokens covered: [first, last)
  std::size_t last = 0;
  int height = 0;  // levels of children below
};
using NodePtr = std::unique_ptr<Node>;

struct Code {
  std::string text;
  std::vector<Token> tokens;
  NodePtr root;  // a Block for statements; for an expression the expression, or Unknown

  std::string excerpt(const Node& node) const;
};

Code parse_statements(std::string text);
// A guard: an expression, also in the forms `return e;` and `e;`. Text without any token gives Empty.
Code parse_expression(std::string text);

}  // namespace parley::front::uml
