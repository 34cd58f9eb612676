// Our preprocessor against C's rules: the expected texts are worked out by hand from C99 (6.10) and agree
// with gcc -std=gnu99 -E; the corpus test compares the two at large.
#include "front/promela/preprocess.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "front/promela/lexer.hpp"
#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

// The text that the lexer sees, with "|" for the end of a line.
std::string preprocessed(const std::string& text, PreprocessOptions options = {}) {
  testing::Loaded l;
  const diag::FileId file = l.sources.add("model.pml", text);
  std::string out = preprocess(l.sources, file, options, l.diagnostics).text;
  EXPECT_EQ(l.messages(), "");
  if (!out.empty() && out[0] == '\n') out.erase(0, 1);
  std::replace(out.begin(), out.end(), '\n', '|');
  return out;
}

std::string complaints(const std::string& text, PreprocessOptions options = {}) {
  testing::Loaded l;
  const diag::FileId file = l.sources.add("model.pml", text);
  (void)preprocess(l.sources, file, options, l.diagnostics);
  return l.messages();
}

TEST(Preprocess, ObjectsAndCalls) {
  EXPECT_EQ(preprocessed("#define N 3\nbyte a[N];\n"), "byte a[3];");
  EXPECT_EQ(preprocessed("#define add(a, b) ((a)+(b))\nx = add(1, add(2, 3));\n"), "x = ((1)+(((2)+(3))));");
  EXPECT_EQ(preprocessed("#define f(a) [a]\nf ((1, 2)) f() g f\n"), "[(1, 2)] [] g f");
  EXPECT_EQ(preprocessed("#define none() here\nnone() none( ) none\n"), "here here none");
  EXPECT_EQ(preprocessed("#define f (a) a\nf\n"), "(a) a");
  EXPECT_EQ(preprocessed("#define N 1\n#undef N\n#undef M\nN\n"), "N");
  EXPECT_EQ(preprocessed("#define N 1\nprintf(\"N %d\", N) 'N'\n"), "printf(\"N %d\", 1) 'N'");
}

TEST(Preprocess, NamesAreNotReplacedInsideTheirOwnReplacement) {
  EXPECT_EQ(preprocessed("#define x x + y\n#define y x * 2\nx; y\n"), "x + x * 2; x + y * 2");
  EXPECT_EQ(preprocessed("#define f(a) a + f(a)\nf(f(1))\n"), "1 + f(1) + f(1 + f(1))");
  // Painted for good: also where the macro's replacement has ended.
  EXPECT_EQ(preprocessed("#define n n(1)\n#define id(a) a\nid(n)(2)\n"), "n(1)(2)");
  // A call whose parenthesis stands behind the replacement; the standard leaves the second one open, gcc
  // stops.
  EXPECT_EQ(preprocessed("#define a(x) x*b\n#define b(x) a(x)\na(2)(9)\n"), "2*9*b");
  EXPECT_EQ(preprocessed("#define g f\n#define f(x) <x>\ng(3) g\n"), "<3> f");
}

// Example 3 of 6.10.3.5 in other words: renaming, rescanning, arguments that are calls.
TEST(Preprocess, Rescanning) {
  const std::string macros =
      "#define val 3\n#define twice(p) twice(val * (p))\n#undef val\n#define val 2\n"
      "#define call twice\n#define tail ~\n#define minus 0,1\n#define thru(q) q\n#define open call(\n"
      "#define same(r) r\n#define alt(r) thru(~ r)\n";
  EXPECT_EQ(preprocessed(macros + "twice(y+1) + twice(twice(tail)) % thru(thru(call)(0) + thru)(1);\n"),
            "twice(2 * (y+1)) + twice(2 * (twice(2 * (~)))) % twice(2 * (0)) + thru(1);");
  EXPECT_EQ(preprocessed(macros + "thru(val+val) - open 4) | same(call)(7)\n"),
            "2 +2 - twice(2 * (4)) | twice(2 * (7))");
}

TEST(Preprocess, Strings) {
  EXPECT_EQ(preprocessed("#define str(s) # s\nstr(a  +\tb) str() str(\"x\\n\" '\"') str( @ )\n"),
            "\"a + b\" \"\" \"\\\"x\\\\n\\\" '\\\"'\" \"@\"");
  EXPECT_EQ(preprocessed("#define str(s) #s\n#define both(s) str(s)\n#define N 4\nstr(N) both(N)\n"),
            "\"N\" \"4\"");
  EXPECT_EQ(preprocessed("#define show(x) printf(\"%d \" #x, x)\nshow(a[1])\n"),
            "printf(\"%d \" \"a[1]\", a[1])");
}

TEST(Preprocess, Pasting) {
  EXPECT_EQ(preprocessed("#define label(n) progress_##n\nlabel(1): label(x)\n"), "progress_1: progress_x");
  EXPECT_EQ(
      preprocessed("#define cat(a, b) a ## b\ncat(x, 1) cat(, y) cat(z, ) cat(,) cat(-, >) cat(1, .2)\n"),
      "x1 y z -> 1.2");
  EXPECT_EQ(preprocessed("#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\n#define N 7\n"
                         "cat(v, N) xcat(v, N) cat(N, N)\n"),
            "vN v7 NN");
  EXPECT_EQ(preprocessed(
                "#define t(x, y, z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,,11) t(,,)\n"),
            "123 45 67 89 10 11");
  EXPECT_EQ(preprocessed("#define hash_hash # ## #\n#define mk(a) #a\n#define in(x) mk(x)\n"
                         "in(hash_hash)\n"),
            "\"##\"");
}

TEST(Preprocess, VariableNumbersOfArguments) {
  EXPECT_EQ(preprocessed("#define p(f, ...) printf(f, __VA_ARGS__)\np(\"%d%d\", 1, (2, 3))\n"),
            "printf(\"%d%d\", 1, (2, 3))");
  EXPECT_EQ(preprocessed("#define p(f, ...) printf(f, ## __VA_ARGS__)\np(\"a\") p(\"b\", 1, 2)\n"),
            "printf(\"a\") printf(\"b\", 1, 2)");
  EXPECT_EQ(preprocessed("#define p(rest...) {rest}\np() p(1,2)\n"), "{} {1,2}");
}

TEST(Preprocess, Conditions) {
  const auto holds = [](const std::string& condition) {
    return preprocessed("#define ONE 1\n#define f(x) (x + 1)\n#if " + condition +
                        "\nyes\n#else\nno\n#endif\n") == "yes";
  };
  for (const char* condition :
       {"1", "ONE == 1", "defined ONE", "defined(ONE) && !defined(TWO)", "f(2) == 3", "unknown == 0"})
    EXPECT_TRUE(holds(condition)) << condition;
  EXPECT_TRUE(holds("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 - 4 - 3 == 3 && 100 / 10 / 5 == 2"));
  EXPECT_TRUE(holds("0 ? 0 : 1 ? 1 : 0"));
  EXPECT_TRUE(holds("(1 ? 2 : 3) == 2 && (0 ? 2 : 3) == 3"));
  EXPECT_TRUE(holds("-1 < 0 && -1 > 0u && 0x10 == 16 && 010 == 8 && 'a' == 97 && '\\n' == 10 && 3UL == 3"));
  EXPECT_TRUE(holds(
      "(1 << 4 | 1) == 17 && (-8 >> 1) == -4 && (6 & 3) == 2 && (6 ^ 3) == 5 && ~0 == -1 && 7 % 4 == 3"));
  EXPECT_TRUE(holds("1 || 1 / 0")) << "what is not needed may be wrong";
  EXPECT_TRUE(holds("!(0 && 1 % 0) && (1 ? 1 : 1 / 0)"));
  EXPECT_FALSE(holds("0"));
  EXPECT_FALSE(holds("!ONE"));
  EXPECT_FALSE(holds("1 == 1 == 2"));
  EXPECT_EQ(preprocessed("#define HAS defined(N)\n#if HAS\na\n#endif\n#define N\n#if HAS\nb\n#endif\n"), "b");
}

TEST(Preprocess, Branches) {
  const std::string branches =
      "#ifdef A\na\n#elif B > 1\nb\n#elif defined C\nc\n#else\nd\n# if 1 / 0\nnever\n#endif\n#endif\ne\n";
  EXPECT_EQ(preprocessed("#define A\n#define B 2\n#if 1\n#ifdef A\n#elif 1/0\nx\n#endif\n#endif\n", {}), "")
      << "an unneeded condition is not read";
  EXPECT_EQ(preprocessed("#define A\n" + branches.substr(0, branches.find("# if")) + "#endif\ne\n"), "a|e");
  EXPECT_EQ(preprocessed("#define B 2\n" + branches.substr(0, branches.find("# if")) + "#endif\ne\n"), "b|e");
  EXPECT_EQ(preprocessed("#define C\n" + branches), "c|e");
  EXPECT_EQ(preprocessed("#if 0\nit's \"open /* here\n#nonsense\n#include \"nowhere\"\n#endif\nx\n"), "x");
}

TEST(Preprocess, LinesAndComments) {
  EXPECT_EQ(preprocessed("a /* it's\n # */ b // c \\\n still a comment\nd\n"), "a|b|d");
  EXPECT_EQ(preprocessed("#define N 1 \\\n + /* a\n */ 2\nN\n"), "1 + 2");
  EXPECT_EQ(preprocessed("ab\\\ncd \\ \n e\r\nf\rg\n"), "abcd|e|f|g");
  EXPECT_EQ(preprocessed("/* one */ # /* two */ define /* three */ N /* four */ 1\nN\n"), "1");
  EXPECT_EQ(preprocessed("#define f(a, b) a b\nf(1,\n2) x\nf\n(3, 4) y\n"), "1 2|x|3 4|y")
      << "a call ends up on one line, and what follows it on its own";
  EXPECT_EQ(preprocessed("#define f(a) a\nf(\n#ifdef f\n1\n#else\n2\n#endif\n)\n"), "1");
  EXPECT_EQ(preprocessed("x don't N\n"), "x don't N");
  EXPECT_EQ(preprocessed("x\\\n+y z\n"), "x+y|z") << "as gcc writes it";
}

TEST(Preprocess, SpacesWhereTokensWouldMerge) {
  EXPECT_EQ(preprocessed("#define N -1\n#define E\nx=-N+E+1 -E- 2 c!N a N..3 1..N\n"),
            "x=- -1 + +1 - - 2 c!-1 a -1 ..3 1..N");
  EXPECT_EQ(preprocessed("#define NOT !\n#define SEP :\nc!NOT x :SEP: y\n"), "c!! x : : : y")
      << "as gcc writes it";
}

TEST(Preprocess, BuiltinsAndMarkers) {
  EXPECT_EQ(preprocessed("__LINE__\n#line 40 \"other\"\n__LINE__ __FILE__\n# 7\n__LINE__\n"),
            "1|40 \"other\"|7");
  EXPECT_EQ(preprocessed("#define here(x) x __LINE__\n\nhere(\n__LINE__)\n__FILE__\n"), "3 3|\"model.pml\"");
  EXPECT_EQ(preprocessed("#pragma once\n#ident \"x\"\n#\nx\n"), "x");
}

TEST(Preprocess, DefinitionsOfTheCommandLine) {
  PreprocessOptions options;
  options.defines = {"N=2", "DEBUG", "SQUARE(x)=x*x"};
  EXPECT_EQ(preprocessed("N DEBUG SQUARE(3)\n", options), "2 1 3*3");
  options.defines = {"N=2"};
  EXPECT_EQ(complaints("#define N 3\nN\n", options),
            "1:9 warning macro-redefined: macro 'N' is defined a second time, and differently (this "
            "definition counts "
            "from here on; write #undef before it if that is meant) [1:9 the first definition]\n");
  EXPECT_EQ(complaints("#define N 2\nN\n", options), "");
}

TEST(Preprocess, EveryErrorAtOnce) {
  EXPECT_EQ(
      complaints(
          "#defin N 1\n#define\n#define 1x\n#define f(a,a) a\n#define g(a\n#define h #\n#define s(a) #b\n"
          "#define p ## x\n#undef\n#include x\n#ifdef\n#endif\n#error it's wrong\n#warning look\n"),
      "1:2 error unknown-directive: there is no directive '#defin' (did you mean '#define'?)\n"
      "2:2 error bad-macro: #define needs the name of a macro (write #define NAME text)\n"
      "3:9 error bad-macro: a macro cannot be called '1x' (its name has letters, digits and _, and starts "
      "with no "
      "digit)\n"
      "4:13 error bad-macro: the macro has two parameters 'a' (write #define NAME(a, b) text, or a space "
      "before ( "
      "that belongs to the text)\n"
      "5:11 error bad-macro: the parameters of the macro are not closed with ')' (write #define NAME(a, b) "
      "text, or "
      "a space before ( that belongs to the text)\n"
      "7:14 error bad-macro: # makes a string of a parameter, and no parameter follows (a macro cannot "
      "contain a "
      "directive)\n"
      "8:11 error bad-macro: ## stands at an end of the macro and has nothing to paste there (put a token on "
      "both "
      "sides of it)\n"
      "9:2 error bad-directive: #undef needs the name of a macro (write #undef NAME)\n"
      "10:2 error bad-directive: #include needs the name of a file (write #include \"file\")\n"
      "11:2 error bad-directive: #ifdef needs the name of a macro (write #ifdef NAME)\n"
      "13:1 error error-directive: #error it's wrong\n"
      "14:1 warning warning-directive: #warning look\n");
}

TEST(Preprocess, WrongConditions) {
  const auto message = [](const std::string& condition) {
    const std::string all = complaints("#if " + condition + "\n#endif\n");
    return all.substr(0, std::min(all.find(" (write"), all.find(" (conditions")));
  };
  EXPECT_EQ(message(""), "1:2 error bad-condition: this condition is empty");
  EXPECT_EQ(message("1 +"), "1:7 error bad-condition: this condition stops in the middle\n");
  EXPECT_EQ(message("(1 + 2"), "1:5 error bad-condition: this ( is never closed\n");
  EXPECT_EQ(message("1 ? 2"), "1:7 error bad-condition: this ? has no :\n");
  EXPECT_EQ(message("1)"), "1:6 error bad-condition: expected an operator, found ')'");
  EXPECT_EQ(message("1 = 1"), "1:7 error bad-condition: expected an operator, found '='");
  EXPECT_EQ(message("\"x\""), "1:5 error bad-condition: expected an integer, found '\"x\"'");
  EXPECT_EQ(message("1.5"), "1:5 error bad-condition: expected an integer, found '1.5'");
  EXPECT_EQ(message("2 / 0"), "1:7 error bad-condition: this divides by zero\n");
  EXPECT_EQ(message("defined 3"), "1:5 error bad-condition: 'defined' asks about one name");
}

TEST(Preprocess, UnmatchedConditions) {
  EXPECT_EQ(complaints("#endif\n#else\n#if 1\n#else\n#else\n#elif 1\n#endif\n#ifdef A\n#if 1\n"),
            "1:2 error unmatched-conditional: #endif stands outside any condition (there is no #if, #ifdef "
            "or #ifndef for "
            "it in this file)\n"
            "2:2 error unmatched-conditional: #else stands outside any condition (there is no #if, #ifdef or "
            "#ifndef for "
            "it in this file)\n"
            "5:2 error unmatched-conditional: #else stands behind #else (#else is the last branch of a "
            "condition) [3:2 "
            "the condition]\n"
            "6:2 error unmatched-conditional: #elif stands behind #else (#else is the last branch of a "
            "condition) [3:2 "
            "the condition]\n"
            "8:2 error unmatched-conditional: this condition has no #endif in its file (write #endif where "
            "the text that "
            "depends on it ends)\n"
            "9:2 error unmatched-conditional: this condition has no #endif in its file (write #endif where "
            "the text that "
            "depends on it ends)\n");
}

TEST(Preprocess, WrongCalls) {
  EXPECT_EQ(complaints("#define f(a, b) a b\nf(1)\nf(1, 2, 3)\n#define c(a, b) a ## b\nc(+, x)\nf(1,\n"),
            "2:1 error macro-arguments: macro 'f' takes 2 arguments, 1 given [1:9 defined here]\n"
            "3:1 error macro-arguments: macro 'f' takes 2 arguments, 3 given [1:9 defined here]\n"
            "5:3 error bad-paste: pasting '+' and 'x' with ## makes no token (## joins the parts of one "
            "name, number or "
            "operator; without it both stand side by side)\n"
            "6:1 error macro-arguments: the arguments of macro 'f' are never closed (close them with ))\n");
}

// What is wrong in a macro's text is reported where the macro is called; what is wrong in an argument where
// it is written.
TEST(Preprocess, PlacesOfExpandedText) {
  EXPECT_EQ(
      testing::load_text(
          "#define set(v, e) v = e + nowhere\nbyte x;\ninit {\n  set(x, 1);\n  set(y,\n      2) }\n")
          .messages(),
      "4:3 error unknown-name: 'nowhere' is not declared [1:9 in the text of macro 'set', defined here]\n"
      "5:7 error unknown-name: 'y' is not declared\n");
  EXPECT_EQ(testing::load_text("#define N 3\nbyte a[N];\ninit { a[1..N] = 2 }\n").messages().substr(0, 18),
            "3:11 error syntax:");
}

}  // namespace
}  // namespace parley::front::promela
