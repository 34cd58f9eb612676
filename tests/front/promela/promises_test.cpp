// xr, xs and D_proctype: promises that are checked while the model runs. What Spin 6.5.2 says of the same
// programs (with its reduction on, without which it does not look at statements) is in the comments.
#include <gtest/gtest.h>

#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

using testing::count;
using testing::load_text;

// "": no promise is broken.
std::string broken(const std::string& text, const Options& options = {}) {
  const testing::Loaded loaded = load_text(text, options);
  if (!loaded.system) return "not read: " + loaded.messages();
  const testing::Counted found = count(*loaded.system);
  return found.errors == 0 ? "" : found.failure;
}

constexpr const char* kTwoReceivers =
    "chan c = [2] of { byte };\nbyte x;\n"
    "active proctype A() { c!1; c!2 }\n"
    "active proctype B() { xr c; c?x; c?x }\n"
    "active proctype D() { c?x }\n";

TEST(Promises, ASecondReceiverBreaksXr) {
  // pan: xr assertion violated: access to chan c, by B and by D
  EXPECT_EQ(broken(kTwoReceivers),
            "D uses channel 'c', of which B has claimed the receiving end for itself (xr)");
}

TEST(Promises, CanBeTrustedInstead) {
  // 20 states without the claim; as many when nobody looks at it, as with Spin's -DXUSAFE.
  Options trusting;
  trusting.check_promises = false;
  EXPECT_EQ(broken(kTwoReceivers, trusting), "");
  std::string without = kTwoReceivers;
  without.erase(without.find("xr c; "), 6);
  const testing::Loaded plain = load_text(without), trusted = load_text(kTwoReceivers, trusting);
  ASSERT_TRUE(plain.system && trusted.system);
  EXPECT_EQ(count(*plain.system).states, count(*trusted.system).states);
  ASSERT_EQ(trusted.system->assumptions.size(), 1u);
  EXPECT_EQ(trusted.system->assumptions[0].code, diag::AssumptionCode::Ignored);
  EXPECT_TRUE(plain.system->assumptions.empty());
}

TEST(Promises, KeptOnesAreSilent) {
  // Spin: no errors.
  EXPECT_EQ(broken("chan c = [2] of { byte };\nbyte x;\n"
                   "active proctype A() { xs c; c!1; c!2 }\nactive proctype B() { xr c; c?x; c?x }\n"),
            "");
}

TEST(Promises, LookingAtAChannelCountsAsUse) {
  // Spin: len, full, empty and polls are looked at for both claims, nempty for xr only, nfull for xs only.
  const auto program = [](const std::string& claim, const std::string& use) {
    return "chan c = [1] of { byte };\nactive proctype A() { " + claim +
           " c; skip }\nactive proctype B() { " + use + " }\n";
  };
  const std::string reads = "B uses channel 'c', of which A has claimed the receiving end for itself (xr)";
  const std::string writes = "B uses channel 'c', of which A has claimed the sending end for itself (xs)";
  for (const char* use : {"len(c) == 0", "empty(c)", "full(c)", "c?[1]", "c??[1]"}) {
    EXPECT_EQ(broken(program("xr", use)), reads) << use;
    EXPECT_EQ(broken(program("xs", use)), writes) << use;
  }
  EXPECT_EQ(broken(program("xr", "nempty(c)")), reads);
  EXPECT_EQ(broken(program("xs", "nempty(c)")), "");
  EXPECT_EQ(broken(program("xs", "nfull(c)")), writes);
  EXPECT_EQ(broken(program("xr", "nfull(c)")), "");
  EXPECT_EQ(broken(program("xs", "c!!2")), writes);
  EXPECT_EQ(broken(program("xr", "c?<1>")), reads);
}

TEST(Promises, FollowChannelsThroughParameters) {
  EXPECT_EQ(broken("chan c = [1] of { byte }, d = [1] of { byte };\n"
                   "proctype W(chan mine; chan other) { xs mine; mine!1; other!2 }\n"
                   "init { run W(c, d); run W(d, c) }\n")
                .substr(0, 15),
            "W[0] uses chann");
  EXPECT_EQ(broken("chan c = [1] of { byte }, d = [1] of { byte };\n"
                   "proctype W(chan mine) { xs mine; mine!1 }\n"
                   "init { run W(c); run W(d) }\n"),
            "");
}

TEST(Promises, OfRendezvousChannelsMeanNothing) {
  EXPECT_EQ(load_text("chan c = [0] of { byte };\nactive proctype A() { xs c; c!1 }\n"
                      "active proctype B() { c?1 }\n")
                .messages(),
            "2:26 warning idle-claim: 'c' is a rendezvous channel: xs has no meaning for it\n");
}

TEST(Promises, ADeterministicProctypeHasOneStepAtATime) {
  // pan: non-determinism in D_proctype
  EXPECT_EQ(broken("byte x;\nactive D_proctype A() { if :: x == 0 -> x = 1 :: x < 2 -> x = 2 fi }\n"),
            "'A' is a D_proctype, and both this statement and 'x == 0' can be executed");
  // Spin: no errors, since the guards exclude each other.
  EXPECT_EQ(broken("byte x;\nactive D_proctype A() { if :: x == 0 -> x = 1 :: x > 0 -> x = 2 fi }\n"), "");
  EXPECT_EQ(broken("byte x;\nactive D_proctype A() { do :: x < 2 -> x++ :: else -> break od }\n"), "");
  // Only one of two sends can be taken, since the channel is full after the first.
  EXPECT_EQ(broken("chan c = [1] of { byte };\nactive D_proctype A() { c!1; if :: c!2 :: c?1 fi }\n"), "");
  // The escape of unless comes first and leaves no choice.
  EXPECT_EQ(broken("byte x;\nactive D_proctype A() { { x = 1; x = 2 } unless { x == 0 -> x = 3 } }\n"), "");
}

}  // namespace
}  // namespace parley::front::promela
