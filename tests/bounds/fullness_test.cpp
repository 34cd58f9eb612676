// Tests of fullness in the system without capacities: they ask for the declared number.
#include <gtest/gtest.h>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "front/promela/promela.hpp"
#include "passes/capacities.hpp"
#include "semantics/interpreter.hpp"

namespace parley::bounds {
namespace {

system::System promela(const std::string& text) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  auto s = front::promela::load(sources, "m.pml", text, diagnostics, {});
  EXPECT_TRUE(s);
  return std::move(*s);
}

BoundsReport answers(const system::System& s) {
  Options o;
  o.seconds = 5;
  return analyse(s, o);
}

// q holds one message and is never read, so q2 gets more and more once q is full. Before, `full(q)` was false
// without capacities and q2 "never used".
TEST(Fullness, OfADeclaredCapacityMeansThatCapacity) {
  const std::string channels = "chan q = [1] of { int }; chan q2 = [4] of { int };\n";
  for (const char* test : {"full(q)", "!nfull(q)", "len(q) == 1", "len(q) >= 1", "len(q) > 0"}) {
    const system::System s =
        promela(channels + "active proctype A() { q!1; do :: " + test + " -> q2!1 od }\n");
    const BoundsReport r = answers(s);
    EXPECT_EQ(r.queues[0].answer, Answer::Bounded) << test;
    EXPECT_EQ(r.queues[0].limit, 1) << test;
    EXPECT_EQ(r.queues[1].answer, Answer::Unbounded) << test;
    EXPECT_TRUE(certify::check_unbounded(s, system::QueueId(1), r.queues[1].certificate).accepted) << test;
    EXPECT_TRUE(r.assumptions.empty()) << test;  // q never holds more than it declares
  }
}

// Whoever asks for room first is bounded by that, and not by what is declared otherwise.
TEST(Fullness, NfullBoundsASender) {
  const BoundsReport r = answers(promela(
      "chan q = [2] of { int };\n"
      "active proctype A() { do :: nfull(q) -> q!1 od }\nactive proctype B() { int x; do :: q?x od }\n"));
  EXPECT_EQ(r.queues[0].answer, Answer::Bounded);
  EXPECT_EQ(r.queues[0].limit, 2);
  EXPECT_TRUE(r.assumptions.empty());
}

// A sender that does not ask waits for room only because of the capacity: it is taken away, so q grows, and
// what `full(q)` means for the answer about q2 is said.
TEST(Fullness, IsAnAssumptionWhereTheQueueCanHoldMore) {
  const BoundsReport r =
      answers(promela("chan q = [1] of { int }; chan q2 = [4] of { int };\n"
                      "active proctype A() { do :: q!1 od }\n"
                      "active proctype B() { if :: full(q) -> q2!1 :: q2!2 fi }\n"));
  EXPECT_EQ(r.queues[0].answer, Answer::Unbounded);
  EXPECT_EQ(r.queues[1].limit, 1);
  ASSERT_EQ(r.assumptions.size(), 1U);
  EXPECT_EQ(
      r.assumptions[0],
      "a test whether q is full asks for the declared 1 message, though without capacities it may hold more");
}

// The model as written and the one without capacities agree about the test where both have the state.
TEST(Fullness, IsTheSameTestInBothSystems) {
  const system::System s = promela("chan q = [2] of { int };\nactive proctype A() { q!1; q!2; full(q) }\n");
  const passes::Passed roomy = passes::without_capacities(s);
  const semantics::Interpreter in(s), endless(roomy.system, {100});
  const auto run = [](const semantics::Interpreter& x) {
    std::size_t steps = 0;
    semantics::State state = x.initial_state({}).state;
    for (auto next = x.successors(state); !next.empty() && steps < 10; next = x.successors(state), ++steps)
      state = next[0].result.state;
    return steps;
  };
  EXPECT_EQ(run(in), run(endless));
  EXPECT_EQ(run(in), 4U);  // two sends, the test, the end of the process
}

}  // namespace
}  // namespace parley::bounds
