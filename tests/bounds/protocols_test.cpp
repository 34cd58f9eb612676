// GOLDEN 003.5 and 003.6: GIOP and MVCC. The publication does not say which version of GIOP it took, and its
// MVCC model is not public; where our counts differ from the published ones the test says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bounds/bounds.hpp"
#include "bounds/published_run.hpp"
#include "certify/bounds_check.hpp"
#include "explore/explore.hpp"
#include "front/promela/promela.hpp"
#include "system/capacities.hpp"

namespace parley::bounds {
namespace {

std::optional<system::System> promela(const std::string& text, const std::string& name) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  return front::promela::load(sources, name, text, diagnostics, {});
}

// Two users edit a shared document: USER, CLIENT and VIEW for each, a SERVER and a lock keeper, eight
// processes. Who edits asks for the lock, changes the document, everybody is told, and the lock is free when
// both views were drawn again. Ours, after what is publicly said about the protocol; 45 control states where
// the published model has 70.
const char* const kSharedDocument = R"(
mtype = { edit, ask, grant, deny, change, tell, redraw, drawn, seen, release };
chan edits[2]     = [4] of { mtype };
chan to_client[2] = [4] of { mtype };
chan to_view[2]   = [4] of { mtype };
chan from_view[2] = [4] of { mtype };
chan to_server    = [4] of { mtype, bit };
chan to_control   = [4] of { mtype, bit };

active [2] proctype USER() {
  do
  :: edits[_pid]!edit
  od
}
active [2] proctype CLIENT() {
  byte me = _pid - 2;
  bool waiting = false;
  do
  :: !waiting -> edits[me]?edit; to_server!ask(me); waiting = true
  :: waiting -> to_client[me]?grant; to_server!change(me); waiting = false
  :: waiting -> to_client[me]?deny; waiting = false
  :: to_client[me]?tell; to_view[me]!redraw; from_view[me]?drawn; to_server!seen(me)
  od
}
active [2] proctype VIEW() {
  byte me = _pid - 4;
  do
  :: to_view[me]?redraw; from_view[me]!drawn
  od
}
active proctype SERVER() {
  bit who;
  byte missing = 0;
  do
  :: to_server?ask(who); to_control!ask(who)
  :: to_server?change(who); to_client[0]!tell; to_client[1]!tell; missing = 2
  :: missing > 0 -> to_server?seen(who); missing--;
     if
     :: missing == 0 -> to_control!release(who)
     :: else
     fi
  od
}
active proctype CONTROL() {
  bool taken = false;
  bit who;
  do
  :: to_control?ask(who);
     if
     :: !taken -> taken = true; to_client[who]!grant
     :: else -> to_client[who]!deny
     fi
  :: to_control?release(who); taken = false
  od
}
)";

// 003.6: the counterexample that stands is one cycle of a USER that sends without constraint. (The published
// run met three spurious ones before it; ours asks for the fewest executions and meets it first.) It is real,
// and beyond the publication it ends as UNBOUNDED with a run that is replayed, and every other queue is
// proved bounded.
TEST(SharedDocument, TheUserThatSendsWithoutConstraint) {
  const auto s = promela(kSharedDocument, "shared-document.pml");
  ASSERT_TRUE(s.has_value());
  const PublishedRun p = run_published(*s, {});
  EXPECT_EQ(p.graph.components.size(), 8U);
  EXPECT_EQ(p.report.answer, PublishedAnswer::Unknown);
  ASSERT_FALSE(p.report.set_aside.empty());
  ASSERT_EQ(p.report.set_aside[0].cycles.size(), 1U);
  const CycleRun& cycle = p.report.set_aside[0].cycles[0];
  EXPECT_EQ(p.graph.components[cycle.component].name.substr(0, 4), "USER");
  EXPECT_EQ(cycle.edges.size(), 1U);
  EXPECT_EQ(cycle.times, 1);
  Options o;
  o.seconds = 60;
  o.search_states = 2000;
  const BoundsReport r = analyse(*s, o);
  const system::System endless = system::without_capacities(*s);
  const Searcher searcher(endless, 0);
  std::size_t unbounded = 0;
  for (const QueueReport& q : r.queues) {
    const std::string& name = s->queue(q.queue).name;
    const bool from_user = name.substr(0, 5) == "edits";
    if (from_user) {
      ASSERT_EQ(q.answer, Answer::Unbounded) << name;
      ++unbounded;
      EXPECT_EQ(searcher.replay(*q.pump, 20), "");
      EXPECT_TRUE(certify::check_unbounded(*s, q.queue, q.certificate).accepted);
    } else {
      EXPECT_EQ(q.answer, Answer::Bounded) << name;
      EXPECT_TRUE(certify::check_bounded(*s, q.queue, q.weights_limit, q.certificate).accepted) << name;
    }
    if (name.find("view") != std::string::npos) {
      EXPECT_EQ(q.answer, Answer::Bounded) << name;
      EXPECT_EQ(q.limit, 1) << name;  // a client waits for its view
    }
  }
  EXPECT_EQ(unbounded, 2U);
}

// 003.5: five counterexamples, the first spurious by the code of its cycle, three that depend on received
// data, and one more that is not decided. The version is not named. In every version the first is spurious:
// the client's loop over its MAXREQID = 4 request numbers (5 in the versions with five users) that sends
// pending requests again. Without migration (and in the small version with it) four remain, as published; how
// many spurious ones come in between depends on what the solver finds first.
class Giop : public ::testing::TestWithParam<const char*> {};

TEST_P(Giop, TheFirstIsSpuriousAndReceivedDataDecideTheRest) {
  const char* given = std::getenv("PARLEY_SHARED");
  const std::filesystem::path shared = given != nullptr ? given : PARLEY_SOURCE_DIR "/../shared";
  const std::string version = GetParam();
  const std::filesystem::path file = shared / "corpus/promela/spins-case-studies/giop" / (version + ".pr");
  std::ifstream in(file);
  if (!in) GTEST_SKIP() << "the corpus is not here";
  std::stringstream text;
  text << in.rdbuf();
  const auto s = promela(text.str(), file.string());
  ASSERT_TRUE(s.has_value());
  const PublishedRun p = run_published(*s, {});
  const PublishedReport& r = p.report;
  EXPECT_EQ(r.answer, PublishedAnswer::Unknown);
  EXPECT_EQ(r.limit, "");
  ASSERT_FALSE(r.log.empty());
  EXPECT_EQ(r.log[0].find("spurious by code: GIOPClient"), 0U) << r.log[0];
  EXPECT_NE(r.log[0].find("GIOPClient.reqId != 4) at most 4 times in a row"), std::string::npos) << r.log[0];
  EXPECT_EQ(r.spurious + r.set_aside.size(), r.counterexamples);
  EXPECT_GE(r.undecided(Undecided::ReceivedData), 3U);
  if (version != "giop1.nomig") {
    EXPECT_EQ(r.set_aside.size(), 4U);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, Giop,
                         ::testing::Values("giop1.nomig", "giop2", "giop2.nomig", "giop3.nomig"),
                         [](const auto& version) {
                           std::string name = version.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace parley::bounds
