// The whole way from a formula to a small automaton: simplify, translate, reduce. What everybody outside ltl/
// calls; to look for a violation of a property, ask for the automaton of its negation.
#pragma once

#include "ltl/translate.hpp"

namespace parley::ltl {

// Accepts exactly the words on which the formula is true. The formula need not be in normal form.
Translation automaton_of(Store& store, FormulaId formula, const TranslationLimits& limits = {});

}  // namespace parley::ltl
