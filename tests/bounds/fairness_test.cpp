// Weak fairness of the loops of unbounded queues, by hand and against the definition.
#include <gtest/gtest.h>

#include <set>

#include "bounds/bounds.hpp"
#include "report/bounds_report.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using testing::Maker;

QueueReport growing(const system::System& s, std::size_t queue) {
  Options o;
  o.seconds = 3;
  const BoundsReport r = analyse(s, o);
  EXPECT_EQ(r.queues[queue].answer, Answer::Unbounded);
  return r.queues[queue];
}

// The sender never stops, and the taker could take all the time: from the second round on, although the queue
// is empty when the loop is found.
TEST(Fairness, AReceiverThatNeverGetsATurn) {
  Maker m;
  const auto sender = m.owner("sender", 1), taker = m.owner("taker", 1);
  const auto q = m.queue("q", taker);
  const auto g = m.signal("g");
  m.step(sender, 0, 0, {m.send(q, g)});
  m.receive(taker, 0, 0, q, g);
  const QueueReport r = growing(m.s, 0);
  ASSERT_TRUE(r.fairness);
  EXPECT_EQ(r.fairness->starved, (std::vector<system::OwnerId>{taker}));
  BoundsReport all;
  all.queues = {r};
  EXPECT_NE(report::text(m.s, all, {true})
                .find("it is not weakly fair: able to act all the time, but never acting: taker\n"),
            std::string::npos);
  const auto j = report::to_json(m.s, all)["queues"][0];
  EXPECT_EQ(j["fair"], false);
  EXPECT_EQ(j["starved"], nlohmann::ordered_json::array({"taker"}));
}

// Two sent for each one taken.
TEST(Fairness, AQueueThatGrowsAlthoughEverybodyActs) {
  Maker m;
  const auto sender = m.owner("sender", 2), taker = m.owner("taker", 1);
  const auto q = m.queue("q", taker), back = m.queue("back", sender);
  const auto g = m.signal("g");
  m.step(sender, 0, 1, {m.send(q, g), m.send(q, g)});
  m.receive(taker, 0, 0, q, g, {m.send(back, g)});
  m.receive(sender, 1, 0, back, g);
  const QueueReport r = growing(m.s, 0);
  ASSERT_TRUE(r.fairness);
  EXPECT_TRUE(r.fairness->fair());
  BoundsReport all;
  all.queues = {r};
  EXPECT_NE(report::text(m.s, all, {true}).find("it is weakly fair"), std::string::npos);
}

// Able in some states of the loop, but not in all; or only while the queue is short.
TEST(Fairness, OnlyWhoIsAlwaysAbleCounts) {
  Maker m;
  const auto sender = m.owner("sender", 2), now_and_then = m.owner("now and then", 1),
             shy = m.owner("shy", 1), ready = m.owner("ready", 1);
  const auto q = m.queue("q");
  const auto g = m.signal("g");
  m.step(sender, 0, 1, {m.send(q, g)});
  m.step(sender, 1, 0);
  m.step(now_and_then, 0, 0, {}, m.is(m.s.owners[sender.index()].locations[0], 1));
  m.step(shy, 0, 0, {}, m.op(expr::Op::Lt, m.s.exprs.queue_len(q), m.num(9)));
  m.step(ready, 0, 0, {}, m.op(expr::Op::Ge, m.s.exprs.queue_len(q), m.num(9)));
  const QueueReport r = growing(m.s, 0);
  ASSERT_TRUE(r.fairness);
  std::vector<system::OwnerId> expected{ready};
  EXPECT_EQ(r.fairness->starved, expected);
}

TEST(Fairness, TheEnvironmentMayStop) {
  Maker m;
  const auto sender = m.owner("sender", 1), world = m.owner("world", 1);
  m.s.owners[world.index()].kind = system::OwnerKind::Environment;
  const auto q = m.queue("q"), other = m.queue("other");
  const auto g = m.signal("g");
  m.step(sender, 0, 0, {m.send(q, g)});
  m.step(world, 0, 0, {m.send(other, g)});
  const QueueReport r = growing(m.s, 0);
  ASSERT_TRUE(r.fairness);
  EXPECT_TRUE(r.fairness->fair());
}

// The definition, on the 20th to 25th round of every loop that random systems give.
TEST(Fairness, RandomLoopsAgainstTheDefinition) {
  std::size_t fair = 0, unfair = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const system::System s = testing::random_system(seed, seed % 2 == 0);
    Options o;
    o.search_states = 300;
    o.walks = 2;
    o.seconds = 2;
    const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 1U << 20));
    for (const QueueReport& r : analyse(s, o).queues) {
      if (r.answer != Answer::Unbounded) continue;
      ASSERT_TRUE(r.fairness) << "seed " << seed;
      std::set<std::size_t> waiting, acting;
      for (std::size_t i = 0; i < s.owners.size(); ++i) waiting.insert(i);
      semantics::State state = in.initial_state(r.pump->prefix.initial_choices).state;
      for (const semantics::Step& step : r.pump->prefix.steps) state = in.run(state, step).state;
      for (int round = 0; round < 25; ++round)
        for (const semantics::Step& step : r.pump->loop) {
          if (round >= 20) {
            std::set<std::size_t> able;
            for (const auto& next : in.successors(state))
              able.insert(s.action(next.step.action).owner.index());
            std::erase_if(waiting, [&](std::size_t x) { return !able.contains(x); });
            acting.insert(s.action(step.action).owner.index());
          }
          state = in.run(state, step).state;
        }
      std::vector<system::OwnerId> starved;
      for (std::size_t x : waiting)
        if (!acting.contains(x)) starved.emplace_back(x);
      EXPECT_EQ(r.fairness->starved, starved) << "seed " << seed;
      ++(starved.empty() ? fair : unfair);
    }
  }
  EXPECT_GT(fair, 5U);
  EXPECT_GT(unfair, 5U);
}

}  // namespace
}  // namespace parley::bounds
