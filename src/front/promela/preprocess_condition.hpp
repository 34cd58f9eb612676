// The value of an #if: C's constant expressions over 64-bit integers (C99, 6.10.1), after macros and
// `defined` are replaced. Iterative, so that no depth of parentheses ends the program.
#pragma once

#include <optional>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess_token.hpp"

namespace parley::front::promela {

// Nothing after a reported error. `directive` is the place of the #if, for one that has no expression.
std::optional<bool> evaluate_condition(const std::vector<PpToken>& tokens, diag::Span directive,
                                       const Spellings& spellings, diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
