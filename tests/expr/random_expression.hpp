// Random expressions over all strict and lazy operators of the table and two variables.
#pragma once

#include "expr/all_operators.hpp"

namespace parley::testing {

class RandomExpression {
 public:
  RandomExpression(expr::Pool& pool, expr::ExprId x, expr::ExprId y, std::uint32_t seed)
      : pool_(pool), x_(x), y_(y), random_(seed) {}

  expr::ExprId operator()(int depth) {
    if (depth == 0) {
      if (random_() % 3 == 0) return pool_.constant(kOddValues[random_() % kOddValues.size()]);
      return random_() % 2 == 0 ? x_ : y_;
    }
    switch (random_() % 6) {
      case 0: {
        const std::uint32_t bits = 1 + random_() % 32;
        return pool_.unary(unary_[random_() % unary_.size()], (*this)(depth - 1), bits);
      }
      case 1:
        return pool_.cond((*this)(depth - 1), (*this)(depth - 1), (*this)(depth - 1));
      case 2:
        return pool_.binary(lazy_[random_() % lazy_.size()], (*this)(depth - 1), (*this)(depth - 1));
      default:
        return pool_.binary(binary_[random_() % binary_.size()], (*this)(depth - 1), (*this)(depth - 1));
    }
  }

 private:
  expr::Pool& pool_;
  expr::ExprId x_, y_;
  std::mt19937 random_;
  std::vector<expr::Op> unary_ = unary_operators(), binary_ = binary_operators(),
                        lazy_ = operators(expr::OpClass::ShortCircuit);
};

}  // namespace parley::testing
