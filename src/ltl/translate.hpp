// From a formula to an automaton that accepts the words on which it is true. A state is a set of formulas
// that must hold from now on; its edges come from unfolding each of them into what must hold now (literals),
// what must hold next, and which eventualities were put off once more (promises): tableau construction on
// transitions (couvreur1999; gastin2001, section 4, for the dropping of edges that another one
// makes superfluous). States with the same unfolding are one (duretlutz2014). Each eventuality is
// an acceptance mark, on the edges that do not put it off.
//
// Use `automaton_of` (ltl/build.hpp), which simplifies before and reduces after; this is its middle part.
// Exponential in the worst case, so with limits: a translation that reaches one ends in TooLarge, never in a
// partial automaton.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"

namespace parley::ltl {

struct TranslationLimits {
  std::size_t states = 5'000;
  std::size_t edges = 100'000;
  // Steps of unfolding, each of them the meeting of two half-made edges: what memory and time are made of.
  std::size_t work = 500'000'000;
  // Asked now and then; true ends the translation.
  std::function<bool()> interrupted;
};

struct TooLarge {
  std::string reason;  // "more than 5000 states", "interrupted"
};

using Translation = std::variant<Automaton, TooLarge>;

// The formula is in positive normal form.
Translation translate(const Store& store, FormulaId formula, const TranslationLimits& limits);

}  // namespace parley::ltl
