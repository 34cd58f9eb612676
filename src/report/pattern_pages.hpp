// Help pages of the specification patterns (ltl/patterns.hpp), for `parley explain response`: what each means
// in words, how it is written, a run that satisfies it and one that does not, and its formula in every scope.
// Formulas are made by the same code that lowering uses; only words and pictures are written here.
#pragma once

#include <string>
#include <vector>

#include "ltl/patterns.hpp"

namespace parley::report {

struct PatternPage {
  std::string name;    // "response", "bounded-existence"
  std::string title;   // one line
  std::string syntax;  // "P leads to S"
  std::string page;
};

const std::vector<PatternPage>& pattern_pages();
const PatternPage* find_pattern_page(const std::string& name);
// All patterns and scopes in a table: `parley explain patterns`.
std::string pattern_overview();

// A formula with P, S, Q and R for what the pattern is about; n is 2 where something is counted.
std::string pattern_formula(ltl::Pattern pattern, ltl::Scope scope, ltl::Counted counted);

}  // namespace parley::report
