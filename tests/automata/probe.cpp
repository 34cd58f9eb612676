// Our automata for the formulas that tools/compare_automata.py asks Spin about, one line each: the formula in
// Spin's syntax, the sizes (generalised: states and edges; with accepting states: states and edges), and
// random words with what the evaluator says of them and whether our automaton with accepting states accepts
// them.
//
//     automata_probe <formulas> <seed> <words>
//     [] p0 TAB 1 1 1 1 TAB 3;1,3;1;1 …     stem;loop;true by the evaluator;accepted
#include <cstdlib>
#include <iostream>

#include "automata/patterns.hpp"
#include "ltl/accepts.hpp"
#include "ltl/build.hpp"
#include "ltl/degeneralise.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/random_formula.hpp"

namespace parley::ltl {
namespace {

std::string listed(const std::vector<Letter>& letters) {
  std::string out;
  for (const Letter letter : letters) out += (out.empty() ? "" : ",") + std::to_string(letter);
  return out;
}

bool print(Store& store, FormulaId formula, std::uint32_t propositions, random::Source& source, int words) {
  const Translation made = automaton_of(store, formula);
  if (const auto* limit = std::get_if<TooLarge>(&made)) {
    std::cerr << show(store, formula, {}) << ": " << limit->reason << "\n";
    return false;
  }
  const auto& automaton = std::get<Automaton>(made);
  const Buchi buchi = degeneralise(automaton);
  std::cout << show(store, formula, {}, Syntax::Spin) << '\t' << automaton.states() << ' '
            << automaton.edge_count() << ' ' << buchi.states() << ' ' << buchi.edge_count() << '\t';
  for (int i = 0; i < words; ++i) {
    const Lasso word = random::lasso(source, propositions);
    std::cout << (i == 0 ? "" : " ") << listed(word.stem) << ';' << listed(word.loop) << ';'
              << holds(store, formula, word) << ';' << accepts(buchi, word);
  }
  std::cout << '\n';
  return true;
}

int run(std::uint32_t formulas, std::uint64_t seed, int words) {
  random::Source source(seed);
  bool complete = true;
  std::uint32_t done = 0;
  for (const std::string_view pattern : kPatterns)
    for (const bool negated : {false, true}) {
      if (done++ >= formulas) break;
      Store store;
      std::vector<std::string> names;
      const Parsed parsed = parse(store, pattern, names);
      if (!parsed.formula.valid()) {
        std::cerr << pattern << ": " << parsed.error << "\n";
        return 1;
      }
      const FormulaId formula = negated ? store.negate(parsed.formula) : parsed.formula;
      complete &= print(store, formula, static_cast<std::uint32_t>(names.size()), source, words);
    }
  for (; done < formulas; ++done) {
    Store store;
    const FormulaId formula = random::formula(store, source, {1 + source.below(12), 3, false});
    complete &= print(store, formula, 3, source, words);
  }
  return complete ? 0 : 1;
}

}  // namespace
}  // namespace parley::ltl

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: automata_probe FORMULAS SEED WORDS\n";
    return 2;
  }
  return parley::ltl::run(static_cast<std::uint32_t>(std::atoi(argv[1])),
                          static_cast<std::uint64_t>(std::atoll(argv[2])), std::atoi(argv[3]));
}
