#include <fmt/format.h>

#include "front/promela/parser.hpp"

namespace parley::front::promela {

constexpr int kMaxDepth = 400;  // of nested statements and expressions: protects the stack

StmtPtr Parser::make(StmtKind kind, diag::Span span) const {
  auto s = std::make_shared<Stmt>();
  s->kind = kind;
  s->span = span;
  s->scope = scopes_.back().path;
  return s;
}

bool Parser::at_sequence_end() const {
  return at(Tok::RBrace) || at(Tok::Sep) || at(Tok::Fi) || at(Tok::Od) || at(Tok::End);
}

Sequence Parser::sequence() {
  Sequence result;
  while (true) {
    while (accept(Tok::Semi) || accept(Tok::Arrow)) {
    }
    if (at_sequence_end()) return result;
    const std::size_t before = pos_, scopes = scopes_.size();
    const int depth = depth_, loops = loop_depth_;
    try {
      step(result);
      separator(result);
    } catch (const Recover&) {
      scopes_.resize(scopes);
      depth_ = depth;
      loop_depth_ = loops;
      array_names_ok_ = false;
      // Something stands in for what could not be read, so that its absence is not reported as well.
      StmtPtr lost = make(StmtKind::Condition, peek().span);
      lost->expr = constant(1, lost->span);
      result.push_back(lost);
      if (pos_ == before) take();
      recover_statement();
    }
  }
}

// After a statement: ';', '->', the end of the sequence, or a new line (or '}', or 'else') in place of ';'.
void Parser::separator(const Sequence& so_far) {
  if (at(Tok::Semi) || at(Tok::Arrow) || at_sequence_end()) return;
  const Tok last = pos_ > 0 ? tokens_[pos_ - 1].kind : Tok::End;
  if (peek().after_newline || last == Tok::RBrace || last == Tok::Else || so_far.empty()) return;
  fail(peek(), "expected ';' or '->' between statements");
}

void Parser::recover_statement() {
  int depth = 0;
  while (!at(Tok::End)) {
    if (depth == 0 && (at(Tok::Semi) || at_sequence_end())) return;
    const Tok k = peek().kind;
    if (k == Tok::LBrace || k == Tok::If || k == Tok::Do) ++depth;
    if ((k == Tok::RBrace || k == Tok::Fi || k == Tok::Od) && depth > 0) --depth;
    take();
  }
}

void Parser::step(Sequence& into) {
  if (at(Tok::Xr) || at(Tok::Xs)) return exclusive_claim();
  if (at_declaration()) return local_declaration(into);
  statement(into);
  if (!at(Tok::Unless)) return;
  const Token word = take();
  StmtPtr main = into.back();
  into.pop_back();
  Sequence escape;
  statement(escape);
  StmtPtr result = make(StmtKind::Unless, main->span);
  if (main->kind == StmtKind::Block && main->labels.empty())
    result->options.push_back(main->options[0]);
  else if (main->kind == StmtKind::Block)
    result->options.push_back(main->options[0]);
  else
    result->options.push_back({main});
  if (escape.size() == 1 && escape[0]->kind == StmtKind::Block && escape[0]->labels.empty())
    result->options.push_back(escape[0]->options[0]);
  else
    result->options.push_back(std::move(escape));
  if (result->options[1].empty() || result->options[0].empty())
    error("empty-sequence", word.span, "both sides of 'unless' need a statement");
  if (main->kind == StmtKind::Block && !main->labels.empty()) {
    // The label belongs to the whole construct: L: { main unless escape }.
    StmtPtr lifted = make(StmtKind::Block, main->span);
    lifted->labels = main->labels;
    lifted->options.push_back({result});
    result = lifted;
  }
  into.push_back(result);
}

void Parser::exclusive_claim() {
  const Token word = take();
  do {
    ExprPtr channel = channel_reference();
    if (current_) current_->claims.push_back({channel, word.kind == Tok::Xr, channel->span});
  } while (accept(Tok::Comma));
}

void Parser::local_declaration(Sequence& into) {
  std::vector<VariablePtr> declared;
  declaration(declared, false);
  if (!current_) return;
  for (const VariablePtr& v : declared) {
    current_->locals.push_back(v);
    if (initialisation_ok_) continue;
    if (v->channel)
      error("misplaced", v->span,
            fmt::format("channel '{}' must be declared before the first statement", v->name),
            "move the declaration to the start of the proctype");
    if (!v->init_list.empty())
      error(
          "misplaced", v->span,
          fmt::format("array '{}' with initial values must be declared before the first statement", v->name),
          "move the declaration to the start of the proctype");
    // Spin makes a statement of such a declaration; of an array it sets the first element.
    StmtPtr s = make(StmtKind::Declare, v->span);
    if (v->type.base != Base::Struct) {
      s->target = node(ExprKind::Var, v->span);
      s->target->ref.parts.push_back({v, v->is_array ? constant(0, v->span) : nullptr, v->span});
      s->target->ref.span = v->span;
      s->expr = v->init ? v->init : constant(0, v->span);
      v->init = nullptr;
    }
    into.push_back(s);
  }
}

void Parser::statement(Sequence& into) {
  if (++depth_ > kMaxDepth) {
    error("too-deep", peek().span, "statements are nested too deeply");
    depth_ = 0;
    pos_ = tokens_.size() - 1;
    throw Recover{};
  }
  std::vector<Label> labels;
  while (at(Tok::Name) && peek(1).kind == Tok::Colon &&
         !(proctype_names_.count(peek().text) && peek(2).kind == Tok::Name)) {
    const Token name = take();
    take();
    labels.push_back({name.text, name.span});
    if (at_declaration() || at(Tok::Xr) || at(Tok::Xs))
      error("misplaced", name.span, fmt::format("label '{}' stands before a declaration", name.text),
            "put the label before a statement");
  }
  StmtPtr s;
  if (!labels.empty() && (at_sequence_end() || at(Tok::Semi) || at(Tok::Arrow))) {
    s = make(StmtKind::Condition, labels.back().span);
    s->expr = constant(1, labels.back().span);
    initialisation_ok_ = false;
  } else {
    s = unlabelled(into);
  }
  labels.insert(labels.end(), s->labels.begin(), s->labels.end());
  s->labels = std::move(labels);
  into.push_back(std::move(s));
  --depth_;
}

StmtPtr Parser::unlabelled(Sequence& into) {
  if (at_inline_call()) return inline_call(nullptr);
  StmtPtr s;
  switch (peek().kind) {
    case Tok::If:
      s = options(StmtKind::If);
      break;
    case Tok::Do:
      s = options(StmtKind::Do);
      break;
    case Tok::For:
      s = for_loop(into);
      break;
    case Tok::Select:
      s = select(into);
      break;
    case Tok::Atomic:
      take();
      s = braced(StmtKind::Atomic);
      break;
    case Tok::DStep:
      take();
      s = braced(StmtKind::DStep);
      break;
    case Tok::LBrace:
      s = braced(StmtKind::Block);
      break;
    default:
      s = simple();
  }
  initialisation_ok_ = false;
  return s;
}

StmtPtr Parser::braced(StmtKind kind) {
  StmtPtr s = make(kind, peek().span);
  const Token open = expect(Tok::LBrace, "to open the sequence");
  push_scope();
  initialisation_ok_ = false;
  s->options.push_back(sequence());
  expect(Tok::RBrace, "to close the sequence");
  pop_scope();
  if (s->options[0].empty() && open.expansion == 0)
    error("empty-sequence", open.span, "a sequence needs at least one statement", "write skip");
  if (s->options[0].empty()) {
    StmtPtr nothing = make(StmtKind::Condition, open.span);
    nothing->expr = constant(1, open.span);
    if (open.expansion == 0) s->options[0].push_back(nothing);
  }
  return s;
}

StmtPtr Parser::options(StmtKind kind) {
  const Token word = take();
  const Tok close = kind == StmtKind::If ? Tok::Fi : Tok::Od;
  StmtPtr s = make(kind, word.span);
  if (kind == StmtKind::Do) ++loop_depth_;
  if (!at(Tok::Sep) && !at(close))
    fail(peek(), fmt::format("expected '::' after '{}'", word.text), "each option starts with ::");
  if (at(close)) {
    error("empty-sequence", word.span, fmt::format("this '{}' has no options", word.text),
          "each option starts with ::");
    s->options.push_back({make(StmtKind::Else, word.span)});
  }
  int elses = 0;
  while (at(Tok::Sep)) {
    const Token sep = take();
    initialisation_ok_ = false;
    s->options.push_back(sequence());
    if (s->options.back().empty())
      error("empty-sequence", sep.span, "an option needs at least one statement", "write skip");
    else if (s->options.back()[0]->kind == StmtKind::Else && ++elses == 2)
      error("two-elses", s->options.back()[0]->span,
            fmt::format("this '{}' has two else options", word.text));
  }
  if (kind == StmtKind::Do) --loop_depth_;
  if (!at(close)) fail(peek(), fmt::format("expected {} to close this '{}'", describe(close), word.text));
  take();
  return s;
}

// A loop over `body`, whose first statement is its condition: what `for` and `select` stand for.
StmtPtr Parser::counting_loop(Sequence body, ExprPtr counter, bool with_else, diag::Span span) {
  StmtPtr step = make(StmtKind::Assign, span);
  step->target = counter;
  step->expr = operation(Tok::Plus, counter, constant(1, span));
  body.push_back(step);
  Sequence leave;
  if (with_else) leave.push_back(make(StmtKind::Else, span));
  leave.push_back(make(StmtKind::Break, span));
  StmtPtr loop = make(StmtKind::Do, span);
  loop->options = {std::move(leave), std::move(body)};
  loop->last_option_first = true;
  return loop;
}

StmtPtr Parser::for_loop(Sequence& into) {
  const Token word = take();
  expect(Tok::LParen, "after 'for'", "write for (i : 1 .. n) { … }");
  array_names_ok_ = true;
  ExprPtr counter = reference();
  const auto assign = [&](ExprPtr target, ExprPtr value) {
    StmtPtr s = make(StmtKind::Assign, word.span);
    s->target = std::move(target);
    s->expr = std::move(value);
    return s;
  };
  const auto condition = [&](ExprPtr e) {
    StmtPtr s = make(StmtKind::Condition, word.span);
    s->expr = std::move(e);
    return s;
  };
  Sequence body;
  if (at(Tok::Name) && peek().text == "in") {
    take();
    ExprPtr range = reference();
    array_names_ok_ = false;
    const Variable& v = range->ref.leaf();
    if (v.type.base == Base::Chan && (!v.is_array || range->ref.parts.back().index)) {
      auto count = std::make_shared<Variable>();
      count->name = fmt::format("_count{}", scope_counter_);
      count->type.base = Base::Byte;
      count->span = word.span;
      if (current_) current_->locals.push_back(count);
      ExprPtr tally = node(ExprKind::Var, word.span);
      tally->ref.parts.push_back({count, nullptr, word.span});
      ExprPtr length = node(ExprKind::Len, word.span);
      length->ref = range->ref;
      into.push_back(assign(tally, constant(0, word.span)));
      body.push_back(condition(operation(Tok::Lt, tally, length)));
      StmtPtr get = make(StmtKind::Receive, word.span), put = make(StmtKind::Send, word.span);
      get->target = put->target = range;
      get->args = put->args = {counter};
      body.push_back(get);
      body.push_back(put);
      counter = tally;
    } else {
      if (!v.is_array)
        error("type", range->span, fmt::format("'{}' is neither an array nor a channel", v.name));
      into.push_back(assign(counter, constant(0, word.span)));
      body.push_back(
          condition(operation(Tok::Le, counter, constant(static_cast<std::int32_t>(v.size) - 1, word.span))));
    }
  } else {
    array_names_ok_ = false;
    expect(Tok::Colon, "after the counter of the loop", "write for (i : 1 .. n) or for (i in array)");
    const ExprPtr from = expression();
    expect(Tok::DotDot, "in the range of the loop", "write for (i : 1 .. n)");
    const ExprPtr to = expression();
    into.push_back(assign(counter, from));
    body.push_back(condition(operation(Tok::Le, counter, to)));
  }
  expect(Tok::RParen, "after the range of the loop");
  accept(Tok::Semi);
  expect(Tok::LBrace, "to open the body of the loop");
  push_scope();
  ++loop_depth_;
  initialisation_ok_ = false;
  Sequence inner = sequence();
  --loop_depth_;
  pop_scope();
  expect(Tok::RBrace, "to close the body of the loop");
  body.insert(body.end(), inner.begin(), inner.end());
  return counting_loop(std::move(body), counter, true, word.span);
}

// With constants as bounds Spin offers one assignment per value, in up to 33 options; otherwise a loop counts
// up and stops anywhere.
StmtPtr Parser::select(Sequence& into) {
  const Token word = take();
  expect(Tok::LParen, "after 'select'", "write select (x : 1 .. 5)");
  ExprPtr counter = reference();
  expect(Tok::Colon, "after the variable of 'select'", "write select (x : 1 .. 5)");
  const bool plain = counter->ref.parts.size() == 1 && !counter->ref.parts[0].index && word.expansion == 0 &&
                     counter->ref.leaf().name.find('_') == std::string::npos && at(Tok::Number) &&
                     peek(1).kind == Tok::DotDot && peek(2).kind == Tok::Number &&
                     peek(3).kind == Tok::RParen;
  const ExprPtr from = expression();
  expect(Tok::DotDot, "in the range of 'select'", "write select (x : 1 .. 5)");
  const ExprPtr to = expression();
  expect(Tok::RParen, "after the range of 'select'");
  const auto assign = [&](ExprPtr value) {
    StmtPtr s = make(StmtKind::Assign, word.span);
    s->target = counter;
    s->expr = std::move(value);
    return s;
  };
  if (plain && from->value > to->value) error("bad-range", from->span, "this range is empty");
  if (plain && from->value <= to->value && to->value - from->value <= 32) {
    StmtPtr s = make(StmtKind::If, word.span);
    for (std::int32_t v = from->value; v <= to->value; ++v)
      s->options.push_back({assign(constant(v, word.span))});
    return s;
  }
  into.push_back(assign(from));
  StmtPtr test = make(StmtKind::Condition, word.span);
  test->expr = operation(Tok::Lt, counter, to);
  StmtPtr loop = counting_loop({test}, counter, false, word.span);
  if (plain) {
    std::swap(loop->options[0], loop->options[1]);
    loop->last_option_first = false;
  }
  return loop;
}

StmtPtr Parser::simple() {
  const Token first = peek();
  StmtPtr s;
  switch (first.kind) {
    case Tok::Break:
      take();
      if (loop_depth_ == 0) error("misplaced", first.span, "'break' stands outside any loop");
      return make(StmtKind::Break, first.span);
    case Tok::Else:
      take();
      return make(StmtKind::Else, first.span);
    case Tok::Goto: {
      take();
      const Token name = expect(Tok::Name, "after 'goto'");
      s = make(StmtKind::Goto, span_from(first.span));
      s->label = name.text;
      return s;
    }
    case Tok::Printf:
    case Tok::Printm:
      return print();
    case Tok::Assert:
      take();
      s = make(StmtKind::Assert, first.span);
      s->expr = expression();
      s->span = span_from(first.span);
      return s;
    case Tok::SetPriority:
      take();
      s = make(StmtKind::SetPriority, first.span);
      expect(Tok::LParen, "after 'set_priority'");
      s->args.push_back(expression());
      expect(Tok::Comma, "between the arguments of 'set_priority'");
      s->args.push_back(expression());
      expect(Tok::RParen, "after the arguments of 'set_priority'");
      program_.uses_priority = true;
      return s;
    case Tok::CCode:
    case Tok::CDecl:
    case Tok::CState:
    case Tok::CTrack:
      embedded_c();
      s = make(StmtKind::Condition, first.span);
      s->expr = constant(1, first.span);
      return s;
    default:
      break;
  }
  if (at_return()) return return_statement();
  ExprPtr e = expression();
  const bool place = e->kind == ExprKind::Var ||
                     (e->kind == ExprKind::Special && (e->name == "_" || e->name == "_priority"));
  const bool same_line = !peek().after_newline;
  if (place && (at(Tok::Assign) || at(Tok::Incr) || at(Tok::Decr))) {
    const Token op = take();
    s = make(StmtKind::Assign, first.span);
    s->target = e;
    if (op.kind == Tok::Assign && at_inline_call()) return inline_call(e);
    s->expr = op.kind == Tok::Assign
                  ? expression()
                  : operation(op.kind == Tok::Incr ? Tok::Plus : Tok::Minus, e, constant(1, op.span));
    s->span = span_from(first.span);
    if (e->kind == ExprKind::Var && e->ref.leaf().type.base == Base::Struct)
      error("type", e->span,
            fmt::format("'{}' is a structure and cannot be assigned as a whole", e->ref.leaf().name),
            "assign its fields");
    return s;
  }
  if (e->kind == ExprKind::Var && same_line && (at(Tok::Bang) || at(Tok::BangBang)))
    return send(std::move(e));
  if (e->kind == ExprKind::Var && same_line && (at(Tok::Query) || at(Tok::QueryQuery)))
    return receive(std::move(e));
  s = make(StmtKind::Condition, span_from(first.span));
  s->expr = std::move(e);
  return s;
}

StmtPtr Parser::print() {
  const Token word = take();
  StmtPtr s = make(word.kind == Tok::Printf ? StmtKind::Print : StmtKind::Printm, word.span);
  expect(Tok::LParen, "after 'printf'");
  if (word.kind == Tok::Printm) {
    s->args.push_back(expression());
  } else {
    s->text = expect(Tok::String, "as the format of 'printf'").text;
    s->text = s->text.size() >= 2 ? s->text.substr(1, s->text.size() - 2) : "";
    while (at(Tok::String)) {  // adjacent strings, as the preprocessor leaves them
      const std::string more = take().text;
      if (more.size() >= 2) s->text += more.substr(1, more.size() - 2);
    }
    while (accept(Tok::Comma)) s->args.push_back(expression());
  }
  expect(Tok::RParen, "after the arguments of 'printf'");
  s->span = span_from(word.span);
  return s;
}

StmtPtr Parser::send(ExprPtr channel) {
  const Token op = take();
  StmtPtr s = make(StmtKind::Send, channel->span);
  if (channel->ref.leaf().type.base != Base::Chan)
    error("type", channel->span, fmt::format("'{}' is not a channel", channel->ref.leaf().name));
  s->target = channel;
  s->sorted = op.kind == Tok::BangBang;
  s->args.push_back(expression());
  if (at(Tok::LParen) && !peek().after_newline) {  // type(arguments)
    take();
    if (!at(Tok::RParen)) {
      auto rest = arguments();
      s->args.insert(s->args.end(), rest.begin(), rest.end());
    }
    expect(Tok::RParen, "after the fields of the message");
  } else {
    while (accept(Tok::Comma)) s->args.push_back(expression());
  }
  s->span = span_from(channel->span);
  return s;
}

StmtPtr Parser::receive(ExprPtr channel) {
  const Token op = take();
  StmtPtr s = make(StmtKind::Receive, channel->span);
  if (channel->ref.leaf().type.base != Base::Chan)
    error("type", channel->span, fmt::format("'{}' is not a channel", channel->ref.leaf().name));
  s->target = channel;
  s->random = op.kind == Tok::QueryQuery;
  s->copy = accept(Tok::Lt);
  s->args = receive_arguments(s->copy ? Tok::Gt : Tok::End);
  if (s->copy) expect(Tok::Gt, "after the fields of the message");
  s->span = span_from(channel->span);
  return s;
}

}  // namespace parley::front::promela
