// Formulas on finite words as formulas on infinite ones (degiacomo2013, section 2): one more proposition,
// alive, is true up to the end of the finite word and never again. For runs that end, where the user wants
// them read as finite.
#pragma once

#include "ltl/formula.hpp"

namespace parley::ltl {

// True on an infinite word if and only if `alive` (a proposition that the formula does not have) is true at
// first, for finitely many positions and never after, and the formula is true on the finite word of these
// positions.
FormulaId finite(Store& store, FormulaId formula, std::uint32_t alive);

}  // namespace parley::ltl
