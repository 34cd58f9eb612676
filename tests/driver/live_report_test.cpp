// What is known of a check that is still running.
#include "driver/live_report.hpp"

#include <gtest/gtest.h>

namespace parley::driver {
namespace {

const verdict::Stop kStop{verdict::StopCause::OutOfTime, "out of time (3 s)"};

verdict::PropertyResult result(std::size_t property, verdict::Verdict v) {
  verdict::PropertyResult r;
  r.property = system::PropertyId(property);
  r.verdict = std::move(v);
  return r;
}

std::string reason(const verdict::PropertyResult& r) {
  return std::get<verdict::Unknown>(r.verdict).reason;
}

TEST(LiveReport, SaysWhatWasBeingDone) {
  LiveReport live;
  live.capacities({4, 2});
  live.answers({result(0, verdict::Unknown{"not checked"})});
  live.doing("while bounding the queues");
  const CheckReport report = live.so_far(kStop);
  EXPECT_EQ(report.queue_capacities, (std::vector<std::uint32_t>{4, 2}));
  EXPECT_EQ(reason(report.results.at(0)), "out of time (3 s) while bounding the queues");
  EXPECT_EQ(std::get<verdict::Unknown>(report.results.at(0).verdict).stopped, verdict::StopCause::OutOfTime);
  EXPECT_EQ(exit_status(report), 2);
}

TEST(LiveReport, DecidedAnswersStay) {
  LiveReport live;
  live.answers({result(0, verdict::Violated{}), result(1, verdict::Unknown{"not checked"})});
  const CheckReport report = live.so_far(kStop);
  EXPECT_TRUE(report.results.at(0).violated());
  EXPECT_TRUE(report.results.at(1).unknown());
  EXPECT_EQ(exit_status(report), 1);
}

TEST(LiveReport, TellsWhatEachEngineCovered) {
  LiveReport live;
  live.answers({result(0, verdict::Unknown{"not checked"})});
  live.doing("while the engines run");
  engine::Progress search;
  search.engine = engine::EngineKind::BreadthFirst;
  search.states = 100;
  search.depth = 3;
  live.progress(search);
  search.states = 120;  // the last one counts
  live.progress(search);
  engine::Progress proof;
  proof.engine = engine::EngineKind::Ic3;
  proof.bound = 7;
  live.progress(proof);
  const verdict::PropertyResult r = live.so_far(kStop).results.at(0);
  EXPECT_EQ(reason(r), "out of time (3 s) while the engines run; explore: 120 states, depth 3; ic3: bound 7");
  EXPECT_EQ(r.engine, engine::EngineKind::BreadthFirst);
  EXPECT_EQ(r.coverage.states, 120u);
}

TEST(LiveReport, WhatNoEngineDecidesIsNotBlamedOnTheLimit) {
  LiveReport live;
  live.answers({result(0, verdict::Unknown{"no engine decides this"})});
  live.doing("while the engines run");
  EXPECT_EQ(reason(live.so_far(kStop).results.at(0)), "no engine decides this");
}

// An engine that ended with a reason of its own is heard; one that only repeats the limit is not.
TEST(LiveReport, KeepsTheReasonsOfEnginesThatEnded) {
  LiveReport live;
  verdict::PropertyResult gave_up = result(0, verdict::Unknown{"the solver gave up"});
  gave_up.engine = engine::EngineKind::Bmc;
  verdict::PropertyResult stopped = result(1, verdict::Unknown{kStop.text});
  stopped.engine = engine::EngineKind::Bmc;
  live.answers({gave_up, stopped});
  const CheckReport report = live.so_far(kStop);
  EXPECT_EQ(reason(report.results.at(0)), "out of time (3 s); bmc: the solver gave up");
  EXPECT_EQ(reason(report.results.at(1)), "out of time (3 s)");
}

}  // namespace
}  // namespace parley::driver
