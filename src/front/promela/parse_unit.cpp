#include <fmt/format.h>

#include <algorithm>

#include "front/promela/parser.hpp"

namespace parley::front::promela {

// An array larger than this is a mistake, not a model; the limit keeps bad input from exhausting memory.
constexpr std::int32_t kMaxArray = 1 << 20;

void Parser::unit() {
  switch (peek().kind) {
    case Tok::Semi:
    case Tok::Arrow:
      take();
      return;
    case Tok::Active:
    case Tok::Proctype:
    case Tok::DProctype:
      return proctype();
    case Tok::Init:
      return init_process();
    case Tok::Never:
      return never_claim();
    case Tok::Ltl:
      return ltl();
    case Tok::Typedef:
      return type_definition();
    case Tok::Inline:
      return inline_definition();
    case Tok::CCode:
    case Tok::CDecl:
    case Tok::CExpr:
    case Tok::CState:
    case Tok::CTrack:
      return embedded_c();
    case Tok::Trace:
    case Tok::Notrace:
      return event_trace();
    default:
      break;
  }
  if (!at_declaration())
    fail(peek(), "expected a declaration or a proctype",
         "the top level holds variables, typedef, mtype, inline, proctype, init, never and ltl");
  declaration(program_.globals, false);
}

void Parser::skip_to_unit() {
  int depth = 0;
  scopes_.resize(1);
  current_ = nullptr;
  temporal_ = false;
  loop_depth_ = 0;
  depth_ = 0;
  bool moved = false;
  while (!at(Tok::End)) {
    const Tok k = peek().kind;
    const bool starts = k == Tok::Active || k == Tok::Proctype || k == Tok::Init || k == Tok::Never ||
                        k == Tok::Ltl || k == Tok::Typedef || k == Tok::Inline;
    if (starts && moved && (depth <= 0 || peek().after_newline)) return;
    if (k == Tok::LBrace) ++depth;
    if (k == Tok::RBrace) --depth;
    take();
    moved = true;
  }
}

void Parser::proctype() {
  Proctype p;
  if (accept(Tok::Active)) {
    p.active = 1;
    if (accept(Tok::LBracket)) {
      const diag::Span at_count = peek().span;
      const std::int32_t n = constant_expression("as the number of instances");
      if (n < 0 || n > 4096)
        error("bad-count", at_count, fmt::format("cannot start {} instances", n));
      else
        p.active = static_cast<std::uint32_t>(n);
      expect(Tok::RBracket, "after the number of instances");
    }
  }
  p.deterministic = at(Tok::DProctype);
  if (!accept(Tok::DProctype)) expect(Tok::Proctype, "after 'active'");
  const Token name = expect(Tok::Name, "as the name of the proctype");
  p.name = name.text;
  p.span = name.span;
  if (proctype_names_.count(p.name)) {
    auto& d = error("redeclared", name.span, fmt::format("proctype '{}' is declared twice", p.name));
    d.related.push_back({program_.proctypes[proctype_names_[p.name]].span, "the first declaration"});
  }
  const auto index = static_cast<std::uint32_t>(program_.proctypes.size());
  proctype_names_[p.name] = index;
  program_.proctypes.push_back(p);  // so that the body can refer to it
  current_ = &p;
  push_scope();
  expect(Tok::LParen, "after the name of the proctype", "a proctype without parameters is written name()");
  while (!at(Tok::RParen)) {
    if (accept(Tok::Semi) || accept(Tok::Comma)) continue;
    if (!at_declaration())
      fail(peek(), "expected a parameter declaration", "parameters read: byte x; chan in, out");
    const std::size_t before = p.locals.size();
    declaration(p.locals, false);
    for (std::size_t i = before; i < p.locals.size(); ++i) {
      Variable& v = *p.locals[i];
      v.parameter = true;
      if (v.init || v.channel)
        error("bad-parameter", v.span, fmt::format("parameter '{}' cannot be initialised", v.name));
      if (v.is_array)
        error("bad-parameter", v.span, fmt::format("parameter '{}' cannot be an array", v.name));
    }
  }
  p.parameters = std::move(p.locals);
  p.locals.clear();
  take();
  if (accept(Tok::Priority)) {
    p.priority = expect(Tok::Number, "as the priority").value;
    p.has_priority = program_.uses_priority = true;
  }
  if (accept(Tok::Provided)) {
    expect(Tok::LParen, "after 'provided'", "write provided (condition)");
    p.provided = expression();
    expect(Tok::RParen, "after the condition of 'provided'");
  }
  body(p);
  pop_scope();
  current_ = nullptr;
  program_.proctypes[index] = std::move(p);
}

void Parser::init_process() {
  Proctype p;
  p.name = "init";
  p.kind = ProcKind::Init;
  p.active = 1;
  p.span = take().span;
  for (const Proctype& other : program_.proctypes)
    if (other.kind == ProcKind::Init) {
      auto& d = error("redeclared", p.span, "there are two init processes");
      d.related.push_back({other.span, "the first one"});
    }
  if (accept(Tok::Priority)) {
    p.priority = expect(Tok::Number, "as the priority").value;
    p.has_priority = program_.uses_priority = true;
  }
  current_ = &p;
  body(p);
  current_ = nullptr;
  program_.proctypes.push_back(std::move(p));
}

void Parser::never_claim() {
  Proctype p;
  p.kind = ProcKind::Claim;
  p.span = take().span;
  p.name = at(Tok::Name) ? take().text : fmt::format("never_{}", program_.claims.size());
  current_ = &p;
  const std::size_t begin = pos_;
  body(p);
  p.text = text_between(begin, pos_);
  p.text_span = span_between(begin, pos_);
  current_ = nullptr;
  program_.claims.push_back(std::move(p));
}

void Parser::body(Proctype& p) {
  expect(Tok::LBrace, "to open the body");
  push_scope();
  initialisation_ok_ = true;
  loop_depth_ = 0;
  p.body = sequence();
  p.end_span = peek().span;
  expect(Tok::RBrace, "at the end of the body");
  pop_scope();
  initialisation_ok_ = true;
  if (p.body.empty() && p.locals.empty())
    error("empty-sequence", p.end_span, "a body needs at least one statement", "write skip");
}

void Parser::ltl() {
  TemporalFormula f;
  f.span = take().span;
  f.name = at(Tok::Name) ? take().text : fmt::format("ltl_{}", program_.formulas.size());
  expect(Tok::LBrace, "to open the formula");
  const std::size_t begin = pos_;
  // Spin reads formulas after everything else, so that they can speak of what is declared below them.
  int depth = 1;
  std::size_t end = pos_;
  while (end + 1 < tokens_.size()) {
    if (tokens_[end].kind == Tok::LBrace) ++depth;
    if (tokens_[end].kind == Tok::RBrace && --depth == 0) break;
    ++end;
  }
  if (depth != 0) fail(tokens_.back(), "expected '}' at the end of the formula");
  f.text = text_between(begin, end);
  f.text_span = span_between(begin, end);
  if (begin == end)
    error("empty-sequence", f.span, "this formula is empty");
  else
    formula_tokens_.push_back({begin, end, program_.formulas.size()});
  pos_ = end + 1;
  program_.formulas.push_back(std::move(f));
}

void Parser::read_formulas() {
  for (const auto& [begin, end, index] : formula_tokens_) {
    Tokens tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                  tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    Token last = tokens_[end];
    last.kind = Tok::End;
    tokens.push_back(last);
    std::swap(tokens_, tokens);
    pos_ = 0;
    temporal_ = true;
    try {
      program_.formulas[index].formula = expression();
      accept(Tok::Semi);
      if (!at(Tok::End)) fail(peek(), "expected an operator or the end of the formula");
    } catch (const Recover&) {
    }
    temporal_ = false;
    std::swap(tokens_, tokens);
  }
}

void Parser::type_definition() {
  take();
  const Token name = expect(Tok::Name, "as the name of the type");
  Typedef t;
  t.name = name.text;
  t.span = name.span;
  if (current_) error("misplaced", name.span, "a typedef must be global");
  expect(Tok::LBrace, "after the name of the type");
  while (!at(Tok::RBrace)) {
    if (accept(Tok::Semi) || accept(Tok::Comma) || accept(Tok::Arrow)) continue;
    if (!at_declaration()) fail(peek(), "expected the declaration of a field");
    declaration(t.fields, true);
  }
  take();
  if (t.fields.empty()) error("empty-sequence", name.span, fmt::format("typedef '{}' has no fields", t.name));
  if (!typedef_names_.emplace(t.name, static_cast<std::uint32_t>(program_.typedefs.size())).second)
    error("redeclared", name.span, fmt::format("typedef '{}' is declared twice", t.name));
  program_.typedefs.push_back(std::move(t));
}

void Parser::inline_definition() {
  take();
  InlineDef def;
  const Token name = expect(Tok::Name, "as the name of the inline");
  def.name = name.text;
  def.span = name.span;
  expect(Tok::LParen, "after the name of the inline");
  while (!at(Tok::RParen)) {
    if (accept(Tok::Comma)) continue;
    def.parameters.push_back(expect(Tok::Name, "as a parameter of the inline").text);
  }
  take();
  if (!at(Tok::LBrace)) fail(peek(), "expected '{' to open the body of the inline");
  const std::size_t begin = pos_;
  skip_braces();
  def.body.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                  tokens_.begin() + static_cast<std::ptrdiff_t>(pos_));
  if (def.body.back().kind != Tok::RBrace) fail(peek(), "expected '}' at the end of the inline");
  if (inlines_.count(def.name))
    error("redeclared", name.span, fmt::format("inline '{}' is declared twice", def.name));
  inlines_[def.name] = std::move(def);
}

void Parser::embedded_c() {
  const Token word = take();
  error("embedded-c", word.span, fmt::format("embedded C ('{}') is not supported", word.text),
        "express it in Promela, or check this model with Spin");
  while (at(Tok::String)) take();
  if (at(Tok::LBracket))
    while (!at(Tok::LBrace) && !at(Tok::End)) take();
  skip_braces();
}

void Parser::event_trace() {
  const Token word = take();
  if (!at(Tok::LBrace)) fail(peek(), fmt::format("expected '{{' after '{}'", word.text));
  const std::size_t begin = pos_;
  skip_braces();
  if (tokens_[pos_ - 1].kind != Tok::RBrace)
    fail(peek(), fmt::format("expected '}}' to end '{}'", word.text));
  program_.event_sequences.push_back(
      {word.text, text_between(begin, pos_), span_between(begin, pos_), word.span});
}

bool Parser::at_type() const {
  switch (peek().kind) {
    case Tok::Bit:
    case Tok::Bool:
    case Tok::Byte:
    case Tok::Pid:
    case Tok::Short:
    case Tok::Int:
    case Tok::Unsigned:
    case Tok::Mtype:
    case Tok::Chan:
      return true;
    case Tok::Name:
      return typedef_names_.count(peek().text) > 0;
    default:
      return false;
  }
}

bool Parser::at_declaration() const {
  return at_type() || at(Tok::Hidden) || at(Tok::Show) || at(Tok::Local);
}

DataType Parser::type() {
  DataType t;
  const Token word = take();
  switch (word.kind) {
    case Tok::Bit:
      t.base = Base::Bit;
      break;
    case Tok::Bool:
      t.base = Base::Bool;
      break;
    case Tok::Byte:
      t.base = Base::Byte;
      break;
    case Tok::Pid:
      t.base = Base::Pid;
      break;
    case Tok::Short:
      t.base = Base::Short;
      break;
    case Tok::Int:
      t.base = Base::Int;
      break;
    case Tok::Unsigned:
      t.base = Base::Unsigned;
      break;
    case Tok::Chan:
      t.base = Base::Chan;
      break;
    case Tok::Mtype:
      t.base = Base::Mtype;
      if (at(Tok::Colon)) {
        take();
        t.mtype_set = expect(Tok::Name, "as the name of the mtype").text;
      }
      break;
    default: {
      const auto found = typedef_names_.find(word.text);
      if (word.kind != Tok::Name || found == typedef_names_.end()) fail(word, "expected a type");
      t.base = Base::Struct;
      t.typedef_index = found->second;
    }
  }
  return t;
}

void Parser::declaration(std::vector<VariablePtr>& into, bool is_field) {
  bool hidden = false;
  if (at(Tok::Hidden) || at(Tok::Show) || at(Tok::Local)) {
    hidden = at(Tok::Hidden);
    take();
  }
  if (!at_type()) fail(peek(), "expected a type");
  if (at(Tok::Mtype) && mtype_declaration()) return;
  const DataType t = type();
  do {
    VariablePtr v = variable(t);
    v->hidden = hidden;
    declare(v, into, is_field);
  } while (accept(Tok::Comma));
}

// mtype [: name] [=] { a, b }: the last name has the value 1, as in Spin. False: it declares variables.
bool Parser::mtype_declaration() {
  std::size_t ahead = 1;
  if (peek(ahead).kind == Tok::Colon) ahead += 2;
  if (peek(ahead).kind == Tok::Assign) ++ahead;
  if (peek(ahead).kind != Tok::LBrace) return false;
  const Token word = take();
  if (current_) error("misplaced", word.span, "the names of an mtype must be declared globally");
  std::string set;
  if (accept(Tok::Colon)) set = expect(Tok::Name, "as the name of the mtype").text;
  accept(Tok::Assign);
  take();
  std::vector<std::string> names;
  while (!at(Tok::RBrace)) {
    if (accept(Tok::Comma)) continue;
    const Token name = expect(Tok::Name, "as a value of the mtype");
    std::int32_t known = 0;
    if (find_mtype(name.text, known) || std::find(names.begin(), names.end(), name.text) != names.end())
      error("redeclared", name.span, fmt::format("'{}' is already a value of an mtype", name.text));
    names.push_back(name.text);
  }
  take();
  std::reverse(names.begin(), names.end());
  for (MtypeSet& known : program_.mtypes)
    if (known.name == set) {
      known.names.insert(known.names.end(), names.begin(), names.end());
      return true;
    }
  program_.mtypes.push_back({set, std::move(names)});
  return true;
}

VariablePtr Parser::variable(const DataType& t) {
  auto v = std::make_shared<Variable>();
  const Token name = at(Tok::Name)
                         ? take()
                         : expect(Tok::Name, "as the name of the variable",
                                  is_keyword(peek().kind) ? "this word is a keyword of Promela" : "");
  v->name = name.text;
  v->span = name.span;
  v->type = t;
  if (at(Tok::Colon)) {
    take();
    const Token width = expect(Tok::Number, "as the width in bits");
    v->type.bits = static_cast<std::uint32_t>(width.value);
    if (t.base != Base::Unsigned)
      error("bad-width", width.span,
            fmt::format("only unsigned variables have a width in bits, '{}' is not one", v->name));
    else if (width.value < 1 || width.value > 31)
      error("bad-width", width.span, "an unsigned variable has 1 to 31 bits"), v->type.bits = 8;
  } else if (t.base == Base::Unsigned) {
    error("bad-width", name.span, fmt::format("'{}' needs a width in bits", v->name), "write unsigned x : 4");
    v->type.bits = 8;
  }
  if (accept(Tok::LBracket)) {
    v->is_array = true;
    v->size = array_size();
    expect(Tok::RBracket, "after the size of the array");
  }
  v->span = name.span;
  if (accept(Tok::Assign)) initialiser(*v);
  return v;
}

std::uint32_t Parser::array_size() {
  const diag::Span span = peek().span;
  std::int32_t n = 0;
  if (at(Tok::Name) && peek(1).kind == Tok::RBracket && find_variable(peek().text)) {
    // Spin takes the initial value of a variable, and 8 when that is not positive.
    const VariablePtr v = find_variable(take().text);
    n = v->init ? constant_value(*v->init).value_or(0) : 0;
    if (n <= 0) n = 8;
  } else {
    n = constant_expression("as the size of the array");
  }
  if (n < 1 || n > kMaxArray) {
    error("bad-count", span, fmt::format("an array cannot have {} elements", n));
    n = 1;
  }
  return static_cast<std::uint32_t>(n);
}

void Parser::initialiser(Variable& v) {
  if (at(Tok::LBracket)) {
    v.channel = channel_shape();
    if (v.type.base != Base::Chan)
      error("type", v.span, fmt::format("'{}' is not a channel", v.name), "declare it with chan");
    return;
  }
  if (at(Tok::LBrace)) {
    const Token open = take();
    if (!v.is_array) error("type", open.span, fmt::format("'{}' is not an array", v.name));
    while (!at(Tok::RBrace)) {
      if (accept(Tok::Comma)) continue;
      v.init_list.push_back(constant_expression("as an initial value"));
    }
    take();
    if (v.init_list.size() > v.size)
      error("bad-count", open.span,
            fmt::format("{} initial values for {} elements", v.init_list.size(), v.size));
    return;
  }
  const std::size_t runs_before = runs_.size();
  v.init = expression();
  if (runs_.size() != runs_before) error("misplaced", v.init->span, "'run' cannot stand in an initialiser");
}

ChannelShape Parser::channel_shape() {
  ChannelShape shape;
  shape.span = take().span;
  const diag::Span at_capacity = peek().span;
  shape.capacity = constant_expression("as the capacity of the channel");
  if (shape.capacity < 0 || shape.capacity > 65535) {
    error("bad-count", at_capacity, fmt::format("a channel cannot hold {} messages", shape.capacity));
    shape.capacity = 1;
  }
  expect(Tok::RBracket, "after the capacity of the channel");
  expect(Tok::Of, "after the capacity of the channel", "write [2] of { byte }");
  expect(Tok::LBrace, "before the fields of the messages");
  while (!at(Tok::RBrace)) {
    if (accept(Tok::Comma)) continue;
    if (!at_type()) fail(peek(), "expected the type of a message field");
    const diag::Span span = peek().span;
    shape.fields.push_back(type());
    if (shape.fields.back().base == Base::Unsigned)
      error("type", span, "unsigned cannot be the type of a message field");
  }
  take();
  if (shape.fields.empty()) error("empty-sequence", shape.span, "messages need at least one field");
  if (shape.capacity == 0) program_.has_rendezvous = true;
  shape.span = span_from(shape.span);
  return shape;
}

void Parser::declare(const VariablePtr& v, std::vector<VariablePtr>& into, bool is_field) {
  if (is_field) {
    for (const VariablePtr& other : into)
      if (other->name == v->name)
        error("redeclared", v->span, fmt::format("field '{}' is declared twice", v->name));
    into.push_back(v);
    return;
  }
  std::int32_t value = 0;
  if (find_mtype(v->name, value))
    error("redeclared", v->span, fmt::format("'{}' is a value of an mtype", v->name));
  auto& names = scopes_.back().names;
  if (const auto found = names.find(v->name); found != names.end()) {
    auto& d = error("redeclared", v->span, fmt::format("'{}' is declared twice", v->name));
    d.related.push_back({found->second->span, "the first declaration"});
  }
  names[v->name] = v;
  if (current_)
    v->proctype = static_cast<std::uint32_t>(program_.proctypes.size() -
                                             (current_->kind == ProcKind::Proctype ? 1 : 0));
  into.push_back(v);
}

std::int32_t Parser::constant_expression(const char* where) {
  const diag::Span begin = peek().span;
  const ExprPtr e = expression();
  const auto value = constant_value(*e);
  if (!value) error("not-constant", span_from(begin), fmt::format("expected a constant {}", where));
  return value.value_or(1);
}

std::optional<std::int32_t> Parser::constant_value(const Expr& e) const {
  if (e.kind == ExprKind::Const) return e.value;
  if (e.kind != ExprKind::Unary && e.kind != ExprKind::Binary) return std::nullopt;
  std::vector<std::int64_t> v;
  for (const ExprPtr& arg : e.args) {
    const auto value = constant_value(*arg);
    if (!value) return std::nullopt;
    v.push_back(*value);
  }
  const auto wrap = [](std::int64_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x)); };
  switch (e.op) {
    case Tok::Minus:
      return wrap(v.size() == 1 ? -v[0] : v[0] - v[1]);
    case Tok::Plus:
      return wrap(v[0] + v[1]);
    case Tok::Star:
      return wrap(v[0] * v[1]);
    case Tok::Slash:
      if (v[1] == 0) return std::nullopt;
      return wrap(v[0] / v[1]);
    case Tok::Percent:
      if (v[1] == 0) return std::nullopt;
      return wrap(v[0] % v[1]);
    default:
      return std::nullopt;
  }
}

// Proctypes may be declared after the statement that runs them.
void Parser::check_runs() {
  std::vector<std::string> names;
  for (const Proctype& p : program_.proctypes) names.push_back(p.name);
  for (const RunUse& use : runs_) {
    const Expr& run = *use.run;
    const auto found = proctype_names_.find(run.name);
    if (found == proctype_names_.end()) {
      const std::string near = diag::did_you_mean(run.name, names);
      diagnostics_.error("unknown-name", run.span, fmt::format("there is no proctype '{}'", run.name),
                         near.empty() ? "" : fmt::format("did you mean '{}'?", near));
      continue;
    }
    const Proctype& p = program_.proctypes[found->second];
    std::size_t wanted = p.parameters.size(), given = run.args.size();
    bool whole = true;  // structures count as their fields; leave those to lowering
    for (const VariablePtr& v : p.parameters) whole = whole && v->type.base != Base::Struct;
    if (whole && wanted != given) {
      auto& d = diagnostics_.error(
          "argument-count", run.span,
          fmt::format("'{}' takes {} argument{}, {} given", run.name, wanted, wanted == 1 ? "" : "s", given));
      d.related.push_back({p.span, "declared here"});
    }
  }
}

}  // namespace parley::front::promela
