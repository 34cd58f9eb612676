#include <fmt/format.h>

#include "front/uml/code_translator.hpp"

namespace parley::front::uml::code {

using model::Operator;

// ------------------------------------------------------------------------------------------------

ExprPtr Translator::to_bool(Typed t) {
  switch (t.type.tag) {
    case Tag::Bool:
      return std::move(t.expr);
    case Tag::Int:
      return make_binary(Operator::Ne, std::move(t.expr), make_int(0, span_), span_);
    case Tag::Ref:
      return make_binary(Operator::Ne, std::move(t.expr), make_expr(ExprKind::Null), span_);
    default:
      fail("a condition of this type");
  }
}

ExprPtr Translator::coerce(Typed t, const ValueType& wanted) {
  if (t.type == wanted) return std::move(t.expr);
  if (wanted.tag == Tag::Bool) return to_bool(std::move(t));
  if (wanted.tag == Tag::Int && t.type.tag == Tag::Bool) {
    auto e = make_expr(ExprKind::Conditional);
    e->op = Operator::Choice;
    e->operands.push_back(std::move(t.expr));
    e->operands.push_back(make_int(1, span_));
    e->operands.push_back(make_int(0, span_));
    e->parenthesised = true;
    return e;
  }
  if (wanted.tag == Tag::Ref && t.type.tag == Tag::Ref)
    return std::move(t.expr);  // resolve checks the classes
  if (wanted.tag == Tag::Ref && t.expr->kind == ExprKind::IntLiteral && t.expr->value == 0)
    return make_expr(ExprKind::Null);
  fail("a value of another type");
}

const ClassInfo& Translator::class_of(const ValueType& type) const {
  const auto it = scope_.library->classes.find(type.name);
  if (type.tag != Tag::Ref || it == scope_.library->classes.end())
    throw NoMeaning{"a member of something that is no object"};
  return it->second;
}

Typed Translator::name(const Node& n) {
  if (const auto it = locals_.find(n.text); it != locals_.end())
    return {make_name(it->second.model_name, span_), it->second.type};
  if (opaque_.contains(n.text)) fail(fmt::format("`{}` is of a type that the model does not have", n.text));
  const bool hidden = !scope_.parameters_hide_attributes && scope_.self->attributes.contains(n.text);
  if (const auto it = scope_.parameters.find(n.text); it != scope_.parameters.end() && !hidden) {
    if (!it->second.type.known()) fail(fmt::format("`{}` is of a type that the model does not have", n.text));
    return {make_name(it->second.model_name, span_), it->second.type};
  }
  const std::string last = last_part(n.text);
  if (const auto it = scope_.self->attributes.find(n.text); it != scope_.self->attributes.end()) {
    return {make_name(it->second.model_name, span_), it->second.type};
  }
  if (const auto it = scope_.library->literals.find(n.text); it != scope_.library->literals.end()) {
    return {make_name(it->second.second, span_), {Tag::Enum, it->second.first}};
  }
  if (const auto it = scope_.library->literals.find(last); it != scope_.library->literals.end()) {
    return {make_name(it->second.second, span_), {Tag::Enum, it->second.first}};
  }
  if (const auto it = scope_.library->constants.find(last); it != scope_.library->constants.end()) {
    const auto& [type, value] = it->second;
    return {type.tag == Tag::Bool ? make_bool(value != 0, span_) : make_int(value, span_), type};
  }
  if (last != n.text) {
    if (const auto it = scope_.self->attributes.find(last); it != scope_.self->attributes.end()) {
      return {make_name(it->second.model_name, span_), it->second.type};
    }
  }
  if (const auto it = scope_.self->left_out.find(last); it != scope_.self->left_out.end()) {
    fail(fmt::format("`{}` is of type {}, which the model does not have", last,
                     it->second.empty() ? "unknown" : it->second));
  }
  // rtdata: the data of the message; one value in all models that use it as a value
  if ((n.text == "rtdata" || n.text == "data") && scope_.parameters.size() == 1) {
    const auto& only = scope_.parameters.begin()->second;
    if (only.type.known()) return {make_name(only.model_name, span_), only.type};
  }
  fail(fmt::format("`{}` is not known", n.text));
}

Typed Translator::member(const Node& n) {
  const Node& object = *n.children[0];
  if (object.kind == NodeKind::This) {
    const auto it = scope_.self->attributes.find(n.text);
    if (it != scope_.self->attributes.end())
      return {make_name(it->second.model_name, span_), it->second.type};
    fail(fmt::format("the class has no attribute `{}` that can be modelled", n.text));
  }
  if (object.kind == NodeKind::Name) {
    if (const auto it = scope_.library->literals.find(last_part(object.text) + "::" + n.text);
        it != scope_.library->literals.end()) {
      return {make_name(it->second.second, span_), {Tag::Enum, it->second.first}};
    }
    if (scope_.event_names.contains(object.text) && !scope_.self->attributes.contains(object.text)) {
      const auto it = scope_.parameters.find(n.text);
      if (it == scope_.parameters.end() || !it->second.type.known())
        fail(fmt::format("the message has no value `{}`", n.text));
      return {make_name(it->second.model_name, span_), it->second.type};
    }
  }
  Typed t = expression(object);
  const auto& info = class_of(t.type);
  const auto it = info.attributes.find(n.text);
  if (it == info.attributes.end() || it->second.array != 0)
    fail(fmt::format("no attribute `{}` there", n.text));
  auto e = make_expr(ExprKind::Field);
  e->text = it->second.model_name;
  e->operands.push_back(std::move(t.expr));
  return {std::move(e), it->second.type};
}

Typed Translator::binary(const Node& n) {
  Typed left = expression(*n.children[0]);
  Typed right = expression(*n.children[1]);
  const Operator op = model::operator_spelled(n.text, 2);
  if (op == Operator::AndAlso || op == Operator::OrElse) {
    return {make_binary(op, to_bool(std::move(left)), to_bool(std::move(right)), span_), {Tag::Bool, ""}};
  }
  if (op == Operator::Eq || op == Operator::Ne) {
    if (left.type.tag == Tag::Bool && right.type.tag == Tag::Int)
      left = {coerce(std::move(left), right.type), right.type};
    if (right.type.tag == Tag::Bool && left.type.tag == Tag::Int)
      right = {coerce(std::move(right), left.type), left.type};
    if (left.type.tag != right.type.tag) fail("a comparison of different types");
    if (left.type.tag == Tag::Enum && left.type.name != right.type.name)
      fail("a comparison of different enumerations");
    return {make_binary(op, std::move(left.expr), std::move(right.expr), span_), {Tag::Bool, ""}};
  }
  const ValueType integer{Tag::Int, ""};
  const bool bits = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
  if (left.type.tag == Tag::Bool && right.type.tag == Tag::Bool && bits) {
    const Operator logical = op == Operator::BitAnd  ? Operator::AndAlso
                             : op == Operator::BitOr ? Operator::OrElse
                                                     : Operator::Ne;
    return {make_binary(logical, std::move(left.expr), std::move(right.expr), span_), {Tag::Bool, ""}};
  }
  const bool ordered = model::info(op).precedence == model::Precedence::Relational;
  return {make_binary(op, coerce(std::move(left), integer), coerce(std::move(right), integer), span_),
          ordered ? ValueType{Tag::Bool, ""} : integer};
}

Typed Translator::operation_call(const OperationInfo& operation, ExprPtr receiver, const Node& n) {
  if (!operation.has_body) fail("it calls an operation whose body is not known");
  const auto arguments = arguments_of(n, 1);
  if (arguments.size() != operation.parameters.size())
    fail("it calls an operation with another number of arguments");
  auto e = make_expr(ExprKind::Call);
  e->text = operation.model_name;
  if (receiver != nullptr) {
    e->has_receiver = true;
    e->operands.push_back(std::move(receiver));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    e->operands.push_back(coerce(expression(*arguments[i]), operation.parameters[i]));
  }
  return {std::move(e), operation.result};
}

Typed Translator::call(const Node& n) {
  const Node& callee = *n.children[0];
  if (callee.kind == NodeKind::Name ||
      (callee.kind == NodeKind::Member && callee.children[0]->kind == NodeKind::This)) {
    const auto it = scope_.self->operations.find(last_part(callee.text));
    if (it == scope_.self->operations.end())
      fail(fmt::format("`{}` is not an operation of the class", callee.text));
    return operation_call(it->second, nullptr, n);
  }
  if (callee.kind == NodeKind::Member) {
    Typed object = expression(*callee.children[0]);
    const auto& info = class_of(object.type);
    const auto it = info.operations.find(callee.text);
    if (it == info.operations.end()) fail(fmt::format("`{}` is not an operation of the object", callee.text));
    return operation_call(it->second, std::move(object.expr), n);
  }
  fail("a call of something that is no operation");
}

Typed Translator::expression(const Node& n) {
  switch (n.kind) {
    case NodeKind::Integer:
      if (n.value > INT32_MAX) fail("a number that does not fit in 32 bits");
      return {make_int(n.value, span_), {Tag::Int, ""}};
    case NodeKind::Boolean:
      return {make_bool(n.value != 0, span_), {Tag::Bool, ""}};
    case NodeKind::Null:
      return {make_expr(ExprKind::Null), {Tag::Ref, ""}};
    case NodeKind::This:
      return {make_expr(ExprKind::This), {Tag::Ref, scope_.self_name}};
    case NodeKind::Name:
      return name(n);
    case NodeKind::Member:
      return member(n);
    case NodeKind::Call:
      return call(n);
    case NodeKind::Binary:
      return binary(n);
    case NodeKind::Cast: {
      const ValueType type = primitive_type(n.text);
      if (!type.known()) fail("a cast to a type that the model does not have");
      return {coerce(expression(*n.children[0]), type), type};
    }
    case NodeKind::Index: {
      const Node& array = *n.children[0];
      const Node* base = array.kind == NodeKind::Member && array.children[0]->kind == NodeKind::This ? &array
                         : array.kind == NodeKind::Name                                              ? &array
                                                        : nullptr;
      if (base == nullptr) fail("an element of something that is no attribute");
      const auto it = scope_.self->attributes.find(base->text);
      if (it == scope_.self->attributes.end() || it->second.array == 0)
        fail("an element of something that is no array");
      auto e = make_expr(ExprKind::Index);
      e->operands.push_back(make_name(it->second.model_name, span_));
      e->operands.push_back(coerce(expression(*n.children[1]), {Tag::Int, ""}));
      return {std::move(e), it->second.type};
    }
    case NodeKind::Conditional: {
      auto e = make_expr(ExprKind::Conditional);
      e->op = Operator::Choice;
      e->operands.push_back(to_bool(expression(*n.children[0])));
      Typed yes = expression(*n.children[1]);
      Typed no = expression(*n.children[2]);
      const ValueType type = yes.type;
      e->operands.push_back(std::move(yes.expr));
      e->operands.push_back(coerce(std::move(no), type));
      e->parenthesised = true;
      return {std::move(e), type};
    }
    case NodeKind::Unary: {
      if (n.text == "*" || n.text == "+") {  // *rtdata; a sign
        return expression(*n.children[0]);
      }
      if (n.text == "&" || n.text == "++" || n.text == "--")
        fail(fmt::format("`{}` inside an expression", n.text));
      Typed operand = expression(*n.children[0]);
      const Operator op = model::operator_spelled(n.text, 1);
      const ValueType type = op == Operator::Not ? ValueType{Tag::Bool, ""} : ValueType{Tag::Int, ""};
      auto value = op == Operator::Not ? to_bool(std::move(operand)) : coerce(std::move(operand), type);
      if (value->kind == ExprKind::Binary || value->kind == ExprKind::Conditional)
        value->parenthesised = true;
      auto e = make_expr(ExprKind::Unary);
      e->op = op;
      e->operands.push_back(std::move(value));
      return {std::move(e), type};
    }
    case NodeKind::Real:
      fail("a real number");
    case NodeKind::String:
      fail("a string");
    case NodeKind::Assign:
    case NodeKind::PostIncrement:
      fail("an assignment inside an expression");
    case NodeKind::New:
      fail("an object is created");
    default:
      fail("its syntax is not known");
  }
}

}  // namespace parley::front::uml::code
