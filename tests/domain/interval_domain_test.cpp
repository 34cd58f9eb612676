#include "domain/interval_domain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "expr/all_operators.hpp"

namespace parley::domain {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t kMin = expr::kIntMin, kMax = expr::kIntMax;
// The partition of ojala2008, section 5.3.
const std::vector<std::int64_t> kThesis{-4, 2, 3};

// A system of int cells, each seen through the partition given.
struct Abstracted {
  system::System s;
  std::optional<IntervalDomain> built;
  const IntervalDomain& domain;
  Abstracted(const std::vector<Partition>& partitions, Intermediate mode,
             system::IntegerMode integers = system::IntegerMode::Wrap)
      : domain(fill(partitions, mode, integers)) {}
  const IntervalDomain& fill(const std::vector<Partition>& partitions, Intermediate mode,
                             system::IntegerMode integers) {
    s.integers = integers;
    Precision precision;
    for (const Partition& p : partitions) {
      const CellId c = s.add(system::Cell{"x", Type::integer(), 0, system::CellRole::Data, {}, false, {}});
      precision.set(Variable::cell(c), p);
    }
    return built.emplace(s, precision, IntervalDomain::Options{mode, 16, 1 << 16});
  }
  // The cells of variable 0 that `x op y` may be stored as, x and y given as codes of variables 0 and 1.
  std::vector<Interval> binary(Op op, std::int32_t x, std::int32_t y) {
    std::vector<Possible<IntervalDomain::Value>> results;
    domain.apply_binary(op, domain.load_cell(CellId(0), x), domain.load_cell(CellId(1), y), results);
    std::vector<std::int32_t> codes;
    for (const auto& r : results) {
      if (r.error != EvalError::None) continue;
      if (r.overflowed && s.integers != system::IntegerMode::Wrap) continue;
      std::vector<Stored> stored;
      domain.store_cell(CellId(0), r.value, stored);
      for (const Stored& st : stored) codes.push_back(st.code);
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    std::vector<Interval> cells;
    for (std::int32_t c : codes) cells.push_back(domain.meaning(Variable::cell(CellId(0)), c));
    return cells;
  }
};

TEST(Golden000, Item1SignAdditionMayGiveEachOfTheThree) {
  for (Intermediate mode : {Intermediate::Cells, Intermediate::Intervals}) {
    Abstracted a({Partition::sign(), Partition::sign()}, mode);
    const Interval neg{kMin, -1}, zero{0, 0}, pos{1, kMax};
    EXPECT_THAT(a.binary(Op::Add, 2, 0), UnorderedElementsAre(neg, zero, pos));
  }
}

TEST(Golden000, Item2IntervalAddition) {
  for (Intermediate mode : {Intermediate::Cells, Intermediate::Intervals}) {
    const Partition p = Partition::at(kThesis);
    Abstracted a({p, p}, mode);
    ASSERT_EQ(p.show(), "[min,-5] [-4,1] [2,2] [3,max]");
    EXPECT_THAT(a.binary(Op::Add, 2, 1), ElementsAre(Interval{-4, 1}, Interval{2, 2}, Interval{3, kMax}));
  }
}

TEST(Golden000, Item3SplittingAtAValue) {
  Partition p = Partition::at(kThesis);
  EXPECT_TRUE(p.split_at(-13));
  EXPECT_EQ(p.show(), "[min,-14] [-13,-13] [-12,-5] [-4,1] [2,2] [3,max]");
  EXPECT_FALSE(p.split_at(-13));
  Partition q = Partition::at(kThesis);
  EXPECT_TRUE(q.refine_with(Partition::at({3, 6, 13})));
  EXPECT_EQ(q.show(), "[min,-5] [-4,1] [2,2] [3,5] [6,12] [13,max]");
}

TEST(Partition, KPlusKeepsSmallValuesAndOneCellAbove) {
  EXPECT_EQ(Partition::k_plus(3, {0, 100}).show(), "[0,0] [1,1] [2,2] [3,100]");
  EXPECT_EQ(Partition::k_plus(2).show(), "[min,-1] [0,0] [1,1] [2,max]");
}

TEST(Partition, Parse) {
  EXPECT_EQ(Partition::parse("sign"), Partition::sign());
  EXPECT_EQ(Partition::parse("2+"), Partition::k_plus(2));
  EXPECT_EQ(Partition::parse("-4, 2,3"), Partition::at(kThesis));
  EXPECT_FALSE(Partition::parse("").has_value());
  EXPECT_FALSE(Partition::parse("two").has_value());
  EXPECT_FALSE(Partition::parse("7", {0, 3}).has_value());
}

// Whatever the mode, the cells a result may be stored in contain every concrete result (soundness), and with
// operands of one operator they are exactly the cells with a concrete result.
TEST(IntervalDomain, CellsOfOneOperatorAreThoseWithAConcreteResult) {
  std::mt19937 rng(3);
  const std::vector<Op> ops = testing::calculations();
  for (Intermediate mode : {Intermediate::Cells, Intermediate::Intervals})
    for (int round = 0; round < 300; ++round) {
      Partition p;
      for (int k = 0; k < 8; ++k) p.cut_below(static_cast<std::int64_t>(rng() % 24) - 12);
      Abstracted a({p, p}, mode);
      for (Op op : ops) {
        // Two bounded cells, so that the concrete results can be counted.
        if (p.size() < 4) continue;
        const auto x = static_cast<std::int32_t>(1 + rng() % (p.size() - 2));
        const auto y = static_cast<std::int32_t>(1 + rng() % (p.size() - 2));
        std::vector<Interval> expected;
        for (std::int64_t u = p.cell(static_cast<std::size_t>(x)).lo;
             u <= p.cell(static_cast<std::size_t>(x)).hi; ++u)
          for (std::int64_t v = p.cell(static_cast<std::size_t>(y)).lo;
               v <= p.cell(static_cast<std::size_t>(y)).hi; ++v) {
            const auto c = expr::compute(op, static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
            if (c.error == EvalError::None) expected.push_back(p.cell(p.index_of(c.value)));
          }
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        EXPECT_EQ(a.binary(op, x, y), expected) << spelling(op) << " " << p.show() << " " << x << " " << y;
      }
    }
}

// Without wrap-around NEG - POS stays NEG; with it, it may be anything.
TEST(IntervalDomain, OverflowModes) {
  Abstracted wrap({Partition::sign(), Partition::sign()}, Intermediate::Cells);
  // min - max is -2^32 + 1, so zero is out of reach even with wrap-around.
  EXPECT_THAT(wrap.binary(Op::Sub, 0, 2), ElementsAre(Interval{kMin, -1}, Interval{1, kMax}));
  Abstracted assume({Partition::sign(), Partition::sign()}, Intermediate::Cells,
                    system::IntegerMode::AssumeNoOverflow);
  EXPECT_THAT(assume.binary(Op::Sub, 0, 2), ElementsAre(Interval{kMin, -1}));
}

// An exact variable cannot take one of four billion values in a step.
TEST(IntervalDomain, ExactVariablesHaveALimit) {
  system::System s;
  const CellId c = s.add(system::Cell{"x", Type::integer(), 0, system::CellRole::Data, {}, false, {}});
  const IntervalDomain d(s, Precision{}, {});
  std::vector<Stored> out;
  EXPECT_THROW(d.store_cell(c, {expr::kIntMin, expr::kIntMax}, out), PrecisionLimit);
}

}  // namespace
}  // namespace parley::domain
