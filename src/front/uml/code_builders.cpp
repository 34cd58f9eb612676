#include "front/uml/code_meaning.hpp"

namespace parley::front::uml {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::Stmt;
using model::StmtKind;
using model::StmtPtr;

namespace {
ExprPtr make(ExprKind kind, diag::Span span) {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->span = span;
  return e;
}
}  // namespace

ExprPtr make_int(std::int64_t value, diag::Span span) {
  if (value < 0 && value > INT32_MIN) {
    auto e = make(ExprKind::Unary, span);
    e->op = model::Operator::Neg;
    e->operands.push_back(make_int(-value, span));
    return e;
  }
  auto e = make(ExprKind::IntLiteral, span);
  e->value = value;
  return e;
}

ExprPtr make_bool(bool value, diag::Span span) {
  auto e = make(ExprKind::BoolLiteral, span);
  e->value = value ? 1 : 0;
  return e;
}

ExprPtr make_name(std::string name, diag::Span span) {
  auto e = make(ExprKind::Name, span);
  e->text = std::move(name);
  return e;
}

ExprPtr make_binary(model::Operator op, ExprPtr left, ExprPtr right, diag::Span span) {
  auto e = make(ExprKind::Binary, span);
  e->op = op;
  // The printer puts operators side by side; nested ones are kept apart whatever their precedence.
  for (auto* operand : {&left, &right}) {
    const auto kind = (*operand)->kind;
    if (kind == ExprKind::Binary || kind == ExprKind::Conditional) (*operand)->parenthesised = true;
  }
  e->operands.push_back(std::move(left));
  e->operands.push_back(std::move(right));
  return e;
}

ExprPtr make_any(const ValueType& type, diag::Span span) {
  auto e = make(ExprKind::Any, span);
  switch (type.tag) {
    case ValueType::Tag::Bool:
      e->text = "bool";
      return e;
    case ValueType::Tag::Enum:
      e->text = type.name;
      return e;
    case ValueType::Tag::Int:
      e->operands.push_back(make_int(INT32_MIN, span));
      e->operands.push_back(make_int(INT32_MAX, span));
      return e;
    default:
      return nullptr;
  }
}

StmtPtr make_block(std::vector<StmtPtr> statements, diag::Span span) {
  std::erase(statements, nullptr);
  if (statements.empty()) return nullptr;
  auto s = std::make_unique<Stmt>();
  s->kind = StmtKind::Block;
  s->span = span;
  s->children = std::move(statements);
  return s;
}

StmtPtr make_havoc(const Variable& variable, diag::Span span) {
  auto s = std::make_unique<Stmt>();
  s->kind = StmtKind::Havoc;
  s->span = span;
  s->target = make_name(variable.model_name, span);
  return s;
}

ValueType primitive_type(const std::string& name) {
  using Tag = ValueType::Tag;
  static const std::map<std::string, Tag> kTypes = {{"int", Tag::Int},
                                                    {"Integer", Tag::Int},
                                                    {"integer", Tag::Int},
                                                    {"long", Tag::Int},
                                                    {"short", Tag::Int},
                                                    {"byte", Tag::Int},
                                                    {"char", Tag::Int},
                                                    {"unsigned", Tag::Int},
                                                    {"unsigned int", Tag::Int},
                                                    {"unsigned short", Tag::Int},
                                                    {"unsigned char", Tag::Int},
                                                    {"unsigned long", Tag::Int},
                                                    {"long int", Tag::Int},
                                                    {"size_t", Tag::Int},
                                                    {"Natural", Tag::Int},
                                                    {"UnlimitedNatural", Tag::Int},
                                                    {"int8_t", Tag::Int},
                                                    {"int16_t", Tag::Int},
                                                    {"int32_t", Tag::Int},
                                                    {"int64_t", Tag::Int},
                                                    {"uint8_t", Tag::Int},
                                                    {"uint16_t", Tag::Int},
                                                    {"uint32_t", Tag::Int},
                                                    {"uint64_t", Tag::Int},
                                                    {"Long", Tag::Int},
                                                    {"Short", Tag::Int},
                                                    {"Int", Tag::Int},
                                                    {"EInt", Tag::Int},
                                                    {"EIntegerObject", Tag::Int},
                                                    {"bool", Tag::Bool},
                                                    {"boolean", Tag::Bool},
                                                    {"Boolean", Tag::Bool},
                                                    {"Bool", Tag::Bool},
                                                    {"EBoolean", Tag::Bool},
                                                    {"void", Tag::Void}};
  std::string key = name;
  for (const std::string prefix : {"const ", "final ", "static ", "std::"}) {
    while (key.starts_with(prefix)) key.erase(0, prefix.size());
  }
  const auto it = kTypes.find(key);
  return it == kTypes.end() ? ValueType{} : ValueType{it->second, ""};
}

}  // namespace parley::front::uml
