// The action language: expressions, loops, operations, arrays, references, errors. Values worked out by hand
// with Java's rules.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace {

// Runs statements as the entry of the only state.
std::set<std::string> results(const std::string& members, const std::string& statements,
                              const std::map<std::string, std::string>& switches = {}) {
  return runs(
      machine("signal sig(int v);", members, "initial -> s; state s { entry { " + statements + " } }"),
      switches);
}

}  // namespace

TEST(Actions, OperatorsAsInJava) {
  EXPECT_THAT(
      results(
          "",
          "out = 7 / -2; out = -7 % 3; out = 1 << 33; out = -8 >> 1; out = -1 >>> 28; out = ~5 & 3 | 8 ^ 1;"),
      ElementsAre("-3 -1 2 -4 15 11"));  // ~5 & 3 = 2; 8 ^ 1 = 9; 2 | 9 = 11
  EXPECT_THAT(results("int x = 2147483647;", "x = x + 1; out = x;"), ElementsAre("-2147483648"));
}

TEST(Actions, IntegerSwitch) {
  EXPECT_THAT(results("int x = 2147483647;", "out = 1; out = x + 1;", {{"integers", "error"}}),
              ElementsAre("1 !error"));
  // Assumed not to overflow: such a start does not exist.
  EXPECT_THAT(results("int x = 2147483647;", "out = 1; out = x + 1;", {{"integers", "no-overflow"}}),
              ElementsAre());
}

TEST(Actions, AssignmentOperators) {
  EXPECT_THAT(results("int x = 10;",
                      "x += 5; out = x; x -= 3; out = x; x *= 2; out = x; x /= 5; out = x; x %= 3; out = x; "
                      "x <<= 4; out = x; x++; out = x; x--; out = x;"),
              ElementsAre("15 12 24 4 1 16 17 16"));
}

TEST(Actions, LoopsAndLocals) {
  EXPECT_THAT(
      results("",
              "int s = 0; for (k in 1..4) { s += k; } out = s; while (s > 3) limit 10 { s -= 4; } out = s;"),
      ElementsAre("10 2"));
  EXPECT_THAT(results("", "int s = 0; for (k in 1..100) { s += k; } out = s;"),
              ElementsAre("5050"));  // not unrolled
  EXPECT_THAT(results("", "int s = 9; while (s > 0) limit 3 { s--; }"), ElementsAre("!error"));
}

TEST(Actions, ChoiceOfStatementsAndValues) {
  EXPECT_THAT(results("", "either { out = 1; } or { out = 2; } or { out = 3; }"),
              UnorderedElementsAre("1", "2", "3"));
  EXPECT_THAT(results("", "out = any(1..2) * 10 + any(1..2);"), UnorderedElementsAre("11", "12", "21", "22"));
}

TEST(Actions, AssertAndRanges) {
  EXPECT_THAT(results("int(0..3) r = 3;", "assert r == 3; out = 1; r = r + 1;"), ElementsAre("1 !error"));
  EXPECT_THAT(results("", "int(0..3) l = 2; l = l * 2; out = 1;"), ElementsAre("!error"));
  EXPECT_THAT(results("int x = 3;", "out = 1; assert x > 3 : \"too small\";"), ElementsAre("1 !assert"));
  EXPECT_THAT(results("int z = 0;", "out = 1; out = 1 / z;"), ElementsAre("1 !error"));
}

TEST(Actions, ArraysAndIndices) {
  EXPECT_THAT(
      results("int a[3]; int k = 1;", "a[k] = 5; a[k + 1] = a[k] + 1; k = 2; out = a[k]; out = a[0];"),
      ElementsAre("6 0"));
  EXPECT_THAT(results("int a[3]; int k = 3;", "out = 1; a[k] = 5;"), ElementsAre("1 !error"));
}

TEST(Actions, OperationsInEffectsAndGuards) {
  const std::string members = R"(
    int n = 4;
    int square(int x) { return x * x; }
    int max(int a, int b) { if (a > b) return a; return b; }
    int bump(int by) { n = n + by; return n; }
    int sum(int to) { int s = 0; for (k in 1..5) { if (k > to) return s; s += k; } return s; }
  )";
  EXPECT_THAT(results(members, "out = square(3) + 1; out = max(2, 7); out = max(n, 2); out = sum(3);"),
              ElementsAre("10 7 4 6"));
  // Left to right: n is 4 before the call and 6 after it.
  EXPECT_THAT(results(members, "out = n + bump(2); out = bump(1) + n;"), ElementsAre("10 14"));
  EXPECT_THAT(results(members, "out = n > 100 && bump(50) > 0 ? 1 : 0; out = n;"), ElementsAre("0 4"));
  // In a guard: unfolded to an expression.
  EXPECT_THAT(runs(machine("signal v(int x);", members, R"(
    initial / { send v(3) to this; send v(2) to this; } -> s;
    state s { A: on v(x) [max(sum(x), n) == 6] -> s; B: on v(x) [else] -> s; })")),
              ElementsAre("A B"));  // sum(3) = 6; sum(2) = 3, max(3, 4) = 4
}

TEST(Actions, ErrorsOfOperationsInGuards) {
  // A loop beyond its limit and a value outside its range are run-time errors in a guard as well.
  const std::string members = R"(
    int down2(int x) { int y = x; while (y > 0) limit 3 { y = y - 1; } return y; }
    int small(int x) { int(0..3) y = x; return y; }
  )";
  const auto guarded = [&](const std::string& guard) {
    return runs(machine("signal v(int x);", members, R"(
      initial / { send v(3) to this; send v(4) to this; } -> s;
      state s { A: on v(x) [)" + guard + R"(] -> s; })"));
  };
  EXPECT_THAT(guarded("down2(x) == 0"), ElementsAre("A !error"));
  EXPECT_THAT(guarded("small(x) == x"), ElementsAre("A !error"));
}

TEST(Actions, ReferencesFieldsAndCallsOnOthers) {
  EXPECT_THAT(runs(R"(
    class Box { int v; int twice() { return v * 2; } void put(int x) { v = x; } }
    class A { int out; Box a; Box b; Box c;
      machine { initial -> s; state s { entry {
        a.v = 3; b = a; b.v = b.v + 1; out = a.v; out = b.twice(); b.put(9); out = a.v; b = c; out = b == null ? 1 : 0; out = b.v; } } } }
    system { x : Box; y : A { a = x; b = x; } })"),
              ElementsAre("4 8 9 1 !error"));
}

TEST(Actions, InheritedAttributesAndOperations) {
  EXPECT_THAT(runs(R"(
    class Shape { int side = 1; int area() { return side * side; } }
    class Square : Shape { int colour; }
    class A { int out; Shape s;
      machine { initial -> u; state u { entry { out = s.area(); s.side = 3; out = s.area(); } } } }
    system { p : Shape; q : Square { side = 2; } a : A { s = q; } })"),
              ElementsAre("4 9"));
}

TEST(Actions, SeveralSendsKeepTheirOrder) {
  EXPECT_THAT(runs(machine("signal v(int x);", "", R"(
    initial / { for (k in 1..3) { send v(k) to this; } } -> s;
    state s { on v(x) / { out = x; } -> s; })")),
              ElementsAre("1 2 3"));
}

TEST(Actions, WiredReferencesAreKnown) {
  // `peer` is never assigned: sending to it has one possible receiver, so the footprint is exact.
  const auto l = load(R"(
    signal x;
    class A { A peer; machine { initial -> s; state s { -> t; } state t { entry { send x to peer; } } } }
    system { a[3] : A { peer = a[(i + 1) % 3]; } })");
  ASSERT_TRUE(l->lowered) << l->report();
  for (const system::Stmt& s : l->system().stmts)
    if (s.kind == system::StmtKind::Send) {
      EXPECT_EQ(s.routes.size(), 1u);
    }
}
