#include "front/uml/code_meaning.hpp"

#include "front/uml/code_translator.hpp"

namespace parley::front::uml {
namespace code {

bool changes_something(const Node& n) {
  if (n.kind == NodeKind::Assign || n.kind == NodeKind::PostIncrement) return true;
  if (n.kind == NodeKind::Unary && (n.text == "++" || n.text == "--")) return true;
  if (n.kind == NodeKind::Member && (n.text == "send" || n.text == "sendAt")) return true;
  return std::any_of(n.children.begin(), n.children.end(),
                     [](const NodePtr& c) { return changes_something(*c); });
}

// -------------------------------------------------------------------------------------

// Text may change an attribute that it names, other than a reference it only goes through; code that runs an
// operation of the class whose body is unknown, or hands `this` out, may change them all.
StmtPtr Translator::unknown(const Node& n, const std::string& reason) {
  result.problems.push_back({code_.excerpt(n), reason});
  if (!scope_.havoc) return nullptr;
  std::set<std::string> touched;
  bool everything = false;
  for (std::size_t i = n.first; i < n.last; ++i) {
    const Token& t = code_.tokens[i];
    if (t.kind != TokenKind::Identifier) continue;
    const auto text_at = [&](std::size_t k) {
      return k < code_.tokens.size() ? code_.tokens[k].text : std::string();
    };
    const bool after_this = i >= 2 && (text_at(i - 1) == "." || text_at(i - 1) == "->") &&
                            one_of(text_at(i - 2), {"this", "self"});
    const bool after_member = i >= 1 && (text_at(i - 1) == "." || text_at(i - 1) == "->") && !after_this;
    const std::string next = text_at(i + 1);
    if (one_of(t.text, {"this", "self"}) && next != "." && next != "->") everything = true;
    if (after_member || locals_.contains(t.text)) continue;
    if (next == "(") {
      const auto it = scope_.self->operations.find(t.text);
      if (it != scope_.self->operations.end() && it->second.signal.empty()) everything = true;
      if (after_this && it == scope_.self->operations.end()) everything = true;
    }
    const auto it = scope_.self->attributes.find(t.text);
    if (it == scope_.self->attributes.end()) continue;
    const bool goes_through = next == "." || next == "->";
    if (it->second.type.tag == Tag::Ref && (goes_through || next != "=")) continue;
    touched.insert(t.text);
  }
  std::vector<StmtPtr> statements;
  for (const auto& [key, variable] : scope_.self->attributes) {
    const bool reference = variable.type.tag == Tag::Ref;
    if (touched.contains(key) || (everything && !reference))
      statements.push_back(make_havoc(variable, span_));
  }
  // Locals of the text itself may be changed too.
  for (std::size_t i = n.first; i < n.last; ++i) {
    const auto it = locals_.find(code_.tokens[i].text);
    if (code_.tokens[i].kind != TokenKind::Identifier || it == locals_.end()) continue;
    const bool repeated = std::any_of(statements.begin(), statements.end(), [&](const StmtPtr& s) {
      return s->target->text == it->second.model_name;
    });
    if (!repeated) statements.push_back(make_havoc(it->second, span_));
  }
  if (statements.size() == 1) return std::move(statements.front());
  return make_block(std::move(statements), span_);
}

}  // namespace code

using code::NoMeaning;
using code::Translator;

Meaning read_statements(const std::string& text, const Scope& scope, diag::Span span) {
  const Code code = parse_statements(text);
  Translator translator(code, scope, span);
  auto body = translator.statement(*code.root);
  translator.result.body = std::move(body);
  return std::move(translator.result);
}

Meaning read_guard(const std::string& text, const Scope& scope, diag::Span span) {
  const Code code = parse_expression(text);
  Translator translator(code, scope, span);
  const Node& root = *code.root;
  if (root.kind == NodeKind::Empty) return std::move(translator.result);
  std::string trimmed;
  for (const auto& t : code.tokens) trimmed += t.text;
  if (trimmed == "else" || trimmed == "[else]" || trimmed == "otherwise" || trimmed == "default") {
    translator.result.is_else = true;
    return std::move(translator.result);
  }
  std::vector<model::StmtPtr>
      effects;  // a guard has none; what an unknown one may touch is not changed by asking
  auto condition = translator.condition(root, effects);
  if (condition->kind == model::ExprKind::BoolLiteral && condition->value == 1) condition = nullptr;
  translator.result.condition = std::move(condition);
  return std::move(translator.result);
}

model::ExprPtr read_value(const std::string& text, const ValueType& wanted, const Scope& scope,
                          diag::Span span) {
  const Code code = parse_expression(text);
  Translator translator(code, scope, span);
  try {
    if (code.root->kind == NodeKind::Empty) return nullptr;
    return translator.coerce(translator.expression(*code.root), wanted);
  } catch (const NoMeaning&) {
    return nullptr;
  }
}

}  // namespace parley::front::uml
