// Numbers in these tests are from hand calculation; the random ones compare against vertex enumeration.
#include "solver/ilp/simplex.hpp"

#include <gtest/gtest.h>

#include <random>

#include "solver/ilp/integer.hpp"

namespace parley::solver::ilp {
namespace {

TEST(Simplex, TextbookMaximum) {
  // maximise 3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3: (3, 1), value 11.
  Program p;
  const auto x = p.add_variable(-3), y = p.add_variable(-2);
  p.add_row({{x, 1}, {y, 1}}, Sense::AtMost, 4);
  p.add_row({{x, 1}, {y, 3}}, Sense::AtMost, 6);
  p.add_row({{x, 1}}, Sense::AtMost, 3);
  const Solution s = solve(p);
  ASSERT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.objective, -11);
  EXPECT_EQ(s.values[x], 3);
  EXPECT_EQ(s.values[y], 1);
}

TEST(Simplex, ExactWhereDoublesAreNot) {
  // x = 1/3 exactly; x - 1/3 >= 1/10^30 is infeasible, which no tolerance can tell.
  Program p;
  const auto x = p.add_variable(0);
  p.add_row({{x, 3}}, Sense::Equal, 1);
  ASSERT_EQ(solve(p).status, Status::Optimal);
  EXPECT_EQ(solve(p).values[x], Rational(1, 3));
  p.add_row({{x, 1}}, Sense::AtLeast,
            Rational("333333333333333333333333333334/1000000000000000000000000000000"));
  EXPECT_EQ(solve(p).status, Status::Infeasible);
}

TEST(Simplex, FreeVariablesAndUnboundedness) {
  Program p;
  const auto x = p.add_variable(1, true);
  EXPECT_EQ(solve(p).status, Status::Unbounded);
  p.add_row({{x, 1}}, Sense::AtLeast, -5);
  const Solution s = solve(p);
  ASSERT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.objective, -5);
}

TEST(Simplex, InfeasibleRowsHaveFarkasMultipliers) {
  Simplex s;
  const auto x = s.add_variable(), y = s.add_variable();
  const std::vector<Terms> rows = {{{x, 1}, {y, -1}}, {{y, 1}, {x, -1}}, {{x, -1}, {y, -1}}, {{x, 1}}};
  const std::vector<Rational> bounds = {0, 0, -4, 1};  // x = y, x + y >= 4, x <= 1
  for (std::size_t i = 0; i < rows.size(); ++i) s.add_row(rows[i], bounds[i]);
  ASSERT_EQ(s.minimise(), Status::Infeasible);
  std::vector<Rational> sum(2, 0);
  Rational bound = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    EXPECT_GE(s.multiplier(i), 0);
    for (const auto& [v, c] : rows[i]) sum[v] += s.multiplier(i) * c;
    bound += s.multiplier(i) * bounds[i];
  }
  EXPECT_GE(sum[0], 0);
  EXPECT_GE(sum[1], 0);
  EXPECT_LT(bound, 0);
}

TEST(Simplex, GrowsAndShiftsItsRows) {
  // minimise x + 2y with x + y >= 3: 3. Then y >= 1: 4. Then x + y >= 5: 6.
  Simplex s;
  const auto x = s.add_variable(1), y = s.add_variable(2);
  const auto sum = s.add_row({{x, -1}, {y, -1}}, -3);
  ASSERT_EQ(s.minimise(), Status::Optimal);
  EXPECT_EQ(s.objective(), 3);
  s.add_row({{y, -1}}, -1);
  ASSERT_EQ(s.minimise(), Status::Optimal);
  EXPECT_EQ(s.objective(), 4);
  s.set_bound(sum, -5);
  ASSERT_EQ(s.minimise(), Status::Optimal);
  EXPECT_EQ(s.objective(), 6);
  EXPECT_EQ(s.value(x), 4);
}

TEST(Integer, RoundsByBranching) {
  // maximise y with 2y <= 2x + 1, 2y <= 7 - 2x: 2 at x = 3/2 relaxed; integral optimum 1.
  Program p;
  const auto x = p.add_variable(0), y = p.add_variable(-1);
  p.add_row({{y, 2}, {x, -2}}, Sense::AtMost, 1);
  p.add_row({{y, 2}, {x, 2}}, Sense::AtMost, 7);
  EXPECT_EQ(solve(p).objective, -2);
  p.rows[1].bound = 6;  // relaxed 7/4, integral 1
  EXPECT_EQ(solve(p).objective, Rational(-7, 4));
  const Solution s = solve_integer(p);
  ASSERT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.objective, -1);
  // 2x = 1 has no integral solution.
  Program odd;
  const auto z = odd.add_variable(0);
  odd.add_row({{z, 2}}, Sense::Equal, 1);
  EXPECT_EQ(solve_integer(odd).status, Status::Infeasible);
}

// Two variables: the optimum of a feasible bounded program is at a crossing of two lines.
TEST(Simplex, AgreesWithVertexEnumeration) {
  std::mt19937 random(7);
  const auto number = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  int optimal = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::array<Rational, 3>> lines = {{-1, 0, 0}, {0, -1, 0}, {1, 0, 10}, {0, 1, 10}};
    for (int i = 0; i < 3; ++i) lines.push_back({number(-4, 4), number(-4, 4), number(-6, 9)});
    const Rational cx = number(-3, 3), cy = number(-3, 3);
    Program p;
    p.add_variable(cx);
    p.add_variable(cy);
    for (const auto& l : lines) p.add_row({{0, l[0]}, {1, l[1]}}, Sense::AtMost, l[2]);
    std::optional<Rational> best;
    for (const auto& a : lines)
      for (const auto& b : lines) {
        const Rational det = a[0] * b[1] - a[1] * b[0];
        if (sgn(det) == 0) continue;
        const Rational x = (a[2] * b[1] - a[1] * b[2]) / det, y = (a[0] * b[2] - a[2] * b[0]) / det;
        bool inside = true;
        for (const auto& l : lines) inside = inside && l[0] * x + l[1] * y <= l[2];
        if (inside && (!best || cx * x + cy * y < *best)) best = cx * x + cy * y;
      }
    const Solution s = solve(p);
    ASSERT_EQ(s.status, best ? Status::Optimal : Status::Infeasible) << round;
    if (best) {
      EXPECT_EQ(s.objective, *best) << round;
      ++optimal;
    }
  }
  EXPECT_GT(optimal, 200);
}

}  // namespace
}  // namespace parley::solver::ilp
