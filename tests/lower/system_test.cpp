// The system block: environment, queues, threads, run-to-completion, resting, checks. Expected values by
// hand.
#include <gmock/gmock.h>

#include "lower/harness.hpp"

using namespace parley;
using namespace parley::lower::test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(Environment, SendsWithinItsRangesAndLimits) {
  EXPECT_THAT(runs(machine("signal v(int x, bool b);", "", R"(
    initial -> s;
    state s { on v(x, b) / { out = b ? x : -x; } -> s; })",
                           "environment sends v(1..2, any) to m at most 1;")),
              UnorderedElementsAre("<v(1, false) -1", "<v(1, true) 1", "<v(2, false) -2", "<v(2, true) 2"));
}

TEST(Environment, WhenIsReadInTheState) {
  // Only in t may x come.
  EXPECT_THAT(runs(machine("signal x;", "", R"(
    initial -> s;
    state s { C: -> t; }
    state t { T: on x -> t; })",
                           "environment sends x to m when (m in t) at most 1;")),
              ElementsAre("C <x T"));
}

TEST(Environment, ReferencesAreNullOrAnObjectOfTheClass) {
  EXPECT_THAT(runs(R"(
    signal go(B to);
    class A { int out; machine { initial -> s; state s { on go(t) / { out = t == null ? 0 : t.n; } -> s; } } }
    class B { int n; }
    system { a : A; b1 : B { n = 7; } b2 : B { n = 8; } environment sends go(any) to a at most 1; })"),
              UnorderedElementsAre("<go(null) 0", "<go(b1) 7", "<go(b2) 8"));
}

TEST(Environment, OpenSendsWhatNobodySends) {
  // x is external, y is sent by m itself. Queue of one message, environment cut when it is full.
  const std::string text = machine("signal x; signal y;", "", R"(
    initial -> s;
    state s { X: on x / { send y to this; } -> t; Y0: on y -> s; }
    state t { Y: on y -> u; }
    state u { defer x; })",
                                   "queues: capacity 1;");
  EXPECT_THAT(runs(text), ElementsAre(""));
  EXPECT_THAT(runs(text, {{"environment", "open"}}), ElementsAre("<x X Y <x"));
}

TEST(Queues, OverflowPolicies) {
  // Three sends into a queue of two. error: the run fails; lose: the third is lost; block and cut: no such
  // step.
  const auto text = [](const std::string& policy) {
    return machine("signal go; signal x;", "", R"(
      initial -> s;
      state s { T: -> t; }
      state t { entry { send x to this; send x to this; send x to this; } X: on x -> t2; }
      state t2 { X2: on x -> t2; })",
                   "queue of m : capacity 2, overflow " + policy + ";");
  };
  EXPECT_THAT(runs(text("error")), ElementsAre("T !overflow"));
  EXPECT_THAT(runs(text("lose")), ElementsAre("T lost:x X X2"));
  EXPECT_THAT(runs(text("block")), ElementsAre(""));
  EXPECT_THAT(runs(text("cut")), ElementsAre(""));
}

namespace {

// Two objects on one thread, each reacting to go by a transition and a completion.
std::string pair_on(const std::string& thread) {
  return R"(
    signal go;
    class A { int out; machine { initial -> s; state s { on go / { out = 1; } -> t; } state t { -> u; exit { out = 2; } } state u; } }
    class B { int out; machine { initial -> s; state s { on go / { out = 3; } -> t; } state t { -> u; exit { out = 4; } } state u; } }
    class D { A a; B b; machine { initial / { send go to a; send go to b; } -> s; state s; } }
    system { a : A; b : B; d : D { a = a; b = b; } )" +
         thread + " }";
}

}  // namespace

TEST(Threads, ObjectsOfOneThreadFinishOneStepBeforeTheNext) {
  // Own queues: every merge of 1 2 and 3 4: 6. One queue, a's message first: a's step ends before b's begins.
  EXPECT_EQ(runs(pair_on("")).size(), 6u);
  EXPECT_THAT(runs(pair_on("thread t { a, b }")), ElementsAre("1 2 3 4"));
}

TEST(Threads, SignalsOfASharedQueueKnowTheirReceiver) {
  const auto l = load(pair_on("thread t { a, b }"));
  ASSERT_TRUE(l->lowered) << l->report();
  ASSERT_EQ(l->system().queues.size(), 2u);  // of t and of d
  for (system::SignalId s : l->system().queues[0].signals)
    EXPECT_TRUE(l->system().signal(s).receiver.valid());
}

TEST(Split, DispatchTransitionsAndEndAreSteps) {
  // Atomic: go is one step. Split (004): dispatch, transition, end of step: three.
  const std::string text = R"(
    signal go;
    class A { machine { initial / { send go to this; } -> s; state s { on go -> t; } state t; } }
    system { a : A; })";
  const auto atomic = load(text), split = load(text, {{"run-to-completion", "split"}});
  ASSERT_TRUE(atomic->lowered && split->lowered);
  EXPECT_EQ(reach(*atomic).states, 2u);
  EXPECT_EQ(reach(*split).states, 4u);
  EXPECT_EQ(reach(*split).transitions, 3u);
}

TEST(Split, OtherThreadsInterleaveWithinAStep) {
  // The order of a's effect and b's guard decides between P and N, split or not; split has the states in
  // between.
  const std::string text = R"(
    signal go;
    class A { int n; machine { initial / { send go to this; } -> s; state s { on go / { n = 1; } -> t; } state t; } }
    class B { A a; machine { initial / { send go to this; } -> s; state s { P: on go [a.n == 1] -> t; N: on go [else] -> t; } state t; } }
    system { a : A; b : B { a = a; } })";
  EXPECT_THAT(runs(text), UnorderedElementsAre("P", "N"));
  EXPECT_THAT(runs(text, {{"run-to-completion", "split"}}), UnorderedElementsAre("P", "N"));
  const auto split = load(text, {{"run-to-completion", "split"}});
  EXPECT_EQ(reach(*split).states, 16u);  // each object: waiting, dispatched, fired, ended; 4 x 4
}

TEST(Split, OneObjectOfAThreadRunsAtATime) {
  EXPECT_THAT(runs(pair_on("thread t { a, b }"), {{"run-to-completion", "split"}}), ElementsAre("1 2 3 4"));
}

TEST(Split, KeepsTheMessageParameters) {
  EXPECT_THAT(runs(machine("signal v(int x);", "", R"(
    initial / { send v(4) to this; send v(9) to this; } -> s;
    state s { on v(x) [x < 5] / { out = x; } -> s; })"),
                   {{"run-to-completion", "split"}}),
              ElementsAre("4 ~v"));
}

TEST(Split, CompletionBelongsToTheStep) {
  EXPECT_THAT(runs(machine("signal a; signal b;", "", R"(
    initial / { send a to this; send b to this; } -> s;
    state s { A: on a -> t; }
    state t { C: -> u; B0: on b -> s; }
    state u { B: on b -> u; })"),
                   {{"run-to-completion", "split"}}),
              ElementsAre("A C B"));
}

TEST(Resting, FinalWaitingAndTerminatedAreNoDeadlock) {
  EXPECT_TRUE(reach(*load(machine("", "", "initial -> s; state s;"))).deadlock);
  EXPECT_FALSE(reach(*load(machine("", "", "initial -> s; waiting state s;"))).deadlock);
  EXPECT_FALSE(reach(*load(machine("", "", "initial -> final;"))).deadlock);
  EXPECT_FALSE(reach(*load(machine("", "", "initial -> terminate;"))).deadlock);
  // A waiting state inside counts; one of two top regions that has not ended is a deadlock.
  EXPECT_FALSE(
      reach(*load(machine("", "", "initial -> s; state s { initial -> t; waiting state t; }"))).deadlock);
  EXPECT_TRUE(
      reach(*load(machine("", "", "region p { initial -> final; } region q { initial -> s; state s; }")))
          .deadlock);
}

TEST(Checks, BecomeProperties) {
  const auto l = load(R"(
    signal x;
    class A { int n = 2; machine { initial / { send x to this; } -> s; state s { on x -> t; } state t; } }
    system { a[3] : A { n = i; } }
    check no deadlock;
    check small: always (forall (o : a) o.n < 3);
    check never (exists (o : A) o.n > 1 && o in t);
    check reachable (len(a[1]) == 1 && a[1] has x);)");
  ASSERT_TRUE(l->lowered) << l->report();
  const auto& p = l->system().properties;
  ASSERT_EQ(p.size(), 4u);
  EXPECT_EQ(p[0].kind, system::PropertyKind::NoDeadlock);
  semantics::Interpreter in(l->system());
  const auto start = in.initial_states().at(0).result.state;
  EXPECT_TRUE(in.truth(start, p[1].expression).may_be_true);
  EXPECT_TRUE(in.truth(start, p[2].expression).may_be_false);
  EXPECT_TRUE(in.truth(start, p[3].expression).may_be_true);
}

TEST(Checks, NoneWrittenMeansAllThatNeedNoFormula) {
  const auto l = load(machine("", "", "initial -> s; state s;"));
  EXPECT_EQ(l->system().properties.size(), 8u);
}

TEST(Checks, TemporalFormulasKeepTheirEventsAsAtoms) {
  const auto l = load(R"(
    signal go; signal ready;
    class A { B to; machine { initial -> s; state s { on ready / { send go() to to; } -> s; } } }
    class B { machine { initial -> s; state s { on go -> s; } } }
    system { a[2] : A { to = b; } b : B; }
    check G (b receives go -> F (a sends ready || b in s));)");
  ASSERT_TRUE(l->lowered) << l->report();
  const system::System& s = l->system();
  ASSERT_EQ(s.properties.size(), 1u);
  const system::Property& p = s.properties[0];
  EXPECT_EQ(p.temporal, "G (b receives go -> F (a sends ready || b in s))");
  ASSERT_TRUE(p.formula);
  EXPECT_EQ(p.formula->kind, system::Formula::Kind::Globally);
  const system::Formula& implies = p.formula->operands.at(0);
  const system::Formula& receives = implies.operands.at(0);
  ASSERT_EQ(receives.kind, system::Formula::Kind::Event);
  EXPECT_EQ(receives.event.kind, system::EventAtom::Kind::Receives);
  EXPECT_EQ(receives.event.owners.size(), 1u);
  const system::Formula& either = implies.operands.at(1).operands.at(0);
  ASSERT_EQ(either.operands.at(0).kind, system::Formula::Kind::Event);
  EXPECT_EQ(either.operands.at(0).event.kind, system::EventAtom::Kind::Sends);
  EXPECT_EQ(either.operands.at(0).event.owners.size(), 2u) << "one of the family";
  ASSERT_EQ(either.operands.at(1).kind, system::Formula::Kind::Predicate);
  semantics::Interpreter in(s);
  EXPECT_TRUE(in.truth(in.initial_states().at(0).result.state, either.operands.at(1).predicate).may_be_true);
  EXPECT_EQ(system::show(s, receives), "b receives go");
  EXPECT_EQ(system::show(s, either.operands.at(0)), "a sends ready");
}

TEST(Layout, NamesCellsAndOwners) {
  const auto l = load(R"(
    enum Colour { red, green }
    class F { int(0..3) load; }
    class A { F f; bool b = true; int k[2]; Colour c = green;
      machine { initial -> s; state s { region p { initial -> u; state u; } region q { initial -> v; state v; } } } }
    system { f[2] : F; a : A { f = f[1]; k[1] = 5; } })");
  ASSERT_TRUE(l->lowered) << l->report();
  std::map<std::string, std::int32_t> initial;
  for (const auto& c : l->system().cells) initial[c.name] = c.initial;
  EXPECT_EQ(initial, (std::map<std::string, std::int32_t>{{"f[0].load", 0},
                                                          {"f[1].load", 0},
                                                          {"a", 0},
                                                          {"a.s.p", 0},
                                                          {"a.s.q", 0},
                                                          {"a.f", 2},
                                                          {"a.b", 1},
                                                          {"a.k[0]", 0},
                                                          {"a.k[1]", 5},
                                                          {"a.c", 1}}))
      << "objects are numbered by class in order of declaration: f[0] f[1] a; a reference is the number plus "
         "one";
}
