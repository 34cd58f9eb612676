// Automata against the direct evaluator, on random formulas and random words; the slow tier has more of them.
#include <gtest/gtest.h>

#include "ltl/accepts.hpp"
#include "ltl/build.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/lasso.hpp"
#include "ltl/random_formula.hpp"

#ifndef PARLEY_LTL_FORMULAS
#define PARLEY_LTL_FORMULAS 1000
#endif

namespace parley::ltl {
namespace {

constexpr std::uint32_t kFormulas = PARLEY_LTL_FORMULAS;
constexpr int kWords = 12;

struct Sample {
  Store store;
  FormulaId formula;
  std::vector<Lasso> words;
  std::string text;
};

Sample sample(std::uint64_t seed) {
  random::Source source(seed);
  Sample made;
  const std::uint32_t operators = 1 + source.below(12), propositions = 1 + source.below(3);
  made.formula = random::formula(made.store, source, {operators, propositions, true});
  for (int i = 0; i < kWords; ++i) made.words.push_back(random::lasso(source, propositions));
  made.text = show(made.store, made.formula, {}) + ", seed " + std::to_string(seed);
  return made;
}

TEST(Words, TheTranslationAcceptsWhatTheFormulaSays) {
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const FormulaId normal = positive_normal_form(s.store, s.formula);
    const Translation made = translate(s.store, normal, {});
    ASSERT_TRUE(std::holds_alternative<Automaton>(made)) << s.text;
    const Automaton& automaton = std::get<Automaton>(made);
    ASSERT_TRUE(well_formed(automaton)) << s.text;
    for (const Lasso& word : s.words) {
      const bool truth = holds(s.store, s.formula, word);
      EXPECT_EQ(holds(s.store, normal, word), truth) << s.text;
      EXPECT_EQ(accepts(automaton, word), truth) << s.text;
    }
  }
}

}  // namespace
}  // namespace parley::ltl
