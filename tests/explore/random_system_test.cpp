// The search against the oracle on random Systems. A failing seed is printed; `compare` says what differs.
#include "explore/random_system.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "explore/compare.hpp"

namespace parley::testing {
namespace {

TEST(RandomSystem, SearchAgreesWithTheReferenceSemantics) {
  const char* more = std::getenv("PARLEY_SEEDS");
  const std::uint64_t last = more != nullptr ? std::strtoull(more, nullptr, 10) : 800;
  std::size_t decided = 0, states = 0;
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    const system::System s = RandomSystem(seed).make();
    const Comparison c = compare(s, semantics::capacities(s), 400);
    decided += c.decided ? 1 : 0;
    states += c.states;
    for (const std::string& d : c.differences) ADD_FAILURE() << "seed " << seed << ": " << d;
    if (HasFailure()) break;
  }
  // Most must be small enough to be compared, and not trivial, or the test shows nothing.
  EXPECT_GT(decided, 600u);
  EXPECT_GT(states, 20000u);
}

}  // namespace
}  // namespace parley::testing
