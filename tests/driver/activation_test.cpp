// Cycles that can never be entered (bounds/activation.hpp), with a prover to ask and the certificate checked.
#include "bounds/activation.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "bounds/search.hpp"
#include "bounds/system_maker.hpp"
#include "certify/bounds_check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"
#include "passes/capacities.hpp"

namespace parley::driver {
namespace {

using bounds::Answer;
using nlohmann::json;

bounds::BoundsReport bounds_of(const system::System& s, bool ask) {
  const auto prover = make_engine(engine::EngineKind::Ic3);
  bounds::Options o;
  o.search_states = 500;
  o.walks = 4;
  o.seconds = 8;
  return bounds::analyse(s, o, nullptr, {nullptr, ask ? prover.get() : nullptr});
}

const bounds::QueueReport& queue(const bounds::BoundsReport& r, const system::System& s,
                                 const std::string& name) {
  for (const bounds::QueueReport& q : r.queues)
    if (s.queue(q.queue).name == name) return q;
  throw std::runtime_error("no queue " + name);
}

load::Loaded meter(const std::function<void(std::string&)>& change = {}) {
  std::ifstream in(PARLEY_SOURCE_DIR "/examples/bounds/meter.ply");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (change) change(text);
  return testing::load_text(text);
}

TEST(Activation, CyclesThatNobodyCanEnterDoNotCount) {
  const load::Loaded loaded = meter();
  const system::System& s = *loaded.system;
  EXPECT_EQ(queue(bounds_of(s, false), s, "pager").answer, Answer::Unknown);
  const bounds::BoundsReport r = bounds_of(s, true);
  const bounds::QueueReport& pager = queue(r, s, "pager");
  ASSERT_EQ(pager.answer, Answer::Bounded);
  EXPECT_EQ(pager.limit, 0);
  ASSERT_EQ(pager.certificate.kind, verdict::CertificateKind::Activation);
  const certify::Check check = certify::check_bounded(s, pager.queue, 0, pager.certificate, 60);
  EXPECT_TRUE(check.accepted) << check.why;

  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge) {
    json j = json::parse(pager.certificate.payload);
    forge(j);
    const certify::Check c =
        certify::check_bounded(s, pager.queue, 0, {verdict::CertificateKind::Activation, j.dump()}, 60);
    EXPECT_FALSE(c.accepted) << what;
    EXPECT_FALSE(c.why.empty()) << what;
  };
  rejected("an action that does fire", [&](json& j) {
    for (std::size_t a = 0; a < s.actions.size(); ++a)
      if (s.actions[a].trigger) j["never"].push_back(a);
  });
  rejected("nothing is dead", [](json& j) { j["never"] = json::array(); });
  rejected("no proof", [](json& j) { j["proof"]["payload"] = "{}"; });
  rejected("another sort of proof", [](json& j) { j["proof"]["kind"] = "exhaustive"; });
  rejected("a queue too few", [](json& j) { j["bounds"].erase(0); });
  rejected("an action that is not there", [](json& j) { j["never"].push_back(9999); });
  rejected("the wrong type", [](json& j) { j["bounds"] = "none"; });
}

// The second counter skips one in a million: a search does not get there, and no proof must.
TEST(Activation, CyclesThatCanBeEnteredStayOpen) {
  const load::Loaded loaded = meter([](std::string& text) {
    const std::string old = "second = second + 1;";
    text.replace(text.find(old), old.size(), "if (first != 1000000) { second = second + 1; }");
  });
  const system::System& s = *loaded.system;
  EXPECT_NE(queue(bounds_of(s, true), s, "pager").answer, Answer::Bounded);
}

// What only a step can tell: a timeout, an action inside an exclusive stretch, one beside a guard that fails.
TEST(Activation, ActionsThatFireAreNeverCalledInactive) {
  const char* models[] = {
      "chan q = [2] of { bit }; active proctype P() { do :: timeout -> q!1 od }",
      "chan q = [2] of { bit }; byte x; active proctype P() { atomic { x == 0 -> x = 1; q!1 } }",
      "chan q = [2] of { bit }; int x; active proctype P() { do :: 1 / x == 1 -> x = 0 :: q!1 od }"};
  for (const char* text : models) {
    const std::string file = ::testing::TempDir() + "/activation_test.pml";
    std::ofstream(file) << text;
    const load::Loaded loaded = load::load(file, {});
    ASSERT_TRUE(loaded.ok()) << text;
    const system::System endless = passes::without_capacities(*loaded.system).system;
    const auto prover = make_engine(engine::EngineKind::Ic3);
    const bounds::Searcher searcher(endless, 1);
    bounds::SearchResult seen;
    bounds::SearchLimits limits;
    limits.states = 50;
    searcher.explore(std::vector<bool>(endless.queues.size(), false), limits, seen);
    std::size_t asked = 0;
    for (std::size_t a = 0; a < endless.actions.size(); ++a) {
      if (!seen.fired[a]) continue;
      ++asked;
      const std::vector<bool> fired(endless.actions.size(), true);
      EXPECT_FALSE(bounds::bounded_without(endless, {system::ActionId(a)}, fired, {}, 2, *prover, nullptr))
          << text << ": " << endless.actions[a].name;
    }
    EXPECT_GT(asked, 0U) << text;
  }
}

// Random systems and random actions called inactive: what is proved is neither contradicted by search (no
// such action fires, no queue is longer) nor rejected by the checker.
TEST(Activation, NeverContradictsSearchOnRandomSystems) {
  std::size_t proofs = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const system::System s = bounds::testing::random_system(seed);
    const system::System endless = passes::without_capacities(s).system;
    const std::set<system::ActionId> actions{system::ActionId((seed * 7) % s.actions.size())};
    const auto prover = make_engine(engine::EngineKind::Ic3);
    const auto proof = bounds::bounded_without(endless, actions, std::vector<bool>(s.actions.size(), true),
                                               {}, 2, *prover, nullptr);
    ++(proof ? proofs : refused);
    if (!proof) continue;
    const bounds::Searcher searcher(endless, seed);
    bounds::SearchResult seen;
    bounds::SearchLimits limits;
    limits.states = 1500;
    searcher.explore(std::vector<bool>(s.queues.size(), true), limits, seen);
    for (system::ActionId a : actions) ASSERT_FALSE(seen.fired[a.index()]) << "seed " << seed;
    for (const bounds::QueueReport& q : proof->queues) {
      ASSERT_LE(static_cast<std::int64_t>(seen.longest[q.queue.index()]), q.certified_limit)
          << "seed " << seed;
      ASSERT_FALSE(seen.pumps.contains(q.queue.index())) << "seed " << seed;
      const certify::Check check =
          certify::check_bounded(s, q.queue, q.certified_limit, proof->certificate, 60);
      ASSERT_TRUE(check.accepted) << "seed " << seed << ": " << check.why;
    }
  }
  std::printf("%zu proofs, %zu refused\n", proofs, refused);
  EXPECT_GT(proofs, 5U);
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace parley::driver
