// Behaviour text and what it becomes, shown in the text language. The forms are those of the corpus.
#include <gtest/gtest.h>

#include "front/uml/code_meaning.hpp"
#include "model/show.hpp"

namespace parley::front::uml {
namespace {

using Tag = ValueType::Tag;

class Code : public testing::Test {
 protected:
  Code() {
    self_.attributes["x"] = {"x", {Tag::Int, ""}, 0};
    self_.attributes["y"] = {"y", {Tag::Int, ""}, 0};
    self_.attributes["ok"] = {"ok", {Tag::Bool, ""}, 0};
    self_.attributes["colour"] = {"colour", {Tag::Enum, "Colour"}, 0};
    self_.attributes["peer"] = {"peer", {Tag::Ref, "Peer"}, 0};
    self_.attributes["buffer"] = {"buffer", {Tag::Int, ""}, 4};
    self_.left_out["name"] = "String";
    self_.operations["step"] = {"step", {Tag::Void, ""}, {{Tag::Int, ""}}, true, ""};
    self_.operations["ready"] = {"ready", {Tag::Bool, ""}, {}, true, ""};
    self_.operations["mystery"] = {"mystery", {Tag::Void, ""}, {}, false, ""};
    PortInfo port;
    port.peer = "net";
    port.sends["ping"] = "ping";
    self_.ports["net"] = port;
    PortInfo log;
    log.kind = PortKind::Log;
    self_.ports["log"] = log;
    PortInfo timer;
    timer.kind = PortKind::Timing;
    self_.ports["timer"] = timer;
    library_.signals["ping"] = {"ping", {{Tag::Int, ""}}, false};
    library_.signals["Stop"] = {"Stop", {}, false};
    library_.literals["RED"] = {"Colour", "RED"};
    library_.literals["Colour::RED"] = {"Colour", "RED"};
    library_.classes["Peer"].attributes["level"] = {"level", {Tag::Int, ""}, 0};
    library_.classes["Me"] = self_;
    scope_.library = &library_;
    scope_.self = &library_.classes.at("Me");
    scope_.self_name = "Me";
    scope_.result = {Tag::Void, ""};
  }

  std::string statements(const std::string& text) {
    const Meaning m = read_statements(text, scope_, {});
    return with_problems(m, m.body == nullptr ? "" : model::show(*m.body));
  }
  std::string guard(const std::string& text) {
    const Meaning m = read_guard(text, scope_, {});
    return with_problems(m, m.is_else ? "else" : m.condition == nullptr ? "" : model::show(*m.condition));
  }
  static std::string with_problems(const Meaning& m, std::string shown) {
    for (char& c : shown) c = c == '\n' ? ' ' : c;
    std::string result;
    for (const char c : shown) {
      if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    }
    for (const auto& p : m.problems) result += " ?" + p.text;
    return result;
  }

  ClassInfo self_;
  Library library_;
  Scope scope_;
};

TEST_F(Code, Assignments) {
  EXPECT_EQ(statements("x = y + 1;"), "{ x = y + 1; }");
  EXPECT_EQ(statements("this.x = 2; self.y := 3;"), "{ x = 2; y = 3; }");
  EXPECT_EQ(statements("this->x++; --y;"), "{ x++; y--; }");
  EXPECT_EQ(statements("x += 2; y <<= 1"), "{ x += 2; y <<= 1; }");
  EXPECT_EQ(statements("buffer[x] = 7;"), "{ buffer[x] = 7; }");
  EXPECT_EQ(statements("colour = Colour.RED; colour = Colour::RED; colour = RED;"),
            "{ colour = RED; colour = RED; colour = RED; }");
}

TEST_F(Code, TruthOfNumbersAsInC) {
  EXPECT_EQ(guard("x"), "x != 0");
  EXPECT_EQ(guard("!x"), "!(x != 0)");
  EXPECT_EQ(guard("peer"), "peer != null");
  EXPECT_EQ(statements("ok = 1; x = ok;"), "{ ok = 1 != 0; x = ok ? 1 : 0; }");
}

TEST_F(Code, Guards) {
  EXPECT_EQ(guard("return( x >= 100 );"), "x >= 100");
  EXPECT_EQ(guard("x == 3 && !ok || y < 2"), "((x == 3) && !ok) || (y < 2)");
  EXPECT_EQ(guard("// a comment only"), "");
  EXPECT_EQ(guard("true"), "");
  EXPECT_EQ(guard("else"), "else");
  EXPECT_EQ(guard("x <> 3 and not ok"), "(x != 3) && !ok");
  EXPECT_EQ(guard("ready()"), "ready()");
  EXPECT_EQ(guard("peer.level > 0"), "peer.level > 0");
}

TEST_F(Code, ControlFlow) {
  EXPECT_EQ(statements("if (x > 0) y = 1; else { y = 2; }"), "{ if (x > 0) { y = 1; } else { y = 2; } }");
  EXPECT_EQ(statements("for (int i = 0; i < 3; i++) { x += i; }"), "{ for (i in 0..2) { x += i; } }");
  EXPECT_EQ(statements("switch (x) { case 1: y = 1; break; case 2: case 3: y = 2; break; default: y = 0; }"),
            "{ if (x == 1) { y = 1; } else if ((x == 2) || (x == 3)) { y = 2; } else { y = 0; } }");
  EXPECT_EQ(statements("int t = x; x = y; y = t;"), "{ int t = x; x = y; y = t; }");
  EXPECT_EQ(statements("{ int t = x; } { int t = y; x = t; }"),
            "{ { int t = x; } { int t_2 = y; x = t_2; } }");
}

TEST_F(Code, SendsInManyForms) {
  EXPECT_EQ(statements("send Stop() to peer;"), "{ send Stop to peer; }");
  EXPECT_EQ(statements("send new Root::Stop() to this;"), "{ send Stop; }");
  EXPECT_EQ(statements("peer.send(new Stop());"), "{ send Stop to peer; }");
  EXPECT_EQ(statements("peer->GEN(Stop());"), "{ send Stop to peer; }");
  EXPECT_EQ(statements("peer.Stop();"), "{ send Stop to peer; }");
  EXPECT_EQ(statements("send(new ping(x + 1));"), "{ send ping(x + 1); }");
  const std::string through_port = "{ if (net != null) { send ping(3) to net; } }";
  EXPECT_EQ(statements("net.ping(3).send();"), through_port);
  EXPECT_EQ(statements("net().ping(3).send();"), through_port);
  EXPECT_EQ(statements("if (net.ping(3).send()) { x = 1; } else { x = 2; }"),
            "{ { if (net != null) { send ping(3) to net; } if (any(bool)) { x = 1; } else { x = 2; } } }");
}

TEST_F(Code, OutputAndTimersHaveNoEffect) {
  EXPECT_EQ(statements("std::cout << \"x is \" << x << std::endl; log.log(\"y\"); System.out.println(x);"),
            "");
  EXPECT_EQ(statements("timerId = timer.informIn(UMLRTTimespec(1,0));"), "");
  EXPECT_EQ(statements("printf(\"%d\", x++);"), " ?printf(\"%d\", x++);") << "it changes something";
}

TEST_F(Code, Operations) {
  EXPECT_EQ(statements("step(x);"), "{ step(x); }");
  EXPECT_EQ(statements("this.step(2);"), "{ step(2); }");
  EXPECT_EQ(statements("mystery();"), " ?mystery();");
}

TEST_F(Code, WhatIsNotUnderstoodIsNamed) {
  EXPECT_EQ(statements("x = 1; frobnicate(y); y = 2;"), "{ x = 1; y = 2; } ?frobnicate(y);");
  EXPECT_EQ(statements("My opaque behavior"), " ?My opaque behavior");
  EXPECT_EQ(statements("while (x > 0) x--;"), " ?while (x > 0) x--;");
  EXPECT_EQ(statements("x = 2.5;"), " ?x = 2.5;");
  EXPECT_EQ(guard("name == \"a\""), " ?name == \"a\"");
  EXPECT_EQ(guard("s2Guard"), " ?s2Guard");
}

TEST_F(Code, HavocOfWhatTextMayTouch) {
  scope_.havoc = true;
  EXPECT_EQ(statements("x = frobnicate();"), "{ { havoc x; } } ?frobnicate()");
  EXPECT_EQ(statements("frobnicate(&y);"), "{ havoc y; } ?frobnicate(&y);");
  EXPECT_EQ(statements("puzzle(7);"), " ?puzzle(7);");
  EXPECT_EQ(statements("if (isOk(x)) y = 1;"), "{ { havoc x; if (any(bool)) { y = 1; } } } ?isOk(x)");
  EXPECT_EQ(guard("s2Guard"), "any(bool) ?s2Guard");
  // An operation of the class without a body may do anything to the object, except change whom it knows.
  EXPECT_EQ(statements("mystery();"),
            "{ { havoc buffer; havoc colour; havoc ok; havoc x; havoc y; } } ?mystery();");
}

TEST_F(Code, MessageValues) {
  scope_.parameters["amount"] = {"amount", {Tag::Int, ""}, 0};
  scope_.parameters["x"] = {"x_2", {Tag::Int, ""}, 0};
  scope_.event_names = {"sig", "ping", "rtdata"};
  EXPECT_EQ(guard("amount > 3"), "amount > 3");
  EXPECT_EQ(guard("sig.amount > 3"), "amount > 3");
  EXPECT_EQ(guard("x > 3"), "x > 3") << "an attribute of the same name wins";
  EXPECT_EQ(guard("ping.x > 3"), "x_2 > 3");
  EXPECT_EQ(statements("amount = 3;"), " ?amount = 3;");
}

}  // namespace
}  // namespace parley::front::uml
