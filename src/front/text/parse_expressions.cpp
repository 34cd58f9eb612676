#include <fmt/format.h>

#include "front/text/grammar.hpp"
#include "model/show.hpp"

namespace parley::front::text {

using model::Expr;
using model::ExprKind;
using model::Operator;
using model::Precedence;

model::ExprPtr Grammar::node(ExprKind kind, const Token& first) {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->span = since(first);
  return e;
}

void Grammar::grow(int height, Span place) {
  if (height > kExprHeight) {
    too_deep(place, fmt::format("this expression is nested more than {} levels deep", kExprHeight),
             "split it with local variables or operations");
  }
  height_ = height;
}

model::ExprPtr Grammar::expression() {
  return temporal_ ? pattern_or_formula() : binary(Precedence::Conditional);
}

Precedence Grammar::operator_level(Operator* op) const {
  const Token& t = peek();
  if (t.quoted) return Precedence::None;
  const std::string_view s = text(t);
  *op = Operator::None;
  if (t.kind == TokenKind::Name) {
    if (s == "in" || s == "has") return Precedence::Relational;
    if (temporal_ && event_word(s)) return Precedence::Relational;
    if (temporal_ && !(until_ends_ && s == "until")) *op = model::operator_worded(s, 2);
    if (*op != Operator::None) return info(*op).precedence;
  } else if (t.kind != TokenKind::Punctuation) {
    return Precedence::None;
  }
  *op = s == model::spelling(Operator::Choice) ? Operator::Choice : model::operator_spelled(s, 2);
  const model::OperatorInfo& found = info(*op);
  return temporal_ || !found.in_checks ? found.precedence : Precedence::None;
}

model::ExprPtr Grammar::binary(Precedence lowest) {
  const Deeper deeper(expr_depth_);
  if (expr_depth_ > kExprDepth) {
    too_deep(span(peek()), "this expression is nested too deeply",
             "split it with local variables or operations");
  }
  ExprPtr left = unary();
  int height = height_;
  Operator op = Operator::None;
  for (Precedence level = operator_level(&op); level >= lowest && level > Precedence::None;
       level = operator_level(&op)) {
    const Token& t = take();
    if (op == Operator::Choice) {
      auto e = std::make_unique<Expr>();
      e->kind = ExprKind::Conditional;
      e->op = op;
      e->operands.push_back(std::move(left));
      e->operands.push_back(binary(Precedence::Conditional));
      height = std::max(height, height_);
      expect(":", "between the two results of '?'");
      e->operands.push_back(binary(Precedence::Conditional));
      e->span = diag::join(e->operands[0]->span, e->operands[2]->span);
      left = std::move(e);
    } else if (op == Operator::None) {  // in, has, events
      left = state_test(std::move(left), t);
      height_ = 0;
    } else {
      const bool right_to_left = level == Precedence::Implies || level == Precedence::Until;
      left = make_binary(std::move(left), t, op, binary(right_to_left ? level : model::tighter(level)));
    }
    height = std::max(height, height_) + 1;
    grow(height, span(t));
  }
  height_ = height;
  return left;
}

model::ExprPtr Grammar::make_binary(ExprPtr left, const Token& at, Operator op, ExprPtr right) {
  auto e = std::make_unique<Expr>();
  e->kind = ExprKind::Binary;
  e->op = op;
  if (text(at) == info(op).word) e->text = info(op).word;
  e->span = diag::join(left->span, right->span);
  e->name_span = span(at);
  const Span last = right->span;
  e->operands.push_back(std::move(left));
  e->operands.push_back(std::move(right));
  if (op == Operator::Implies) {
    e->kind = ExprKind::Conditional;
    auto yes = std::make_unique<Expr>();
    yes->kind = ExprKind::BoolLiteral;
    yes->value = 1;
    yes->span = last;
    e->operands.push_back(std::move(yes));
  }
  return e;
}

// o in state.path, o has signal, and events (o sends signal). `!o in s` means !(o in s): a reference
// has no negation, so nothing else can be meant.
model::ExprPtr Grammar::state_test(ExprPtr left, const Token& op) {
  if (left->kind == ExprKind::Unary && left->op == Operator::Not && !left->parenthesised) {
    ExprPtr inner = state_test(std::move(left->operands[0]), op);
    left->span.end = inner->span.end;
    left->operands[0] = std::move(inner);
    return left;
  }
  const std::string_view word = text(op);
  if (word != "in" && word != "has") return event(std::move(left), op);
  auto e = std::make_unique<Expr>();
  e->kind = word == "in" ? ExprKind::InState : ExprKind::QueueHas;
  e->text = word == "in" ? path(&e->name_span) : expect_name("the name of a signal", &e->name_span);
  e->span = diag::join(left->span, e->name_span);
  e->operands.push_back(std::move(left));
  return e;
}

model::ExprPtr Grammar::unary() {
  if (at_prefix_temporal()) return prefix_temporal();
  const Token& next = peek();
  const Operator unary_op =
      next.kind == TokenKind::Punctuation ? model::operator_spelled(text(next), 1) : Operator::None;
  if (unary_op == Operator::None) return postfix();
  const Deeper deeper(expr_depth_);
  const Token& op = take();
  if (expr_depth_ > kExprDepth) too_deep(span(op), "this expression is nested too deeply");
  ExprPtr operand = unary();
  const bool literal =
      operand->kind == ExprKind::IntLiteral && !operand->parenthesised && operand->value >= 0;
  if (unary_op == Operator::Neg && literal) {  // -2147483648 is one literal
    operand->value = -operand->value;
    operand->span.begin = op.begin;
    if (!operand->text.empty()) operand->text = "-" + operand->text;
    return operand;
  }
  auto e = std::make_unique<Expr>();
  e->kind = ExprKind::Unary;
  e->op = unary_op;
  e->span = diag::join(span(op), operand->span);
  e->operands.push_back(std::move(operand));
  grow(height_ + 1, e->span);
  return e;
}

model::ExprPtr Grammar::postfix() {
  const Token& first = peek();
  ExprPtr e = primary();
  for (;;) {
    int height = height_;
    if (accept("[")) {
      ExprPtr index = expression();
      expect("]", "after the index");
      ExprPtr base = std::move(e);
      e = node(ExprKind::Index, first);
      e->operands.push_back(std::move(base));
      e->operands.push_back(std::move(index));
    } else if (accept(".")) {
      ExprPtr base = std::move(e);
      Span place;
      std::string name = expect_name("the name of an attribute or operation", &place);
      e = node(at("(") ? ExprKind::Call : ExprKind::Field, first);
      e->text = std::move(name);
      e->name_span = place;
      e->operands.push_back(std::move(base));
      if (e->kind == ExprKind::Call) {
        e->has_receiver = true;
        for (ExprPtr& a : arguments()) e->operands.push_back(std::move(a));
        e->span = since(first);
      }
    } else {
      return e;
    }
    grow(std::max(height, height_) + 1, e->span);
  }
}

std::vector<model::ExprPtr> Grammar::arguments() {
  std::vector<ExprPtr> result;
  int height = 0;
  expect("(", "before the arguments");
  if (!at(")")) {
    do {
      result.push_back(expression());
      height = std::max(height, height_);
    } while (accept(","));
  }
  expect(")", "after the arguments");
  height_ = height;
  return result;
}

model::ExprPtr Grammar::primary() {
  const Token& first = peek();
  height_ = 0;
  if (first.kind == TokenKind::Integer) {
    take();
    ExprPtr e = node(ExprKind::IntLiteral, first);
    e->value = stream_.values[first.extra];
    if (text(first) != std::to_string(e->value)) e->text = std::string(text(first));
    return e;
  }
  if (accept("(")) {
    ExprPtr e = expression();
    expect(")", "to close the parenthesis");
    e->parenthesised = true;
    e->span = since(first);
    return e;
  }
  if (at_word("true") || at_word("false")) {
    take();
    ExprPtr e = node(ExprKind::BoolLiteral, first);
    e->value = text(first) == "true" ? 1 : 0;
    return e;
  }
  if (accept_word("null")) return node(ExprKind::Null, first);
  if (accept_word("this")) return node(ExprKind::This, first);
  if (at_word("any") && at("(", 1)) return any_expression();
  if ((at_word("forall") || at_word("exists")) && at("(", 1)) return quantifier();
  if (at_word("len") && at("(", 1)) {
    take();
    take();
    ExprPtr object = expression();
    expect(")", "after the object");
    ExprPtr e = node(ExprKind::QueueLength, first);
    e->operands.push_back(std::move(object));
    grow(height_ + 1, e->span);
    return e;
  }
  if (!at_name()) fail("an expression");
  Span place;
  std::string name = expect_name("an expression", &place);
  if (at("(")) {
    std::vector<ExprPtr> args = arguments();
    ExprPtr e = node(ExprKind::Call, first);
    e->text = std::move(name);
    e->name_span = place;
    e->operands = std::move(args);
    grow(height_ + 1, e->span);
    return e;
  }
  ExprPtr e = node(ExprKind::Name, first);
  e->text = std::move(name);
  e->name_span = place;
  return e;
}

// any(lo..hi), any(bool), any(EnumName)
model::ExprPtr Grammar::any_expression() {
  const Token& first = take();
  take();
  auto e = std::make_unique<Expr>();
  e->kind = ExprKind::Any;
  if (at_name() && at(")", 1)) {
    e->text = name_text(peek());
    e->name_span = span(take());
  } else {
    e->operands.push_back(expression());
    const int height = height_;
    expect("..", "between the bounds of 'any'");
    e->operands.push_back(expression());
    grow(std::max(height, height_) + 1, span(first));
  }
  expect(")", "after 'any('");
  e->span = since(first);
  return e;
}

// forall (p : phil) e, exists (p : Philosopher) e; the body goes as far as it can
model::ExprPtr Grammar::quantifier() {
  const Token& first = take();
  take();
  auto e = std::make_unique<Expr>();
  e->kind = text(first) == "forall" ? ExprKind::Forall : ExprKind::Exists;
  e->text = expect_name("the name of the variable", &e->name_span);
  expect(":", "after the variable");
  auto domain = std::make_unique<Expr>();
  domain->kind = ExprKind::Name;
  domain->text = expect_name("the name of a family or class", &domain->span);
  domain->name_span = domain->span;
  e->operands.push_back(std::move(domain));
  expect(")", "after the family or class");
  e->operands.push_back(expression());
  e->span = since(first);
  grow(height_ + 1, e->span);
  return e;
}

std::string Grammar::path(Span* place) {
  std::vector<std::string> names;
  Span first, last;
  names.push_back(expect_name("the name of a state", &first));
  last = first;
  while (at(".") && at_name(1)) {
    take();
    names.push_back(expect_name("the name of a state", &last));
  }
  if (place != nullptr) *place = diag::join(first, last);
  return model::join_path(names);
}

}  // namespace parley::front::text
