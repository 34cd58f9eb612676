// Flat machines: messages, guards, choice, junction, completion, discarding. Expected runs are worked out by
// hand.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::UnorderedElementsAre;

TEST(Flat, MessageFiresTransition) {
  // The initial effect sends a, b; a: idle -> busy sets out 1; b is discarded nowhere: busy takes it, out 2.
  EXPECT_THAT(runs(machine("signal a; signal b;", "", R"(
    initial / { send a to this; send b to this; } -> idle;
    state idle { T1: on a / { out = 1; } -> busy; }
    state busy { T2: on b / { out = 2; } -> idle; })")),
              UnorderedElementsAre("T1 1 T2 2"));
}

TEST(Flat, UnwantedMessageIsDiscarded) {
  EXPECT_THAT(runs(machine("signal a; signal b;", "", R"(
    initial / { send b to this; send a to this; } -> idle;
    state idle { T1: on a -> busy; }
    state busy { T2: on b -> idle; })")),
              UnorderedElementsAre("~b T1"));
}

TEST(Flat, GuardReadsParameterAndElse) {
  // 3 > 2: T1. 1: else, T2. 2 is not > 2: T2.
  EXPECT_THAT(runs(machine("signal v(int x);", "", R"(
    initial / { send v(3) to this; send v(1) to this; send v(2) to this; } -> s;
    state s {
      T1: on v(x) [x > 2] / { out = x; } -> s;
      T2: on v(x) [else] / { out = 10 + x; } -> s;
    })")),
              UnorderedElementsAre("T1 3 T2 11 T2 12"));
}

TEST(Flat, SeveralEnabledIsAFreeChoice) {
  EXPECT_THAT(runs(machine("signal a;", "", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> x; T2: on a -> y; T3: on a [false] -> x; }
    state x; state y;)")),
              UnorderedElementsAre("T1", "T2"));
}

TEST(Flat, ChoiceSeesTheEffectBeforeIt) {
  // The choice is read after n = 5 (rule 12): the branch n > 4.
  EXPECT_THAT(runs(machine("signal a;", "int n = 0;", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a / { n = 5; } -> c; }
    choice c { B1: [n > 4] -> x; B2: [n <= 4] -> y; }
    state x; state y;)")),
              UnorderedElementsAre("T1 B1"));
}

TEST(Flat, ChoiceWithSeveralTrueBranchesIsFree) {
  EXPECT_THAT(runs(machine("signal a;", "int n = 1;", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> c; }
    choice c { B1: [n > 0] -> x; B2: [n < 2] -> x; B3: [else] -> x; }
    state x;)")),
              UnorderedElementsAre("T1 B1", "T1 B2"));
}

TEST(Flat, ChoiceWithoutOpenBranchIsARunTimeError) {
  EXPECT_THAT(runs(machine("signal a;", "int n = 1;", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> c; }
    choice c { B1: [n > 1] -> x; B2: [n > 2] -> x; }
    state x;)")),
              UnorderedElementsAre("T1 !error"));
}

TEST(Flat, JunctionIsReadBeforeTheStep) {
  // n is 0 before the step: J2, although the effect sets n to 5 (rules 8, 12).
  EXPECT_THAT(runs(machine("signal a;", "int n = 0;", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a / { n = 5; } -> j; }
    junction j { J1: [n > 4] / { out = 1; } -> x; J2: [else] / { out = 2; } -> x; }
    state x;)")),
              UnorderedElementsAre("T1 J2 2"));
}

TEST(Flat, JunctionWithoutOpenWayDisablesTheTransition) {
  // PSSM Junction 002: the event is then lost.
  EXPECT_THAT(runs(machine("signal a;", "int n = 0;", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> j; }
    junction j { J1: [n > 4] -> x; J2: [n < 0] -> x; }
    state x;)")),
              UnorderedElementsAre("~a"));
}

TEST(Flat, InternalTransitionNeitherLeavesNorEnters) {
  EXPECT_THAT(runs(machine("signal a; signal b;", "", R"(
    initial / { send a to this; send b to this; } -> s;
    state s { entry { out = 1; } exit { out = 2; } on a / { out = 3; } on b / { out = 4; } -> s; })")),
              UnorderedElementsAre("1 3 2 4 1"));
}

TEST(Flat, CompletionComesBeforeMessages) {
  // s completes on entry: C1 leaves it before a can be dispatched, so a is taken in t.
  EXPECT_THAT(runs(machine("signal a;", "", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> u; C1: -> t; }
    state t { T2: on a -> u; }
    state u;)")),
              UnorderedElementsAre("C1 T2"));
}

TEST(Flat, CompletionGuardIsReadOnceAtDispatch) {
  // The completion event of s is lost (ok is false); b makes ok true too late (rule 15): C1 never fires.
  EXPECT_THAT(runs(machine("signal b;", "bool ok = false;", R"(
    initial / { send b to this; } -> s;
    state s { C1: [ok] -> t; on b / { ok = true; out = 7; } }
    state t;)")),
              UnorderedElementsAre("7"));
}

TEST(Flat, FreeCompletionCompetesAndIsReadAnyTime) {
  // completion = free: C1 may wait; b sets ok, then C1 fires (ojala2008, dubrovin2007).
  EXPECT_THAT(runs(machine("signal b;", "bool ok = false;", R"(
    initial / { send b to this; } -> s;
    state s { C1: [ok] -> t; on b / { ok = true; out = 7; } }
    state t;)"),
                   {{"completion", "free"}}),
              UnorderedElementsAre("7 C1"));
  // Both orders of a and the spontaneous transition.
  EXPECT_THAT(runs(machine("signal a;", "", R"(
    initial / { send a to this; } -> s;
    state s { T1: on a -> u; C1: -> t; }
    state t { T2: on a -> u; }
    state u;)"),
                   {{"completion", "free"}}),
              UnorderedElementsAre("C1 T2", "T1"));
}

TEST(Flat, DiscardSwitch) {
  // free: in s message x triggers nothing, the spontaneous C1 is enabled. 002 may discard x at once or go
  // first; 000 must go first, and then t takes x.
  const std::string text = machine("signal x;", "", R"(
    initial / { send x to this; } -> s;
    state s { C1: -> t; }
    state t { T2: on x -> u; }
    state u;)");
  EXPECT_THAT(runs(text, {{"completion", "free"}, {"discard", "no-triggered"}}),
              UnorderedElementsAre("~x C1", "C1 T2"));
  EXPECT_THAT(runs(text, {{"completion", "free"}, {"discard", "no-transition"}}),
              UnorderedElementsAre("C1 T2"));
}

TEST(Flat, EntryExitEffectOrder) {
  EXPECT_THAT(runs(machine("signal a;", "", R"(
    initial / { send a to this; out = 0; } -> s;
    state s { entry { out = 1; } exit { out = 2; } on a / { out = 3; } -> t; }
    state t { entry { out = 4; } })")),
              UnorderedElementsAre("0 1 2 3 4"));
}

TEST(Flat, SendToNullIsARunTimeError) {
  EXPECT_THAT(runs(R"(
    signal a;
    class M { M other; machine { initial -> s; state s { T1: -> t; } state t { entry { send a to other; } } } }
    system { m : M; })"),
              UnorderedElementsAre("T1 !error"));
}

TEST(Flat, MessagesBetweenObjects) {
  // ping -> pong and back; references are wired, the receiver answers to the reference in the message.
  EXPECT_THAT(runs(R"(
    signal ping(A from); signal pong;
    class A { B peer; machine { initial -> s; state s { T1: / { send ping(this) to peer; } -> w; } state w { T2: on pong -> final; } } }
    class B { machine { initial -> s; state s { U1: on ping(f) / { send pong to f; } -> s; } } }
    system { a : A { peer = b; } b : B; })"),
              UnorderedElementsAre("T1 U1 T2"));
}
