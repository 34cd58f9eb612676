// What happens after a counterexample that the published test [leue2005] does not decide: it is set aside
// with a reason, and the next one is looked at. All counts by hand.
#include <gtest/gtest.h>

#include "bounds/published/run.hpp"
#include "front/promela/promela.hpp"
#include "report/bounds_report.hpp"

namespace parley::bounds::published {
namespace {

Run run(const std::string& text, const Options& options = {}) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const auto s = front::promela::load(sources, "hand.pml", text, diagnostics, {});
  EXPECT_TRUE(s.has_value());
  return published::run(*s, options);
}

// Five loops that send, each to a channel of its own: one counted (spurious), one for each reason.
const char* const kFive = R"(
mtype = { m, order };
chan q1 = [1] of { mtype }; chan q2 = [1] of { mtype }; chan q3 = [1] of { mtype };
chan q4 = [1] of { mtype }; chan q5 = [1] of { mtype };
chan orders = [1] of { mtype, byte };
byte shared;
active proctype Counted()  { byte i = 0; do :: i < 3 -> q1!m; i = i + 1 od }
active proctype Received() { byte n; orders?order(n); do :: n > 0 -> q2!m od }
active proctype Shared()   { do :: shared == 0 -> q3!m od }
active proctype Other()    { shared = 1; shared = 0; orders!order(1) }
active proctype Local()    { byte k = 1; do :: k * k < 5 -> q4!m od }
active proctype Free()     { do :: q5!m od }
)";

TEST(SetAside, EveryCounterexampleIsLookedAtAndHasAReason) {
  const Report r = run(kFive).report;
  EXPECT_EQ(r.answer, Answer::Unknown);
  EXPECT_EQ(r.cycles.size(), 5U);
  EXPECT_EQ(r.counterexamples, 5U);
  EXPECT_EQ(r.spurious, 1U);
  EXPECT_EQ(r.log.size(), 5U);
  EXPECT_EQ(r.undecided(Undecided::ReceivedData), 1U);
  EXPECT_EQ(r.undecided(Undecided::SharedData), 1U);
  EXPECT_EQ(r.undecided(Undecided::Conditions), 1U);
  EXPECT_EQ(r.undecided(Undecided::Unguarded), 1U);
  EXPECT_EQ(r.undecided(Undecided::Executions), 0U);
  EXPECT_EQ(r.limit, "");
}

TEST(SetAside, WithoutGoingOnTheFirstOneIsTheLast) {
  Options o;
  o.keep_going = false;
  const Report r = run(kFive, o).report;
  EXPECT_EQ(r.answer, Answer::Unknown);
  EXPECT_EQ(r.set_aside.size(), 1U);
  EXPECT_EQ(r.spurious + 1, r.counterexamples);
}

TEST(SetAside, LimitsAreTold) {
  Options o;
  o.max_programs = 3;
  Report r = run(kFive, o).report;
  EXPECT_EQ(r.limit, "3 programs");
  EXPECT_EQ(r.programs, 3U);
  o = {};
  o.max_cycles = 4;
  r = run(kFive, o).report;
  EXPECT_EQ(r.limit, "4 cycles");
  EXPECT_EQ(r.answer, Answer::Stopped);
  const published::Run told = run(kFive, o);
  EXPECT_NE(report::text(told).find("as published: stopped"), std::string::npos);
  EXPECT_NE(report::text(told).find("ended at its limit: 4 cycles"), std::string::npos);
}

TEST(SetAside, TextAndJsonSayTheSame) {
  const published::Run told = run(kFive);
  EXPECT_EQ(report::text(told).substr(0, report::text(told).find('\n')),
            "as published: UNKNOWN, 5 cycles, 6 programs; 5 counterexamples: 1 spurious, not decided 1 for "
            "received data, 0 for executions, 2 for other reasons, 1 without any condition");
  const auto j = report::to_json(told);
  EXPECT_EQ(j["answer"], "unknown");
  EXPECT_EQ(j["counterexamples"], 5);
  EXPECT_EQ(j["spurious"], 1);
  EXPECT_EQ(j["received_data"], 1);
  EXPECT_EQ(j["unguarded"], 1);
  EXPECT_EQ(j["other"], 2);
  EXPECT_EQ(j["log"].size(), 5U);
  EXPECT_EQ(j["set_aside"].size(), 4U);
}

// n stores what was received where the first loop asks, and 0 where the second does.
TEST(SetAside, AVariableStoresReceivedDataOnlyWhereItDoes) {
  const Report r = run(R"(
    chan in = [1] of { byte }; chan q1 = [1] of { byte }; chan q2 = [1] of { byte };
    active proctype P() {
      byte n; in?n;
      do :: n < 9 -> q1!1 :: n > 8 -> break od;
      n = 0;
      do :: n < 9 -> q2!1 od
    }
    active proctype Q() { in!3; in!12 })")
                       .report;
  ASSERT_EQ(r.set_aside.size(), 2U);
  EXPECT_EQ(r.undecided(Undecided::ReceivedData), 1U);
  EXPECT_EQ(r.undecided(Undecided::Conditions), 1U);
}

// A rendezvous is one message sent and one taken: Server answers as often as the Clients ask, and each Client
// takes the answer before it asks again. One cycle per process, though two clients may meet the server.
TEST(SetAside, RendezvousCountsAsAMessage) {
  const Report r = run(R"(
    mtype = { ask, answer };
    chan r = [0] of { mtype }; chan q = [1] of { mtype };
    active [2] proctype Client() { do :: r!ask; q?answer od }
    active proctype Server() { do :: r?ask; q!answer od })")
                       .report;
  EXPECT_EQ(r.cycles.size(), 3U);
  EXPECT_EQ(r.counterexamples, 0U);
  EXPECT_EQ(r.answer, Answer::Bounded);
}

// One a becomes two b, and only one a is ever sent: no cycle makes more of any type, though the first makes
// more messages.
TEST(SetAside, MessageTypesAreToldApart) {
  const Report r = run(R"(
    mtype = { a, b };
    chan q = [1] of { mtype };
    active proctype First() { q!a }
    active proctype Twice() { do :: q?a; q!b; q!b od })")
                       .report;
  EXPECT_EQ(r.cycles.size(), 1U);
  EXPECT_EQ(r.counterexamples, 0U);
  EXPECT_EQ(r.answer, Answer::Bounded);
}

// A flag that is asked for and taken away is passed once for each time it is set, which costs a message.
TEST(SetAside, AFlagIsPassedOnce) {
  const Report r = run(R"(
    mtype = { set, m };
    chan in = [1] of { mtype }; chan q = [1] of { mtype };
    active proctype Once() { in!set }
    active proctype P() {
      bool flag = false;
      do
      :: flag -> q!m; flag = false
      :: in?set; flag = true
      od
    })")
                       .report;
  EXPECT_EQ(r.answer, Answer::Bounded);
  ASSERT_FALSE(r.log.empty());
  EXPECT_NE(r.log[0].find("at most 1 times in a row; 1 neighbouring, 1 supplementary"), std::string::npos)
      << r.log[0];
}

// The counter starts at 2 but another cycle sets it to 9: the values on entry are those of both ways in, and
// `q` is filled nine times for each of these.
TEST(SetAside, ValuesOnEntryAreThoseOfEveryWayIn) {
  const Report r = run(R"(
    chan q = [1] of { byte };
    active proctype P() {
      byte n = 2;
      do
      :: do :: n > 0 -> q!1; n = n - 1 :: n == 0 -> break od; n = 9; q?_
      od
    })")
                       .report;
  EXPECT_EQ(r.answer, Answer::Unknown);
  ASSERT_FALSE(r.log.empty());
  EXPECT_NE(r.log[0].find("at most 9 times in a row"), std::string::npos) << r.log[0];
}

}  // namespace
}  // namespace parley::bounds::published
