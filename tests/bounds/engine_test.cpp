// The boundedness test behind the engine seam, and its report.
#include "bounds/engine.hpp"

#include <gtest/gtest.h>

#include "report/bounds_report.hpp"
#include "system_maker.hpp"
#include "verdict/replay.hpp"

namespace parley::bounds {
namespace {

using testing::Maker;

void ask(system::System& s) {
  system::Property p;
  p.kind = system::PropertyKind::NoUnboundedQueues;
  p.name = "no unbounded queues";
  s.add(p);
  p.kind = system::PropertyKind::NoDeadlock;
  s.add(p);
}

std::vector<verdict::PropertyResult> answers(const system::System& s) {
  const engine::Request request{s,
                                {system::PropertyId(0), system::PropertyId(1)},
                                std::vector<std::uint32_t>(s.queues.size(), 2),
                                {},
                                0,
                                nullptr,
                                {},
                                {}};
  return BoundsEngine().check(request);
}

TEST(BoundsEngine, HoldsWithOneCertificatePerQueue) {
  system::System s = testing::figure1();
  ask(s);
  const auto r = answers(s);
  ASSERT_EQ(r.size(), 2U);
  ASSERT_TRUE(r[0].holds());
  EXPECT_EQ(std::get<verdict::Holds>(r[0].verdict).certificate.kind, verdict::CertificateKind::Bounds);
  EXPECT_TRUE(r[1].unknown());  // other questions are for other engines
}

TEST(BoundsEngine, ViolatedWithALassoThatGrows) {
  Maker m;
  const auto user = m.owner("user", 1);
  const auto q = m.queue("inbox");
  m.s.queues[q.index()].capacity = 2;
  m.s.queues[q.index()].overflow = system::OverflowPolicy::Block;
  m.step(user, 0, 0, {m.send(q, m.signal("g"))});
  ask(m.s);
  const auto r = answers(m.s);
  ASSERT_TRUE(r[0].violated());
  const auto& v = std::get<verdict::Violated>(r[0].verdict);
  EXPECT_EQ(v.reason, "queue inbox grows by 1 in every round of a loop");
  ASSERT_TRUE(v.trace.has_value());
  // It is confirmed although the declared capacity would block the third message.
  const semantics::Interpreter in(m.s);
  EXPECT_TRUE(verdict::confirm(in, system::PropertyId(0), *v.trace).confirmed);
  // A loop that does not grow is not confirmed.
  verdict::Trace empty = *v.trace;
  empty.loop_start.reset();
  EXPECT_FALSE(verdict::confirm(in, system::PropertyId(0), empty).confirmed);
}

TEST(BoundsReport, TellsLoopsAndLimits) {
  Maker m;
  const auto user = m.owner("user", 1);
  const auto q = m.queue("inbox");
  m.step(user, 0, 0, {m.send(q, m.signal("g"))});
  const BoundsReport r = analyse(m.s, Options{});
  const std::string told = report::text(m.s, r, {true});
  EXPECT_NE(told.find("UNBOUNDED"), std::string::npos) << told;
  EXPECT_NE(told.find("inbox grows by 1 with every round of this loop, for ever"), std::string::npos) << told;
  const auto j = report::to_json(m.s, r);
  EXPECT_EQ(j["queues"][0]["answer"], "unbounded");
  EXPECT_EQ(j["queues"][0]["certificate"]["kind"], "pump");
}

}  // namespace
}  // namespace parley::bounds
