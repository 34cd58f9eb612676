// The truth of sub-formulas along a run (verdict/formula_rows.hpp) as a table for terminals: a row for each,
// a column for each position, a bar where the loop starts. Long runs and large formulas are shown at both
// ends; the JSON result and the HTML report have all of it.
#pragma once

#include <string>

#include "report/text.hpp"
#include "verdict/formula_rows.hpp"

namespace parley::report {

std::string formula_table(const verdict::FormulaRows& rows, const TextOptions& options);

}  // namespace parley::report
