// The loop against explicit search on random Systems: wherever the search decides, the loop must not say the
// opposite, every violating run must replay, and nearly all must be decided. Even the smallest types are
// abstracted, starting from one cell, so that refinement has work to do.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cegar/engine.hpp"
#include "cegar/harness.hpp"
#include "explore/explore.hpp"
#include "explore/random_system.hpp"
#include "random/model.hpp"

namespace parley::cegar {
namespace {

struct Tally {
  std::size_t compared = 0, undecided = 0, rounds = 0, refinements = 0;
};

void compare(std::uint64_t seed, const System& s, const LoopOptions& options, Tally& tally) {
  engine::Request request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (decides(s.properties[i].kind)) request.properties.emplace_back(i);
  request.limits.states = 3000;
  explore::Explorer explorer;
  const auto expected = explorer.check(request);
  CegarEngine cegar(options);
  request.limits.seconds = 20;
  request.limits.states = 30'000;
  const auto found = cegar.check(request);
  const semantics::Interpreter in(s);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string what = "seed " + std::to_string(seed) + ", " + s.property(found[i].property).name;
    if (const auto* v = std::get_if<verdict::Violated>(&found[i].verdict); v != nullptr && v->trace) {
      const auto c = verdict::confirm(in, found[i].property, *v->trace);
      EXPECT_TRUE(c.confirmed) << what << ": " << c.why;
    }
    if (const auto* h = std::get_if<verdict::Holds>(&found[i].verdict); h != nullptr && h->witness) {
      EXPECT_TRUE(verdict::confirm(in, found[i].property, *h->witness).confirmed) << what;
    }
    if (expected[i].unknown()) continue;
    ++tally.compared;
    tally.undecided += found[i].unknown() ? 1 : 0;
    EXPECT_TRUE(found[i].unknown() || found[i].holds() == expected[i].holds())
        << what << ": " << verdict::word(found[i].verdict) << ", search says "
        << verdict::word(expected[i].verdict) << "\n"
        << report::show(s, cegar.loops()[i]);
    if (std::getenv("PARLEY_TELL") != nullptr && found[i].unknown())
      printf("%s: %s\n", what.c_str(), report::show(s, cegar.loops()[i]).c_str());
  }
  for (const LoopResult& l : cegar.loops()) {
    tally.rounds += l.rounds.size();
    tally.refinements += l.refinements();
  }
}

template <class Make>
Tally compare_all(std::uint64_t first, std::uint64_t last, LoopOptions options, Make&& make) {
  options.start.exact_up_to = 1;
  options.max_states = 30'000;
  options.max_rounds = 300;
  Tally t;
  for (std::uint64_t seed = first; seed <= last && !::testing::Test::HasFailure(); ++seed)
    compare(seed, make(seed), options, t);
  return t;
}

System system_of(std::uint64_t seed) {
  return parley::testing::RandomSystem(seed).make();
}

// Text models: hierarchy, deferral, timers, references, wide integers.
System model_of(std::uint64_t seed) {
  random::Profile profile;
  profile.wide_integers = 30;
  return test::load(random::text(random::model(seed, profile)))->system();
}

// Every operator on ranges small enough for the search.
System arithmetic_of(std::uint64_t seed) {
  random::Profile profile;
  profile.arithmetic = 60;
  profile.errors = 30;
  profile.assertions = 30;
  return test::load(random::text(random::model(seed, profile)))->system();
}

LoopOptions improved() {
  LoopOptions o;
  o.start.start = domain::Start::One;
  return o;
}

#ifndef PARLEY_CEGAR_SEEDS
#define PARLEY_CEGAR_SEEDS 60
#endif

std::uint64_t seeds() {
  const char* more = std::getenv("PARLEY_SEEDS");
  return more != nullptr ? std::strtoull(more, nullptr, 10) : PARLEY_CEGAR_SEEDS;
}

// Models take longer than bare Systems: half as many of them in the fast tier.
std::uint64_t model_seeds() {
  return seeds() < 1000 ? seeds() / 2 : seeds();
}

TEST(CegarOnRandomSystems, AgreesWithSearch) {
  const Tally t = compare_all(1, seeds(), improved(), system_of);
  EXPECT_GT(t.compared, 300u);
  EXPECT_LT(t.undecided * 20, t.compared);
  EXPECT_GT(t.refinements, 50u);
  RecordProperty("refinements", static_cast<int>(t.refinements));
  printf("compared %zu undecided %zu rounds %zu refinements %zu\n", t.compared, t.undecided, t.rounds,
         t.refinements);
}

TEST(CegarOnRandomSystems, PublishedAgreesWithSearch) {
  const Tally t = compare_all(1, seeds(), LoopOptions::published(), system_of);
  EXPECT_GT(t.compared, 300u);
  EXPECT_LT(t.undecided * 5, t.compared);
  printf("compared %zu undecided %zu rounds %zu refinements %zu\n", t.compared, t.undecided, t.rounds,
         t.refinements);
}

TEST(CegarOnRandomModels, AgreesWithSearch) {
  const Tally t = compare_all(1, model_seeds(), improved(), model_of);
  EXPECT_GT(t.compared, model_seeds());
  printf("compared %zu undecided %zu rounds %zu refinements %zu\n", t.compared, t.undecided, t.rounds,
         t.refinements);
}

TEST(CegarOnRandomModels, ArithmeticAgreesWithSearch) {
  const Tally t = compare_all(1, model_seeds(), improved(), arithmetic_of);
  EXPECT_GT(t.compared, model_seeds());
  EXPECT_GT(t.refinements, model_seeds());
  printf("compared %zu undecided %zu rounds %zu refinements %zu\n", t.compared, t.undecided, t.rounds,
         t.refinements);
}

}  // namespace
}  // namespace parley::cegar
