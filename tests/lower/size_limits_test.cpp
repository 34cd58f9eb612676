// Models that are small as graphs and endless as trees: refused with their place, soon.
#include <fmt/format.h>

#include "lower/harness.hpp"
#include "system/limits.hpp"

namespace parley::lower::test {
namespace {

std::string codes(const std::string& text) {
  std::string result;
  const auto loaded = load(text);
  for (const diag::Diagnostic& d : loaded->diagnostics.all())
    if (d.severity == diag::Severity::Error) result += d.code + " ";
  return result;
}

// Each choice has two ways to the next one: 2^length ways.
std::string choices(int length) {
  std::string chain;
  for (int i = 0; i < length; ++i)
    chain += fmt::format("choice k{} {{ [b] -> k{}; [else] / {{ x = {}; }} -> k{}; }}\n", i, i + 1, i, i + 1);
  return "signal go; class C { int x; bool b; machine { initial -> s; state s { on go -> k0; }\n" + chain +
         fmt::format("choice k{} {{ [else] -> s; }} }} }} system {{ c : C; }}", length);
}

// Each operation calls the next one twice.
std::string operations(int length) {
  std::string text;
  for (int i = 0; i < length; ++i)
    text += fmt::format("int f{}() {{ return f{}() + f{}(); }}\n", i, i + 1, i + 1);
  return "signal go; class C { int x;\n" + text +
         fmt::format(
             "int f{}() {{ return x; }}\nmachine {{ initial -> s; state s {{ on go / {{ x = f0(); }} -> s; "
             "}} }} }} system {{ c : C; }}",
             length);
}

TEST(SizeLimits, ChoicesInARow) {
  EXPECT_EQ(codes(choices(8)), "");
  EXPECT_EQ(codes(choices(40)), "too-many-routes ");
  EXPECT_EQ(codes(choices(500)), "too-many-routes ");
}

TEST(SizeLimits, OperationsThatCallTwice) {
  EXPECT_EQ(codes(operations(8)), "");
  EXPECT_EQ(codes(operations(40)), "too-deep ");
}

// The limits themselves, on a System of known size: `depth` sums around a cell, and as many blocks around a
// skip.
TEST(SizeLimits, AreExact) {
  const auto measured = [](std::uint32_t depth, std::uint32_t sharing) {
    system::System s;
    system::Stmt leaf;
    system::StmtId at = s.add(leaf);
    for (std::uint32_t i = 1; i < depth; ++i) {
      system::Stmt block;
      block.children.assign(sharing, at);
      at = s.add(block);
    }
    s.initial_body = at;
    system::SizeLimits limits;
    limits.statement_depth = 20;
    limits.statements = 1000;
    const auto found = system::find_oversize(s, limits);
    return found ? found->code : "";
  };
  EXPECT_EQ(measured(20, 1), "");
  EXPECT_EQ(measured(21, 1), "too-deep");
  EXPECT_EQ(measured(9, 2), "");                  // 2^9 - 1 statements
  EXPECT_EQ(measured(10, 2), "too-many-routes");  // 2^10 - 1
}

TEST(SizeLimits, DepthOfExpressions) {
  system::System s;
  expr::ExprId x = s.exprs.local(0, expr::Type::integer());
  for (int i = 1; i < 20; ++i) x = s.exprs.binary(expr::Op::Add, x, s.exprs.local(1, expr::Type::integer()));
  system::SizeLimits limits;
  limits.expression_depth = 20;
  EXPECT_FALSE(system::find_oversize(s, limits));
  limits.expression_depth = 19;
  ASSERT_TRUE(system::find_oversize(s, limits));
  EXPECT_EQ(system::find_oversize(s, limits)->code, "too-deep");
}

}  // namespace
}  // namespace parley::lower::test
