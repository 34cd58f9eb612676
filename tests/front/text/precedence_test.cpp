// How expressions and formulas are grouped: Java's order of operators (JLS 15), the temporal ones around it,
// and that the formatter's parentheses keep the grouping.
#include <gtest/gtest.h>

#include "front/text/support.hpp"
#include "model/show.hpp"

namespace parley::front::text {
namespace {

std::string tree(const model::Expr& e) {
  using model::ExprKind;
  switch (e.kind) {
    case ExprKind::IntLiteral:
      return std::to_string(e.value);
    case ExprKind::Unary:
      return "(" + std::string(spelling(e.op)) + " " + tree(*e.operands[0]) + ")";
    case ExprKind::Binary:
      return "(" + tree(*e.operands[0]) + " " + std::string(spelling(e.op)) + " " + tree(*e.operands[1]) +
             ")";
    case ExprKind::Conditional:
      if (e.op == model::Operator::Implies)
        return "(" + tree(*e.operands[0]) + " -> " + tree(*e.operands[1]) + ")";
      return "(" + tree(*e.operands[0]) + " ? " + tree(*e.operands[1]) + " : " + tree(*e.operands[2]) + ")";
    case ExprKind::Name:
      return e.text;
    case ExprKind::Field:
      return tree(*e.operands[0]) + "." + e.text;
    case ExprKind::Index:
      return tree(*e.operands[0]) + "[" + tree(*e.operands[1]) + "]";
    case ExprKind::InState:
      return "(" + tree(*e.operands[0]) + " in " + e.text + ")";
    case ExprKind::QueueHas:
      return "(" + tree(*e.operands[0]) + " has " + e.text + ")";
    case ExprKind::Forall:
      return "(forall " + e.text + " " + tree(*e.operands[1]) + ")";
    default:
      return model::show(e);
  }
}

std::string tree(const model::Formula& f) {
  using Kind = model::Formula::Kind;
  const auto infix = [&](const char* op) {
    return "<" + tree(*f.operands[0]) + " " + op + " " + tree(*f.operands[1]) + ">";
  };
  switch (f.kind) {
    case Kind::Predicate:
      return tree(*f.expression);
    case Kind::Event:
      return "<" + model::show(*f.event) + ">";
    case Kind::Not:
      return "<! " + tree(*f.operands[0]) + ">";
    case Kind::Globally:
      return "<G " + tree(*f.operands[0]) + ">";
    case Kind::Finally:
      return "<F " + tree(*f.operands[0]) + ">";
    case Kind::Next:
      return "<X " + tree(*f.operands[0]) + ">";
    case Kind::And:
      return infix("&&");
    case Kind::Or:
      return infix("||");
    case Kind::Implies:
      return infix("->");
    case Kind::Iff:
      return infix("<->");
    case Kind::Until:
      return infix("U");
    case Kind::WeakUntil:
      return infix("W");
    case Kind::Release:
      return infix("R");
    case Kind::Forall:
    case Kind::Exists:
      return std::string(f.kind == Kind::Forall ? "<forall " : "<exists ") + f.variable + " " +
             tree(*f.operands[0]) + ">";
    case Kind::Pattern: {
      static constexpr const char* kPatterns[] = {"never",   "eventually", "always",
                                                  "at most", "precedes",   "leads to"};
      static constexpr const char* kScopes[] = {"", " before", " after", " between", " after-until"};
      std::string out = std::string("<") + kPatterns[static_cast<int>(f.pattern->pattern)] +
                        kScopes[static_cast<int>(f.pattern->scope)];
      for (const model::FormulaPtr& o : f.operands) out += " " + tree(*o);
      return out + ">";
    }
  }
  return {};
}

model::CheckDecl parse_check(const std::string& text) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model m = parse(sources, sources.add("t", "check " + text + ";"), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << text << "\n" << diag::render(sources, diagnostics.sorted());
  if (m.checks.empty()) return {};
  return std::move(m.checks[0]);
}

struct Case {
  const char* text;
  const char* grouped;
};

TEST(Precedence, ExpressionsAsInJava) {
  static constexpr Case kCases[] = {
      {"a + b * c", "(a + (b * c))"},
      {"a * b + c", "((a * b) + c)"},
      {"a - b - c", "((a - b) - c)"},
      {"a / b % c * d", "(((a / b) % c) * d)"},
      {"a << b + c", "(a << (b + c))"},
      {"a >> b >>> c", "((a >> b) >>> c)"},
      {"a < b << c", "(a < (b << c))"},
      {"a == b < c", "(a == (b < c))"},
      {"a & b == c", "(a & (b == c))"},
      {"a ^ b & c", "(a ^ (b & c))"},
      {"a | b ^ c", "(a | (b ^ c))"},
      {"a && b | c", "(a && (b | c))"},
      {"a || b && c", "(a || (b && c))"},
      {"a && b || c && d", "((a && b) || (c && d))"},
      {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
      {"a || b ? c : d", "((a || b) ? c : d)"},
      {"a ? b ? c : d : e", "(a ? (b ? c : d) : e)"},
      {"-a * b", "((- a) * b)"},
      {"!a && b", "((! a) && b)"},
      {"~a + -b", "((~ a) + (- b))"},
      {"-a.b[1]", "(- a.b[1])"},
      {"a - -3", "(a - -3)"},
      {"-(-a)", "(- (- a))"},
      {"-2147483648 + 1", "(-2147483648 + 1)"},
      {"(a + b) * c", "((a + b) * c)"},
      {"a - (b - c)", "(a - (b - c))"},
      {"a != b == c", "((a != b) == c)"},
      {"a in s.t && b has m", "((a in s.t) && (b has m))"},
      {"!a in s", "(! (a in s))"},
      {"!(a in s)", "(! (a in s))"},
      {"a -> b -> c", "(a -> (b -> c))"},
      {"a || b -> c && d", "((a || b) -> (c && d))"},
      {"a -> b <-> c", "((a -> b) == c)"},
      {"forall (p : q) p.x > 0 && a", "(forall p ((p.x > 0) && a))"},
  };
  for (const Case& c : kCases) {
    const model::CheckDecl check = parse_check("always " + std::string(c.text));
    ASSERT_TRUE(check.expression) << c.text;
    EXPECT_EQ(tree(*check.expression), c.grouped) << c.text;
    const std::string printed = model::show(*check.expression);
    const model::CheckDecl again = parse_check("always " + printed);
    ASSERT_TRUE(again.expression) << printed;
    EXPECT_EQ(tree(*again.expression), c.grouped) << "printed as " << printed;
    EXPECT_EQ(model::show(*again.expression), printed);
  }
}

TEST(Precedence, FormulasBindAsUsualInTemporalLogic) {
  static constexpr Case kCases[] = {
      {"G a", "<G a>"},
      {"G F a", "<G <F a>>"},
      {"G (a -> F b)", "<G <a -> <F b>>>"},
      {"G a && F b", "<<G a> && <F b>>"},
      {"F a.x == 1", "<F (a.x == 1)>"},
      {"!F a || b", "<<! <F a>> || b>"},
      {"a U b U c", "<a U <b U c>>"},
      {"a U b && c", "<<a U b> && c>"},
      {"a && b U c", "<a && <b U c>>"},
      {"a W b || c R d", "<<a W b> || <c R d>>"},
      {"X X a", "<X <X a>>"},
      {"F a -> G b -> X c", "<<F a> -> <<G b> -> <X c>>>"},
      {"G a <-> F b", "<<G a> <-> <F b>>"},
      {"a receives s -> F (b sends t)", "<<a receives s> -> <F <b sends t>>>"},
      {"!a receives s", "<! <a receives s>>"},
      {"F a in s", "<F (a in s)>"},
      {"G (a && b || c)", "<G ((a && b) || c)>"},
      {"G in s || F (G has m)", "<(G in s) || <F (G has m)>>"},  // an object called G
      {"F.x > 0 U X.y > 1", "<(F.x > 0) U (X.y > 1)>"},
      {"`G` && F a", "<G && <F a>>"},
      // Words: infix ones bind like the letters, prefix ones take all that follows.
      {"a until b && c unless d", "<<a U b> && <c W d>>"},
      {"a releases b until c", "<a R <b U c>>"},
      {"always a -> eventually b", "<G <a -> <F b>>>"},
      {"a && always b -> F c", "<a && <G <b -> <F c>>>>"},
      {"next a || next b && F c", "<X <a || <X <b && <F c>>>>>"},
      {"(always F a) && b", "<<G <F a>> && b>"},
      {"next in s -> eventually next.x > 0", "<(next in s) -> <F (next.x > 0)>>"},  // an object called next
      {"always.x > 0 until eventually", "<(always.x > 0) U eventually>"},
      // Events with what they carry.
      {"F a receives s(x, _) where x > 3 && b", "<<F <a receives s(x, _) where x > 3>> && b>"},
      {"a sends s(x) where x == 1 to b -> F c", "<<a sends s(x) to b where x == 1> -> <F c>>"},
      {"F a sends s() to b[1]", "<F <a sends s() to b[1]>>"},
      {"F a receives s(x) where (x > 3 && x < 5)", "<F <a receives s(x) where (x > 3 && x < 5)>>"},
      {"a discards s U a takes t", "<<a discards s> U <a takes t>>"},
      {"forall (p : q) p in s leads to p in t", "<forall p <leads to (p in s) (p in t)>>"},
      {"G exists (p : q) F p in s", "<G <exists p <F (p in s)>>>"},
      // Patterns and scopes.
      {"a leads to b", "<leads to a b>"},
      {"a -> b leads to c || F d", "<leads to (a -> b) <c || <F d>>>"},
      {"a precedes b before c", "<precedes before a b c>"},
      {"never a && b after c || d", "<never after (a && b) (c || d)>"},
      {"eventually a between b and c", "<eventually between a b c>"},
      {"always a -> b after c until d", "<always after-until (a -> b) c d>"},
      {"always a after (b until c) until d", "<always after-until a <b U c> d>"},
      {"a at most 2 times after b", "<at most after a b>"},
      {"a at most (N + 1) times", "<at most a>"},
      {"(a leads to b) && (never c before d)", "<<leads to a b> && <never before c d>>"},
      {"never a receives s", "<never <a receives s>>"},
      {"before in s leads to after in s", "<leads to (before in s) (after in s)>"},
  };
  for (const Case& c : kCases) {
    const model::CheckDecl check = parse_check(c.text);
    ASSERT_TRUE(check.formula) << c.text;
    EXPECT_EQ(tree(*check.formula), c.grouped) << c.text;
    const std::string printed = model::show(*check.formula);
    const model::CheckDecl again = parse_check(printed);
    ASSERT_TRUE(again.formula) << printed;
    EXPECT_EQ(tree(*again.formula), tree(*check.formula)) << "printed as " << printed;
    EXPECT_EQ(model::show(*again.formula), printed);
  }
}

}  // namespace
}  // namespace parley::front::text
