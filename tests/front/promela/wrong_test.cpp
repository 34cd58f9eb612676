// Wrong programs: the exact diagnostics, and never a crash.
#include <gtest/gtest.h>

#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

std::string messages(const std::string& text) {
  return testing::load_text(text).messages();
}

TEST(Wrong, Names) {
  EXPECT_EQ(messages("byte count;\ninit { coutn = 1 }\n"),
            "2:8 error unknown-name: 'coutn' is not declared (did you mean 'count'?)\n");
  EXPECT_EQ(messages("init { run Servr() }\nproctype Server() { skip }\n"),
            "1:8 error unknown-name: there is no proctype 'Servr' (did you mean 'Server'?)\n");
  EXPECT_EQ(messages("typedef T { byte first };\nT t;\ninit { t.frist = 1 }\n"),
            "3:10 error unknown-name: typedef 'T' has no field 'frist' (did you mean 'first'?)\n");
  EXPECT_EQ(messages("init { goto donne; done: skip }\n"),
            "1:8 error unknown-name: there is no label 'donne' in 'init' (did you mean 'done'?)\n");
  EXPECT_EQ(messages("byte x;\ninit { (Q@here) }\n"), "2:9 error unknown-name: there is no proctype 'Q'\n");
  EXPECT_EQ(messages("active proctype P() { skip }\ninit { (P@nowhere) }\n"),
            "2:8 error unknown-name: there is no label 'nowhere' in 'P'\n");
  EXPECT_EQ(messages("active proctype P() { skip }\nbyte x;\ninit { x = P:y }\n"),
            "3:12 error unknown-name: proctype 'P' has no variable 'y'\n");
}

// A chain is read in a loop, but what walks over it descends once for each operator.
TEST(Wrong, LongChains) {
  std::string sum = "x";
  for (int i = 0; i < 66'000; ++i) sum += "+x";
  // The operator after the thousandth is the 1002nd x behind "int x;\ninit { x = ", which takes 11 columns.
  EXPECT_EQ(
      messages("int x;\ninit { x = " + sum + " }\n"),
      "2:2015 error too-deep: this expression is nested more than 1000 levels deep (assign parts of it to "
      "variables)\n");
  std::string allowed = "x";
  for (int i = 0; i < 1000; ++i) allowed += "+x";
  EXPECT_EQ(messages("int x;\ninit { x = " + allowed + " }\n"), "");
}

TEST(Wrong, ByteOrderMarkAndLineEnds) {
  EXPECT_EQ(messages("\xEF\xBB\xBFint x; init { x = 1 }\n"), "");
  EXPECT_EQ(messages("\xEF\xBB\xBFint x; init { y = 1 }\n"),
            "1:15 error unknown-name: 'y' is not declared\n");
  for (const std::string end : {"\n", "\r\n", "\r"})
    EXPECT_EQ(messages("int x; // text" + end + end + "init { y = 1 }" + end),
              "3:8 error unknown-name: 'y' is not declared\n");
}

TEST(Wrong, Declarations) {
  EXPECT_EQ(messages("byte x;\nint x;\ninit { skip }\n"),
            "2:5 error redeclared: 'x' is declared twice [1:6 the first declaration]\n");
  EXPECT_EQ(messages("mtype = { a, b };\nbyte a;\ninit { skip }\n"),
            "2:6 error redeclared: 'a' is a value of an mtype\n");
  EXPECT_EQ(messages("byte x[0];\ninit { skip }\n"),
            "1:8 error bad-count: an array cannot have 0 elements\n");
  EXPECT_EQ(messages("unsigned x;\ninit { skip }\n"),
            "1:10 error bad-width: 'x' needs a width in bits (write unsigned x : 4)\n");
  EXPECT_EQ(messages("byte x : 3;\ninit { skip }\n"),
            "1:10 error bad-width: only unsigned variables have a width in bits, 'x' is not one\n");
  EXPECT_EQ(messages("byte n; byte x[n + 1];\ninit { skip }\n"),
            "1:16 error not-constant: expected a constant as the size of the array\n");
  EXPECT_EQ(messages("byte c = [2] of { byte };\ninit { skip }\n"),
            "1:6 error type: 'c' is not a channel (declare it with chan)\n");
  EXPECT_EQ(messages("proctype P(byte a[2]) { skip }\ninit { run P(1) }\n"),
            "1:17 error bad-parameter: parameter 'a' cannot be an array\n");
  EXPECT_EQ(messages("init { skip }\ninit { skip }\n"),
            "2:1 error redeclared: there are two init processes [1:1 the first one]\n");
  EXPECT_EQ(messages("init { skip; chan c = [1] of { byte }; c!1 }\n"),
            "1:19 error misplaced: channel 'c' must be declared before the first statement (move the "
            "declaration to the start of the proctype)\n");
  EXPECT_EQ(messages("byte x;\n"),
            "2:1 error no-process: this model has no process (start one with init or active proctype)\n");
}

TEST(Wrong, Types) {
  EXPECT_EQ(messages("byte x;\ninit { x[1] = 2 }\n"), "2:9 error type: 'x' is not an array\n");
  EXPECT_EQ(messages("byte x[2];\ninit { x = 2 }\n"), "2:8 error type: 'x' is an array and needs an index\n");
  EXPECT_EQ(messages("byte x;\ninit { x!2 }\n"), "2:8 error type: 'x' is not a channel\n");
  EXPECT_EQ(messages("byte x;\ninit { x.f = 2 }\n"), "2:9 error type: 'x' is not a structure\n");
  EXPECT_EQ(messages("typedef T { byte f };\nT t, u;\ninit { t = u }\n"),
            "3:8 error type: 't' is a structure and cannot be assigned as a whole (assign its fields)\n");
  EXPECT_EQ(messages("typedef T { byte f };\nT t;\ninit { (t > 1) }\n"),
            "3:9 error type: 't' is a structure and has no single value (name one of its fields)\n");
  EXPECT_EQ(messages("proctype P(byte a; byte b) { skip }\ninit { run P(1) }\n"),
            "2:8 error argument-count: 'P' takes 2 arguments, 1 given [1:10 declared here]\n");
  EXPECT_EQ(messages("inline f(a, b) { a = b }\nbyte x;\ninit { f(x) }\n"),
            "3:8 error argument-count: inline 'f' takes 2 arguments, 1 given [1:8 defined here]\n");
}

TEST(Wrong, Syntax) {
  EXPECT_EQ(messages("byte x;\ninit { x = 1 x = 2 }\n"),
            "2:14 error syntax: expected ';' or '->' between statements, found 'x'\n");
  EXPECT_EQ(messages("byte x;\ninit { x = ; x = 2; x = ) }\n"),
            "2:12 error syntax: expected a statement or an expression, found ';'\n2:25 error syntax: "
            "expected a statement or an expression, found ')'\n");
  EXPECT_EQ(messages("init { if fi }\n"),
            "1:8 error empty-sequence: this 'if' has no options (each option starts with ::)\n");
  EXPECT_EQ(messages("init { do :: skip }\n"),
            "1:19 error syntax: expected 'od' to close this 'do', found '}'\n");
  EXPECT_EQ(messages("init { break }\n"), "1:8 error misplaced: 'break' stands outside any loop\n");
  EXPECT_EQ(messages("init { }\n"),
            "1:8 error empty-sequence: a body needs at least one statement (write skip)\n");
  EXPECT_EQ(messages("proctype P { skip }\ninit { skip }\n"),
            "1:12 error syntax: expected '(' after the name of the proctype, found '{' (a proctype without "
            "parameters is written name())\n");
  EXPECT_EQ(messages("byte x; x = 3;\ninit { skip }\n"),
            "1:9 error syntax: expected a declaration or a proctype, found 'x' (the top level holds "
            "variables, typedef, mtype, inline, proctype, init, never and ltl)\n");
  EXPECT_EQ(
      messages("init { printf(\"no end) }\n"),
      "1:15 error unterminated-string: this string is never closed (close it with \" on the same line)\n");
  EXPECT_EQ(messages("/* never closed\ninit { skip }\n"),
            "1:1 error unterminated-comment: this comment is never closed (close it with */)\n");
  EXPECT_EQ(messages("init { skip $ skip }\n"), "1:13 error stray-character: '$' means nothing here\n");
  EXPECT_EQ(messages("byte priority;\ninit { skip }\n"),
            "1:6 error syntax: expected the name of the variable, found 'priority' (this word is a keyword "
            "of Promela)\n");
  EXPECT_EQ(messages("ltl p { [] }\ninit { skip }\n"),
            "1:12 error syntax: expected a statement or an expression, found '}'\n");
}

TEST(Wrong, Control) {
  EXPECT_EQ(messages("byte x;\ninit { if :: x == 0 :: else -> skip :: else -> x = 1 fi }\n"),
            "2:40 error two-elses: this 'if' has two else options\n");
  EXPECT_EQ(messages("byte x;\ninit { if :: if :: x == 1 :: else fi :: else fi }\n"),
            "2:41 error two-elses: two else options meet in one selection\n");
  EXPECT_EQ(messages("init { L: skip; L: skip }\n"),
            "1:17 error redeclared: label 'L' is set twice [1:8 the first one]\n");
  EXPECT_EQ(messages("init { L: goto L }\n"), "1:11 error endless-jump: this jump leads to itself\n");
  EXPECT_EQ(messages("byte x;\ninit { d_step { x = 1; goto out }; x = 2; out: skip }\n"),
            "2:17 error dstep-jump: this jump leads out of a d_step sequence\n");
  EXPECT_EQ(messages("byte x;\ninit { goto in; d_step { x = 1; in: x = 2 } }\n"),
            "2:8 error dstep-jump: this jump leads into a d_step sequence\n");
  EXPECT_EQ(messages("inline f() { f() }\ninit { f() }\n"),
            "1:14 error cyclic-inline: inline 'f' calls itself [2:8 in this call of inline 'f']\n");
}

TEST(Wrong, Unsupported) {
  EXPECT_EQ(messages("c_decl { int x; }\ninit { c_code { x = 1; } }\n"),
            "1:1 error embedded-c: embedded C ('c_decl') is not supported (express it in Promela, or check "
            "this model with Spin)\n2:8 error embedded-c: embedded C ('c_code') is not supported (express it "
            "in Promela, or check this model with Spin)\n");
  EXPECT_EQ(messages("byte x;\ninit { c_expr { x } }\n"),
            "2:8 error embedded-c: embedded C ('c_expr') is not supported (express it in Promela, or check "
            "this model with Spin)\n");
  EXPECT_EQ(messages("byte x;\ninit { (pc_value(0) == 1) }\n"),
            "2:9 error unsupported: this operator only makes sense in a never claim\n");
}

TEST(Wrong, NestingIsLimited) {
  const std::string open(5000, '('), deep = "init { " + open + "1 }\n";
  EXPECT_NE(messages(deep).find("too-deep"), std::string::npos);
  std::string nested = "init { ";
  for (int i = 0; i < 5000; ++i) nested += "if :: ";
  EXPECT_NE(messages(nested).find("too-deep"), std::string::npos);
  std::string bangs = "init { (" + std::string(100000, '~') + "1) }\n";
  EXPECT_NE(messages(bangs).find("too-deep"), std::string::npos);
  // 2^30 statements by inlines that call each other twice.
  std::string explosion = "inline f0() { skip }\n";
  for (int i = 1; i <= 30; ++i)
    explosion += "inline f" + std::to_string(i) + "() { f" + std::to_string(i - 1) + "(); f" +
                 std::to_string(i - 1) + "() }\n";
  EXPECT_NE(messages(explosion + "init { f30() }\n").find("too-deep"), std::string::npos);
}

}  // namespace
}  // namespace parley::front::promela
