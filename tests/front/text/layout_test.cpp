// What the formatter's output looks like, and where comments and empty lines go.
#include <gtest/gtest.h>

#include "front/text/printer.hpp"
#include "front/text/support.hpp"

namespace parley::front::text {
namespace {

std::string format(const std::string& text) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const model::Model m = parse(sources, sources.add("t", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diag::render(sources, diagnostics.sorted());
  return print(m, &sources);
}

void expect_formatted(const std::string& text, const std::string& expected) {
  EXPECT_EQ(format(text), expected);
  EXPECT_EQ(format(expected), expected);
}

TEST(Layout, SpacesAndOrder) {
  expect_formatted(
      "const   int N=3,M = N*2 ;enum E{a,b,}signal x,y;signal z(int a,E b);",
      "const int N = 3;\nconst int M = N * 2;\nenum E { a, b }\nsignal x, y;\nsignal z(int a, E b);\n");
}

TEST(Layout, ClassesAndTheSystemStandApart) {
  expect_formatted(
      "signal s;class A{int x;}class B{}system{a:A{x=1;};b:B;}check no deadlock;check   no run-time errors;",
      "signal s;\n\nclass A {\n  int x;\n}\n\nclass B {\n}\n\nsystem {\n  a : A { x = 1; };\n  b : B;\n}\n\n"
      "check no deadlock;\ncheck no run-time errors;\n");
}

TEST(Layout, CommentsStayWithTheirItems) {
  expect_formatted(
      "// head\n\n\n\n// of the class\nclass A { // behind the brace\n  int x; // behind x\n  /* before y */ "
      "int y;\n\n"
      "  // before the machine\n  machine {\n    initial -> s; // go\n    state s { // in s\n      // "
      "lonely\n    }\n"
      "    // last\n  }\n} // end of A\n// end\n",
      "// head\n\n// of the class\nclass A {  // behind the brace\n  int x;  // behind x\n  /* before y */\n "
      " int y;\n\n"
      "  // before the machine\n  machine {\n    initial -> s;  // go\n    state s {  // in s\n      // "
      "lonely\n    }\n"
      "    // last\n  }\n}  // end of A\n// end\n");
}

TEST(Layout, CommentsInsideItemsMoveBehindThem) {
  expect_formatted("const int N = /* three */ 3 // really\n + 0;\nsignal s;\n",
                   "const int N = 3 + 0;  /* three */  // really\nsignal s;\n");
  expect_formatted("const int N = 3 // one\n + 0; // two\nsignal s;\n",
                   "const int N = 3 + 0;  // one\n// two\nsignal s;\n");
}

TEST(Layout, BehavioursOnOneLineStayThere) {
  const std::string head = "class A {\n  int x;\n  machine {\n    initial -> s;\n    state s {\n";
  const std::string tail = "    }\n  }\n}\n";
  expect_formatted(
      head + "on a / { x = 1; x = 2; } -> s; on b / {\nx = 1;\n} -> s; on c / {\nx = 1; x = 2;\n}\n" + tail,
      head +
          "      on a / { x = 1; x = 2; } -> s;\n      on b / { x = 1; } -> s;\n"
          "      on c / {\n        x = 1;\n        x = 2;\n      };\n" +
          tail);
}

TEST(Layout, StatementsGetBracesAndChainsStayFlat) {
  const std::string head = "class A {\n  int x;\n  void f() {\n";
  expect_formatted(
      head +
          "if (x > 1) x = 1; else if (x > 0)\n x = 2;\n else { if (x < 0) { x = 3; } else x = 4; }\n"
          "either { x = 1; } or { }\n for (k in 0..3) x = k;\n while (x > 0) limit 3\n x--;\n  }\n}\n",
      head +
          "    if (x > 1) {\n      x = 1;\n    } else if (x > 0) {\n      x = 2;\n    } else if (x < 0) {\n"
          "      x = 3;\n    } else {\n      x = 4;\n    }\n    either { x = 1; } or { }\n"
          "    for (k in 0..3) { x = k; }\n    while (x > 0) limit 3 {\n      x--;\n    }\n  }\n}\n");
}

TEST(Layout, ParenthesesThatHelpAreKept) {
  expect_formatted("const int A = (1 + 2) * (3), B = (1 * 2) + 3, C = ((4));\n",
                   "const int A = (1 + 2) * 3;\nconst int B = (1 * 2) + 3;\nconst int C = 4;\n");
}

TEST(Layout, WindowsLineEndsAndTabsAreNormalised) {
  expect_formatted("// one\r\nsignal a;\r\n\r\n\tsignal b;\r\n", "// one\nsignal a;\n\nsignal b;\n");
}

}  // namespace
}  // namespace parley::front::text
