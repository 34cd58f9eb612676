// Time events, timers, change events and the time switch. Expected runs by hand.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(Timing, AfterCountsTicksFromEntry) {
  EXPECT_THAT(runs(machine("", "", R"(
    initial -> s;
    state s { T: after 2 -> t; }
    state t;)")),
              ElementsAre("tick tick T"));
}

TEST(Timing, LazyTimePassesOnlyWhenNothingElseMoves) {
  // lazy: x is taken first, leaving s switches its timer off. free: x may come before or after any tick.
  const std::string text = machine("signal x;", "", R"(
    initial / { send x to this; } -> s;
    state s { T: after 1 -> t; X: on x -> u; }
    state t { X2: on x -> u; }
    state u;)");
  EXPECT_THAT(runs(text, {{"time", "lazy"}}), ElementsAre("X"));
  // After the tick the time event and x compete (documented coarsening).
  EXPECT_THAT(runs(text, {{"time", "free"}}), UnorderedElementsAre("X", "tick X", "tick T X2"));
  EXPECT_EQ(runs(text), runs(text, {{"time", "free"}}));  // the default
}

TEST(Timing, LazyTimeIsAnAssumptionWhereTimersMatter) {
  const std::string timed = machine("", "", "initial -> s; state s { T: after 1 -> t; } state t;");
  const auto lazy = load(timed, {{"time", "lazy"}});
  ASSERT_EQ(lazy->system().assumptions.size(), 1u);
  EXPECT_EQ(lazy->system().assumptions[0].code, diag::AssumptionCode::LazyTime);
  EXPECT_TRUE(load(timed)->system().assumptions.empty());
  const std::string timeless = machine("", "", "initial -> s; state s;");
  EXPECT_TRUE(load(timeless, {{"time", "lazy"}})->system().assumptions.empty());
}

TEST(Timing, DoActivitiesAreAnAssumption) {
  const auto loaded = load(machine("", "", R"(
    initial -> s;
    state s { do { out = 1; } -> t; }
    state t { do { out = 2; } })"));
  ASSERT_EQ(loaded->system().assumptions.size(), 1u) << loaded->report();
  EXPECT_EQ(loaded->system().assumptions[0].code, diag::AssumptionCode::Approximated);
  EXPECT_NE(loaded->system().assumptions[0].text.find(" and 1 more"), std::string::npos)
      << loaded->system().assumptions[0].text;
}

TEST(Timing, TheEnvironmentDoesNotHoldTimeUp) {
  // x may come before the tick, between tick and time-out, after it, or never.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial -> s;
    state s { T: after 1 -> t; X: on x -> u; }
    state t { X2: on x -> u; }
    state u;)",
                           "environment sends x to m at most 1;"),
                   {{"time", "lazy"}}),
              UnorderedElementsAre("<x X", "tick <x X", "tick <x T X2", "tick T <x X2"));
}

TEST(Timing, TimePassesWhileASenderIsBlocked) {
  // a's second message does not fit into b's queue; b takes the first only after 2 ticks.
  EXPECT_THAT(runs(R"(
    signal x;
    class A { B b; machine { initial / { send x to b; } -> s; state s { A1: / { send x to b; } -> t; } state t; } }
    class B { machine { initial -> s; state s { defer x; T: after 2 -> t; } state t { X: on x -> t; } } }
    system { a : A { b = b; } b : B; queues: capacity 1, overflow block; })",
                   {{"time", "lazy"}}),
              UnorderedElementsAre("tick tick T X A1 X"));
}

TEST(Timing, TimeEventWithFalseGuardIsLost) {
  // At the time out guard ok is false: the event passes; y sets ok later, T never fires.
  EXPECT_THAT(runs(machine("signal y;", "bool ok = false;", R"(
    initial -> s;
    state s { T: after 1 [ok] -> t; U: after 2 / { ok = true; } }
    state t;)"),
                   {{"time", "lazy"}}),
              ElementsAre("tick tick U"));
}

TEST(Timing, TimerAttribute) {
  // Started with 2, restarted by x is impossible here (lazy); stop switches it off.
  EXPECT_THAT(runs(machine("signal x;", "timer(5) tm;", R"(
    initial / { start tm = 2; } -> s;
    state s { T: on timeout tm / { start tm = 1; } -> t; }
    state t { T2: on timeout tm -> u; }
    state u { entry { start tm = 3; stop tm; } })")),
              ElementsAre("tick tick T tick T2"));
}

TEST(Timing, SeveralTimersTickTogether) {
  EXPECT_THAT(runs(machine("", "", R"(
    initial -> a;
    state a {
      region p { initial -> p1; state p1 { P: after 1 -> p2; } state p2; }
      region q { initial -> q1; state q1 { Q: after 2 -> q2; } state q2; }
    })"),
                   {{"time", "lazy"}}),
              ElementsAre("tick P tick Q"));
}

TEST(Timing, ChangeEventFiresOnTheEdge) {
  // n is 0 at entry: armed. x makes n 1: fires once; n stays 1: not again. y makes it 0: armed again; x:
  // fires.
  EXPECT_THAT(runs(machine("signal x; signal y;", "int n = 0;", R"(
    initial / { send x to this; } -> s;
    state s { W: when (n == 1) / { out = 1; } on x / { n = 1; } })")),
              ElementsAre("W 1"));
  // True from the start is no edge.
  EXPECT_THAT(runs(machine("", "int n = 1;", R"(
    initial / { out = 5; } -> s;
    state s { W: when (n == 1) -> t; }
    state t;)")),
              ElementsAre("5"));
}

TEST(Timing, NoTimeRefusesTimers) {
  const auto l = load(machine("", "", "initial -> s; state s { after 2 -> s; }"), {{"time", "none"}});
  EXPECT_FALSE(l->lowered);
  EXPECT_THAT(l->report(), testing::HasSubstr("[no-time]"));
}
