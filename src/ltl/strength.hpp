// What kind of automaton or formula it is, so that a search can use the cheapest method. The automaton is
// that of a negated property: terminal means that a violation is seen after finitely many steps (the property
// is a safety property), weak that each cycle accepts or rejects as a whole, so that no marks need counting.
// For formulas: their place in the hierarchy as far as their shape shows it (chang1992), and whether they can
// tell words apart that differ only in repeated letters, as reductions and step encodings need to know.
#pragma once

#include <string_view>
#include <vector>

#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"
#include "ltl/translate.hpp"

namespace parley::ltl {

enum class Strength : std::uint8_t {
  Terminal,  // accepts as soon as a state that accepts everything is reached, and only so
  Weak,      // every component accepts with all of its cycles or with none
  General,
};

constexpr std::string_view name_of(Strength strength) {
  switch (strength) {
    case Strength::Terminal:
      return "terminal";
    case Strength::Weak:
      return "weak";
    case Strength::General:
      return "general";
  }
  return "";
}

Strength strength_of(const Automaton& automaton);

// Of each state: from here any word is accepted, as far as edges show it that never leave such states.
std::vector<bool> accepts_everything(const Automaton& automaton);

enum class FormulaClass : std::uint8_t {
  Boolean,      // no temporal operators: decided by the first letter
  Invariant,    // G of a Boolean
  Safety,       // a violation is seen after finitely many letters
  Guarantee,    // fulfilment is seen after finitely many letters
  Obligation,   // combinations of these
  Recurrence,   // something happens again and again
  Persistence,  // something holds from some moment on
  Reactivity,   // combinations of these
};

constexpr std::string_view name_of(FormulaClass c) {
  switch (c) {
    case FormulaClass::Boolean:
      return "boolean";
    case FormulaClass::Invariant:
      return "invariant";
    case FormulaClass::Safety:
      return "safety";
    case FormulaClass::Guarantee:
      return "guarantee";
    case FormulaClass::Obligation:
      return "obligation";
    case FormulaClass::Recurrence:
      return "recurrence";
    case FormulaClass::Persistence:
      return "persistence";
    case FormulaClass::Reactivity:
      return "reactivity";
  }
  return "";
}

// The first class of the list that the shape of the formula shows it to be in.
FormulaClass class_of(Store& store, FormulaId formula);

}  // namespace parley::ltl
