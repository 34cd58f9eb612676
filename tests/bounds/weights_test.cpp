#include "bounds/weights.hpp"

#include <gtest/gtest.h>

#include "bounds/cycles.hpp"
#include "figures.hpp"

namespace parley::bounds {
namespace {

using testing::component;
using testing::edge;
using testing::message;

// GOLDEN 003.1: three cycles with effects (1,-1), (0,1), (-1,0) over (a, b).
TEST(Figure3, ThreeCyclesWithTheirEffects) {
  const CycleList list = elementary_cycles(testing::figure3(), 100);
  ASSERT_EQ(list.cycles.size(), 3U);
  EXPECT_EQ(list.cycles[0].effect, (Effect{{0, 1}, {1, -1}}));
  EXPECT_EQ(list.cycles[1].effect, (Effect{{1, 1}}));
  EXPECT_EQ(list.cycles[2].effect, (Effect{{0, -1}}));
}

// GOLDEN 003.1: the counterexample is the sending cycle of Right alone, once.
TEST(Figure3, TheSendingCycleOfRightIsTheCounterexample) {
  const FlowGraph g = testing::figure3();
  WeightSolver solver(g, {});
  const Decision d = solver.decide();
  ASSERT_TRUE(d.complete);
  EXPECT_FALSE(d.boundable[0]);
  EXPECT_FALSE(d.boundable[1]);
  const std::vector<CycleRun> runs = solver.counterexample({1});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].component, 1U);
  EXPECT_EQ(runs[0].edges, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(runs[0].times, 1);
}

// Splitting by x decides it: by hand, one message is under way at any time (ch2, then ch1).
TEST(Figure3, SplitByXItIsBoundedByOne) {
  const FlowGraph g = testing::figure3_split();
  WeightSolver solver(g, {});
  const Decision d = solver.decide();
  ASSERT_TRUE(d.complete);
  EXPECT_TRUE(d.boundable[0]);
  EXPECT_TRUE(d.boundable[1]);
  for (std::uint32_t k : {0U, 1U}) {
    const auto b = solver.bound({k});
    ASSERT_TRUE(b.has_value());
    EXPECT_EQ(b->limit, 1);
    const auto again = evaluate_weights(g, b->weights);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->value, b->value);
  }
  EXPECT_EQ(solver.bound({0, 1})->limit, 1);
}

// ALGORITHMS 4.5: n clients (idle, wait, crit), a server split by its owner attribute; the exact maximum of
// the server's queue is n + 1 with weights req = rel = deny = 1, grant = 2.
TEST(ClientServer, BoundIsTheNumberOfClientsPlusOne) {
  for (const std::size_t n : {2U, 3U, 5U}) {
    FlowGraph g;
    std::vector<std::uint32_t> req, rel, grant, deny;
    for (std::size_t i = 0; i < n; ++i) {
      req.push_back(message(g, "req", 0));
      rel.push_back(message(g, "rel", 0));
      grant.push_back(message(g, "grant", 1 + i));
      deny.push_back(message(g, "deny", 1 + i));
    }
    for (std::size_t i = 0; i < n; ++i) {
      Component& c = component(g, "client", 3);
      edge(c, 0, 1, {{req[i], 1}});
      edge(c, 1, 2, {{grant[i], -1}});
      edge(c, 1, 0, {{deny[i], -1}});
      edge(c, 2, 0, {{rel[i], 1}});
    }
    Component& s = component(g, "server", 2);
    for (std::size_t i = 0; i < n; ++i) {
      edge(s, 0, 1, {{req[i], -1}, {grant[i], 1}});
      edge(s, 1, 1, {{req[i], -1}, {deny[i], 1}});
      edge(s, 1, 0, {{rel[i], -1}});
    }
    WeightSolver solver(g, {});
    const Decision d = solver.decide();
    std::vector<std::uint32_t> server_queue = req;
    server_queue.insert(server_queue.end(), rel.begin(), rel.end());
    for (std::uint32_t k : server_queue) ASSERT_TRUE(d.boundable[k]);
    const auto b = solver.bound(server_queue);
    ASSERT_TRUE(b.has_value());
    EXPECT_EQ(b->limit, static_cast<std::int64_t>(n + 1));
  }
}

// A counter as a kind: i < 4 -> send, i := i + 1 (Figure 4 of the paper). At most 4 messages.
TEST(Figure4, ACounterBoundsItsLoop) {
  FlowGraph g;
  message(g, "msg", 0);
  Kind counter;
  counter.sort = KindSort::Data;
  counter.limit = 4;
  counter.initial = 4;  // 4 - i at the start
  g.kinds.push_back(counter);
  edge(component(g, "P", 1), 0, 0, {{0, 1}, {1, -1}});
  WeightSolver solver(g, {});
  ASSERT_TRUE(solver.decide().boundable[0]);
  EXPECT_EQ(solver.bound({0})->limit, 4);
}

// A ledger ties two halves of a joint action: only together with its partner's finite path may it send.
TEST(Ledger, JointActionsRunEquallyOften) {
  FlowGraph g;
  message(g, "msg", 0);
  Kind ledger;
  ledger.sort = KindSort::Ledger;
  g.kinds.push_back(ledger);
  edge(component(g, "P", 1), 0, 0, {{0, 1}, {1, 1}});
  Component& partner = component(g, "Q", 3);
  edge(partner, 0, 1, {{1, -1}});
  edge(partner, 1, 2, {{1, -1}});
  WeightSolver solver(g, {});
  ASSERT_TRUE(solver.decide().boundable[0]);
  EXPECT_EQ(solver.bound({0})->limit, 2);
}

TEST(Cycles, Figure11HasFiveOfThem) {
  // C1..C5 of the figure, and the two that mix the bridges: 0-2-1-4-0 and 0-3-1-2-0.
  EXPECT_EQ(elementary_cycles(testing::figure11(), 100).cycles.size(), 7U);
  EXPECT_FALSE(elementary_cycles(testing::figure11(), 3).complete);
}

TEST(Cycles, CompleteGraphCounts) {
  // Sum over k of n! / ((n-k)! k): 1 + 2 + ... hand values for n = 3, 4 without self-loops: 5, 20.
  for (const auto& [n, expected] : {std::pair<std::uint32_t, std::size_t>{3, 5}, {4, 20}, {5, 84}}) {
    FlowGraph g;
    Component& c = component(g, "K", n);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (i != j) edge(c, i, j);
    EXPECT_EQ(elementary_cycles(g, 1000).cycles.size(), expected);
  }
}

}  // namespace
}  // namespace parley::bounds
