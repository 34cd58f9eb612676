// Formulas as values: what builders fold, text in both syntaxes, normal forms, what shapes say, and sizes at
// which recursion would end.
#include "ltl/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ltl/build.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/lasso.hpp"
#include "ltl/random_formula.hpp"
#include "ltl/simplify.hpp"
#include "ltl/strength.hpp"
#include "ltl/stutter.hpp"

namespace parley::ltl {
namespace {

struct Text {
  Store store;
  std::vector<std::string> names = {"a", "b", "c", "d"};

  FormulaId operator()(std::string_view text) {
    const Parsed parsed = parse(store, text, names);
    EXPECT_TRUE(parsed.formula.valid()) << text << ": " << parsed.error;
    return parsed.formula;
  }
  std::string shown(FormulaId f, Syntax syntax = Syntax::Parley) { return show(store, f, names, syntax); }
  std::string simple(std::string_view text) { return shown(simplify(store, (*this)(text))); }
  std::string error(std::string_view text) { return parse(store, text, names).error; }
};

TEST(Formula, EqualFormulasAreOne) {
  Text text;
  EXPECT_EQ(text("a U (b && c)"), text("(a U ((b /\\ c)))"));
  EXPECT_NE(text("a U b"), text("b U a"));
  EXPECT_EQ(text("[] <> a"), text("G F a"));
  EXPECT_EQ(text("a V b"), text("a R b"));
}

TEST(Formula, BuildersFoldConstantsOnly) {
  Text text;
  EXPECT_EQ(text("a && true"), text("a"));
  EXPECT_EQ(text("a || !a"), text("true"));
  EXPECT_EQ(text("!!a"), text("a"));
  EXPECT_EQ(text("true U a"), text("F a"));
  EXPECT_EQ(text("false R a"), text("G a"));
  EXPECT_NE(text("X true"), text("true"));  // on finite words it is not
  EXPECT_NE(text("F F a"), text("F a"));
}

TEST(Formula, OperatorsBindAsWritten) {
  Text text;
  EXPECT_EQ(text("a -> b -> c"), text("a -> (b -> c)"));
  EXPECT_EQ(text("a U b U c"), text("a U (b U c)"));
  EXPECT_EQ(text("a && b || c"), text("(a && b) || c"));
  EXPECT_EQ(text("G a -> F b U c"), text("(G a) -> ((F b) U c)"));
  EXPECT_EQ(text("a W b"), text("b R (a || b)"));
  EXPECT_EQ(text("a M b"), text("b U (a && b)"));
}

TEST(Formula, TextIsReadBack) {
  Text text;
  EXPECT_EQ(text.shown(text("G (a -> F b)")), "G (!a || F b)");
  EXPECT_EQ(text.shown(text("G (a -> F b)"), Syntax::Arrows), "G (a -> F b)");
  EXPECT_EQ(text.shown(text("(a && b) -> c W d"), Syntax::Arrows), "(a && b) -> (c W d)");
  EXPECT_EQ(text.shown(text("a W b")), "a W b");
  EXPECT_EQ(text.shown(text("[] (a V !b)"), Syntax::Spin), "[] (a V !b)");
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Text random;
    random::Source source(seed);
    const FormulaId f = random::formula(random.store, source, {10, 4, true});
    EXPECT_EQ(random(random.shown(f)), f) << random.shown(f);
    EXPECT_EQ(random(random.shown(f, Syntax::Arrows)), f) << random.shown(f, Syntax::Arrows);
    EXPECT_EQ(random(random.shown(f, Syntax::Spin)), f) << random.shown(f, Syntax::Spin);
  }
}

TEST(Formula, WrongTextIsRefusedWithItsPlace) {
  Text text;
  EXPECT_EQ(text.error("a U"), "a formula is missing at character 4");
  EXPECT_EQ(text.error("(a"), "a bracket is not closed at character 3");
  EXPECT_EQ(text.error("a b"), "an operator is missing at character 3");
  EXPECT_EQ(text.error("a)"), "an operator is missing at character 2");
  EXPECT_EQ(text.error("a ? b"), "an unknown sign at character 3");
  EXPECT_EQ(text.error(""), "a formula is missing at character 1");
  std::string many = "x0";
  for (int i = 1; i < 61; ++i) many += " && x" + std::to_string(i);
  EXPECT_THAT(text.error(many), testing::HasSubstr("more than 64 propositions"));
}

TEST(Formula, NegationGoesToThePropositions) {
  Text text;
  EXPECT_EQ(text.shown(positive_normal_form(text.store, text("!(a U (b && X c))"))), "!a R (!b || X !c)");
  EXPECT_EQ(text.shown(negated_normal_form(text.store, text("G (a -> F b)"))), "F (a && G !b)");
}

// By hand, from the laws in the comments of ltl/simplify.cpp.
TEST(Formula, IsSimplified) {
  Text text;
  EXPECT_EQ(text.simple("F F a"), "F a");
  EXPECT_EQ(text.simple("G F G F a"), "G F a");
  EXPECT_EQ(text.simple("F (a U b)"), "F b");
  EXPECT_EQ(text.simple("a U (a U b)"), "a U b");
  EXPECT_EQ(text.simple("(a && b) U a"), "a");
  EXPECT_EQ(text.simple("G F a || G F b"), "G F (a || b)");
  EXPECT_EQ(text.simple("X G F a"), "G F a");
  EXPECT_EQ(text.simple("(a U b) && F b"), "a U b");
  EXPECT_EQ(text.simple("G a && F !a"), "false");
  EXPECT_EQ(text.simple("F a || G !a"), "true");
  EXPECT_EQ(text.simple("X a && X b"), "X (a && b)");
  EXPECT_EQ(text.simple("F (a && G F b)"), "F a && G F b");
}

TEST(Formula, ClassesByShape) {
  Text text;
  const auto class_name = [&](std::string_view f) { return name_of(class_of(text.store, text(f))); };
  EXPECT_EQ(class_name("a && !b"), "boolean");
  EXPECT_EQ(class_name("G (a -> b)"), "invariant");
  EXPECT_EQ(class_name("G (a -> (b W c))"), "safety");
  EXPECT_EQ(class_name("!G a"), "guarantee");
  EXPECT_EQ(class_name("F a -> (!b U a)"), "obligation");
  EXPECT_EQ(class_name("G (a -> F b)"), "recurrence");
  EXPECT_EQ(class_name("F G a"), "persistence");
  EXPECT_EQ(class_name("G F a -> G F b"), "reactivity");
}

TEST(Formula, RepetitionIsSeenByNextOnly) {
  Text text;
  EXPECT_TRUE(stutter_invariant(text.store, text("G (a -> F b)")));
  EXPECT_FALSE(stutter_invariant(text.store, text("X a")));
  EXPECT_FALSE(stutter_invariant(text.store, text("G (a -> X !a)")));
  // Next, but only to say that something changes (a falling edge of a, with b)..
  EXPECT_TRUE(stutter_invariant(text.store, text("F (a && X (!a && b))")));
  EXPECT_TRUE(stutter_invariant(text.store, text("G F X a")));
}

TEST(Formula, TruthByHand) {
  Text text;
  const Letter none = 0, a = 1, b = 2;
  const TruthTable table = evaluate(text.store, text("a U b"), {{a, a, b}, {none, a}});
  ASSERT_EQ(table.formulas.size(), 3u);
  EXPECT_EQ(table.formulas.back(), text("a U b"));
  EXPECT_THAT(table.rows.back(), testing::ElementsAre(true, true, true, false, false));
  EXPECT_TRUE(holds(text.store, text("G F a && F G !b"), {{a, a, b}, {none, a}}));
  EXPECT_FALSE(holds(text.store, text("F G a"), {{a}, {none, a}}));
  EXPECT_TRUE(holds(text.store, text("b R a"), {{}, {a}}));
}

TEST(Formula, TruthOnFiniteWordsByHand) {
  Text text;
  const Letter a = 1, b = 2;
  const auto finite_truth = [&](std::string_view f, std::vector<Letter> word) {
    return holds_finite(text.store, text(f), word);
  };
  EXPECT_FALSE(finite_truth("X true", {a}));
  EXPECT_TRUE(finite_truth("!X a", {a}));
  EXPECT_TRUE(finite_truth("F !X true", {a, b}));  // there is a last position
  EXPECT_TRUE(finite_truth("G a", {a, a}));
  EXPECT_FALSE(finite_truth("G F a", {a, b}));  // the last position has no a
  EXPECT_TRUE(finite_truth("b R a", {a, a}));
}

// Ten thousand operators in every way that could be deep.
TEST(Formula, DepthOverflowsNothing) {
  constexpr int kMany = 10'000;
  const auto nested = [&](auto wrap) {
    Text text;
    FormulaId f = text("a");
    for (int i = 0; i < kMany; ++i)
      f = wrap(text.store, f, text.store.atom(static_cast<std::uint32_t>(i % 4)));
    const Lasso word{{1, 2, 3}, {0, 1}};
    EXPECT_EQ(holds(text.store, positive_normal_form(text.store, f), word), holds(text.store, f, word));
    EXPECT_EQ(holds(text.store, simplify(text.store, f), word), holds(text.store, f, word));
    EXPECT_LT(text.shown(f).size(), kLongestText + 100);
    class_of(text.store, f);
    TranslationLimits limits;
    limits.work = 200'000;
    automaton_of(text.store, f, limits);
  };
  nested([](Store& s, FormulaId f, FormulaId) { return s.next(f); });
  nested([](Store& s, FormulaId f, FormulaId) { return s.always(s.eventually(s.next(f))); });
  nested([](Store& s, FormulaId f, FormulaId p) { return s.until(f, p); });
  nested([](Store& s, FormulaId f, FormulaId p) { return s.release(p, s.negate(f)); });
  nested([](Store& s, FormulaId f, FormulaId p) { return s.both(p, s.next(f)); });
  nested([](Store& s, FormulaId f, FormulaId p) { return s.both(f, s.next(p)); });
  nested([](Store& s, FormulaId f, FormulaId p) { return s.iff(f, p); });
}

TEST(Formula, DeepTextIsRead) {
  Text text;
  std::string brackets(20'000, '(');
  brackets += "a" + std::string(20'000, ')');
  EXPECT_EQ(text(brackets), text("a"));
  std::string not_closed(20'000, '!');
  EXPECT_NE(text.error(not_closed), "");
}

}  // namespace
}  // namespace parley::ltl
