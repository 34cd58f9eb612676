#include "front/uml/code_meaning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "front/uml/names.hpp"

namespace parley::front::uml {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::Stmt;
using model::StmtKind;
using model::StmtPtr;
using Tag = ValueType::Tag;

// Marks a block that is no scope of its own: its statements belong to the block around it.
constexpr const char* kFlat = "flat";

struct NoMeaning {  // inside this file only
  std::string reason;
};

struct Typed {
  ExprPtr expr;
  ValueType type;
};

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_send_word(std::string_view word) {
  return one_of(word, {"send", "GEN", "raise", "emit", "sendSignal", "sendEvent", "generate", "fire", "signal"});
}

std::string last_part(const std::string& qualified) {
  const auto at = qualified.rfind("::");
  return at == std::string::npos ? qualified : qualified.substr(at + 2);
}

bool changes_something(const Node& n) {
  if (n.kind == NodeKind::Assign || n.kind == NodeKind::PostIncrement) return true;
  if (n.kind == NodeKind::Unary && (n.text == "++" || n.text == "--")) return true;
  if (n.kind == NodeKind::Member && (n.text == "send" || n.text == "sendAt")) return true;
  return std::any_of(n.children.begin(), n.children.end(), [](const NodePtr& c) { return changes_something(*c); });
}

class Translator {
 public:
  Translator(const Code& code, const Scope& scope, diag::Span span) : code_(code), scope_(scope), span_(span) {
    for (const auto& [key, variable] : scope.self->attributes) local_names_.reserve(variable.model_name);
    for (const auto& [key, variable] : scope.parameters) local_names_.reserve(variable.model_name);
  }

  StmtPtr statement(const Node& n) {
    try {
      return known_statement(n);
    } catch (const NoMeaning& e) {
      return unknown(n, e.reason);
    }
  }

  Typed expression(const Node& n);
  ExprPtr to_bool(Typed t);
  ExprPtr coerce(Typed t, const ValueType& wanted);

  // A condition; not understood: any outcome (and a Problem), after `before` has the effects it may have.
  ExprPtr condition(const Node& n, std::vector<StmtPtr>& before) {
    try {
      if (const Node* sent = send_result(n)) {
        before.push_back(send_chain(*sent));
        return make_any({Tag::Bool, ""}, span_);
      }
      return to_bool(expression(n));
    } catch (const NoMeaning& e) {
      if (StmtPtr effect = unknown(n, e.reason)) before.push_back(std::move(effect));
      return scope_.havoc ? make_any({Tag::Bool, ""}, span_) : make_bool(true, span_);
    }
  }

  Meaning result;

 private:
  [[noreturn]] void fail(std::string reason) const { throw NoMeaning{std::move(reason)}; }

  StmtPtr known_statement(const Node& n);
  StmtPtr expression_statement(const Node& n);
  StmtPtr assign(const Node& n, const Node& left, std::string op, const Node* right);
  StmtPtr declaration(const Node& n);
  StmtPtr for_loop(const Node& n);
  StmtPtr switch_chain(const Node& n);
  StmtPtr call_statement(const Node& n);
  StmtPtr send_by_function(const Node& call, const Node* receiver);
  StmtPtr send_chain(const Node& call);
  StmtPtr send(const std::string& key, ExprPtr target, ExprPtr port, const std::vector<const Node*>& arguments);
  StmtPtr send_to_port(const PortInfo& port, const std::string& message, const std::vector<const Node*>& arguments,
                       const Node* index);
  const Node* send_result(const Node& n) const;
  const PortInfo* port_of(const Node& n) const;
  const SignalInfo* signal_of(const std::string& name, std::string& key) const;
  bool is_output(const Node& n) const;
  StmtPtr unknown(const Node& n, const std::string& reason);
  Typed name(const Node& n);
  Typed member(const Node& n);
  Typed call(const Node& n);
  Typed binary(const Node& n);
  const ClassInfo& class_of(const ValueType& type) const;
  Typed operation_call(const OperationInfo& operation, ExprPtr receiver, const Node& n);

  StmtPtr flat(std::vector<StmtPtr> statements) const {
    auto block = make_block(std::move(statements), span_);
    if (block != nullptr) block->text = kFlat;
    return block;
  }
  StmtPtr make(StmtKind kind) const {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    s->span = span_;
    return s;
  }
  ExprPtr make_expr(ExprKind kind) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->span = span_;
    return e;
  }
  static std::vector<const Node*> arguments_of(const Node& n, std::size_t from) {
    std::vector<const Node*> result_nodes;
    for (std::size_t i = from; i < n.children.size(); ++i) result_nodes.push_back(n.children[i].get());
    return result_nodes;
  }

  const Code& code_;
  const Scope& scope_;
  diag::Span span_;
  std::map<std::string, Variable> locals_;
  Names local_names_;             // the action language has no hiding of names
  std::set<std::string> opaque_;  // locals of types that the model does not have
};

// ---- expressions ------------------------------------------------------------------------------------------------

ExprPtr Translator::to_bool(Typed t) {
  switch (t.type.tag) {
    case Tag::Bool: return std::move(t.expr);
    case Tag::Int: return make_binary("!=", std::move(t.expr), make_int(0, span_), span_);
    case Tag::Ref: return make_binary("!=", std::move(t.expr), make_expr(ExprKind::Null), span_);
    default: fail("a condition of this type");
  }
}

ExprPtr Translator::coerce(Typed t, const ValueType& wanted) {
  if (t.type == wanted) return std::move(t.expr);
  if (wanted.tag == Tag::Bool) return to_bool(std::move(t));
  if (wanted.tag == Tag::Int && t.type.tag == Tag::Bool) {
    auto e = make_expr(ExprKind::Conditional);
    e->operands.push_back(std::move(t.expr));
    e->operands.push_back(make_int(1, span_));
    e->operands.push_back(make_int(0, span_));
    e->parenthesised = true;
    return e;
  }
  if (wanted.tag == Tag::Ref && t.type.tag == Tag::Ref) return std::move(t.expr);  // resolve checks the classes
  if (wanted.tag == Tag::Ref && t.expr->kind == ExprKind::IntLiteral && t.expr->value == 0) return make_expr(ExprKind::Null);
  fail("a value of another type");
}

const ClassInfo& Translator::class_of(const ValueType& type) const {
  const auto it = scope_.library->classes.find(type.name);
  if (type.tag != Tag::Ref || it == scope_.library->classes.end()) throw NoMeaning{"a member of something that is no object"};
  return it->second;
}

Typed Translator::name(const Node& n) {
  if (const auto it = locals_.find(n.text); it != locals_.end()) return {make_name(it->second.model_name, span_), it->second.type};
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
    fail(fmt::format("`{}` is of type {}, which the model does not have", last, it->second.empty() ? "unknown" : it->second));
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
    if (it != scope_.self->attributes.end()) return {make_name(it->second.model_name, span_), it->second.type};
    fail(fmt::format("the class has no attribute `{}` that can be modelled", n.text));
  }
  if (object.kind == NodeKind::Name) {
    if (const auto it = scope_.library->literals.find(last_part(object.text) + "::" + n.text); it != scope_.library->literals.end()) {
      return {make_name(it->second.second, span_), {Tag::Enum, it->second.first}};
    }
    if (scope_.event_names.contains(object.text) && !scope_.self->attributes.contains(object.text)) {
      const auto it = scope_.parameters.find(n.text);
      if (it == scope_.parameters.end() || !it->second.type.known()) fail(fmt::format("the message has no value `{}`", n.text));
      return {make_name(it->second.model_name, span_), it->second.type};
    }
  }
  Typed t = expression(object);
  const auto& info = class_of(t.type);
  const auto it = info.attributes.find(n.text);
  if (it == info.attributes.end() || it->second.array != 0) fail(fmt::format("no attribute `{}` there", n.text));
  auto e = make_expr(ExprKind::Field);
  e->text = it->second.model_name;
  e->operands.push_back(std::move(t.expr));
  return {std::move(e), it->second.type};
}

Typed Translator::binary(const Node& n) {
  Typed left = expression(*n.children[0]);
  Typed right = expression(*n.children[1]);
  const std::string& op = n.text;
  if (op == "&&" || op == "||") {
    return {make_binary(op, to_bool(std::move(left)), to_bool(std::move(right)), span_), {Tag::Bool, ""}};
  }
  if (op == "==" || op == "!=") {
    if (left.type.tag == Tag::Bool && right.type.tag == Tag::Int) left = {coerce(std::move(left), right.type), right.type};
    if (right.type.tag == Tag::Bool && left.type.tag == Tag::Int) right = {coerce(std::move(right), left.type), left.type};
    if (left.type.tag != right.type.tag) fail("a comparison of different types");
    if (left.type.tag == Tag::Enum && left.type.name != right.type.name) fail("a comparison of different enumerations");
    return {make_binary(op, std::move(left.expr), std::move(right.expr), span_), {Tag::Bool, ""}};
  }
  const ValueType integer{Tag::Int, ""};
  if (left.type.tag == Tag::Bool && right.type.tag == Tag::Bool && (op == "&" || op == "|" || op == "^")) {
    const char* logical = op == "&" ? "&&" : op == "|" ? "||" : "!=";
    return {make_binary(logical, std::move(left.expr), std::move(right.expr), span_), {Tag::Bool, ""}};
  }
  const bool ordered = op == "<" || op == "<=" || op == ">" || op == ">=";
  return {make_binary(op, coerce(std::move(left), integer), coerce(std::move(right), integer), span_),
          ordered ? ValueType{Tag::Bool, ""} : integer};
}

Typed Translator::operation_call(const OperationInfo& operation, ExprPtr receiver, const Node& n) {
  if (!operation.has_body) fail("it calls an operation whose body is not known");
  const auto arguments = arguments_of(n, 1);
  if (arguments.size() != operation.parameters.size()) fail("it calls an operation with another number of arguments");
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
  if (callee.kind == NodeKind::Name || (callee.kind == NodeKind::Member && callee.children[0]->kind == NodeKind::This)) {
    const auto it = scope_.self->operations.find(last_part(callee.text));
    if (it == scope_.self->operations.end()) fail(fmt::format("`{}` is not an operation of the class", callee.text));
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
    case NodeKind::Boolean: return {make_bool(n.value != 0, span_), {Tag::Bool, ""}};
    case NodeKind::Null: return {make_expr(ExprKind::Null), {Tag::Ref, ""}};
    case NodeKind::This: return {make_expr(ExprKind::This), {Tag::Ref, scope_.self_name}};
    case NodeKind::Name: return name(n);
    case NodeKind::Member: return member(n);
    case NodeKind::Call: return call(n);
    case NodeKind::Binary: return binary(n);
    case NodeKind::Cast: {
      const ValueType type = primitive_type(n.text);
      if (!type.known()) fail("a cast to a type that the model does not have");
      return {coerce(expression(*n.children[0]), type), type};
    }
    case NodeKind::Index: {
      const Node& array = *n.children[0];
      const Node* base = array.kind == NodeKind::Member && array.children[0]->kind == NodeKind::This ? &array : array.kind == NodeKind::Name ? &array : nullptr;
      if (base == nullptr) fail("an element of something that is no attribute");
      const auto it = scope_.self->attributes.find(base->text);
      if (it == scope_.self->attributes.end() || it->second.array == 0) fail("an element of something that is no array");
      auto e = make_expr(ExprKind::Index);
      e->operands.push_back(make_name(it->second.model_name, span_));
      e->operands.push_back(coerce(expression(*n.children[1]), {Tag::Int, ""}));
      return {std::move(e), it->second.type};
    }
    case NodeKind::Conditional: {
      auto e = make_expr(ExprKind::Conditional);
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
      if (n.text == "&" || n.text == "++" || n.text == "--") fail(fmt::format("`{}` inside an expression", n.text));
      Typed operand = expression(*n.children[0]);
      const ValueType type = n.text == "!" ? ValueType{Tag::Bool, ""} : ValueType{Tag::Int, ""};
      auto value = n.text == "!" ? to_bool(std::move(operand)) : coerce(std::move(operand), type);
      if (value->kind == ExprKind::Binary || value->kind == ExprKind::Conditional) value->parenthesised = true;
      auto e = make_expr(ExprKind::Unary);
      e->text = n.text;
      e->operands.push_back(std::move(value));
      return {std::move(e), type};
    }
    case NodeKind::Real: fail("a real number");
    case NodeKind::String: fail("a string");
    case NodeKind::Assign:
    case NodeKind::PostIncrement: fail("an assignment inside an expression");
    case NodeKind::New: fail("an object is created");
    default: fail("its syntax is not known");
  }
}

// ---- statements -------------------------------------------------------------------------------------------------

StmtPtr Translator::known_statement(const Node& n) {
  switch (n.kind) {
    case NodeKind::Empty: return nullptr;
    case NodeKind::Block: {
      const auto outer = locals_;
      std::vector<StmtPtr> statements;
      for (const auto& c : n.children) {
        auto s = statement(*c);
        if (s != nullptr && s->kind == StmtKind::Block && s->text == kFlat) {
          for (auto& part : s->children) statements.push_back(std::move(part));
        } else {
          statements.push_back(std::move(s));
        }
      }
      if (n.detail == "declarations") return flat(std::move(statements));
      locals_ = outer;
      return make_block(std::move(statements), span_);
    }
    case NodeKind::If: {
      std::vector<StmtPtr> statements;
      auto s = make(StmtKind::If);
      s->value = condition(*n.children[0], statements);
      for (std::size_t i = 1; i < n.children.size(); ++i) {
        auto branch = statement(*n.children[i]);
        s->children.push_back(branch == nullptr ? make(StmtKind::Block) : std::move(branch));
      }
      for (auto& branch : s->children) {  // a branch is a block in the text language
        if (branch->kind == StmtKind::Block) continue;
        auto block = make(StmtKind::Block);
        block->children.push_back(std::move(branch));
        branch = std::move(block);
      }
      statements.push_back(std::move(s));
      if (statements.size() == 1) return std::move(statements.front());
      return make_block(std::move(statements), span_);
    }
    case NodeKind::For: return for_loop(n);
    case NodeKind::Switch: return switch_chain(n);
    case NodeKind::While: fail("a loop without a bound");
    case NodeKind::Declaration: return declaration(n);
    case NodeKind::Return: {
      if (scope_.result.tag == Tag::Void || scope_.result.tag == Tag::Opaque) {
        if (n.children.empty()) {
          // Only harmless as the last thing that is done.
          if (n.last + 1 < code_.tokens.size()) fail("a return in the middle");
          return nullptr;
        }
        fail("it returns a value");
      }
      auto s = make(StmtKind::Return);
      if (n.children.empty()) fail("it returns no value");
      s->value = coerce(expression(*n.children[0]), scope_.result);
      return s;
    }
    case NodeKind::Send: {
      std::string key;
      if (signal_of(n.text, key) == nullptr) fail(fmt::format("`{}` is no signal of the model", n.text));
      const Node& to = *n.children[0];
      if (to.kind != NodeKind::Empty) {
        if (const auto* port = port_of(to)) return send_to_port(*port, last_part(n.text), arguments_of(n, 1), nullptr);
      }
      ExprPtr target = to.kind == NodeKind::Empty || to.kind == NodeKind::This ? nullptr : expression(to).expr;
      return send(key, std::move(target), nullptr, arguments_of(n, 1));
    }
    case NodeKind::ExpressionStatement: return expression_statement(*n.children[0]);
    case NodeKind::Break: fail("a break outside of a switch");
    default: fail("its syntax is not known");
  }
}

StmtPtr Translator::expression_statement(const Node& n) {
  if (is_output(n)) {
    if (changes_something(n)) fail("it prints and changes something at once");
    result.output.push_back(code_.excerpt(n));
    return nullptr;
  }
  if (n.kind == NodeKind::Assign) return assign(n, *n.children[0], n.text, n.children[1].get());
  if (n.kind == NodeKind::PostIncrement || (n.kind == NodeKind::Unary && (n.text == "++" || n.text == "--"))) {
    return assign(n, *n.children[0], n.text, nullptr);
  }
  if (n.kind == NodeKind::Call) return call_statement(n);
  if (n.kind == NodeKind::Integer || n.kind == NodeKind::Boolean) return nullptr;
  fail("it is no statement");
}

StmtPtr Translator::assign(const Node& n, const Node& left, std::string op, const Node* right) {
  if (left.kind == NodeKind::Name && opaque_.contains(left.text)) {
    if (right != nullptr && changes_something(*right)) fail("an assignment inside an expression");
    if (right != nullptr) return unknown(*right, "its value is of a type that the model does not have");
    return nullptr;
  }
  if (right != nullptr && right->kind == NodeKind::Call && right->children[0]->kind == NodeKind::Member) {
    if (const auto* port = port_of(*right->children[0]->children[0]); port != nullptr && port->kind == PortKind::Timing) {
      return call_statement(*right);  // timerId = timer.informIn(…): the id is of no use in the model
    }
  }
  if (left.kind == NodeKind::Name && scope_.parameters.contains(left.text) && !locals_.contains(left.text) &&
      (scope_.parameters_hide_attributes || !scope_.self->attributes.contains(left.text))) {
    fail(fmt::format("it assigns to the parameter `{}`", left.text));
  }
  if (left.kind != NodeKind::Name && left.kind != NodeKind::Member && left.kind != NodeKind::Index) fail("it assigns to something that is no attribute");
  if (left.kind == NodeKind::Member && left.children[0]->kind == NodeKind::Name && scope_.event_names.contains(left.children[0]->text) &&
      !scope_.self->attributes.contains(left.children[0]->text)) {
    fail("it assigns to a value of the message");
  }
  Typed target = expression(left);
  if (target.expr->kind == ExprKind::IntLiteral || target.expr->kind == ExprKind::BoolLiteral || (target.type.tag == Tag::Enum && target.expr->kind == ExprKind::Name && scope_.library->literals.contains(left.text) && !scope_.self->attributes.contains(left.text))) {
    fail("it assigns to a constant");
  }
  if (target.type.tag == Tag::Bool && right == nullptr) fail("it counts a truth value");
  auto s = make(StmtKind::Assign);
  s->text = op == ">>>=" ? "=" : op;
  if (right != nullptr) {
    try {
      if (op == ">>>=") {
        s->value = make_binary(">>>", expression(left).expr, coerce(expression(*right), target.type), span_);
      } else if (target.type.tag == Tag::Bool && (op == "|=" || op == "&=")) {
        s->text = "=";
        s->value = make_binary(op == "|=" ? "||" : "&&", expression(left).expr, to_bool(expression(*right)), span_);
      } else {
        s->value = coerce(expression(*right), target.type);
      }
    } catch (const NoMeaning& e) {
      // The place is known, the value is not: any value there, besides what the right side may touch.
      if (!scope_.havoc) throw;
      std::vector<StmtPtr> statements;
      if (const Node* sent = send_result(*right)) {
        statements.push_back(send_chain(*sent));
        result.problems.push_back({code_.excerpt(n), "whether sending succeeds is not known"});
      } else {
        statements.push_back(unknown(*right, e.reason));
      }
      auto havoc = make(StmtKind::Havoc);
      havoc->target = std::move(target.expr);
      statements.push_back(std::move(havoc));
      return make_block(std::move(statements), span_);
    }
  }
  s->target = std::move(target.expr);
  return s;
}

StmtPtr Translator::declaration(const Node& n) {
  ValueType type = primitive_type(n.detail);
  if (const auto it = scope_.library->class_names.find(n.detail); it != scope_.library->class_names.end()) type = {Tag::Ref, it->second};
  Typed initial;
  bool inferred = one_of(n.detail, {"auto", "var", "let", "const", "final", ""});
  try {
    if (!n.children.empty()) initial = expression(*n.children[0]);
    if (inferred && initial.expr != nullptr) type = initial.type;
    if (!type.known() || type.tag == Tag::Ref || type.tag == Tag::Enum) throw NoMeaning{"a local of a type that the model does not have"};
    auto s = make(StmtKind::Local);
    if (initial.expr != nullptr) s->value = coerce(std::move(initial), type);
    s->text = local_names_.unique(n.text, "local");
    s->type.name = type.tag == Tag::Bool ? "bool" : "int";
    s->type.span = span_;
    locals_[n.text] = {s->text, type, 0};
    return s;
  } catch (const NoMeaning& e) {
    if (type.known() && type.tag != Tag::Ref && type.tag != Tag::Enum && scope_.havoc) {  // a known type with an unknown value
      auto effect = unknown(*n.children[0], e.reason);
      auto s = make(StmtKind::Local);
      s->text = local_names_.unique(n.text, "local");
      s->type.name = type.tag == Tag::Bool ? "bool" : "int";
      s->type.span = span_;
      s->value = make_any(type, span_);
      locals_[n.text] = {s->text, type, 0};
      if (effect == nullptr) return s;
      std::vector<StmtPtr> both;
      both.push_back(std::move(effect));
      both.push_back(std::move(s));
      return flat(std::move(both));
    }
    locals_.erase(n.text);
    opaque_.insert(n.text);
    if (n.children.empty() || one_of(n.detail, {"String", "std::string", "string", "char *"})) {
      if (n.children.empty() || !changes_something(*n.children[0])) return nullptr;
    }
    if (e.reason.starts_with("a local of")) return initial.expr == nullptr ? nullptr : unknown(n, e.reason);
    return unknown(*n.children[0], e.reason);
  }
}

// for (int i = a; i < b; i++) with numbers as bounds
StmtPtr Translator::for_loop(const Node& n) {
  const Node& init = *n.children[0];
  const Node& test = *n.children[1];
  const Node& step = *n.children[2];
  const Node* start = init.kind == NodeKind::Declaration && !init.children.empty() ? init.children[0].get() : nullptr;
  const bool up = (step.kind == NodeKind::PostIncrement || step.kind == NodeKind::Unary) && step.text == "++";
  if (start == nullptr || start->kind != NodeKind::Integer || !up || test.kind != NodeKind::Binary ||
      (test.text != "<" && test.text != "<=") || test.children[0]->text != init.text ||
      test.children[1]->kind != NodeKind::Integer) {
    fail("a loop whose bounds are not numbers");
  }
  auto s = make(StmtKind::For);
  s->text = local_names_.unique(init.text, "i");
  s->value = make_int(start->value, span_);
  const auto last = test.children[1]->value - (test.text == "<" ? 1 : 0);
  if (last < start->value) return nullptr;
  if (last - start->value > 1000) fail("a loop of more than 1000 rounds");
  s->hi = make_int(last, span_);
  const auto outer = locals_;
  locals_[init.text] = {s->text, {Tag::Int, ""}, 0};
  auto body = statement(*n.children[3]);
  locals_ = outer;
  if (body == nullptr) return nullptr;
  if (body->kind != StmtKind::Block) {
    auto block = make(StmtKind::Block);
    block->children.push_back(std::move(body));
    body = std::move(block);
  }
  s->children.push_back(std::move(body));
  return s;
}

// A switch whose cases end in break (or are empty and fall into the next): a chain of ifs.
StmtPtr Translator::switch_chain(const Node& n) {
  StmtPtr chain;
  StmtPtr otherwise;
  struct Arm {
    ExprPtr test;
    StmtPtr body;
  };
  std::vector<Arm> arms;
  ExprPtr pending;
  for (std::size_t i = 1; i < n.children.size(); ++i) {
    const Node& c = *n.children[i];
    const bool is_default = c.children[0]->kind == NodeKind::Empty;
    ExprPtr test;
    if (!is_default) {
      Typed value = expression(*n.children[0]);
      const ValueType type = value.type;
      test = make_binary("==", std::move(value.expr), coerce(expression(*c.children[0]), type), span_);
      if (pending != nullptr) test = make_binary("||", std::move(pending), std::move(test), span_);
      pending = nullptr;
    }
    if (c.children.size() == 1) {
      if (is_default) fail("a default case that falls through");
      pending = std::move(test);
      continue;
    }
    const Node& end = *c.children.back();
    const bool leaves = end.kind == NodeKind::Break || i + 1 == n.children.size();
    if (!leaves) fail("a case that falls through");
    std::vector<StmtPtr> statements;
    for (std::size_t k = 1; k < c.children.size(); ++k) {
      if (c.children[k]->kind == NodeKind::Break && k + 1 == c.children.size()) break;
      statements.push_back(statement(*c.children[k]));
    }
    auto body = make_block(std::move(statements), span_);
    if (body == nullptr) body = make(StmtKind::Block);
    if (is_default) {
      pending = nullptr;
      otherwise = std::move(body);
    } else {
      arms.push_back({std::move(test), std::move(body)});
    }
  }
  chain = std::move(otherwise);
  for (auto it = arms.rbegin(); it != arms.rend(); ++it) {
    auto s = make(StmtKind::If);
    s->value = std::move(it->test);
    s->children.push_back(std::move(it->body));
    if (chain != nullptr) {
      if (chain->kind != StmtKind::Block) {
        auto block = make(StmtKind::Block);
        block->children.push_back(std::move(chain));
        chain = std::move(block);
      }
      s->children.push_back(std::move(chain));
    }
    chain = std::move(s);
  }
  return chain;
}

// ---- calls and sends --------------------------------------------------------------------------------------------

bool Translator::is_output(const Node& n) const {
  if (n.kind == NodeKind::Binary && n.text == "<<") return is_output(*n.children[0]);
  if (n.kind == NodeKind::Name) return one_of(n.text, {"std::cout", "cout", "std::cerr", "cerr", "std::clog", "clog"});
  if (n.kind != NodeKind::Call) return false;
  const Node& callee = *n.children[0];
  if (callee.kind == NodeKind::Name) {
    if (scope_.self->operations.contains(callee.text)) return false;
    return one_of(callee.text, {"printf", "puts", "print", "println", "WriteLine", "Serial.println", "alert", "fflush", "std::printf", "LOG", "DEBUG"});
  }
  if (callee.kind != NodeKind::Member) return false;
  const Node* base = callee.children[0].get();
  if (const auto* port = port_of(*base); port != nullptr && port->kind == PortKind::Log) return true;
  std::string path = callee.text;
  while (base->kind == NodeKind::Member || base->kind == NodeKind::Call) {
    path = base->kind == NodeKind::Member ? base->text + "." + path : path;
    base = base->children[0].get();
  }
  if (base->kind != NodeKind::Name) return false;
  path = base->text + "." + path;
  if (path.starts_with("System.out.") || path.starts_with("System.err.") || path.starts_with("console.")) return true;
  return one_of(base->text, {"log", "logger", "Log", "Logger", "LOGGER"}) && !scope_.self->attributes.contains(base->text);
}

// `port` or `port()` as UML-RT code writes it; also this->port
const PortInfo* Translator::port_of(const Node& n) const {
  const Node* at = &n;
  if (at->kind == NodeKind::Call && at->children.size() == 1) at = at->children[0].get();
  if (at->kind == NodeKind::Index) at = at->children[0].get();
  if (at->kind == NodeKind::Member && at->children[0]->kind != NodeKind::This) return nullptr;
  if (at->kind != NodeKind::Name && at->kind != NodeKind::Member) return nullptr;
  if (locals_.contains(at->text)) return nullptr;
  const auto it = scope_.self->ports.find(at->text);
  return it == scope_.self->ports.end() ? nullptr : &it->second;
}

const SignalInfo* Translator::signal_of(const std::string& written, std::string& key) const {
  key = last_part(written);
  const auto it = scope_.library->signals.find(key);
  return it == scope_.library->signals.end() ? nullptr : &it->second;
}

StmtPtr Translator::send(const std::string& key, ExprPtr target, ExprPtr port, const std::vector<const Node*>& arguments) {
  const SignalInfo& signal = scope_.library->signals.at(key);
  auto s = make(StmtKind::Send);
  s->text = signal.model_name;
  s->target = std::move(target);
  if (signal.carries_port) s->args.push_back(port == nullptr ? make_int(0, span_) : std::move(port));
  for (std::size_t i = 0; i < signal.parameters.size(); ++i) {
    const ValueType& type = signal.parameters[i];
    if (i >= arguments.size()) {  // not given: whatever the data is by default
      if (arguments.empty() && type.tag == Tag::Int) s->args.push_back(make_int(0, span_));
      else if (arguments.empty() && type.tag == Tag::Bool) s->args.push_back(make_bool(false, span_));
      else if (arguments.empty() && type.tag == Tag::Ref) s->args.push_back(make_expr(ExprKind::Null));
      else if (auto any = make_any(type, span_)) s->args.push_back(std::move(any));
      else fail("a message without its values");
      continue;
    }
    try {
      s->args.push_back(coerce(expression(*arguments[i]), type));
    } catch (const NoMeaning& e) {
      auto any = make_any(type, span_);
      if (!scope_.havoc || any == nullptr) throw;
      result.problems.push_back({code_.excerpt(*arguments[i]), e.reason});
      s->args.push_back(std::move(any));
    }
  }
  if (arguments.size() > signal.parameters.size() && !signal.parameters.empty()) fail("a message with more values than its signal has");
  result.sent.push_back(key);
  return s;
}

StmtPtr Translator::send_to_port(const PortInfo& port, const std::string& message, const std::vector<const Node*>& arguments,
                                 const Node* index) {
  if (port.kind == PortKind::Log) {
    result.output.push_back(message);
    return nullptr;
  }
  if (port.kind == PortKind::Timing) {
    result.timers.push_back(message);
    return nullptr;
  }
  const auto it = port.sends.find(message);
  if (it == port.sends.end()) fail(fmt::format("the port's protocol has no message `{}` to send", message));
  if (port.peer.empty()) {
    result.sent.push_back(it->second);
    result.problems.push_back({message, "the port is not connected to anything in the model; the message goes nowhere"});
    return nullptr;
  }
  const auto place = [&](const std::string& attribute, ExprPtr at) {
    auto e = make_name(attribute, span_);
    if (at == nullptr) return e;
    auto element = make_expr(ExprKind::Index);
    element->operands.push_back(std::move(e));
    element->operands.push_back(std::move(at));
    return element;
  };
  const auto guarded = [&](auto make_index) {
    auto check = make(StmtKind::If);
    check->value = make_binary("!=", place(port.peer, make_index()), make_expr(ExprKind::Null), span_);
    auto block = make(StmtKind::Block);
    block->children.push_back(send(it->second, place(port.peer, make_index()),
                                   port.peer_port.empty() ? nullptr : place(port.peer_port, make_index()), arguments));
    check->children.push_back(std::move(block));
    return check;
  };
  // Sending through a port that nothing is connected to loses the message (UML-RT); hence the test for null.
  if (port.replication == 0) return guarded([]() -> ExprPtr { return nullptr; });
  if (index != nullptr) return guarded([&] { return coerce(expression(*index), {Tag::Int, ""}); });
  std::vector<StmtPtr> all;  // send() on a replicated port is a broadcast
  for (std::uint32_t i = 0; i < port.replication; ++i) all.push_back(guarded([&] { return make_int(i, span_); }));
  return make_block(std::move(all), span_);
}

// port.message(args).send() or .sendAt(i): the value is whether it worked. Null if n is not of this form.
const Node* Translator::send_result(const Node& n) const {
  if (n.kind == NodeKind::Unary && n.text == "!") return send_result(*n.children[0]);
  if (n.kind == NodeKind::Binary && one_of(n.text, {"==", "!=", ">", ">="})) return send_result(*n.children[0]);
  if (n.kind != NodeKind::Call || n.children[0]->kind != NodeKind::Member) return nullptr;
  const Node& method = *n.children[0];
  if (!one_of(method.text, {"send", "sendAt", "invoke", "reply"})) return nullptr;
  const Node& message = *method.children[0];
  if (message.kind != NodeKind::Call || message.children[0]->kind != NodeKind::Member) return nullptr;
  return port_of(*message.children[0]->children[0]) == nullptr ? nullptr : &n;
}

StmtPtr Translator::send_chain(const Node& chain) {
  const Node& method = *chain.children[0];
  if (one_of(method.text, {"invoke", "reply"})) fail("a synchronous call");
  const Node& message = *method.children[0];
  const Node& port_node = *message.children[0]->children[0];
  const Node* index = method.text == "sendAt" && chain.children.size() > 1 ? chain.children[1].get() : nullptr;
  if (port_node.kind == NodeKind::Index) index = port_node.children[1].get();
  return send_to_port(*port_of(port_node), message.children[0]->text, arguments_of(message, 1), index);
}

// send(new Sig(args)), send(Sig, target), GEN(Sig(args)), target.send(new Sig()), target->GEN(Sig())
StmtPtr Translator::send_by_function(const Node& call_node, const Node* receiver) {
  if (call_node.children.size() < 2) return nullptr;
  std::size_t at = 1;
  std::string key;
  const auto read = [&](const Node& n, std::vector<const Node*>& arguments) -> bool {
    if (n.kind == NodeKind::New && signal_of(n.text, key) != nullptr) {
      arguments = arguments_of(n, 0);
      return true;
    }
    if (n.kind == NodeKind::Call && n.children[0]->kind == NodeKind::Name && signal_of(n.children[0]->text, key) != nullptr) {
      arguments = arguments_of(n, 1);
      return true;
    }
    return (n.kind == NodeKind::Name || n.kind == NodeKind::String) && signal_of(n.text, key) != nullptr;
  };
  std::vector<const Node*> arguments;
  if (!read(*call_node.children[at], arguments)) {
    if (call_node.children.size() < 3 || !read(*call_node.children[2], arguments)) return nullptr;
    receiver = call_node.children[1].get();  // send(target, new Sig())
  } else if (receiver == nullptr && call_node.children.size() > 2) {
    receiver = call_node.children[2].get();
  }
  if (receiver == nullptr || receiver->kind == NodeKind::This) return send(key, nullptr, nullptr, arguments);
  if (const auto* port = port_of(*receiver)) return send_to_port(*port, key, arguments, nullptr);
  return send(key, expression(*receiver).expr, nullptr, arguments);
}

StmtPtr Translator::call_statement(const Node& n) {
  const Node& callee = *n.children[0];
  const bool own = callee.kind == NodeKind::Name || (callee.kind == NodeKind::Member && callee.children[0]->kind == NodeKind::This);
  if (callee.kind == NodeKind::Name && callee.text == "assert" && n.children.size() >= 2) {
    auto s = make(StmtKind::Assert);
    s->value = to_bool(expression(*n.children[1]));
    if (n.children.size() > 2 && n.children[2]->kind == NodeKind::String) s->text = n.children[2]->text;
    return s;
  }
  if (send_result(n) != nullptr) return send_chain(n);
  const std::string function = last_part(callee.text);
  if (own) {
    const auto it = scope_.self->operations.find(function);
    if (it != scope_.self->operations.end() && it->second.signal.empty()) {
      auto s = make(StmtKind::Call);
      s->value = operation_call(it->second, nullptr, n).expr;
      return s;
    }
    if (it != scope_.self->operations.end()) return send(it->second.signal, nullptr, nullptr, arguments_of(n, 1));
    if (is_send_word(function)) {
      if (auto s = send_by_function(n, nullptr)) return s;
    }
    fail(fmt::format("`{}` is not an operation of the class", callee.text));
  }
  if (callee.kind == NodeKind::Member) {
    const Node& object = *callee.children[0];
    if (const auto* port = port_of(object)) {
      if (is_send_word(callee.text)) {
        if (auto s = send_by_function(n, &object)) return s;
      }
      const Node* index = object.kind == NodeKind::Index ? object.children[1].get() : nullptr;
      return send_to_port(*port, callee.text, arguments_of(n, 1), index);
    }
    if (is_send_word(callee.text)) {
      if (auto s = send_by_function(n, &object)) return s;
    }
    Typed target = expression(object);
    const auto& info = class_of(target.type);
    const auto it = info.operations.find(callee.text);
    if (it != info.operations.end() && it->second.signal.empty()) {
      auto s = make(StmtKind::Call);
      s->value = operation_call(it->second, std::move(target.expr), n).expr;
      return s;
    }
    if (it != info.operations.end()) return send(it->second.signal, std::move(target.expr), nullptr, arguments_of(n, 1));
    std::string key;  // ALF: target.Signal(args)
    if (signal_of(callee.text, key) != nullptr) return send(key, std::move(target.expr), nullptr, arguments_of(n, 1));
    fail(fmt::format("`{}` is not an operation of the object", callee.text));
  }
  fail("a call of something that is no operation");
}

// ---- what is not understood -------------------------------------------------------------------------------------

// Text may change an attribute that it names, other than a reference it only goes through; code that runs an operation of
// the class whose body is unknown, or hands `this` out, may change them all.
StmtPtr Translator::unknown(const Node& n, const std::string& reason) {
  result.problems.push_back({code_.excerpt(n), reason});
  if (!scope_.havoc) return nullptr;
  std::set<std::string> touched;
  bool everything = false;
  for (std::size_t i = n.first; i < n.last; ++i) {
    const Token& t = code_.tokens[i];
    if (t.kind != TokenKind::Identifier) continue;
    const auto text_at = [&](std::size_t k) { return k < code_.tokens.size() ? code_.tokens[k].text : std::string(); };
    const bool after_this = i >= 2 && (text_at(i - 1) == "." || text_at(i - 1) == "->") && one_of(text_at(i - 2), {"this", "self"});
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
    if (touched.contains(key) || (everything && !reference)) statements.push_back(make_havoc(variable, span_));
  }
  // Locals of the text itself may be changed too.
  for (std::size_t i = n.first; i < n.last; ++i) {
    const auto it = locals_.find(code_.tokens[i].text);
    if (code_.tokens[i].kind != TokenKind::Identifier || it == locals_.end()) continue;
    const bool repeated = std::any_of(statements.begin(), statements.end(), [&](const StmtPtr& s) { return s->target->text == it->second.model_name; });
    if (!repeated) statements.push_back(make_havoc(it->second, span_));
  }
  if (statements.size() == 1) return std::move(statements.front());
  return make_block(std::move(statements), span_);
}

}  // namespace

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
  std::vector<StmtPtr> effects;  // a guard has none; what an unknown one may touch is not changed by asking
  auto condition = translator.condition(root, effects);
  if (condition->kind == ExprKind::BoolLiteral && condition->value == 1) condition = nullptr;
  translator.result.condition = std::move(condition);
  return std::move(translator.result);
}

model::ExprPtr read_value(const std::string& text, const ValueType& wanted, const Scope& scope, diag::Span span) {
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
