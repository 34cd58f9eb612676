#include "ltl/build.hpp"

namespace parley::ltl {

Translation automaton_of(Store& store, FormulaId formula, const TranslationLimits& limits) {
  return translate(store, positive_normal_form(store, formula), limits);
}

}  // namespace parley::ltl
