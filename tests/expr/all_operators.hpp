// The operators by class, read from the table, and values where 32-bit arithmetic is odd: for tests that hold
// every operator of some place against its meaning. A new operator is in them without being listed.
#pragma once

#include <random>
#include <vector>

#include "expr/expr.hpp"

namespace parley::testing {

inline std::vector<expr::Op> operators(expr::OpClass kind) {
  std::vector<expr::Op> all;
  for (const expr::OpInfo& i : expr::kOps)
    if (i.kind == kind) all.push_back(i.op);
  return all;
}
inline std::vector<expr::Op> unary_operators() {
  return operators(expr::OpClass::Unary);
}
inline std::vector<expr::Op> binary_operators() {
  return operators(expr::OpClass::Binary);
}

inline std::vector<expr::Op> comparisons() {
  std::vector<expr::Op> all = binary_operators();
  std::erase_if(all, [](expr::Op op) { return !expr::is_comparison(op); });
  return all;
}
// Strict binary operators with a number as result.
inline std::vector<expr::Op> calculations() {
  std::vector<expr::Op> all = binary_operators();
  std::erase_if(all, expr::is_comparison);
  return all;
}

inline const std::vector<std::int32_t> kOddValues = {0,
                                                     1,
                                                     -1,
                                                     2,
                                                     -2,
                                                     7,
                                                     30,
                                                     31,
                                                     32,
                                                     33,
                                                     -31,
                                                     46341,
                                                     65536,
                                                     expr::kIntMax,
                                                     expr::kIntMax - 1,
                                                     expr::kIntMin,
                                                     expr::kIntMin + 1};

// A number of any size.
inline std::int32_t random_value(std::mt19937& random) {
  return static_cast<std::int32_t>(random()) >> (random() % 32);
}

}  // namespace parley::testing
