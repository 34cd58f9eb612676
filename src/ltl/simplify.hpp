// Smaller formulas with the same meaning on infinite words, before they are translated: by the equivalences
// of somenzi2000 and etessami2000 and those on pure eventualities and universalities, applied from the inside
// out, a few times over. Not a normal form: equivalent formulas may stay different.
#pragma once

#include "ltl/formula.hpp"

namespace parley::ltl {

// In positive normal form, whatever came in.
FormulaId simplify(Store& store, FormulaId formula);

}  // namespace parley::ltl
