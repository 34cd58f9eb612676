// Whether a property that holds says what its author meant: a response whose request never happens holds, and
// is worth nothing. For each proposition whose truth can only help, the formula is made stronger by letting
// it be false for ever (beer2001). If that still holds, what was asked for does not matter. (The other half,
// a proposition whose truth can only hurt and that might as well be true for ever, says that a condition is
// not needed; nobody is misled by that.) The search that decides it is explore/temporal.cpp's.
#pragma once

#include "ltl/formula.hpp"

namespace parley::explore {

struct Strengthening {
  std::uint32_t proposition = 0;
  ltl::FormulaId formula;  // with it replaced by false
};

std::vector<Strengthening> strengthenings(ltl::Store& store, ltl::FormulaId formula);

}  // namespace parley::explore
