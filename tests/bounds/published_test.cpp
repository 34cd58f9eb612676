// The paper's own numbers [leue2005], from docs of the project: GOLDEN 003.1 to 003.4.
#include <gtest/gtest.h>

#include "bounds/extract.hpp"
#include "bounds/published/cycle_code.hpp"
#include "bounds/published/graph.hpp"
#include "bounds/published/test.hpp"
#include "figures.hpp"
#include "system_maker.hpp"

namespace parley::bounds::published {
namespace {

using testing::Maker;

FlowGraph coarse_graph(const system::System& s) {
  SystemFacts facts(s);
  // The paper's abstraction has no counters: code is looked at only when a counterexample is judged.
  return graph_of(s, extract(facts, coarsest(s), {}));
}

// 003.1: -x1 + x2 >= 0, x1 - x3 >= 0, x2 - x3 > 0 has the solution (0, 1, 0).
TEST(Published, Figure3SolutionIsTheSendingCycleAlone) {
  const FlowGraph g = testing::figure3();
  EXPECT_EQ(solve_cycles(g, elementary_cycles(g, 10).cycles, {}), (std::vector<std::int64_t>{0, 1, 0}));
}

// 003.1, with the code: the counterexample is spurious because of x, and then the verdict is BOUNDED.
TEST(Published, Figure1IsBoundedAfterRefinement) {
  const system::System s = testing::figure1();
  const Report r = test(s, coarse_graph(s), {});
  EXPECT_EQ(r.cycles.size(), 3U);
  EXPECT_EQ(r.answer, Answer::Bounded);
  EXPECT_GE(r.spurious, 1U);
  EXPECT_EQ(r.spurious, r.counterexamples);
}

// 003.2: control expression x1 + x2, boundary 2, start 5, step -1, at most 3; x2 < 1 at most 2; the guard at
// most 5.
TEST(Published, Figure8) {
  Maker m;
  const auto p = m.owner("P", 1);
  const auto x1 = m.cell("x1", p, -1000, 1000, 6), x2 = m.cell("x2", p, -1000, 1000, -1);
  using expr::Op;
  const auto guard = m.s.exprs.either(m.op(Op::Gt, m.get(x1), m.op(Op::Sub, m.num(2), m.get(x2))),
                                      m.op(Op::Lt, m.get(x2), m.num(1)));
  m.step(p, 0, 0,
         {m.assign(x1, m.op(Op::Sub, m.get(x1), m.num(2))), m.assign(x2, m.op(Op::Add, m.get(x2), m.num(1)))},
         guard);
  const auto form = normal_form(m.s, guard);
  ASSERT_TRUE(form.has_value());
  ASSERT_EQ(form->size(), 2U);
  const Atom &first = (*form)[0][0], &second = (*form)[1][0];
  EXPECT_EQ(first.control.terms, (std::map<system::CellId, std::int64_t>{{x1, 1}, {x2, 1}}));
  EXPECT_EQ(first.boundary, 2);
  EXPECT_EQ(first.relation, Relation::Greater);
  const std::vector<CodeStep> code = {{CodeStep::Kind::Condition, guard, {}},
                                      {CodeStep::Kind::Assign, m.op(Op::Sub, m.get(x1), m.num(2)), x1},
                                      {CodeStep::Kind::Assign, m.op(Op::Add, m.get(x2), m.num(1)), x2}};
  // Figure 10: four programs, all with the solution -1.
  for (const Disjunct& under : *form) {
    const StepValues v = step_values(m.s, code, under, first.control);
    EXPECT_EQ(v.lowest, -1);
    EXPECT_EQ(v.highest, -1);
  }
  const auto facts =
      analyse_condition(m.s, code, [&](const Linear& l) -> std::optional<std::vector<std::int64_t>> {
        std::int64_t v = 0;
        for (const auto& [cell, k] : l.terms) v += k * m.s.cell(cell).initial;
        return std::vector<std::int64_t>{v};
      });
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->exits);
  EXPECT_EQ(facts->atoms[0][0].step, -1);
  EXPECT_EQ(facts->atoms[0][0].most, 3);
  EXPECT_EQ(facts->atoms[1][0].most, 2);
  EXPECT_EQ(facts->most, 5);
  EXPECT_EQ(second.boundary, 1);
}

// 003.3. Figure 7: C1 and C2 need C3. Figure 11: exactly two sets, {C1,C3,C4,C2} and {C1,C5,C2}.
TEST(Published, Figure7And11SelfConnectedSets) {
  const Neighbours figure7 = {{2}, {2}, {0, 1}};
  EXPECT_FALSE(self_connected(figure7, {0, 1}));
  EXPECT_TRUE(self_connected(figure7, {0, 1, 2}));
  // C1..C5 as 0..4: C1-C3, C3-C4, C4-C2, C1-C5, C5-C2.
  const Neighbours figure11 = {{2, 4}, {3, 4}, {0, 3}, {1, 2}, {0, 1}};
  const auto sets = connecting_sets(figure11, 0, 1, 16);
  ASSERT_TRUE(sets.has_value());
  EXPECT_EQ(*sets, (std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3}, {0, 1, 4}}));
  // The coarser method: c3 + c5 > 0 and c4 + c5 > 0.
  EXPECT_EQ(connecting_layers(figure11, 0, 1), (std::vector<std::vector<std::uint32_t>>{{2, 4}, {3, 4}}));
  EXPECT_FALSE(connecting_sets(figure11, 0, 1, 1).has_value());
}

// 003.3, Figure 12: C1-C3-C4-C2 and C1-C5-C6-C2; the coarse layers admit {C1,C2,C3,C6}, which is not
// connected.
TEST(Published, Figure12TheCoarseMethodIsCoarser) {
  const Neighbours figure12 = {{2, 4}, {3, 5}, {0, 3}, {1, 2}, {0, 5}, {1, 4}};
  const auto layers = connecting_layers(figure12, 0, 1);
  EXPECT_EQ(layers, (std::vector<std::vector<std::uint32_t>>{{2, 4}, {3, 5}}));
  const std::vector<std::uint32_t> mixed = {0, 1, 2, 5};
  for (const auto& layer : layers)
    EXPECT_TRUE(std::any_of(layer.begin(), layer.end(), [&](std::uint32_t x) {
      return std::find(mixed.begin(), mixed.end(), x) != mixed.end();
    }));
  EXPECT_FALSE(self_connected(figure12, mixed));
}

// Two cycles in different strongly connected components cannot both run for ever: three programs, BOUNDED.
TEST(Published, DifferentComponentsExcludeEachOther) {
  FlowGraph g;
  testing::message(g, "a", 0);
  testing::message(g, "b", 1);
  Component& c = testing::component(g, "P", 2);
  testing::edge(c, 0, 0, {{0, 2}, {1, -1}});
  testing::edge(c, 0, 1);
  testing::edge(c, 1, 1, {{0, -1}, {1, 1}});
  const system::System nothing;
  const Report r = test(nothing, g, {});
  EXPECT_EQ(r.cycles.size(), 2U);
  EXPECT_EQ(r.counterexamples, 1U);
  EXPECT_EQ(r.programs, 4U);  // the first and the three that replace it
  EXPECT_EQ(r.answer, Answer::Bounded);
}

// 003.4: sort reduced to its sender: one counterexample, the counted loop, at most 7 times, no neighbour and
// no supplementary cycle; excluded; BOUNDED.
TEST(Published, SortHasOneCounterexampleAndIsBounded) {
  Maker m;
  const auto left = m.owner("left", 4), right = m.owner("right", 1);
  const auto q = m.queue("q[0]");
  const auto number = m.signal("number", {system::Type::range(0, 255)});
  const auto counter = m.cell("left.counter", left, 0, 255, 3);
  using expr::Op;
  m.step(left, 3, 0, {m.assign(counter, m.num(0))});
  m.s.cells[m.s.owners[left.index()].locations[0].index()].initial = 3;
  m.step(left, 0, 1, {}, m.op(Op::Lt, m.get(counter), m.num(7)));
  m.step(left, 1, 2, {m.send(q, number, {m.num(3)})});
  m.step(left, 2, 0,
         {m.assign(counter, m.s.exprs.unary(Op::TruncU, m.op(Op::Add, m.get(counter), m.num(1)), 8))});
  m.receive(right, 0, 0, q, number);
  const Report r = test(m.s, coarse_graph(m.s), {});
  EXPECT_EQ(r.counterexamples, 1U);
  EXPECT_EQ(r.spurious, 1U);
  EXPECT_EQ(r.answer, Answer::Bounded);
  ASSERT_EQ(r.log.size(), 1U);
  EXPECT_NE(r.log[0].find("at most 7 times in a row; 0 neighbouring, 0 supplementary cycles"),
            std::string::npos)
      << r.log[0];
  // Without max_B the same answer, by two programs.
  Options without;
  without.with_max = false;
  EXPECT_EQ(test(m.s, coarse_graph(m.s), without).answer, Answer::Bounded);
}

// 003.6's last counterexample: a cycle that sends without constraint stands.
TEST(Published, UnconstrainedSenderStands) {
  Maker m;
  const auto user = m.owner("user", 1);
  const auto q = m.queue("q");
  m.step(user, 0, 0, {m.send(q, m.signal("g"))});
  const Report r = test(m.s, coarse_graph(m.s), {});
  EXPECT_EQ(r.answer, Answer::Unknown);
  ASSERT_EQ(r.set_aside.size(), 1U);
  EXPECT_EQ(r.set_aside[0].why, Undecided::Unguarded);
  ASSERT_EQ(r.set_aside[0].cycles.size(), 1U);
  EXPECT_EQ(r.set_aside[0].cycles[0].times, 1);
}

}  // namespace
}  // namespace parley::bounds::published
