// The proof engines against breadth-first search on random Systems: what they prove or refute is so.
#include <gtest/gtest.h>

#include "explore/random_system.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/shortest.hpp"

namespace parley::symbolic {
namespace {

struct Tally {
  int proved = 0, refuted = 0, open = 0;
};

void compare(engine::Engine& engine, std::uint64_t seed, Tally& tally) {
  const system::System s = testing::RandomSystem(seed).make();
  const semantics::Interpreter in(s);
  const testing::Shortest want = testing::shortest_runs(in, 3000);
  if (!want.complete) return;
  engine::Request request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (encode::Relation::supports(s.properties[p].kind)) request.properties.emplace_back(p);
  request.limits.seconds = 60;
  for (const auto& r : engine.check(request)) {
    const bool expected = want.length.contains(r.property.value);
    const bool reachable = s.property(r.property).kind == system::PropertyKind::Reachable;
    if (r.unknown()) {
      ++tally.open;
      continue;
    }
    const bool found = r.violated() != reachable;
    EXPECT_EQ(found, expected) << engine.name() << ", seed " << seed << ", " << s.property(r.property).name;
    ++(found ? tally.refuted : tally.proved);
  }
}

TEST(Ic3, AgreesWithSearchOnRandomSystems) {
  Tally tally;
  const auto engine = make_ic3({});
  for (std::uint64_t seed = 1; seed <= 25; ++seed) compare(*engine, seed, tally);
  EXPECT_GT(tally.proved, 20);
  EXPECT_GT(tally.refuted, 20);
}

TEST(KInduction, AgreesWithSearchOnRandomSystems) {
  Tally tally;
  InductionOptions options;
  options.bound = 12;
  const auto engine = make_kind(options);
  for (std::uint64_t seed = 1; seed <= 25; ++seed) compare(*engine, seed, tally);
  EXPECT_GT(tally.proved, 10);
  EXPECT_GT(tally.refuted, 20);
}

}  // namespace
}  // namespace parley::symbolic
