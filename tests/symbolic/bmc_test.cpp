// Bounded model checking against breadth-first search: the interleaving bound is the shortest length, the
// other relations need no more (GOLDEN 002.3), and every trace replays (Session::violated insists on it).
#include <gtest/gtest.h>

#include "explore/random_system.hpp"
#include "semantics/hand_made.hpp"
#include "symbolic/agreement.hpp"

#ifndef PARLEY_RANDOM_SYSTEMS
#define PARLEY_RANDOM_SYSTEMS 60  // the slow tier is built with 1000
#endif

namespace parley::symbolic {
namespace {

using encode::Steps;

std::vector<verdict::PropertyResult> run_bmc(const system::System& s, BmcOptions options) {
  engine::Request request{s, testing::supported_properties(s), semantics::capacities(s), {}, 0, nullptr, {},
                          {}};
  return make_bmc(options)->check(request);
}

TEST(Bmc, BoundsOfTheFourRelationsOnRandomSystems) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_RANDOM_SYSTEMS; ++seed) {
    const system::System s = testing::RandomSystem(seed).make();
    if (testing::bounds_agree(s, "seed " + std::to_string(seed), 400, 12)) ++compared;
    if (HasFailure()) return;
  }
  EXPECT_GE(compared, PARLEY_RANDOM_SYSTEMS * 3 / 4);
}

// A run of the ping-pong ends after 3 sends and 3 receipts: the breadth-first depth is 6, and BMC on the
// interleaving relation notices that there is no longer run.
TEST(Bmc, ProvesWhatHasNoLongerRuns) {
  testing::PingPong m;
  system::Property p;
  p.kind = system::PropertyKind::NoDeadlock;
  p.name = "no deadlock";
  m.s.add(p);
  BmcOptions options;
  options.steps = Steps::Interleaving;
  const auto results = run_bmc(m.s, options);
  ASSERT_TRUE(results[0].holds());
  EXPECT_EQ(std::get<verdict::Holds>(results[0].verdict).certificate.kind,
            verdict::CertificateKind::NoLongerRuns);
  EXPECT_EQ(results[0].coverage.bound, 6u);
}

TEST(Bmc, StopsAtItsBoundAndAtTheClock) {
  testing::PingPong m;
  m.s.actions[m.send_ping.index()].guard = m.s.exprs.boolean(true);
  system::Property p;
  p.kind = system::PropertyKind::NoAssertionFailure;
  p.name = "no assertion failures";
  m.s.add(p);
  BmcOptions options;
  options.bound = 4;
  auto results = run_bmc(m.s, options);
  ASSERT_TRUE(results[0].unknown());
  EXPECT_EQ(results[0].coverage.bound, 4u);
  engine::Request request{
      m.s, testing::supported_properties(m.s), semantics::capacities(m.s), {}, 0, nullptr, {}, {}};
  request.limits.seconds = 0.0;
  results = make_bmc({})->check(request);
  ASSERT_TRUE(results[0].unknown());
  EXPECT_NE(std::get<verdict::Unknown>(results[0].verdict).reason.find("out of time"), std::string::npos);
}

TEST(Bmc, AllSolversFindTheSameBound) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const system::System s = testing::RandomSystem(seed).make();
    std::vector<std::vector<std::optional<std::uint64_t>>> all;
    for (const SolverKind solver : {SolverKind::Cadical, SolverKind::Z3, SolverKind::Cvc5}) {
      BmcOptions options;
      options.solver = solver;
      options.bound = 4;
      all.emplace_back();
      for (const auto& r : run_bmc(s, options)) all.back().push_back(testing::found_at(r));
    }
    EXPECT_EQ(all[0], all[1]) << seed;
    EXPECT_EQ(all[0], all[2]) << seed;
  }
}

}  // namespace
}  // namespace parley::symbolic
