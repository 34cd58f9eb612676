#include <fmt/format.h>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::Operator;
using model::Stmt;
using model::StmtKind;

namespace {

model::StmtPtr make(StmtKind kind) {
  auto s = std::make_unique<Stmt>();
  s->kind = kind;
  return s;
}

}  // namespace

model::StmtPtr Grammar::block(std::string_view where) {
  const Token& first = peek();
  expect("{", where);
  const Deeper deeper(stmt_depth_);
  if (stmt_depth_ > kStmtDepth) {
    too_deep(span(first), fmt::format("statements are nested more than {} levels deep", kStmtDepth),
             "move the inner part into an operation");
  }
  StmtPtr result = make(StmtKind::Block);
  block_items(*result);
  result->span = since(first);
  return result;
}

void Grammar::block_items(Stmt& into) {
  items_until_brace([&] {
    if (accept(";")) return;  // an empty statement
    into.children.push_back(statement());
  });
}

// The branch of an `if` or the body of a loop; a single statement becomes a block of one.
model::StmtPtr Grammar::braced_or_single(std::string_view where) {
  if (at("{")) return block(where);
  const Deeper deeper(stmt_depth_);
  if (stmt_depth_ > kStmtDepth) {
    too_deep(span(peek()), fmt::format("statements are nested more than {} levels deep", kStmtDepth));
  }
  StmtPtr result = make(StmtKind::Block);
  result->children.push_back(statement());
  result->span = result->children[0]->span;
  return result;
}

bool Grammar::at_local() const {
  if (at_word("int") || at_word("bool")) return true;
  return at_name() && at_name(1) && !at_word("in", 1) && !at_word("has", 1);
}

model::StmtPtr Grammar::statement() {
  if (at("{")) return block("at the start of the block");
  if (at_word("send") && at_name(1)) return send_statement();
  if (at_word("assert")) return assert_statement();
  if (at_word("if")) return if_statement();
  if (at_word("for")) return for_statement();
  if (at_word("while")) return while_statement();
  if (at_word("either") && at("{", 1)) return either_statement();
  if (at_word("return")) return return_statement();
  if (at_word("start") && at_name(1)) return timer_statement(StmtKind::StartTimer);
  if (at_word("stop") && at_name(1)) return timer_statement(StmtKind::StopTimer);
  if (at_word("havoc") && at_name(1)) return timer_statement(StmtKind::Havoc);
  if (at_word("else")) fail("a statement", "this 'else' belongs to no 'if'");
  if (at_local()) return local_statement();
  return assign_or_call();
}

model::StmtPtr Grammar::send_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::Send);
  s->text = expect_name("the name of a signal", &s->name_span);
  if (at("(")) s->args = arguments();
  if (accept_word("to")) s->target = expression();
  if (at(".") || at("[")) {
    fail("'to' or ';' after the message", "the receiver follows: send ok to bank;");
  }
  s->span = since(first);
  expect_semicolon("the send");
  return s;
}

model::StmtPtr Grammar::assert_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::Assert);
  s->value = expression();
  if (accept(":")) s->text = expect_string("the message in double quotes");
  s->span = since(first);
  expect_semicolon("the assertion");
  return s;
}

model::StmtPtr Grammar::if_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::If);
  expect("(", "after 'if'");
  s->value = expression();
  expect(")", "after the condition");
  s->children.push_back(braced_or_single("after the condition"));
  if (accept_word("else")) s->children.push_back(braced_or_single("after 'else'"));
  s->span = since(first);
  return s;
}

model::StmtPtr Grammar::for_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::For);
  expect("(", "after 'for'");
  if (at_word("int") && at_name(1)) take();  // for (int k in …) is what fingers write
  s->text = expect_name("the name of the loop's variable", &s->name_span);
  if (!accept_word("in")) fail("'in' after the loop's variable", "loops are bounded: for (k in 0..3) { … }");
  s->value = expression();
  expect("..", "between the bounds of the loop");
  s->hi = expression();
  expect(")", "after the bounds");
  s->children.push_back(braced_or_single("after the bounds"));
  s->span = since(first);
  return s;
}

model::StmtPtr Grammar::while_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::While);
  expect("(", "after 'while'");
  s->value = expression();
  expect(")", "after the condition");
  if (!accept_word("limit")) {
    fail("'limit' after the condition", "loops are bounded: while (x > 0) limit 10 { … }");
  }
  s->hi = expression();
  s->children.push_back(braced_or_single("after the limit"));
  s->span = since(first);
  return s;
}

model::StmtPtr Grammar::either_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::Either);
  s->children.push_back(block("after 'either'"));
  while (at_word("or") && at("{", 1)) {
    take();
    s->children.push_back(block("after 'or'"));
  }
  s->span = since(first);
  if (s->children.size() < 2) fail("'or' after the first alternative", "either { … } or { … }");
  return s;
}

model::StmtPtr Grammar::return_statement() {
  const Token& first = take();
  StmtPtr s = make(StmtKind::Return);
  if (!at(";") && !at("}")) s->value = expression();
  s->span = since(first);
  expect_semicolon("'return'");
  return s;
}

// start t = 5;  stop t;  havoc x;
model::StmtPtr Grammar::timer_statement(StmtKind kind) {
  const Token& first = take();
  StmtPtr s = make(kind);
  s->target = postfix();
  if (kind == StmtKind::StartTimer) {
    expect("=", "and the number of ticks after the timer");
    s->value = expression();
  }
  s->span = since(first);
  expect_semicolon("the statement");
  return s;
}

model::StmtPtr Grammar::local_statement() {
  const Token& first = peek();
  StmtPtr s = make(StmtKind::Local);
  s->type = type("a type");
  s->text = expect_name("the name of the variable", &s->name_span);
  if (accept("[")) {
    s->type.array_size = expression();
    expect("]", "after the size");
  }
  if (accept("=")) s->value = expression();
  s->span = since(first);
  expect_semicolon("the declaration");
  return s;
}

// ++ or --: the operator that it repeats.
model::Operator Grammar::take_step() {
  return model::operator_spelled(text(take()).substr(1), 2);
}

model::StmtPtr Grammar::assign_or_call() {
  const Token& first = peek();
  const bool prefixed = at("++") || at("--");
  if (prefixed) {  // ++x; is x++;
    const Operator op = take_step();
    StmtPtr s = make(StmtKind::Assign);
    s->op = op;
    s->target = postfix();
    s->span = since(first);
    expect_semicolon("the assignment");
    return s;
  }
  if (!at_name() && !at("(")) fail("a statement");
  ExprPtr target = postfix();
  StmtPtr s = make(StmtKind::Assign);
  if (at("++") || at("--")) {
    s->op = take_step();
    s->target = std::move(target);
  } else if (const auto op = model::assignment_spelled(text(peek())); op && at(text(peek()))) {
    take();
    s->op = *op;
    s->value = expression();
    if (*op == Operator::Ushr) {  // x >>>= y has always been printed as x = x >>> y
      const Span all = diag::join(target->span, s->value->span);
      auto shifted = std::make_unique<model::Expr>();
      shifted->kind = model::ExprKind::Binary;
      shifted->op = *op;
      shifted->span = shifted->name_span = all;
      shifted->operands.push_back(model::clone(*target));
      shifted->operands.push_back(std::move(s->value));
      s->op = Operator::None;
      s->value = std::move(shifted);
    }
    s->target = std::move(target);
  } else {
    if (target->kind != model::ExprKind::Call) {
      if (at("==")) fail("'=' or another assignment", "'==' compares; an assignment is written with one '='");
      fail("'=' or another assignment", "a statement assigns, calls, sends, …");
    }
    s->kind = StmtKind::Call;
    s->value = std::move(target);
  }
  s->span = since(first);
  expect_semicolon(s->kind == StmtKind::Call ? "the call" : "the assignment");
  return s;
}

}  // namespace parley::front::text
