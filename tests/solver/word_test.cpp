// Words behind the SMT seam mean what expr/operators.hpp computes, operator by operator, and assumptions that
// do not matter are not in the core.
#include <gtest/gtest.h>

#include <random>

#include "solver/smt/word_solver.hpp"

namespace parley::solver::smt {
namespace {

using expr::Op;
using sat::Answer;

std::vector<std::int32_t> interesting() {
  return {0, 1, -1, 2, 7, 31, 32, 33, -5, 100, 65536, expr::kIntMax, expr::kIntMin, expr::kIntMin + 1};
}

// The solver agrees that the term has the value and no other, and on whether it overflowed.
void agrees(WordSolver& s, WordSolver::Word term, WordSolver::Condition exact, const expr::Computed& expected,
            const std::string& what) {
  const WordSolver::Condition same = s.within(term, expected.value, expected.value);
  const WordSolver::Condition other = s.negation(same);
  EXPECT_EQ(s.solve(std::vector{same}), Answer::Satisfiable) << what;
  EXPECT_EQ(s.solve(std::vector{other}), Answer::Unsatisfiable) << what;
  EXPECT_EQ(s.solve(std::vector{exact}), expected.overflowed ? Answer::Unsatisfiable : Answer::Satisfiable)
      << what;
}

TEST(Words, OperatorsAreThoseOfTheReference) {
  std::mt19937 random(1);
  for (const expr::OpInfo& info : expr::kOps) {
    const Op o = info.op;
    const bool lazy = expr::is_short_circuit(o);
    if (!expr::is_unary(o) && !expr::is_binary(o) && !lazy) continue;
    auto s = make_word_solver(10'000'000);
    for (const std::int32_t x : interesting()) {
      if (expr::is_unary(o)) {
        const std::uint32_t bits = 1 + random() % 32;
        const auto wx = s->constant(x);
        agrees(*s, s->unary(o, wx, bits), s->exact(o, wx), expr::compute(o, x, bits), expr::spelling(o));
        continue;
      }
      for (std::int32_t y : interesting()) {
        if (random() % 4 == 0) y = static_cast<std::int32_t>(random());
        if (info.may_fail && y == 0) continue;
        const auto wx = s->constant(x), wy = s->constant(y);
        const bool truth = o == Op::AndAlso ? x != 0 && y != 0 : x != 0 || y != 0;
        agrees(*s, s->binary(o, wx, wy), lazy ? s->all({}) : s->exact(o, wx, wy),
               lazy ? expr::Computed{truth} : expr::compute(o, x, y),
               std::to_string(x) + expr::spelling(o) + std::to_string(y));
      }
    }
  }
}

TEST(Words, CoresLeaveOutWhatDoesNotMatter) {
  auto s = make_word_solver(10'000'000);
  const auto x = s->variable(), y = s->variable(), z = s->variable();
  s->require(s->within(s->binary(Op::Add, x, y), 100, 200));
  const auto low = s->within(x, 0, 10), lower = s->within(y, 0, 10), whatever = s->within(z, 5, 5);
  ASSERT_EQ(s->solve(std::vector{whatever, low, lower}), Answer::Unsatisfiable);
  EXPECT_TRUE(s->failed(low));
  EXPECT_TRUE(s->failed(lower));
  EXPECT_FALSE(s->failed(whatever));
  ASSERT_EQ(s->solve(std::vector{low, whatever}), Answer::Satisfiable);
  EXPECT_EQ(s->value(z), 5);
  EXPECT_GE(s->value(y), 90);
}

// Two factors of a 62-bit product: more than the budget allows, and no wrong answer.
TEST(Words, TooDearIsUnknown) {
  auto s = make_word_solver(1000);
  const auto x = s->variable(), y = s->variable();
  const WordSolver::Condition wanted[] = {s->within(s->binary(Op::Mul, x, y), 1234567891, 1234567891),
                                          s->within(x, 2, 60000), s->within(y, 2, 60000),
                                          s->exact(Op::Mul, x, y)};
  EXPECT_EQ(s->solve(wanted), Answer::Unknown);
}

}  // namespace
}  // namespace parley::solver::smt
