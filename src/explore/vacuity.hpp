// Whether a property that holds says what its author meant: a response whose request never happens holds, and
// is worth nothing. For each proposition that occurs in one polarity only, the formula is made as strong as
// it can be made by changing it (never true where truth helps, always true where it hurts; beer2001). If that
// still holds, the proposition does not matter. The search that decides it is explore/temporal.cpp's.
#pragma once

#include "ltl/formula.hpp"

namespace parley::explore {

struct Strengthening {
  std::uint32_t proposition = 0;
  bool always = false;  // it was replaced by true; otherwise by false
  ltl::FormulaId formula;
};

std::vector<Strengthening> strengthenings(ltl::Store& store, ltl::FormulaId formula);

}  // namespace parley::explore
