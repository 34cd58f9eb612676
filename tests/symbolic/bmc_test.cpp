// Bounded model checking against breadth-first search: the interleaving bound is the shortest length, the
// other relations need no more (GOLDEN 002.3), and every trace replays (Session::violated insists on it).
#include <gtest/gtest.h>

#include "explore/random_system.hpp"
#include "semantics/hand_made.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/shortest.hpp"
#include "verdict/replay.hpp"

#ifndef PARLEY_RANDOM_SYSTEMS
#define PARLEY_RANDOM_SYSTEMS 60  // the slow tier is built with 1000
#endif

namespace parley::symbolic {
namespace {

using encode::Order;
using encode::Steps;

std::vector<system::PropertyId> all_properties(const system::System& s) {
  std::vector<system::PropertyId> out;
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (encode::Relation::supports(s.properties[p].kind)) out.emplace_back(p);
  return out;
}

std::vector<verdict::PropertyResult> run_bmc(const system::System& s, BmcOptions options) {
  engine::Request request{s, all_properties(s), semantics::capacities(s), {}, 0, nullptr, {}, {}};
  return make_bmc(options)->check(request);
}

// The bound at which the run that decides a property was found.
std::optional<std::uint64_t> found(const verdict::PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict); v != nullptr && v->trace)
    return *v->found_in_steps;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict); h != nullptr && h->witness)
    return r.coverage.bound;
  return std::nullopt;
}

std::size_t length(const verdict::PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace->steps.size();
  return std::get<verdict::Holds>(r.verdict).witness->steps.size();
}

bool unsupported(const std::vector<verdict::PropertyResult>& results) {
  for (const auto& r : results)
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict))
      if (u->reason.find("before a send that may block") != std::string::npos) return true;
  return false;
}

// Compares all relations with the shortest runs; false when the system cannot be encoded.
bool compare(const system::System& s, std::uint64_t seed, std::size_t most_states, std::uint32_t bound) {
  const semantics::Interpreter in(s);
  const testing::Shortest want = testing::shortest_runs(in, most_states);
  const auto sure = std::min<std::size_t>(bound, want.complete ? bound : want.depth);
  std::map<std::uint32_t, std::map<Steps, std::uint64_t>> bounds;
  for (const Steps steps : {Steps::Interleaving, Steps::Static, Steps::Dynamic, Steps::Chained})
    for (const Order order : {default_order(steps), Order::Declared}) {
      BmcOptions options;
      options.steps = steps;
      options.order = order;
      options.bound = static_cast<std::uint32_t>(sure);
      const auto results = run_bmc(s, options);
      if (unsupported(results)) return false;
      for (const auto& r : results) {
        const auto p = r.property.value;
        const auto k = found(r);
        const auto at = want.length.find(p);
        const std::string where = "seed " + std::to_string(seed) + ", " + describe(steps) + ", " +
                                  describe(order) + ", " + s.property(r.property).name;
        if (k) bounds[p][steps] = bounds[p].contains(steps) ? std::min(bounds[p][steps], *k) : *k;
        if (at == want.length.end() || at->second > sure) {
          EXPECT_FALSE(k.has_value() && at == want.length.end() && want.complete) << where;
          continue;
        }
        EXPECT_TRUE(k.has_value()) << where << " must be found at " << at->second;
        if (!k) continue;
        EXPECT_LE(*k, at->second) << where;
        EXPECT_GE(length(r), at->second) << where;
        if (steps == Steps::Interleaving) {
          EXPECT_EQ(*k, at->second) << where;
          EXPECT_EQ(length(r), at->second) << where;
        }
      }
    }
  for (const auto& [p, by] : bounds) {
    if (by.contains(Steps::Static) && by.contains(Steps::Dynamic)) {
      EXPECT_GE(by.at(Steps::Static), by.at(Steps::Dynamic)) << seed;
    }
  }
  return true;
}

TEST(Bmc, BoundsOfTheFourRelationsOnRandomSystems) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_RANDOM_SYSTEMS; ++seed) {
    if (compare(testing::RandomSystem(seed).make(), seed, 400, 12)) ++compared;
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
  EXPECT_EQ(std::get<verdict::Holds>(results[0].verdict).certificate.kind, "no-longer-runs");
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
  engine::Request request{m.s, all_properties(m.s), semantics::capacities(m.s), {}, 0, nullptr, {}, {}};
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
      for (const auto& r : run_bmc(s, options)) all.back().push_back(found(r));
    }
    EXPECT_EQ(all[0], all[1]) << seed;
    EXPECT_EQ(all[0], all[2]) << seed;
  }
}

}  // namespace
}  // namespace parley::symbolic
