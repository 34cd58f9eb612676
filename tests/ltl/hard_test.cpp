// Formulas whose automata are large by nature: each ends, in an automaton or in a limit, and what comes out
// is right.
#include <gtest/gtest.h>

#include "ltl/accepts.hpp"
#include "ltl/build.hpp"
#include "ltl/random_formula.hpp"
#include "ltl/stutter.hpp"

namespace parley::ltl {
namespace {

using Family = FormulaId (*)(Store&, std::uint32_t);

FormulaId p(Store& s, std::uint32_t i) {
  return s.atom(i % kMostPropositions);
}

// Conjunctions, disjunctions and nestings of n parts, as in the literature on translations.
const std::vector<std::pair<std::string, Family>> kFamilies = {
    {"F p && F q && …",
     [](Store& s, std::uint32_t n) {
       FormulaId f = s.truth();
       for (std::uint32_t i = 0; i < n; ++i) f = s.both(f, s.eventually(p(s, i)));
       return f;
     }},
    {"F (p && X G p) && …",
     [](Store& s, std::uint32_t n) {
       FormulaId f = s.truth();
       for (std::uint32_t i = 0; i < n; ++i)
         f = s.both(f, s.eventually(s.both(p(s, i), s.next(s.always(p(s, i))))));
       return f;
     }},
    {"(G F p || F G q) && …",
     [](Store& s, std::uint32_t n) {
       FormulaId f = s.truth();
       for (std::uint32_t i = 0; i < n; ++i)
         f = s.both(f, s.either(s.always(s.eventually(p(s, i))), s.eventually(s.always(p(s, i + 1)))));
       return f;
     }},
    {"!((G F p && G F q && …) -> G (r -> F s))",
     [](Store& s, std::uint32_t n) {
       FormulaId f = s.truth();
       for (std::uint32_t i = 2; i < n + 2; ++i) f = s.both(f, s.always(s.eventually(p(s, i))));
       return s.negate(s.implies(f, s.always(s.implies(p(s, 0), s.eventually(p(s, 1))))));
     }},
    {"((p U q) U r) U …",
     [](Store& s, std::uint32_t n) {
       FormulaId f = p(s, 0);
       for (std::uint32_t i = 1; i <= n; ++i) f = s.until(f, p(s, i));
       return f;
     }},
    {"X … X p <-> p, always",
     [](Store& s, std::uint32_t n) {
       FormulaId f = p(s, 0);
       for (std::uint32_t i = 0; i < n; ++i) f = s.next(f);
       return s.always(s.iff(f, p(s, 0)));
     }},
    {"G (p -> F q) && …",
     [](Store& s, std::uint32_t n) {
       FormulaId f = s.truth();
       for (std::uint32_t i = 0; i < n; ++i)
         f = s.both(f, s.always(s.implies(p(s, 2 * i), s.eventually(p(s, 2 * i + 1)))));
       return f;
     }},
};

TEST(Hard, LargeFormulasEnd) {
  TranslationLimits limits;
  limits.work = 50'000'000;
  for (const auto& [name, family] : kFamilies)
    for (const std::uint32_t n : {2u, 4u, 8u, 16u, 1000u}) {
      Store store;
      const FormulaId f = family(store, n);
      const Translation made = automaton_of(store, f, limits);
      if (n <= 4) {
        ASSERT_TRUE(std::holds_alternative<Automaton>(made)) << name << " with " << n;
      }
      if (const auto* automaton = std::get_if<Automaton>(&made)) {
        random::Source source(n);
        for (int i = 0; i < 5; ++i) {
          const Lasso word = random::lasso(source, 4);
          EXPECT_EQ(accepts(*automaton, word), holds(store, f, word)) << name << " with " << n;
        }
      }
      stutter_invariant(store, f, limits);
    }
}

}  // namespace
}  // namespace parley::ltl
