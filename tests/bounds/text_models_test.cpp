// Random models of the text language against explicit search: hierarchy, deferral, discard, timers,
// parameters, every semantics switch. What tests/bounds/random_check.hpp asks of random systems is asked of
// them too; the slow tier runs more of them.
#include <cstdio>

#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "random/model.hpp"
#include "random_check.hpp"

#ifndef PARLEY_BOUNDS_MODELS
#define PARLEY_BOUNDS_MODELS 40
#endif

namespace parley::bounds {
namespace {

std::optional<system::System> random_model(std::uint64_t seed) {
  random::Profile profile;
  profile.wide_integers = 0;  // choices among 2^32 values are for other engines
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add("random.ply", random::text(random::model(seed, profile)));
  model::Model model = front::text::parse(sources, file, diagnostics);
  model::resolve(model, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto lowered = lower::lower(model, diagnostics);
  if (!lowered) return std::nullopt;
  return std::move(lowered->system);
}

TEST(RandomTextModels, NeverContradictExplicitSearch) {
  testing::Tally tally;
  std::size_t models = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_BOUNDS_MODELS; ++seed) {
    const auto s = random_model(seed);
    if (!s) continue;
    ++models;
    testing::against_search(*s, seed, 300, tally);
    if (HasFatalFailure()) return;
  }
  std::printf("%zu models: ", models);
  tally.print();
  EXPECT_GT(models, PARLEY_BOUNDS_MODELS * 9 / 10);
  EXPECT_GT(tally.bounded, PARLEY_BOUNDS_MODELS / 4);
  EXPECT_GT(tally.by_weights, PARLEY_BOUNDS_MODELS / 4);
}

}  // namespace
}  // namespace parley::bounds
