// Formulas as text: for people, for Spin, and read back in tests and tools. Models have their own parsers,
// which know what propositions mean; this one takes any identifier for a proposition.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ltl/formula.hpp"

namespace parley::ltl {

enum class Syntax : std::uint8_t {
  Parley,  // G F X U W R
  Arrows,  // the same, with `!a || b` as `a -> b`: how people write it
  Spin,    // [] <> X U V
};

// Longer text ends in "…": shared operands can make it exponentially long.
inline constexpr std::size_t kLongestText = 1 << 16;

// Propositions without a name are p<number>.
std::string show(const Store& store, FormulaId formula, std::span<const std::string> names,
                 Syntax syntax = Syntax::Parley);

struct Parsed {
  FormulaId formula;  // invalid: see error
  std::string error;
};

// Both syntaxes, mixed as one likes: ! G F X [] <> bind most, then U W R V M (to the right), then && || ->
// <->; & | and /\ \/ are read too, and true and false. A new name becomes the next proposition and is added
// to the names.
Parsed parse(Store& store, std::string_view text, std::vector<std::string>& names);

}  // namespace parley::ltl
