#include "ltl/build.hpp"

#include "ltl/reduce.hpp"
#include "ltl/simplify.hpp"

namespace parley::ltl {

Translation automaton_of(Store& store, FormulaId formula, const TranslationLimits& limits) {
  Translation made = translate(store, simplify(store, formula), limits);
  if (auto* automaton = std::get_if<Automaton>(&made)) reduce(*automaton);
  return made;
}

}  // namespace parley::ltl
