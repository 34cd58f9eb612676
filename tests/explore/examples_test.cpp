// The search against the oracle on every text model of the repository that is small enough, found by looking.
#include <gtest/gtest.h>

#include "explore/compare.hpp"
#include "explore/example_systems.hpp"

namespace parley::testing {
namespace {

TEST(Examples, SearchAgreesWithTheReferenceSemantics) {
  std::size_t compared = 0;
  for (const ExampleSystem& e : example_systems()) {
    const Comparison c = compare(e.system, semantics::capacities(e.system), 1500);
    compared += c.decided ? 1 : 0;
    for (const std::string& d : c.differences) ADD_FAILURE() << e.file << ": " << d;
  }
  EXPECT_GE(compared, 4u);
}

}  // namespace
}  // namespace parley::testing
