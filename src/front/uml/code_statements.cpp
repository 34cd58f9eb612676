#include <fmt/format.h>

#include "front/uml/code_translator.hpp"

namespace parley::front::uml::code {

using model::Operator;

// -------------------------------------------------------------------------------------------------

StmtPtr Translator::known_statement(const Node& n) {
  switch (n.kind) {
    case NodeKind::Empty:
      return nullptr;
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
    case NodeKind::For:
      return for_loop(n);
    case NodeKind::Switch:
      return switch_chain(n);
    case NodeKind::While:
      fail("a loop without a bound");
    case NodeKind::Declaration:
      return declaration(n);
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
        if (const auto* port = port_of(to))
          return send_to_port(*port, last_part(n.text), arguments_of(n, 1), nullptr);
      }
      ExprPtr target =
          to.kind == NodeKind::Empty || to.kind == NodeKind::This ? nullptr : expression(to).expr;
      return send(key, std::move(target), nullptr, arguments_of(n, 1));
    }
    case NodeKind::ExpressionStatement:
      return expression_statement(*n.children[0]);
    case NodeKind::Break:
      fail("a break outside of a switch");
    default:
      fail("its syntax is not known");
  }
}

StmtPtr Translator::expression_statement(const Node& n) {
  if (is_output(n)) {
    if (changes_something(n)) fail("it prints and changes something at once");
    result.output.push_back(code_.excerpt(n));
    return nullptr;
  }
  if (n.kind == NodeKind::Assign) return assign(n, *n.children[0], n.text, n.children[1].get());
  if (n.kind == NodeKind::PostIncrement ||
      (n.kind == NodeKind::Unary && (n.text == "++" || n.text == "--"))) {
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
    if (const auto* port = port_of(*right->children[0]->children[0]);
        port != nullptr && port->kind == PortKind::Timing) {
      return call_statement(*right);  // timerId = timer.informIn(…): the id is of no use in the model
    }
  }
  if (left.kind == NodeKind::Name && scope_.parameters.contains(left.text) && !locals_.contains(left.text) &&
      (scope_.parameters_hide_attributes || !scope_.self->attributes.contains(left.text))) {
    fail(fmt::format("it assigns to the parameter `{}`", left.text));
  }
  if (left.kind != NodeKind::Name && left.kind != NodeKind::Member && left.kind != NodeKind::Index)
    fail("it assigns to something that is no attribute");
  if (left.kind == NodeKind::Member && left.children[0]->kind == NodeKind::Name &&
      scope_.event_names.contains(left.children[0]->text) &&
      !scope_.self->attributes.contains(left.children[0]->text)) {
    fail("it assigns to a value of the message");
  }
  Typed target = expression(left);
  if (target.expr->kind == ExprKind::IntLiteral || target.expr->kind == ExprKind::BoolLiteral ||
      (target.type.tag == Tag::Enum && target.expr->kind == ExprKind::Name &&
       scope_.library->literals.contains(left.text) && !scope_.self->attributes.contains(left.text))) {
    fail("it assigns to a constant");
  }
  if (target.type.tag == Tag::Bool && right == nullptr) fail("it counts a truth value");
  auto s = make(StmtKind::Assign);
  s->op = right == nullptr ? model::operator_spelled(op.substr(1), 2) : *model::assignment_spelled(op);
  const Operator assigned = s->op;
  if (right != nullptr) {
    try {
      if (assigned == Operator::Ushr) {
        s->op = Operator::None;
        s->value = make_binary(Operator::Ushr, expression(left).expr, coerce(expression(*right), target.type),
                               span_);
      } else if (target.type.tag == Tag::Bool &&
                 (assigned == Operator::BitOr || assigned == Operator::BitAnd)) {
        const Operator logical = assigned == Operator::BitOr ? Operator::OrElse : Operator::AndAlso;
        s->op = Operator::None;
        s->value = make_binary(logical, expression(left).expr, to_bool(expression(*right)), span_);
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
  if (const auto it = scope_.library->class_names.find(n.detail); it != scope_.library->class_names.end())
    type = {Tag::Ref, it->second};
  Typed initial;
  bool inferred = one_of(n.detail, {"auto", "var", "let", "const", "final", ""});
  try {
    if (!n.children.empty()) initial = expression(*n.children[0]);
    if (inferred && initial.expr != nullptr) type = initial.type;
    if (!type.known() || type.tag == Tag::Ref || type.tag == Tag::Enum)
      throw NoMeaning{"a local of a type that the model does not have"};
    auto s = make(StmtKind::Local);
    if (initial.expr != nullptr) s->value = coerce(std::move(initial), type);
    s->text = local_names_.unique(n.text, "local");
    s->type.name = type.tag == Tag::Bool ? "bool" : "int";
    s->type.span = span_;
    locals_[n.text] = {s->text, type, 0};
    return s;
  } catch (const NoMeaning& e) {
    if (type.known() && type.tag != Tag::Ref && type.tag != Tag::Enum &&
        scope_.havoc) {  // a known type with an unknown value
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
  const Node* start =
      init.kind == NodeKind::Declaration && !init.children.empty() ? init.children[0].get() : nullptr;
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
      test =
          make_binary(Operator::Eq, std::move(value.expr), coerce(expression(*c.children[0]), type), span_);
      if (pending != nullptr)
        test = make_binary(Operator::OrElse, std::move(pending), std::move(test), span_);
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

}  // namespace parley::front::uml::code
