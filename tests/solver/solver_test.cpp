#include <gtest/gtest.h>

#include <random>

#include "solver/sat/cadical.hpp"
#include "solver/smt/cvc5_solver.hpp"
#include "solver/smt/z3_solver.hpp"

namespace parley::solver {
namespace {

using sat::Answer;
using sat::Literal;

std::vector<std::unique_ptr<sat::Solver>> all_solvers() {
  std::vector<std::unique_ptr<sat::Solver>> out;
  out.push_back(sat::make_cadical());
  out.push_back(smt::make_z3());
  out.push_back(smt::make_cvc5());
  return out;
}

TEST(Solvers, ModelsAndFailedAssumptions) {
  for (auto& s : all_solvers()) {
    const Literal x = s->new_variable(), y = s->new_variable(), z = s->new_variable();
    s->add({-x, y});
    s->add({-y, -z});
    ASSERT_EQ(s->solve_with({x}), Answer::Satisfiable) << s->name();
    EXPECT_TRUE(s->value(y));
    EXPECT_TRUE(s->value(-z));
    const Literal w = s->new_variable();
    ASSERT_EQ(s->solve_with({x, z, w}), Answer::Unsatisfiable) << s->name();
    EXPECT_TRUE(s->failed(x)) << s->name();
    EXPECT_TRUE(s->failed(z)) << s->name();
    EXPECT_FALSE(s->failed(w)) << s->name();
    ASSERT_EQ(s->solve_with({z}), Answer::Satisfiable) << s->name();
  }
}

// Random 3-SAT near the threshold, decided by enumeration.
TEST(Solvers, AgreeWithEnumeration) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const int n = 8;
    std::vector<std::vector<Literal>> clauses;
    for (int i = 0; i < 34; ++i) {
      std::vector<Literal> c;
      for (int k = 0; k < 3; ++k) {
        const int v = static_cast<int>(random() % n) + 1;
        c.push_back(random() % 2 != 0 ? v : -v);
      }
      clauses.push_back(c);
    }
    bool satisfiable = false;
    for (unsigned m = 0; m < 1u << n; ++m) {
      bool ok = true;
      for (const auto& c : clauses) {
        bool any = false;
        for (const Literal l : c) any = any || (((m >> (std::abs(l) - 1)) & 1) != 0) == (l > 0);
        ok = ok && any;
      }
      satisfiable = satisfiable || ok;
    }
    for (auto& s : all_solvers()) {
      for (int v = 0; v < n; ++v) s->new_variable();
      for (const auto& c : clauses) s->add_clause(c);
      EXPECT_EQ(s->solve({}), satisfiable ? Answer::Satisfiable : Answer::Unsatisfiable) << s->name();
    }
  }
}

TEST(Solvers, AnInterruptEndsInUnknown) {
  for (auto& s : all_solvers()) {
    s->interrupt_by({[] { return true; }, 0.001});
    // Nine pigeons in eight holes: too hard to finish before the first poll.
    std::vector<std::vector<Literal>> at(10, std::vector<Literal>(9));
    for (auto& row : at) {
      for (auto& v : row) v = s->new_variable();
      s->add_clause(row);
    }
    for (int h = 0; h < 9; ++h)
      for (int p = 0; p < 10; ++p)
        for (int q = 0; q < p; ++q) s->add({-at[p][h], -at[q][h]});
    EXPECT_EQ(s->solve({}), Answer::Unknown) << s->name();
  }
}

}  // namespace
}  // namespace parley::solver
