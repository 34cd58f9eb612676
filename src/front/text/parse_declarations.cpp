#include <fmt/format.h>

#include <utility>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::Class;
using model::Model;

model::Model Grammar::file() {
  Model m;
  while (!at_end()) {
    const std::size_t before = at_;
    try {
      declaration(m);
    } catch (const Panic&) {
      skip_item(before);
      if (at_ == before && !at_end()) take();
    } catch (const TooDeep&) {
      temporal_ = false;
      skip_item(before);
    }
  }
  m.comments = std::move(stream_.comments);
  m.damaged = damaged_;
  return m;
}

void Grammar::declaration(Model& m) {
  const Token& first = peek();
  if (accept(";")) return;
  if (at("@") && at_word("assume", 1)) return assumption(m);
  std::string id = id_annotation();
  if (at_word("const") || at_word("system") || at_word("check") || at_word("partition") || at_word("assume"))
    no_id(id, first);
  if (at_word("const")) return constant(m, first);
  if (at_word("enum")) return enumeration(m, first, std::move(id));
  if (at_word("signal")) return signals(m, first, std::move(id));
  if (at_word("class")) return class_declaration(m, first, std::move(id));
  if (at_word("system")) return system(m, first);
  if (at_word("check")) return check(m, first);
  if (at_word("partition")) return partition(m, first);
  if (at_word("assume")) return assume(m, first);
  static const std::vector<std::string> kWords = {"const",  "enum",  "signal",    "class",
                                                  "system", "check", "partition", "assume"};
  const std::string near = at_name() ? diag::did_you_mean(text(peek()), kWords) : "";
  std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
  if (at_word("state") || at_word("machine")) hint = "machines are written inside a class";
  if (at("}")) hint = "there is one '}' too many";
  fail("a declaration (const, enum, signal, class, system, partition, check or assume)", std::move(hint));
}

// @assume(guessed, "there is one object of each class"): what an import left out, guessed or
// over-approximated, kept so that every answer about the text model lists it too.
void Grammar::assumption(Model& m) {
  take();
  take();
  expect("(", "after '@assume'");
  const std::string code = at_name() ? name_text(peek()) : std::string();
  std::optional<diag::AssumptionCode> known = named<diag::AssumptionCode>(code);
  if (known != diag::AssumptionCode::Approximated && known != diag::AssumptionCode::Guessed &&
      known != diag::AssumptionCode::Ignored)
    fail("'approximated', 'guessed' or 'ignored'");
  take();
  expect(",", "after the kind of assumption");
  m.assumptions.push_back({*known, expect_string("what is assumed, in double quotes")});
  expect(")", "after the assumption");
  expect_semicolon("the assumption");
}

void Grammar::constant(Model& m, const Token& first) {
  take();
  model::TypeRef t = type("the constant's type");
  bool more = false;
  do {
    model::ConstDecl c;
    c.type = copy(t);
    c.name = expect_name("the name of the constant", &c.name_span);
    expect("=", "and a value after the constant's name");
    c.value = expression();
    c.span = since(first);
    if (more) c.span.begin = c.name_span.begin;
    more = true;
    m.order.emplace_back('c', static_cast<std::uint32_t>(m.constants.size()));
    m.constants.push_back(std::move(c));
  } while (accept(","));
  expect_semicolon("the constant");
}

void Grammar::enumeration(Model& m, const Token& first, std::string id) {
  take();
  model::EnumDecl e;
  e.element_id = std::move(id);
  e.name = expect_name("the name of the enumeration", &e.name_span);
  expect("{", "after the enumeration's name");
  while (!at("}")) {
    Span place;
    e.literals.push_back(expect_name("a literal", &place));
    e.literal_spans.push_back(place);
    if (!accept(",") && !at("}")) fail("',' or '}' after the literal");
  }
  take();
  accept(";");
  e.span = since(first);
  m.order.emplace_back('e', static_cast<std::uint32_t>(m.enums.size()));
  m.enums.push_back(std::move(e));
}

// signal verify(int pin, Atm from);   signal ok, refused;
void Grammar::signals(Model& m, const Token& first, std::string id) {
  take();
  const std::size_t from = m.signals.size();
  do {
    model::SignalDecl s;
    s.element_id = std::exchange(id, {});
    if (at("@")) s.element_id = id_annotation();
    s.name = expect_name("the name of the signal", &s.name_span);
    if (at("(")) s.parameters = parameters();
    m.order.emplace_back('s', static_cast<std::uint32_t>(m.signals.size()));
    m.signals.push_back(std::move(s));
  } while (accept(","));
  for (std::size_t i = from; i < m.signals.size(); ++i) m.signals[i].span = since(first);
  expect_semicolon("the signal");
}

std::vector<model::Parameter> Grammar::parameters() {
  std::vector<model::Parameter> result;
  expect("(", "before the parameters");
  if (!at(")")) {
    do {
      const Token& first = peek();
      model::Parameter p;
      p.type = type("a parameter's type");
      p.name = expect_name("the parameter's name");
      p.span = since(first);
      result.push_back(std::move(p));
    } while (accept(","));
  }
  expect(")", "after the parameters");
  return result;
}

// bool | int | int(lo..hi) | timer(n) | void | Name
model::TypeRef Grammar::type(std::string_view what) {
  const Token& first = peek();
  model::TypeRef t;
  if (!at_name()) fail(what);
  take();
  t.name = name_text(first);
  if (!first.quoted && (t.name == "true" || t.name == "false" || t.name == "null" || t.name == "this")) {
    --at_;
    fail(what);
  }
  if (t.name == "int" && !first.quoted && accept("(")) {
    t.lo = expression();
    expect("..", "between the bounds");
    t.hi = expression();
    expect(")", "after the bounds");
  } else if (t.name == "timer" && !first.quoted && accept("(")) {
    t.hi = expression();
    expect(")", "after the largest number of ticks");
  }
  t.span = since(first);
  return t;
}

void Grammar::class_declaration(Model& m, const Token& first, std::string id) {
  take();
  Class c;
  c.element_id = std::move(id);
  c.name = expect_name("the name of the class", &c.name_span);
  if (accept(":")) c.base = expect_name("the name of the base class", &c.base_span);
  if (at_word("extends"))
    fail("'{' after the class's name", "a base class follows a colon: class Atm : Base { … }");
  expect("{", "after the class's name");
  items_until_brace([&] { member(c); });
  accept(";");
  c.span = since(first);
  m.order.emplace_back('k', static_cast<std::uint32_t>(m.classes.size()));
  m.classes.push_back(std::move(c));
}

void Grammar::member(Class& c) {
  const Token& first = peek();
  if (accept(";")) return;
  std::string id = id_annotation();
  if (at_word("machine") && at("{", 1)) {
    take();
    return machine(c, first, std::move(id));
  }
  model::TypeRef t = type("an attribute, an operation or 'machine'");
  if (!at_name()) {
    fail("a name after the type", at("{") || at(":") ? "states are written inside machine { … }" : "");
  }
  if (at("(", 1)) return operation(c, first, std::move(id), std::move(t));
  attributes(c, first, std::move(id), std::move(t));
}

void Grammar::operation(Class& c, const Token& first, std::string id, model::TypeRef result) {
  model::Operation o;
  o.element_id = std::move(id);
  o.result = std::move(result);
  o.name = expect_name("the name of the operation", &o.name_span);
  o.parameters = parameters();
  const Token& start = peek();
  o.body.body = block("at the start of the operation's body");
  o.body.span = since(start);
  accept(";");
  o.span = since(first);
  c.operations.push_back(std::move(o));
}

void Grammar::attributes(Class& c, const Token& first, std::string id, model::TypeRef t) {
  bool more = false;
  do {
    model::Attribute a;
    a.element_id = std::exchange(id, {});
    a.type = copy(t);
    a.name = expect_name("the name of the attribute", &a.name_span);
    if (accept("[")) {
      a.type.array_size = expression();
      expect("]", "after the size");
    }
    if (at("{")) fail("';' after the attribute", "states are written inside machine { … }");
    if (accept("=")) a.initial = expression();
    a.span = since(first);
    if (more) a.span.begin = a.name_span.begin;
    more = true;
    c.attributes.push_back(std::move(a));
  } while (accept(","));
  expect_semicolon("the attribute");
}

}  // namespace parley::front::text
