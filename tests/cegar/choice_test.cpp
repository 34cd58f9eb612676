// Wide choices solved for: a violation that needs one value out of 2^32, which no border and no constant
// names.
#include "cegar/harness.hpp"

namespace parley::cegar {
namespace {

// 3 * w + 7 == 262150 modulo 2^32 for w = 87381 (by hand: 262150 - 7 = 262143 = 3 * 87381) and, since 3 is
// odd, for no other w.
const char* kLock = R"(
  signal key(int w);
  class Lock {
    int sum = 0;
    machine {
      initial -> shut;
      waiting state shut { on key(w) / { sum = 3 * w + 7; } -> judging; }
      state judging { [sum == 262150] -> open; [else] -> shut; }
      waiting state open;
    }
  }
  system {
    l : Lock; queues: capacity 1, overflow cut;
    environment sends key(-2147483648..2147483647) to l at most 1;
  }
  check never (l in open);)";

TEST(SolvedChoices, FindTheOneValue) {
  const auto l = test::load(kLock);
  LoopOptions o;
  o.start.start = domain::Start::One;
  const LoopResult r = refine_and_check(test::request(l->system()), PropertyId(0), o);
  const auto* v = std::get_if<verdict::Violated>(&r.result.verdict);
  ASSERT_NE(v, nullptr) << report::show(l->system(), r);
  const semantics::Interpreter in(l->system());
  EXPECT_TRUE(verdict::confirm(in, PropertyId(0), *v->trace).confirmed);
  const verdict::Replay replay = verdict::replay(in, *v->trace);
  EXPECT_EQ(replay.states.back().cells[l->cell("l.sum")->index()], 262150);
  EXPECT_EQ(r.rounds.size(), 1u);
}

// The same, through what an earlier message left behind: two choices, x + y == 123456789 and x - y == 3.
TEST(SolvedChoices, FindTwoValuesThatBelongTogether) {
  const auto l = test::load(R"(
    signal first(int w); signal second(int w);
    class Lock {
      int x = 0; int y = 0;
      machine {
        initial -> a;
        waiting state a { on first(w) / { x = w; } -> b; }
        waiting state b { on second(w) / { y = w; } -> c; }
        state c { [x + y == 123456789 && x - y == 3] -> open; [else] -> d; }
        waiting state d; waiting state open;
      }
    }
    system {
      l : Lock; queues: capacity 1, overflow cut;
      environment sends first(0..1000000000) to l at most 1;
      environment sends second(0..1000000000) to l at most 1;
    }
    check never (l in open);)");
  LoopOptions o;
  o.start.start = domain::Start::One;
  const LoopResult r = refine_and_check(test::request(l->system()), PropertyId(0), o);
  EXPECT_TRUE(r.result.violated()) << report::show(l->system(), r);
}

// No value opens it (the sum is odd, the wanted one even): nothing is suggested, and it is proved or left
// open.
TEST(SolvedChoices, FindNothingWhereNothingIs) {
  std::string text = kLock;
  text.replace(text.find("3 * w + 7"), 9, "2 * w + 7");
  const auto l = test::load(text);
  const LoopResult r = refine_and_check(test::request(l->system(), 3), PropertyId(0), {});
  EXPECT_FALSE(r.result.violated()) << report::show(l->system(), r);
}

}  // namespace
}  // namespace parley::cegar
