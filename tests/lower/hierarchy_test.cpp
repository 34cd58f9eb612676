// Composite states, priority, orthogonal regions, history, fork and join, points, terminate: expected runs by
// hand, the rule numbers are those of docs/semantics.md.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(Hierarchy, DefaultEntryAndExitOrder) {
  // Enter a, then a1 (outermost first); leave a1, then a, effect, enter b.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a { entry { out = 1; } exit { out = 2; }
      initial / { out = 10; } -> a1;
      state a1 { entry { out = 11; } exit { out = 12; } }
      on x / { out = 3; } -> b;
    }
    state b { entry { out = 4; } })")),
              ElementsAre("1 10 11 12 2 3 4"));
}

TEST(Hierarchy, InnerTransitionHasPriority) {
  // Rule 8: a1's transition wins while its guard holds; then the outer one.
  EXPECT_THAT(runs(machine("signal x;", "int n = 0;", R"(
    initial / { send x to this; send x to this; } -> a;
    state a {
      initial -> a1;
      state a1 { I: on x [n == 0] / { n = 1; } -> a1; }
      O: on x -> b;
    }
    state b;)")),
              ElementsAre("I O"));
}

TEST(Hierarchy, EntryIntoNestedTarget) {
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> s;
    state s { on x -> a.b.c; }
    state a { entry { out = 1; } initial -> z; state z { entry { out = 9; } }
      state b { entry { out = 2; } initial -> z2; state z2 { entry { out = 8; } } state c { entry { out = 3; } } }
    })")),
              ElementsAre("1 2 3"));
}

TEST(Hierarchy, ExternalTransitionFromSubstateToItsStateRestartsIt) {
  // External: the composite is left and entered again (UML LCA rule).
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a { entry { out = 1; } exit { out = 2; }
      initial -> a1;
      state a1 { entry { out = 3; } exit { out = 4; } on x / { out = 5; } -> a; }
    })")),
              ElementsAre("1 3 4 2 5 1 3"));
}

TEST(Hierarchy, LocalTransitions) {
  // From the composite to its substate: contents are left, the composite is not (PSSM Transition 011-A).
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a { entry { out = 1; } exit { out = 2; }
      initial -> a1;
      state a1 { entry { out = 3; } exit { out = 4; } }
      state a2 { entry { out = 6; } }
      on x / { out = 5; } -> local a2;
    })")),
              ElementsAre("1 3 4 5 6"));
  // The same, external: a is left and entered again.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a { entry { out = 1; } exit { out = 2; }
      initial -> a1;
      state a1 { entry { out = 3; } exit { out = 4; } }
      state a2 { entry { out = 6; } }
      on x / { out = 5; } -> a2;
    })")),
              ElementsAre("1 3 4 2 5 1 6"));
}

TEST(Hierarchy, CompositeCompletesWhenItsRegionIsFinal) {
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a { initial -> a1; state a1 { T: on x -> final; } C: -> b; }
    state b;)")),
              ElementsAre("T C"));
}

TEST(Hierarchy, OrthogonalRegionsBothReactInAnyOrder) {
  // One event, two regions: one step; each firing (exit, effect, entry) is one unit, both orders (rule 13).
  const std::string text = machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { exit { out = 1; } on x / { out = 2; } -> p2; } state p2 { entry { out = 3; } } }
      region q { initial -> q1; state q1 { exit { out = 4; } on x / { out = 5; } -> q2; } state q2 { entry { out = 6; } } }
    })");
  EXPECT_THAT(runs(text), UnorderedElementsAre("1 2 3 4 5 6", "4 5 6 1 2 3"));
  EXPECT_THAT(runs(text, {{"regions", "declared"}}), ElementsAre("1 2 3 4 5 6"));
}

TEST(Hierarchy, OrderMattersWhereBothRegionsMayOverflow) {
  // Which of the two errors comes first; where integers wrap there is none, and one order is enough.
  const std::string text = machine("signal x;", "int n = 1; int k = -2147483648;", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x / { n = n << 31; } -> p2; } state p2; }
      region q { initial -> q1; state q1 { Q: on x / { k = -k; } -> q2; } state q2; }
    })");
  EXPECT_THAT(runs(text, {{"integers", "error"}}), UnorderedElementsAre("P !error", "Q !error"));
  EXPECT_THAT(runs(text, {{"integers", "wrap"}}), ElementsAre("P Q"));
}

TEST(Hierarchy, OrthogonalGuardsAreReadBeforeTheStep) {
  // Rule 8: q's guard n == 0 is read at the start; p's effect n = 1 does not disable it.
  EXPECT_THAT(runs(machine("signal x;", "int n = 0;", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x / { n = 1; } -> p2; } state p2; }
      region q { initial -> q1; state q1 { Q: on x [n == 0] -> q2; } state q2; }
    })"),
                   {{"regions", "declared"}}),
              ElementsAre("P Q"));
}

TEST(Hierarchy, ConflictingOrthogonalTransitionsExcludeEachOther) {
  // P leaves a, so it conflicts with Q: either P or Q, never both. After Q, nothing more comes.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x -> b; } }
      region q { initial -> q1; state q1 { Q: on x -> q2; } state q2; }
    }
    state b;)")),
              UnorderedElementsAre("P", "Q"));
}

TEST(Hierarchy, OrthogonalCompletionNeedsAllRegions) {
  EXPECT_THAT(runs(machine("signal x; signal y;", "", R"(
    initial / { send x to this; send y to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x -> final; } }
      region q { initial -> q1; state q1 { Q: on y -> final; } }
      C: -> b;
    }
    state b;)")),
              ElementsAre("P Q C"));
}

TEST(Hierarchy, CompletionEventsOfRegionsKeepTheirOrder) {
  // p1 and q1 both complete on entry. Entered in declared order: P before Q; with all orders both.
  const std::string text = machine("", "", R"(
    initial -> a;
    state a {
      region p { initial -> p1; state p1 { P: -> p2; } state p2 { P2: -> p3; } state p3; }
      region q { initial -> q1; state q1 { Q: -> q2; } state q2; }
    })");
  EXPECT_THAT(runs(text, {{"regions", "declared"}}), ElementsAre("P Q P2"));  // p2's event comes after q1's
  EXPECT_THAT(runs(text), UnorderedElementsAre("P Q P2", "Q P P2"));
}

TEST(Hierarchy, ShallowHistory) {
  // a: go to a2 (composite, inner moved to i2), leave by out, come back by history: a2 again, inner from its
  // start.
  EXPECT_THAT(runs(machine("signal n; signal i; signal o; signal h;", "", R"(
    initial / { send n to this; send i to this; send o to this; send h to this; } -> a;
    state a {
      initial -> a1;
      history hist;
      state a1 { on n -> a2; }
      state a2 { entry { out = 2; } initial -> i1; state i1 { entry { out = 21; } on i -> i2; } state i2 { entry { out = 22; } } }
      on o -> b;
    }
    state b { on h -> a.hist; })")),
              ElementsAre("2 21 22 2 21"));
}

TEST(Hierarchy, DeepHistory) {
  EXPECT_THAT(runs(machine("signal n; signal i; signal o; signal h;", "", R"(
    initial / { send n to this; send i to this; send o to this; send h to this; } -> a;
    state a {
      initial -> a1;
      deep history hist;
      state a1 { on n -> a2; }
      state a2 { entry { out = 2; } initial -> i1; state i1 { entry { out = 21; } on i -> i2; } state i2 { entry { out = 22; } } }
      on o -> b;
    }
    state b { on h -> a.hist; })")),
              ElementsAre("2 21 22 2 22"));
}

TEST(Hierarchy, EmptyHistoryTakesItsDefaultAndFinalForgets) {
  // First entry by history: nothing remembered, the default history transition to a2.
  EXPECT_THAT(runs(machine("signal h;", "", R"(
    initial / { send h to this; } -> b;
    state a { initial -> a1; history hist { D: -> a2; } state a1 { entry { out = 1; } } state a2 { entry { out = 2; } } }
    state b { on h -> a.hist; })")),
              ElementsAre("D 2"));
  // The region reached its final state before it was left: remembered is nothing, default entry (rule 19).
  EXPECT_THAT(runs(machine("signal f; signal o; signal h;", "", R"(
    initial / { send f to this; send o to this; send h to this; } -> a;
    state a { initial -> a1; history hist; state a1 { entry { out = 1; } on f -> a2; } state a2 { entry { out = 2; } on f -> final; F: -> final; }
      on o -> b; }
    state b { on h -> a.hist; })")),
              ElementsAre("1 2 F 1"));
}

TEST(Hierarchy, ForkEntersTheStateOnceAndTheOtherRegionsByDefault) {
  // PSSM Fork 001 in small: the first segment's effect, the state's entry, the regions; both orders of the
  // arms.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> s;
    state s { on x -> f; }
    fork f { / { out = 1; } -> a.p.p2; / { out = 2; } -> a.q.q2; }
    state a { entry { out = 9; }
      region p { initial -> p1; state p1; state p2 { entry { out = 11; } } }
      region q { initial -> q1; state q1; state q2 { entry { out = 22; } } }
      region r { initial -> r1; state r1 { entry { out = 33; } } }
    })")),
              UnorderedElementsAre("1 9 33 11 2 22", "2 9 33 22 1 11"));
}

TEST(Hierarchy, JoinWaitsForAllArms) {
  // PSSM join: each arm fires on its own event; the last leaves the composite and goes on.
  EXPECT_THAT(runs(machine("signal x; signal y;", "", R"(
    initial / { send y to this; send x to this; } -> a;
    state a { exit { out = 9; }
      region p { initial -> p1; state p1 { exit { out = 1; } on x / { out = 2; } -> j; } }
      region q { initial -> q1; state q1 { exit { out = 3; } on y / { out = 4; } -> j; } }
    }
    join j { / { out = 5; } -> b; }
    state b;)")),
              ElementsAre("3 4 1 9 2 5"));
}

TEST(Hierarchy, JoinOfOneEventFiresBothArmsInOneStep) {
  // Join 003: one event for both arms, in any order of regions.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x / { out = 1; } -> j; } }
      region q { initial -> q1; state q1 { Q: on x / { out = 2; } -> j; } }
    }
    join j { J: -> b; }
    state b;)")),
              UnorderedElementsAre("P 1 Q 2 J", "Q 2 P 1 J"));
}

TEST(Hierarchy, EntryAndExitPoints) {
  // Entry point: effect, entry of a, effect of the point's segment, entry of a2. Exit point: a1's exit,
  // effect, exit of a, effect of the outer segment (PSSM Exit 001, Entry 002-C).
  EXPECT_THAT(runs(machine("signal x; signal y;", "", R"(
    initial / { send x to this; send y to this; } -> s;
    state s { on x / { out = 1; } -> a.in; }
    state a { entry { out = 2; } exit { out = 6; }
      entry point in { / { out = 3; } -> a2; }
      exit point ex { / { out = 7; } -> b; }
      initial -> a1;
      state a1;
      state a2 { entry { out = 4; } exit { out = 5; } on y / { out = 55; } -> ex; }
    }
    state b { entry { out = 8; } })")),
              ElementsAre("1 2 3 4 5 55 6 7 8"));
}

TEST(Hierarchy, TerminateLeavesTheSourceOnly) {
  // Rule 12: a1's exit runs, a's does not; the object then takes nothing, y is discarded.
  EXPECT_THAT(runs(machine("signal x; signal y;", "", R"(
    initial / { send x to this; send y to this; } -> a;
    state a { exit { out = 9; }
      initial -> a1;
      terminate t;
      state a1 { exit { out = 1; } on x / { out = 2; } -> t; }
      on y -> a;
    })")),
              ElementsAre("1 2 ~y"));
}

TEST(Hierarchy, RegionWithoutInitialIsNotEntered) {
  // Rule 14: q has no initial pseudostate and is ignored; a completes when p does.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> a;
    state a {
      region p { initial -> p1; state p1 { P: on x -> final; } }
      region q { state q1; }
      C: -> b;
    }
    state b;)")),
              ElementsAre("P C"));
}

TEST(Hierarchy, SeveralTopRegions) {
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    region p { initial / { send x to this; } -> p1; state p1 { P: on x -> final; } }
    region q { initial -> q1; state q1 { Q: on x -> final; } })")),
              UnorderedElementsAre("P Q"));
}

TEST(Hierarchy, DoActivityRunsOnceBeforeCompletion) {
  // Rule 17: C waits for the activity. x may come before the activity (which is then not done) or after it.
  EXPECT_THAT(runs(machine("", "", R"(
    initial -> s;
    state s { entry { out = 1; } do { out = 2; } C: -> t; }
    state t;)")),
              ElementsAre("1 2 C"));
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial / { send x to this; } -> s;
    state s { do { out = 2; } X: on x -> t; }
    state t;)")),
              UnorderedElementsAre("2 X", "X"));
}

TEST(Hierarchy, StateEnteredAtAnInnerTargetHasNotFinished) {
  // a has no initial pseudostate: entered by default it is finished at once, entered at a1 it is not (rule
  // 14).
  EXPECT_THAT(runs(machine("signal x; signal y;", "bool go = true;", R"(
    initial / { send x to this; send y to this; } -> s;
    state s { on x -> a.a1; }
    state a { state a1 { Y: on y -> final; } C: [go] -> b; }
    state b;)")),
              ElementsAre("Y C"));
}
