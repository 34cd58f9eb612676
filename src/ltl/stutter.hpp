// Whether a formula is blind to repeated letters. Then searches may leave out steps that change nothing it
// sees, and steps may be taken together; otherwise they must not.
#pragma once

#include "ltl/formula.hpp"
#include "ltl/translate.hpp"

namespace parley::ltl {

// No Next in it: blind to repetition (lamport1983).
bool without_next(const Store& store, FormulaId formula);

// True only if blind. Without Next (also: after simplification) at once; otherwise by looking for two words
// that differ in repetitions only, of which one satisfies the formula and one does not: the product of the
// automata for it and for its negation, both of which may wait while a letter is repeated (michaud2015,
// section 3). False also where that would be too large (more than `kMostStutterPropositions`, or the limits).
bool stutter_invariant(Store& store, FormulaId formula, const TranslationLimits& limits = {});

inline constexpr int kMostStutterPropositions = 5;

}  // namespace parley::ltl
