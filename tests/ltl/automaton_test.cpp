// Automata of textbook formulas, with sizes counted by hand, and what limits, drawings and products say.
#include "ltl/automaton.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "automata/patterns.hpp"
#include "ltl/accepts.hpp"
#include "ltl/build.hpp"
#include "ltl/components.hpp"
#include "ltl/degeneralise.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/random_formula.hpp"
#include "ltl/strength.hpp"

namespace parley::ltl {
namespace {

FormulaId parsed(Store& store, std::string_view text) {
  std::vector<std::string> names = {"a", "b", "c", "d"};
  const Parsed result = parse(store, text, names);
  EXPECT_TRUE(result.formula.valid()) << text << ": " << result.error;
  return result.formula;
}

Automaton automaton(std::string_view text) {
  Store store;
  return std::get<Automaton>(automaton_of(store, parsed(store, text)));
}

struct Known {
  std::string_view formula;
  std::size_t states;  // with marks on edges
  unsigned marks;
  std::size_t buchi_states;  // with accepting states
  Strength strength;
};

// The smallest possible, by hand: one state per different future; an accepting state of its own only where
// states must tell "just now" from "still waiting".
TEST(Automaton, TextbookFormulasHaveTheSmallestOnes) {
  const std::vector<Known> all = {
      {"true", 1, 0, 1, Strength::Terminal},
      {"false", 1, 0, 1, Strength::Terminal},
      {"a", 2, 0, 2, Strength::Terminal},
      {"G a", 1, 0, 1, Strength::Weak},
      {"F a", 2, 1, 2, Strength::Terminal},
      {"X X a", 4, 0, 4, Strength::Terminal},
      {"a U b", 2, 1, 2, Strength::Terminal},
      {"a W b", 2, 0, 2, Strength::Weak},
      {"a U (b U c)", 3, 1, 3, Strength::Terminal},
      {"F (a && X b)", 3, 1, 3, Strength::Terminal},
      {"F G a", 2, 1, 2, Strength::Weak},
      {"G F a", 1, 1, 2, Strength::General},
      {"G F a && G F b", 1, 2, 3, Strength::General},
      {"G (a -> F b)", 2, 1, 2, Strength::General},
      {"F (a && G !b)", 2, 1, 2, Strength::Weak},
      {"G (a -> (b W c))", 2, 0, 2, Strength::Weak},
      {"G F a -> G F b", 3, 1, 4, Strength::General},
  };
  for (const Known& known : all) {
    const Automaton made = automaton(known.formula);
    EXPECT_EQ(made.states(), known.states) << known.formula << to_dot(made, {});
    EXPECT_EQ(made.marks, known.marks) << known.formula << to_dot(made, {});
    EXPECT_EQ(degeneralise(made).states(), known.buchi_states)
        << known.formula << to_dot(degeneralise(made), {});
    EXPECT_EQ(name_of(strength_of(made)), name_of(known.strength)) << known.formula;
  }
}

// The conjunction of n recurrences needs one state with marks and n + 1 with accepting states.
TEST(Automaton, RecurrencesCostAStateEach) {
  std::string formula = "G F a";
  for (const auto& [more, states] : std::vector<std::pair<std::string, std::size_t>>{
           {" && G F b", 3}, {" && G F c", 4}, {" && G F d", 5}}) {
    formula += more;
    EXPECT_EQ(automaton(formula).states(), 1u);
    EXPECT_EQ(degeneralise(automaton(formula)).states(), states);
  }
}

bool intersection_is_empty(const Automaton& a, const Automaton& b) {
  Automaton product;
  product.marks = a.marks + b.marks;
  product.edges.resize(a.states() * b.states());
  const auto place = [&](State s, State t) { return static_cast<State>(s * b.states() + t); };
  product.initial = place(a.initial, b.initial);
  for (State s = 0; s < a.states(); ++s)
    for (State t = 0; t < b.states(); ++t)
      for (const Edge& x : a.edges[s])
        for (const Edge& y : b.edges[t])
          if ((x.label & y.label).satisfiable())
            product.edges[place(s, t)].push_back(
                {x.label & y.label, place(x.target, y.target), x.marks | (y.marks << a.marks)});
  drop_unreachable(product);
  const Components components = components_of(product);
  for (std::uint32_t c = 0; c < components.count(); ++c)
    if (components.accepting(c, product.all_marks())) return false;
  return true;
}

// On all words, not on some: no word is accepted for a formula and for its negation.
TEST(Automaton, AFormulaAndItsNegationShareNoWord) {
  const auto check = [](Store& store, FormulaId f) {
    const Automaton yes = std::get<Automaton>(automaton_of(store, f));
    const Automaton no = std::get<Automaton>(automaton_of(store, store.negate(f)));
    EXPECT_TRUE(intersection_is_empty(yes, no)) << show(store, f, {});
    const Automaton yes_states = with_marks(degeneralise(yes)), no_states = with_marks(degeneralise(no));
    EXPECT_TRUE(intersection_is_empty(yes_states, no_states)) << show(store, f, {});
  };
  for (const std::string_view pattern : kPatterns) {
    Store store;
    std::vector<std::string> names;
    check(store, parse(store, pattern, names).formula);
  }
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Store store;
    random::Source source(seed);
    check(store, random::formula(store, source, {1 + source.below(10), 3, true}));
  }
}

// All words with a stem of at most two letters and a loop of at most three, over two propositions.
TEST(Automaton, AllShortWordsAreJudgedRight) {
  const auto words_of = [](std::size_t length) {
    std::vector<std::vector<Letter>> all = {{}};
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<std::vector<Letter>> longer;
      for (const auto& word : all)
        for (Letter letter = 0; letter < 4; ++letter) {
          longer.push_back(word);
          longer.back().push_back(letter);
        }
      all = std::move(longer);
    }
    return all;
  };
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Store store;
    random::Source source(seed);
    const FormulaId f = random::formula(store, source, {2 + source.below(8), 2, true});
    const Automaton made = std::get<Automaton>(automaton_of(store, f));
    const Buchi buchi = degeneralise(made);
    for (std::size_t stem = 0; stem <= 2; ++stem)
      for (std::size_t loop = 1; loop <= 3; ++loop)
        for (const auto& before : words_of(stem))
          for (const auto& again : words_of(loop)) {
            const Lasso word{before, again};
            const bool truth = holds(store, f, word);
            ASSERT_EQ(accepts(made, word), truth) << show(store, f, {});
            ASSERT_EQ(accepts(buchi, word), truth) << show(store, f, {});
          }
  }
}

TEST(Automaton, LimitsAreAnswers) {
  Store store;
  std::string formula = "F p0";
  for (int i = 1; i < 8; ++i)
    formula += " && F (p" + std::to_string(i) + " && X G p" + std::to_string(i) + ")";
  std::vector<std::string> names;
  const FormulaId f = parse(store, formula, names).formula;
  const auto reason = [&](const TranslationLimits& limits) {
    const Translation made = automaton_of(store, f, limits);
    return std::holds_alternative<TooLarge>(made) ? std::get<TooLarge>(made).reason : "none";
  };
  TranslationLimits few_states, little_work, few_edges, stopped;
  few_states.states = 3;
  few_states.edges = 100'000'000;
  few_edges.edges = 10;
  little_work.work = 100;
  stopped.interrupted = [] { return true; };
  EXPECT_EQ(reason(few_states), "more than 3 states");
  EXPECT_EQ(reason(few_edges), "more than 10 edges");
  EXPECT_EQ(reason(little_work), "more work than the translation is allowed");
  EXPECT_EQ(reason(stopped), "interrupted");
}

TEST(Automaton, TooManyEventualitiesAreTooLarge) {
  Store store;
  FormulaId f = store.truth();
  for (std::uint32_t i = 0; i < 64; ++i) f = store.both(f, store.always(store.eventually(store.atom(i))));
  FormulaId g = store.both(f, store.always(store.eventually(store.both(store.atom(1), store.atom(2)))));
  TranslationLimits limits;
  limits.work = 1'000'000;
  EXPECT_TRUE(std::holds_alternative<TooLarge>(automaton_of(store, g, limits)));
}

TEST(Automaton, LabelsCoverLetters) {
  const Cube a{1, 0}, not_a{0, 1}, b{2, 0}, not_b{0, 2}, anything{};
  EXPECT_TRUE(covered(anything, std::vector<Cube>{a, not_a}));
  EXPECT_FALSE(covered(anything, std::vector<Cube>{a, b}));
  EXPECT_TRUE(covered(anything, std::vector<Cube>{a, b, not_a & not_b}));
  EXPECT_TRUE(covered(a & b, std::vector<Cube>{b}));
  EXPECT_FALSE(covered(a, {}));
  std::vector<Edge> edges = {{a & b, 0, 0}, {a & not_b, 0, 0}, {not_a, 0, 0}, {not_a, 1, 0}};
  merge_labels(edges);
  EXPECT_THAT(edges, testing::UnorderedElementsAre(Edge{anything, 0, 0}, Edge{not_a, 1, 0}));
}

TEST(Automaton, IsDrawn) {
  const std::vector<std::string> names = {"a", "say \"b\""};
  EXPECT_EQ(to_dot(automaton("G F a"), names),
            "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n  start [shape=point];\n"
            "  start -> 0;\n  0 -> 0 [label=\"true\"];\n  0 -> 0 [label=\"a {0}\"];\n}\n");
  EXPECT_THAT(to_dot(degeneralise(automaton("a U b")), names),
              testing::AllOf(testing::HasSubstr("1 [shape=doublecircle]"),
                             testing::HasSubstr("0 -> 1 [label=\"say \\\"b\\\"\"]")));
}

}  // namespace
}  // namespace parley::ltl
