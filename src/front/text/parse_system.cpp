#include <fmt/format.h>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::Model;
using model::SystemDecl;

void Grammar::system(Model& m, const Token& first) {
  take();
  SystemDecl s;
  expect("{", "after 'system'");
  items_until_brace([&] { system_item(s); });
  accept(";");
  s.span = since(first);
  if (m.system) {
    diagnostics_.error("duplicate-system", span(first), "the model has a second system block",
                       "put all objects into one");
    return;
  }
  m.order.emplace_back('y', 0);
  m.system = std::move(s);
}

void Grammar::system_item(SystemDecl& s) {
  const Token& first = peek();
  if (accept(";")) return;
  std::string id = id_annotation();
  const bool queues = at_word("queues") && at(":", 1) && (at_word("capacity", 2) || at_word("overflow", 2));
  if (queues || !(at_name() && (at(":", 1) || at("[", 1)))) no_id(id, first);
  if (at_word("thread") && at_name(1)) return thread(s, first);
  if ((at_word("queue") && at_word("of", 1)) || queues) {
    return queue(s, first);
  }
  if (at_word("environment") && !at(":", 1) && !at("[", 1)) return environment(s, first);
  if (at_word("semantics") && at("{", 1)) return semantics(s, first);
  if (!at_name()) fail("an object, 'thread', 'queue of', 'queues:', 'environment' or 'semantics'");
  object(s, first, std::move(id));
}

void Grammar::object(SystemDecl& s, const Token& first, std::string id) {
  model::ObjectDecl o;
  o.element_id = std::move(id);
  o.name = expect_name("the name of an object", &o.name_span);
  if (accept("[")) {
    o.size = expression();
    expect("]", "after the number of objects");
  }
  expect(":", "and a class after the object's name");
  o.class_name = expect_name("the name of a class", &o.class_span);
  if (accept("{")) {
    items_until_brace([&] {
      if (accept(";") || accept(",")) return;
      const Token& start = peek();
      model::ObjectDecl::Wiring w;
      w.attribute = expect_name("the name of an attribute");
      if (accept("[")) {
        w.index = expression();
        expect("]", "after the index");
      }
      expect("=", "and a value after the attribute");
      w.value = expression();
      w.span = since(start);
      if (!at("}") && !at(",")) expect_semicolon("the value");
      o.wiring.push_back(std::move(w));
    });
    o.span = since(first);
    accept(";");
  } else {
    o.span = since(first);
    expect_semicolon("the object");
  }
  s.objects.push_back(std::move(o));
}

void Grammar::thread(SystemDecl& s, const Token& first) {
  take();
  model::ThreadDecl t;
  t.name = expect_name("the name of the thread", &t.name_span);
  expect("{", "after the thread's name");
  while (!at("}")) {
    t.members.push_back(postfix());
    if (!accept(",") && !accept(";") && !at("}")) fail("',' or '}' after the object");
  }
  take();
  t.span = since(first);
  accept(";");
  s.threads.push_back(std::move(t));
}

// queue of a, b: capacity 4, overflow lose;   queues: capacity 2;
void Grammar::queue(SystemDecl& s, const Token& first) {
  model::QueueDecl q;
  if (text(take()) == "queue") {
    take();
    do {
      q.of.push_back(postfix());
    } while (accept(","));
  }
  expect(":", "before the queue's capacity and overflow");
  do {
    if (accept_word("capacity")) {
      q.capacity = expression();
    } else if (accept_word("overflow")) {
      struct Word {
        std::string_view text;
        model::Overflow overflow;
      };
      static constexpr Word kWords[] = {{"block", model::Overflow::Block},
                                        {"cut", model::Overflow::Cut},
                                        {"lose", model::Overflow::Lose},
                                        {"error", model::Overflow::Error}};
      for (const Word& w : kWords) {
        if (at_word(w.text)) q.overflow = w.overflow;
      }
      if (!at_name()) fail("'block', 'cut', 'lose' or 'error' after 'overflow'");
      if (!q.overflow) {
        diagnostics_.error("unknown-overflow", span(peek()),
                           fmt::format("there is no overflow policy {}", describe(peek())),
                           "it is one of: block, cut, lose, error");
      }
      take();
    } else {
      fail("'capacity' or 'overflow'", "queue of a: capacity 4, overflow lose;");
    }
  } while (accept(","));
  q.span = since(first);
  expect_semicolon("the queue");
  s.queues.push_back(std::move(q));
}

// environment sends card(0..3, any), cancel to atm when (…) at most 5;   one declaration per signal
void Grammar::environment(SystemDecl& s, const Token& first) {
  take();
  expect_word("sends", "after 'environment'");
  std::vector<model::EnvironmentDecl> all;
  do {
    if (at_word("to") && !all.empty()) break;
    model::EnvironmentDecl e;
    e.signal = expect_name("the name of a signal", &e.signal_span);
    if (accept("(")) {
      while (!at(")")) {
        model::EnvironmentDecl::Argument a;
        const Token& start = peek();
        if (at_word("any") && (at(",", 1) || at(")", 1))) {
          take();
        } else {
          a.lo = expression();
          if (accept("..")) {
            a.hi = expression();
          } else {
            a.hi = model::clone(*a.lo);
          }
        }
        a.span = since(start);
        e.arguments.push_back(std::move(a));
        if (!accept(",") && !at(")")) fail("',' or ')' after the argument");
      }
      take();
    }
    all.push_back(std::move(e));
  } while (accept(","));
  expect_word("to", "and an object after the signal");
  ExprPtr target = postfix(), when, at_most;
  if (accept_word("when")) {
    expect("(", "after 'when'");
    when = expression();
    expect(")", "after the condition");
  }
  if (accept_word("at")) {
    expect_word("most", "after 'at'");
    at_most = expression();
  }
  for (model::EnvironmentDecl& e : all) {
    e.target = model::clone(*target);
    if (when) e.when = model::clone(*when);
    if (at_most) e.at_most = model::clone(*at_most);
    e.span = since(first);
    s.environment.push_back(std::move(e));
  }
  expect_semicolon("the environment's declaration");
}

// semantics { completion = free; run-to-completion = split; }
void Grammar::semantics(SystemDecl& s, const Token& first) {
  take();
  take();
  model::SemanticsDecl d;
  const auto spelling = [&](std::string_view what) {
    std::string result = expect_name(what);
    while (at("-") && at_name(1)) {
      take();
      result += "_" + expect_name(what);
    }
    return result;
  };
  items_until_brace([&] {
    if (accept(";")) return;
    const Token& start = peek();
    model::SemanticsDecl::Item item;
    item.name = spelling("the name of a switch");
    expect("=", "and a value after the switch");
    item.value = spelling("a value of the switch");
    item.span = since(start);
    expect_semicolon("the switch");
    d.items.push_back(std::move(item));
  });
  accept(";");
  d.span = since(first);
  s.semantics.push_back(std::move(d));
}

}  // namespace parley::front::text
