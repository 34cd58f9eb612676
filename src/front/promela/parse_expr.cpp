#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "front/promela/parser.hpp"

namespace parley::front::promela {
namespace {

constexpr int kMaxDepth = 400;
constexpr int kMaxHeight = 1000;

// Binary operators by binding strength, weakest first; Name stands for the temporal U, V, W.
const std::vector<std::vector<Tok>>& levels() {
  static const std::vector<std::vector<Tok>> table = {{Tok::Arrow, Tok::Equiv},
                                                      {Tok::OrOr},
                                                      {Tok::AndAnd},
                                                      {Tok::Name},
                                                      {Tok::Pipe},
                                                      {Tok::Caret},
                                                      {Tok::Amp},
                                                      {Tok::EqEq, Tok::NotEq},
                                                      {Tok::Lt, Tok::Gt, Tok::Le, Tok::Ge},
                                                      {Tok::Shl, Tok::Shr},
                                                      {Tok::Plus, Tok::Minus},
                                                      {Tok::Star, Tok::Slash, Tok::Percent}};
  return table;
}

std::string temporal_binary(const std::string& word) {
  if (word == "U" || word == "until" || word == "stronguntil") return "U";
  if (word == "V" || word == "release") return "V";
  if (word == "W" || word == "weakuntil") return "W";
  if (word == "implies") return "->";
  if (word == "equivalent") return "<->";
  return "";
}

std::string temporal_unary(const std::string& word) {
  if (word == "always") return "[]";
  if (word == "eventually") return "<>";
  if (word == "X" || word == "next") return "X";
  return "";
}

bool adjacent(const Token& a, const Token& b) {
  return a.span.file == b.span.file && a.span.end == b.span.begin;
}

}  // namespace

ExprPtr Parser::node(ExprKind kind, diag::Span span) const {
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->span = span;
  return e;
}

ExprPtr Parser::constant(std::int32_t value, diag::Span span) const {
  ExprPtr e = node(ExprKind::Const, span);
  e->value = value;
  return e;
}

ExprPtr Parser::operation(Tok op, ExprPtr x, ExprPtr y) const {
  ExprPtr e = node(ExprKind::Binary, x->span);
  e->op = op;
  e->args = {std::move(x), std::move(y)};
  return e;
}

// Whatever walks over the tree later, its destructor too, descends no deeper than this.
void Parser::measure(Expr& e) {
  for (const ExprPtr& x : e.args) e.height = std::max(e.height, x->height + 1);
  for (const Ref::Part& part : e.ref.parts)
    if (part.index) e.height = std::max(e.height, part.index->height + 1);
  if (e.height <= kMaxHeight) return;
  error("too-deep", peek().span,
        fmt::format("this expression is nested more than {} levels deep", kMaxHeight),
        "assign parts of it to variables");
  depth_ = 0;
  throw Recover{};
}

ExprPtr Parser::expression() {
  if (++depth_ > kMaxDepth) {
    error("too-deep", peek().span, "this expression is nested too deeply");
    depth_ = 0;
    pos_ = tokens_.size() - 1;
    throw Recover{};
  }
  ExprPtr e = binary(0);
  --depth_;
  return e;
}

ExprPtr Parser::binary(int level) {
  if (level == static_cast<int>(levels().size())) return unary();
  ExprPtr left = binary(level + 1);
  while (true) {
    Token op = peek();
    std::string word;
    bool match = false;
    int length = 1;
    if (temporal_ && op.kind == Tok::Name) word = temporal_binary(op.text);
    const bool equivalence =
        temporal_ &&
        ((op.kind == Tok::Lt && peek(1).kind == Tok::Arrow && adjacent(op, peek(1))) || word == "<->");
    if (level == 0) {
      if (equivalence)
        match = true, length = word.empty() ? 2 : 1, op.kind = Tok::Equiv;
      else if (temporal_ && (op.kind == Tok::Arrow || word == "->"))
        match = true, op.kind = Tok::Arrow;
    } else if (level == 3) {
      match = word == "U" || word == "V" || word == "W";
    } else if (!equivalence) {
      for (Tok k : levels()[static_cast<std::size_t>(level)]) match = match || k == op.kind;
    }
    if (!match) return left;
    for (int i = 0; i < length; ++i) take();
    ExprPtr right = binary(level + 1);
    ExprPtr e = node(level == 0 || level == 3 ? ExprKind::Temporal : ExprKind::Binary, left->span);
    e->op = op.kind;
    e->name = word;
    e->args = {left, right};
    e->span = span_from(left->span);
    measure(*e);
    left = e;
  }
}

ExprPtr Parser::unary() {
  const Token op = peek();
  if (op.kind == Tok::Bang || op.kind == Tok::Minus || op.kind == Tok::Tilde || op.kind == Tok::BangBang) {
    if (++depth_ > kMaxDepth) {
      error("too-deep", op.span, "this expression is nested too deeply");
      pos_ = tokens_.size() - 1;
      throw Recover{};
    }
    take();
    ExprPtr e = node(ExprKind::Unary, op.span);
    e->op = op.kind == Tok::BangBang ? Tok::Bang : op.kind;
    e->args.push_back(unary());
    e->span = span_from(op.span);
    measure(*e);
    --depth_;
    if (op.kind != Tok::BangBang) return e;
    ExprPtr outer = node(ExprKind::Unary, e->span);
    outer->op = Tok::Bang;
    outer->args.push_back(e);
    measure(*outer);
    return outer;
  }
  if (temporal_) {
    std::string word = op.kind == Tok::Name ? temporal_unary(op.text) : "";
    int length = 1;
    if (op.kind == Tok::LBracket && peek(1).kind == Tok::RBracket) word = "[]", length = 2;
    if (op.kind == Tok::Lt && peek(1).kind == Tok::Gt) word = "<>", length = 2;
    if (!word.empty()) {
      if (++depth_ > kMaxDepth) {
        error("too-deep", op.span, "this expression is nested too deeply");
        pos_ = tokens_.size() - 1;
        throw Recover{};
      }
      for (int i = 0; i < length; ++i) take();
      ExprPtr e = node(ExprKind::Temporal, op.span);
      e->op = word == "[]" ? Tok::Box : word == "<>" ? Tok::Diamond : Tok::Name;
      e->name = word;
      e->args.push_back(unary());
      e->span = span_from(op.span);
      measure(*e);
      --depth_;
      return e;
    }
  }
  return primary();
}

// A number or truth value, taken; null if none stands here.
ExprPtr Parser::literal() {
  const Token t = peek();
  switch (t.kind) {
    case Tok::Number:
      take();
      return constant(t.value, t.span);
    case Tok::True:
    case Tok::Skip:
      take();
      return constant(1, t.span);
    case Tok::False:
      take();
      return constant(0, t.span);
    default:
      return nullptr;
  }
}

ExprPtr Parser::primary() {
  if (ExprPtr value = literal()) return value;
  const Token t = peek();
  switch (t.kind) {
    case Tok::LParen: {
      take();
      ExprPtr e = expression();
      if (at(Tok::Arrow) && !temporal_) {
        take();
        ExprPtr choice = node(ExprKind::Cond, t.span);
        choice->args = {e, expression()};
        expect(Tok::Colon, "in the conditional expression", "write (condition -> value : other value)");
        choice->args.push_back(expression());
        measure(*choice);
        e = choice;
      }
      expect(Tok::RParen, "to close the parenthesis");
      auto copy = std::make_shared<Expr>(*e);
      copy->span = span_from(t.span);
      return copy;
    }
    case Tok::Timeout:
      take();
      return node(ExprKind::Timeout, t.span);
    case Tok::Np:
      take();
      return node(ExprKind::NonProgress, t.span);
    case Tok::Run:
      return run_expression();
    case Tok::Len:
      return channel_test(ExprKind::Len);
    case Tok::Full:
      return channel_test(ExprKind::Full);
    case Tok::Empty:
      return channel_test(ExprKind::Empty);
    case Tok::Nfull:
      return channel_test(ExprKind::Nfull);
    case Tok::Nempty:
      return channel_test(ExprKind::Nempty);
    case Tok::Enabled:
      program_.uses_enabled = true;
      return call_of(ExprKind::Enabled);
    case Tok::PcValue:
      return call_of(ExprKind::PcValue);
    case Tok::GetPriority:
      program_.uses_priority = true;
      return call_of(ExprKind::GetPriority);
    case Tok::CExpr: {
      embedded_c();
      return constant(1, t.span);
    }
    case Tok::Name:
      return name_expression();
    default:
      break;
  }
  fail(t, "expected a statement or an expression",
       is_keyword(t.kind) ? "this word is a keyword of Promela" : "");
}

ExprPtr Parser::call_of(ExprKind kind) {
  const Token word = take();
  ExprPtr e = node(kind, word.span);
  expect(Tok::LParen, "after this operator");
  e->args.push_back(expression());
  expect(Tok::RParen, "after the argument");
  e->span = span_from(word.span);
  measure(*e);
  return e;
}

ExprPtr Parser::channel_test(ExprKind kind) {
  const Token word = take();
  ExprPtr e = node(kind, word.span);
  expect(Tok::LParen, "after this operator");
  e->ref = channel_reference()->ref;
  expect(Tok::RParen, "after the channel");
  e->span = span_from(word.span);
  measure(*e);
  return e;
}

ExprPtr Parser::run_expression() {
  const Token word = take();
  const Token name = expect(Tok::Name, "after 'run'");
  ExprPtr e = node(ExprKind::Run, word.span);
  e->name = name.text;
  expect(Tok::LParen, "after the name of the proctype", "a proctype without parameters is run as run name()");
  if (!at(Tok::RParen)) e->args = arguments();
  expect(Tok::RParen, "after the arguments of 'run'");
  if (accept(Tok::Priority)) {
    e->value = expect(Tok::Number, "as the priority").value;
    program_.uses_priority = true;
  }
  e->span = span_from(word.span);
  measure(*e);
  if (!current_) error("misplaced", e->span, "'run' stands outside any process");
  runs_.push_back({e});
  return e;
}

ExprPtr Parser::name_expression() {
  const Token t = peek();
  if (t.text == "_pid" || t.text == "_nr_pr" || t.text == "_last" || t.text == "_priority" || t.text == "_") {
    take();
    ExprPtr e = node(ExprKind::Special, t.span);
    e->name = t.text;
    if (t.text == "_last") program_.uses_last = true;
    if (t.text == "_priority") program_.uses_priority = true;
    if ((t.text == "_pid" || t.text == "_priority") && !current_ && !temporal_)
      error("misplaced", t.span, fmt::format("'{}' stands outside any process", t.text));
    return e;
  }
  std::int32_t value = 0;
  const VariablePtr v = find_variable(t.text);
  if (!v && find_mtype(t.text, value)) {
    take();
    ExprPtr e = constant(value, t.span);
    e->mtype = t.text;
    return e;
  }
  const bool is_proctype = proctype_names_.count(t.text) > 0;
  if (!v && (is_proctype || peek(1).kind == Tok::At)) {
    take();
    ExprPtr index;
    if (accept(Tok::LBracket)) {
      index = expression();
      expect(Tok::RBracket, "after the process number");
    }
    return remote(t, index);
  }
  ExprPtr e = reference();
  if ((at(Tok::Query) || at(Tok::QueryQuery)) && peek(1).kind == Tok::LBracket) {
    const Token op = take();
    take();
    ExprPtr poll = node(ExprKind::Poll, e->span);
    if (e->ref.leaf().type.base != Base::Chan)
      error("type", e->span, fmt::format("'{}' is not a channel", e->ref.leaf().name));
    poll->ref = e->ref;
    poll->value = op.kind == Tok::QueryQuery ? 1 : 0;
    poll->args = receive_arguments(Tok::RBracket);
    expect(Tok::RBracket, "after the fields of the message");
    poll->span = span_from(e->span);
    measure(*poll);
    return poll;
  }
  return e;
}

ExprPtr Parser::remote(const Token& proc, ExprPtr index) {
  const bool label = at(Tok::At);
  if (!label && !at(Tok::Colon))
    fail(peek(), fmt::format("expected '@' or ':' after proctype '{}'", proc.text),
         "a proctype's name is used to refer to its labels (p@label) and variables (p:variable)");
  if (!proctype_names_.count(proc.text)) {
    error("unknown-name", proc.span, fmt::format("there is no proctype '{}'", proc.text));
  }
  take();
  const Token name = expect(Tok::Name, label ? "as the label" : "as the variable");
  ExprPtr e = node(label ? ExprKind::RemoteLabel : ExprKind::RemoteVar, proc.span);
  e->name = proc.text;
  e->label = name.text;
  e->indexed = index != nullptr;
  if (index) e->args.push_back(index);
  if (!label && accept(Tok::LBracket)) {
    e->args.push_back(expression());
    expect(Tok::RBracket, "after the index");
  }
  e->span = span_from(proc.span);
  measure(*e);
  return e;
}

ExprPtr Parser::reference() {
  const Token first = expect(Tok::Name, "as the name of a variable");
  ExprPtr e = node(ExprKind::Var, first.span);
  VariablePtr v = find_variable(first.text);
  if (!v && first.text == "_") {
    e->kind = ExprKind::Special;
    e->name = "_";
    return e;
  }
  if (!v) unknown_name(first);
  diag::Span span = first.span;
  while (true) {
    Ref::Part part{v, nullptr, span};
    if (at(Tok::LBracket) && !(peek(1).kind == Tok::RBracket)) {
      const Token open = take();
      part.index = expression();
      expect(Tok::RBracket, "after the index");
      if (!v->is_array) error("type", open.span, fmt::format("'{}' is not an array", v->name));
    } else if (v->is_array && !array_names_ok_) {
      error("type", span, fmt::format("'{}' is an array and needs an index", v->name));
      part.index = constant(0, span);
    }
    e->ref.parts.push_back(part);
    if (!at(Tok::Dot)) break;
    const Token dot = take();
    const Token field = expect(Tok::Name, "as the name of a field");
    if (v->type.base != Base::Struct) {
      error("type", dot.span, fmt::format("'{}' is not a structure", v->name));
      throw Recover{};
    }
    const Typedef& t = program_.typedefs[v->type.typedef_index];
    VariablePtr found;
    std::vector<std::string> names;
    for (const VariablePtr& f : t.fields) {
      names.push_back(f->name);
      if (f->name == field.text) found = f;
    }
    if (!found) {
      const std::string near = diag::did_you_mean(field.text, names);
      error("unknown-name", field.span, fmt::format("typedef '{}' has no field '{}'", t.name, field.text),
            near.empty() ? "" : fmt::format("did you mean '{}'?", near));
      throw Recover{};
    }
    v = found;
    span = field.span;
  }
  e->span = e->ref.span = span_from(first.span);
  measure(*e);
  return e;
}

ExprPtr Parser::channel_reference() {
  ExprPtr e = reference();
  if (e->kind != ExprKind::Var) {
    error("type", e->span, "a channel is needed here");
    throw Recover{};
  }
  // Spin takes the value of any variable as the number of a channel here.
  if (e->ref.leaf().type.base != Base::Chan)
    diagnostics_.warning("type", e->span, fmt::format("'{}' is not a channel", e->ref.leaf().name));
  return e;
}

std::vector<ExprPtr> Parser::arguments() {
  std::vector<ExprPtr> result = {expression()};
  while (accept(Tok::Comma)) result.push_back(expression());
  return result;
}

// a, b, c or a(b, c) or (a, b); eval(…) and constants are compared, variables are set.
std::vector<ExprPtr> Parser::receive_arguments(Tok close) {
  std::vector<ExprPtr> result;
  if (accept(Tok::LParen)) {
    result = receive_arguments(Tok::RParen);
    expect(Tok::RParen, "after the fields of the message");
    return result;
  }
  while (true) {
    result.push_back(receive_argument());
    if (at(Tok::LParen) && !peek().after_newline) {
      take();
      if (!at(Tok::RParen)) {
        auto rest = receive_arguments(Tok::RParen);
        result.insert(result.end(), rest.begin(), rest.end());
      }
      expect(Tok::RParen, "after the fields of the message");
      return result;
    }
    if (!accept(Tok::Comma)) return result;
    if (at(close)) return result;
  }
}

ExprPtr Parser::receive_argument() {
  if (ExprPtr value = literal()) return value;
  const Token t = peek();
  switch (t.kind) {
    case Tok::Eval:
      return call_of(ExprKind::Eval);
    case Tok::Minus: {
      take();
      const Token n =
          expect(Tok::Number, "after '-'", "only constants and eval(…) are compared in a receive");
      return constant(-n.value, span_from(t.span));
    }
    case Tok::Name:
      break;
    default:
      fail(t, "expected a variable, a constant or eval(…)");
  }
  std::int32_t value = 0;
  if (!find_variable(t.text) && find_mtype(t.text, value)) {
    take();
    ExprPtr e = constant(value, t.span);
    e->mtype = t.text;
    return e;
  }
  if (t.text == "_pid" || t.text == "_nr_pr" || t.text == "_last") {
    diagnostics_.warning("type", t.span, fmt::format("a receive cannot set '{}'", t.text),
                         fmt::format("write eval({}) to compare with it", t.text));
    take();
    ExprPtr e = node(ExprKind::Special, t.span);
    e->name = t.text;
    return e;
  }
  return reference();
}

VariablePtr Parser::find_variable(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
  return nullptr;
}

bool Parser::find_mtype(const std::string& name, std::int32_t& value) const {
  for (const MtypeSet& set : program_.mtypes)
    for (std::size_t i = 0; i < set.names.size(); ++i)
      if (set.names[i] == name) {
        value = static_cast<std::int32_t>(i + 1);
        return true;
      }
  return false;
}

void Parser::unknown_name(const Token& name) {
  std::vector<std::string> known;
  for (const Scope& scope : scopes_)
    for (const auto& [n, v] : scope.names) known.push_back(n);
  for (const MtypeSet& set : program_.mtypes) known.insert(known.end(), set.names.begin(), set.names.end());
  for (const auto& [n, def] : inlines_) known.push_back(n);
  const std::string near = name.text.size() < 2 ? "" : diag::did_you_mean(name.text, known);
  error("unknown-name", name.span, fmt::format("'{}' is not declared", name.text),
        near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  throw Recover{};
}

}  // namespace parley::front::promela
