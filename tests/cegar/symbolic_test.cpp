// The loop against the symbolic engines on random models of the text language with 32-bit integers, every
// operator and constants that no search could count up to: what bounded model checking refutes or IC3
// decides, the loop must not answer with the opposite. The symbolic engines know nothing of intervals and
// encode every operator bit by bit, so this compares the abstract operators at full width too.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cegar/engine.hpp"
#include "cegar/harness.hpp"
#include "random/model.hpp"
#include "support/check.hpp"
#include "symbolic/engines.hpp"

namespace parley::cegar {
namespace {

#ifndef PARLEY_CEGAR_WIDE_SEEDS
#define PARLEY_CEGAR_WIDE_SEEDS 25
#endif

std::string wide_model(std::uint64_t seed) {
  random::Profile profile;
  profile.arithmetic = 60;
  profile.constants = 1000;
  profile.integers = "int";
  profile.errors = 30;
  profile.assertions = 30;
  return random::text(random::model(seed, profile));
}

struct Tally {
  std::size_t asked = 0, decided = 0, refuted_by_both = 0, proved_by_both = 0;
};

class Comparison {
 public:
  Comparison(std::uint64_t seed, Tally& tally) : seed_(seed), tally_(tally) {}

  void run() {
    const auto l = test::load(wide_model(seed_));
    ASSERT_TRUE(l->lowered);
    const System& s = l->system();
    engine::Request request = test::request(s, 3);
    std::erase_if(request.properties, [&s](PropertyId p) { return !decides(s.property(p).kind); });
    LoopOptions options;
    options.max_states = 5'000;
    options.max_rounds = 60;
    const auto loop = CegarEngine(options).check(request);
    symbolic::BmcOptions bounded;
    bounded.bound = 5;
    const auto bmc = answers(*symbolic::make_bmc(bounded), request);
    symbolic::Ic3Options frames;
    frames.bound = 8;
    const auto ic3 = answers(*symbolic::make_ic3(frames), request);
    if (HasFatalFailure()) return;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      ++tally_.asked;
      tally_.decided += loop[i].unknown() ? 0 : 1;
      confirm(s, loop[i]);
      agree(s, loop[i], bmc[i]);
      agree(s, loop[i], ic3[i]);
    }
  }

 private:
  static bool HasFatalFailure() { return ::testing::Test::HasFatalFailure(); }

  // An engine that finds its own answer wrong throws; the seed must be told then.
  std::vector<verdict::PropertyResult> answers(engine::Engine& engine, const engine::Request& request) const {
    std::vector<verdict::PropertyResult> found;
    const auto ask = [&] {
      try {
        found = engine.check(request);
      } catch (const InternalError& e) {
        FAIL() << "seed " << seed_ << ": " << e.what() << "\n" << wide_model(seed_);
      }
    };
    ask();
    return found;
  }

  std::string what(const System& s, PropertyId p) const {
    return "seed " + std::to_string(seed_) + ", " + s.property(p).name;
  }

  void confirm(const System& s, const verdict::PropertyResult& r) const {
    const auto* v = std::get_if<verdict::Violated>(&r.verdict);
    if (v == nullptr || !v->trace) return;
    const auto c = verdict::confirm(semantics::Interpreter(s), r.property, *v->trace);
    EXPECT_TRUE(c.confirmed) << what(s, r.property) << ": " << c.why;
  }

  void agree(const System& s, const verdict::PropertyResult& loop, const verdict::PropertyResult& other) {
    if (loop.unknown() || other.unknown()) return;
    EXPECT_EQ(verdict::word(loop.verdict), verdict::word(other.verdict))
        << what(s, loop.property) << ": " << other.engine_name() << " disagrees\n"
        << wide_model(seed_);
    (loop.holds() ? tally_.proved_by_both : tally_.refuted_by_both) += 1;
  }

  std::uint64_t seed_;
  Tally& tally_;
};

TEST(CegarAtFullWidth, NeverContradictsTheSymbolicEngines) {
  std::uint64_t first = 1, last = PARLEY_CEGAR_WIDE_SEEDS;
  if (const char* seed = std::getenv("PARLEY_SEED")) first = last = std::strtoull(seed, nullptr, 10);
  Tally t;
  for (std::uint64_t seed = first; seed <= last && !HasFailure(); ++seed) Comparison(seed, t).run();
  printf("properties %zu, decided %zu; also by a symbolic engine: proved %zu, refuted %zu\n", t.asked,
         t.decided, t.proved_by_both, t.refuted_by_both);
  if (first == last) return;
  EXPECT_GT(t.decided * 10, t.asked * 7);
  EXPECT_GT(t.refuted_by_both, last);
  EXPECT_GT(t.proved_by_both, last);
}

}  // namespace
}  // namespace parley::cegar
