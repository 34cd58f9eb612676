// Partitions written in the model: what the loop starts from, who is preferred to whom.
#include "cegar/harness.hpp"

namespace parley::cegar {
namespace {

const char* kModel = R"(
  const int LIMIT = 100;
  signal pay(int amount, int(0..9) kind);
  class Base { int balance; int count; int last[2]; machine { initial -> s; waiting state s {
    on pay(a, k) / { balance = balance + a; count = count + 1; last[k % 2] = a; } -> s; } } }
  class Special : Base { int(0..9) level; }
  system { a : Base; b[2] : Special; environment sends pay(0..1000, any) to a at most 3; }
  partition Base.balance: ..-1 | 0 | 1..(LIMIT - 1) | LIMIT..;
  partition Base.count: sign;
  partition a.count: 2+;
  partition Special.balance: one;
  partition Base.last: ..9 | 10..;
  partition Special.level: ..4 | 5..;
  partition pay.amount: exact;
  partition pay.kind: 1+;
  check no run-time errors;)";

std::string shown(const test::Loaded& l, const domain::StartOptions& o = {}) {
  return report::show(l.system(), domain::initial_precision(l.system(), PropertyId(0), o));
}

TEST(WrittenPartitions, AreWhereTheLoopStarts) {
  const auto l = test::load(kModel);
  // By hand: an object's own is preferred to its class's, a subclass's to the base's; an array's elements
  // share; `exact` leaves the parameter out; small types are abstracted because the model asks for it.
  EXPECT_EQ(shown(*l),
            "  a.balance: [min,-1] [0,0] [1,99] [100,max]\n"
            "  a.count: [min,-1] [0,0] [1,1] [2,max]\n"
            "  a.last[0]: [min,9] [10,max]\n"
            "  a.last[1]: [min,9] [10,max]\n"
            "  b[0].balance: [min,max]\n"
            "  b[0].count: [min,-1] [0,0] [1,max]\n"
            "  b[0].last[0]: [min,9] [10,max]\n"
            "  b[0].last[1]: [min,9] [10,max]\n"
            "  b[0].level: [0,4] [5,9]\n"
            "  b[1].balance: [min,max]\n"
            "  b[1].count: [min,-1] [0,0] [1,max]\n"
            "  b[1].last[0]: [min,9] [10,max]\n"
            "  b[1].last[1]: [min,9] [10,max]\n"
            "  b[1].level: [0,4] [5,9]\n"
            "  pay.kind: [0,0] [1,9]\n");
}

TEST(WrittenPartitions, YieldToOptions) {
  const auto l = test::load(kModel);
  domain::StartOptions o;
  o.user["a.balance"] = "0,5";
  o.user["pay.amount"] = "sign";
  o.pinned = {"b[0].level", "a.count"};
  const std::string text = shown(*l, o);
  EXPECT_THAT(text, ::testing::HasSubstr("  a.balance: [min,-1] [0,4] [5,max]\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  pay.amount: [min,-1] [0,0] [1,max]\n"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("b[0].level")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("a.count")));
}

// A partition changes the way, never the answer; and a good one spares rounds.
TEST(WrittenPartitions, SpareRounds) {
  const std::string model = R"(
    class C {
      int n = 0;
      machine { initial -> a; state a { [n < 1000] / { n = n + 3; } -> a; [else] -> b; } waiting state b; }
    }
    system { c : C; }
    check always (c.n < 1003);)";
  LoopOptions o;
  o.start.start = domain::Start::One;
  const auto plain = test::load(model),
             good = test::load(model + "partition C.n: ..-1 | 0..999 | 1000..1002 | 1003..;");
  const LoopResult without = refine_and_check(test::request(plain->system()), PropertyId(0), o);
  const LoopResult with = refine_and_check(test::request(good->system()), PropertyId(0), o);
  EXPECT_TRUE(without.result.holds()) << report::show(plain->system(), without);
  EXPECT_TRUE(with.result.holds()) << report::show(good->system(), with);
  EXPECT_EQ(with.rounds.size(), 1u);  // the partition is the proof: 0..999 + 3 stays below 1003
  EXPECT_GT(without.rounds.size(), 1u);
}

}  // namespace
}  // namespace parley::cegar
