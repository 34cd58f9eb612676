// Models from outside, where they are present (PARLEY_SHARED, or beside the repository).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bounds/bounds.hpp"
#include "bounds/published/run.hpp"
#include "certify/bounds_check.hpp"
#include "front/promela/promela.hpp"

namespace parley::bounds {
namespace {

std::optional<system::System> from_corpus(const std::string& name) {
  const char* given = std::getenv("PARLEY_SHARED");
  const std::filesystem::path shared = given != nullptr ? given : PARLEY_SOURCE_DIR "/../shared";
  const std::filesystem::path file = shared / "corpus/promela" / name;
  std::ifstream in(file);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  return front::promela::load(sources, file.string(), text.str(), diagnostics, {});
}

// GOLDEN 003.4: one counterexample, the cycle of `left` that sends the numbers; at most 7 repetitions, no
// neighbour, no supplementary cycle; excluded; BOUNDED. By the default test q[0] holds at most the seven
// numbers, and process i keeps one, so q[i] at most 7 - i.
TEST(Sort, AsPublishedAndByWeights) {
  const auto loaded = from_corpus("spin-examples/sort.pml");
  if (!loaded) GTEST_SKIP() << "the corpus is not here";
  const published::Report r = published::run(*loaded, {}).report;
  EXPECT_EQ(r.answer, published::Answer::Bounded);
  EXPECT_EQ(r.counterexamples, 1U);
  EXPECT_EQ(r.spurious, 1U);
  ASSERT_EQ(r.log.size(), 1U);
  EXPECT_NE(r.log[0].find("0 neighbouring, 0 supplementary"), std::string::npos) << r.log[0];
  Options o;
  o.use_search = false;
  o.seconds = 60;
  BoundsReport report = analyse(*loaded, o);
  // The queue without room only marks runs with more processes than slots (docs/promela.md); it is no
  // channel.
  std::erase_if(report.queues, [&](const QueueReport& q) { return loaded->queue(q.queue).capacity == 0U; });
  ASSERT_EQ(report.queues.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(report.queues[i].answer, Answer::Bounded) << i;
    EXPECT_EQ(report.queues[i].limit, static_cast<std::int64_t>(7 - i)) << i;
    const auto check = certify::check_bounded(*loaded, report.queues[i].queue, report.queues[i].limit,
                                              report.queues[i].certificate);
    EXPECT_TRUE(check.accepted) << check.why;
  }
}

}  // namespace
}  // namespace parley::bounds
