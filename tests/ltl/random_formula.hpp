// Random formulas and words from a seed, the same on every machine. For the tests of ltl/ and for the
// comparison with Spin.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "ltl/formula.hpp"
#include "ltl/lasso.hpp"

namespace parley::ltl::random {

class Source {
 public:
  explicit Source(std::uint64_t seed) : engine_(seed) {}
  // 0 .. n-1; not std::uniform_int_distribution, which differs between libraries.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

struct FormulaShape {
  std::uint32_t operators = 8;
  std::uint32_t propositions = 3;
  bool with_next = true;
};

// A tree with that many operators before builders fold it.
inline FormulaId formula(Store& store, Source& source, const FormulaShape& shape) {
  if (shape.operators == 0) {
    const std::uint32_t choice = source.below(10 * shape.propositions + 1);
    if (choice == 0) return source.below(2) == 0 ? store.truth() : store.falsity();
    return store.atom(choice % shape.propositions);
  }
  const std::uint32_t left = source.below(shape.operators);
  FormulaShape a = shape, b = shape, rest = shape;
  a.operators = left;
  b.operators = shape.operators - 1 - left;
  rest.operators = shape.operators - 1;
  const auto one = [&] { return formula(store, source, rest); };
  switch (source.below(shape.with_next ? 14 : 13)) {
    case 0:
    case 1:
      return store.negate(one());
    case 2:
      return store.eventually(one());
    case 3:
      return store.always(one());
    case 13:
      return store.next(one());
    default:
      break;
  }
  const FormulaId f = formula(store, source, a), g = formula(store, source, b);
  switch (source.below(10)) {
    case 0:
    case 1:
      return store.both(f, g);
    case 2:
    case 3:
      return store.either(f, g);
    case 4:
      return store.implies(f, g);
    case 5:
    case 6:
      return store.until(f, g);
    case 7:
      return store.release(f, g);
    case 8:
      return store.weak_until(f, g);
    default:
      return source.below(3) == 0 ? store.iff(f, g) : store.strong_release(f, g);
  }
}

inline std::vector<Letter> letters(Source& source, std::uint32_t count, std::uint32_t propositions) {
  std::vector<Letter> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(source.below(1u << propositions));
  return all;
}

inline Lasso lasso(Source& source, std::uint32_t propositions) {
  const std::uint32_t stem = source.below(5), loop = 1 + source.below(5);
  Lasso word{letters(source, stem, propositions), letters(source, loop, propositions)};
  return word;
}

}  // namespace parley::ltl::random
