// Automata against the direct evaluator, on random formulas and random words; the slow tier has more of them.
#include <gtest/gtest.h>

#include "ltl/accepts.hpp"
#include "ltl/build.hpp"
#include "ltl/degeneralise.hpp"
#include "ltl/finite.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/lasso.hpp"
#include "ltl/random_formula.hpp"
#include "ltl/reduce.hpp"
#include "ltl/simplify.hpp"
#include "ltl/simulation.hpp"
#include "ltl/strength.hpp"
#include "ltl/stutter.hpp"

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

// What each step of the way makes of the automaton, by name.
std::vector<std::pair<std::string, Automaton>> stages_of(const Automaton& translated) {
  std::vector<std::pair<std::string, Automaton>> stages = {{"translated", translated}};
  const auto stage = [&](const std::string& name, const Automaton& from, auto change) {
    stages.emplace_back(name, from);
    change(stages.back().second);
  };
  stage("pruned", translated, prune);
  const Automaton pruned = stages.back().second;
  for (const FreeMarks free : {FreeMarks::None, FreeMarks::All})
    stage("marks simplified", pruned, [free](Automaton& a) { simplify_marks(a, free); });
  for (const Direction direction : {Direction::Forward, Direction::Backward}) {
    stage("simulated", pruned, [&](Automaton& a) { a = Simulation(a, direction, {}).quotient(a).automaton; });
    stage("simulated with simple marks", pruned, [&](Automaton& a) {
      simplify_marks(a, FreeMarks::All);
      a = Simulation(a, direction, {}).quotient(a).automaton;
    });
  }
  stage("reduced", translated, [](Automaton& a) { reduce(a); });
  const Automaton reduced = stages.back().second;
  stage("with accepting states", translated, [](Automaton& a) { a = with_marks(degeneralise(a)); });
  stage("with accepting states, reduced", reduced, [](Automaton& a) { a = with_marks(degeneralise(a)); });
  stage("with one mark", reduced, [](Automaton& a) { a = degeneralise_to_edges(a); });
  return stages;
}

TEST(Words, EveryReductionKeepsThem) {
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const Translation made = translate(s.store, positive_normal_form(s.store, s.formula), {});
    const auto stages = stages_of(std::get<Automaton>(made));
    for (const auto& [name, automaton] : stages) {
      ASSERT_TRUE(well_formed(automaton)) << name << ": " << s.text;
      for (const Lasso& word : s.words)
        ASSERT_EQ(accepts(automaton, word), holds(s.store, s.formula, word)) << name << ": " << s.text;
    }
  }
}

TEST(Words, SimplifyingAFormulaKeepsThem) {
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const FormulaId simple = simplify(s.store, s.formula);
    for (const Lasso& word : s.words)
      ASSERT_EQ(holds(s.store, simple, word), holds(s.store, s.formula, word))
          << s.text << " became " << show(s.store, simple, {});
  }
}

TEST(Words, AFormulaOrItsNegationAcceptsButNeverBoth) {
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const Translation yes = automaton_of(s.store, s.formula);
    const Translation no = automaton_of(s.store, s.store.negate(s.formula));
    for (const Lasso& word : s.words) {
      const bool truth = holds(s.store, s.formula, word);
      ASSERT_EQ(accepts(std::get<Automaton>(yes), word), truth) << s.text;
      ASSERT_EQ(accepts(std::get<Automaton>(no), word), !truth) << s.text;
    }
  }
}

// The finite word, then positions that are not alive, with any letters.
TEST(Words, FormulasOnFiniteWordsAreFormulasOnInfiniteOnes) {
  constexpr std::uint32_t kAlive = 5;
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const FormulaId infinite = finite(s.store, s.formula, kAlive);
    const Translation made = automaton_of(s.store, infinite);
    for (const Lasso& word : s.words) {
      EXPECT_FALSE(holds(s.store, infinite, word)) << s.text;  // alive never
      if (word.stem.empty()) continue;
      Lasso with_end = word;
      for (Letter& letter : with_end.stem) letter |= Letter{1} << kAlive;
      const bool truth = holds_finite(s.store, s.formula, word.stem);
      EXPECT_EQ(holds(s.store, infinite, with_end), truth) << s.text;
      EXPECT_EQ(accepts(std::get<Automaton>(made), with_end), truth) << s.text;
    }
  }
}

// Repeats letters of the word here and there.
Lasso stretched(const Lasso& word, random::Source& source) {
  const auto stretch = [&](const std::vector<Letter>& letters) {
    std::vector<Letter> out;
    for (const Letter letter : letters) out.insert(out.end(), 1 + source.below(3), letter);
    return out;
  };
  return {stretch(word.stem), stretch(word.loop)};
}

TEST(Words, StutterInvariantFormulasDoNotSeeRepetition) {
  std::uint32_t invariant_with_next = 0, seen_to_differ = 0;
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const bool claimed = stutter_invariant(s.store, s.formula);
    invariant_with_next += claimed && !without_next(s.store, s.formula) ? 1 : 0;
    random::Source source(seed);
    bool differs = false;
    for (const Lasso& word : s.words)
      for (int i = 0; i < 3; ++i)
        differs |= holds(s.store, s.formula, word) != holds(s.store, s.formula, stretched(word, source));
    EXPECT_FALSE(claimed && differs) << s.text;
    seen_to_differ += differs ? 1 : 0;
  }
  EXPECT_GT(invariant_with_next, kFormulas / 100);
  EXPECT_GT(seen_to_differ, kFormulas / 100);
}

// What the strength promises: a state that accepts everything does, and a terminal automaton accepts a word
// only by reaching one.
TEST(Words, StatesThatAcceptEverythingDo) {
  for (std::uint32_t seed = 0; seed < kFormulas; ++seed) {
    Sample s = sample(seed);
    const Automaton automaton = std::get<Automaton>(automaton_of(s.store, s.formula));
    const std::vector<bool> everything = accepts_everything(automaton);
    for (State state = 0; state < automaton.states(); ++state) {
      if (!everything[state]) continue;
      Automaton from_here = automaton;
      from_here.initial = state;
      for (const Lasso& word : s.words) EXPECT_TRUE(accepts(from_here, word)) << s.text;
    }
    const FormulaClass kind = class_of(s.store, s.formula);
    const Strength strength = strength_of(automaton);
    if (kind == FormulaClass::Guarantee || kind == FormulaClass::Boolean) {
      EXPECT_EQ(strength, Strength::Terminal) << s.text;
    }
    if (kind <= FormulaClass::Obligation) {
      EXPECT_NE(strength, Strength::General) << s.text;
    }
  }
}

}  // namespace
}  // namespace parley::ltl
