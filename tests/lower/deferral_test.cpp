// Deferral: docs/semantics.md rule 11 and the switch `deferral = any-enabled`. Runs are worked out by hand.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(Deferral, HeldBackUntilTheStateIsLeft) {
  // d waits in s; g goes to t; there d is taken, before the later e.
  EXPECT_THAT(runs(machine("signal d; signal g; signal e;", "", R"(
    initial / { send d to this; send g to this; send e to this; } -> s;
    state s { defer d; G: on g -> t; }
    state t { D: on d -> t; E: on e -> t; })")),
              ElementsAre("G D E"));
}

TEST(Deferral, DeferredMessagesKeepTheirOrder) {
  EXPECT_THAT(runs(machine("signal d(int v); signal g;", "", R"(
    initial / { send d(1) to this; send d(2) to this; send g to this; } -> s;
    state s { defer d; on g -> t; }
    state t { on d(v) / { out = v; } -> t; })")),
              ElementsAre("1 2"));
}

TEST(Deferral, OwnTransitionOverridesWhileEnabled) {
  // d(1) does not pass the guard: deferred; d(5) is taken at once; then in t d(1).
  EXPECT_THAT(runs(machine("signal d(int v);", "", R"(
    initial / { send d(1) to this; send d(5) to this; } -> s;
    state s { defer d; S: on d(v) [v > 3] / { out = v; } -> t; }
    state t { T: on d(v) / { out = 10 + v; } -> t; })")),
              ElementsAre("S 5 T 11"));
}

TEST(Deferral, OneGuardThatHoldsOverridesWhateverOthersDo) {
  // The first guard divides by zero: a failure of its own step, and no reason to hold d back (seed 1701).
  EXPECT_THAT(runs(machine("signal d;", "int x = 0;", R"(
    initial / { send d to this; } -> s;
    state s { defer d; F: on d [7 % x == 1] -> s; S: on d -> t; }
    state t;)")),
              ::testing::Contains("S"));
}

TEST(Deferral, EnclosingTransitionDoesNotOverride) {
  // PSSM Deferred 003: a1 defers d; a's transition on d does not win. any-enabled: it does.
  const std::string text = machine("signal d; signal g;", "", R"(
    initial / { send d to this; send g to this; } -> a;
    state a { initial -> a1; state a1 { defer d; G: on g -> a2; } state a2; O: on d -> b; }
    state b { B: on g -> b; })");
  EXPECT_THAT(runs(text), ElementsAre("G O"));
  EXPECT_THAT(runs(text, {{"deferral", "any-enabled"}}), ElementsAre("O B"));
}

TEST(Deferral, SiblingRegionDoesNotOverride) {
  // PSSM Deferred 004-A: p1 defers d, q1 would take it: it waits until p1 is left by g.
  const std::string text = machine("signal d; signal g;", "", R"(
    initial / { send d to this; send g to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { defer d; G: on g -> p2; } state p2; }
      region q { initial -> q1; state q1 { Q: on d -> q2; } state q2; }
    })");
  EXPECT_THAT(runs(text), ElementsAre("G Q"));
  EXPECT_THAT(runs(text, {{"deferral", "any-enabled"}}), ElementsAre("Q G"));
}

TEST(Deferral, NestedTransitionOverridesItsEnclosingDeferral) {
  EXPECT_THAT(runs(machine("signal d;", "", R"(
    initial / { send d to this; } -> a;
    state a { defer d; initial -> a1; state a1 { D: on d -> a2; } state a2; })")),
              ElementsAre("D"));
}

TEST(Deferral, NeverReleasedIsNoLoss) {
  // Nothing but the deferred message is left: the run ends, nothing is discarded.
  EXPECT_THAT(runs(machine("signal d;", "", R"(
    initial / { send d to this; out = 1; } -> s;
    state s { defer d; })")),
              ElementsAre("1"));
}

TEST(Deferral, CompletionIsNeverDeferred) {
  EXPECT_THAT(runs(machine("signal d;", "", R"(
    initial / { send d to this; } -> s;
    state s { defer d; C: -> t; }
    state t { D: on d -> t; })")),
              ElementsAre("C D"));
}
