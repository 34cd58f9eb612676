// Closed sets: written and read back, and walked over. The sets are those of the exhaustive search on random
// systems of every feature, so that the search and the reference semantics are also compared state by state.
#include "verify/closed_set.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "explore/explore.hpp"
#include "explore/random_system.hpp"
#include "verify/made_certificate.hpp"

namespace parley::verify {
namespace {

using semantics::State;
using ::testing::HasSubstr;
using testing::made;
using testing::MadeCertificate;
using testing::verified;

constexpr std::uint64_t kSystems = 150;

// The search's answers about a system, with its states; nothing if it is too large.
std::optional<MadeCertificate> searched(const system::System& s) {
  std::vector<State> states;
  explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true},
                             [&](const State& state) { states.push_back(state); });
  certificate::Document document;
  document.capacities = semantics::capacities(s);
  engine::Request request{s, {}, document.capacities, {}, 0, nullptr, {}, {}};
  for (std::size_t i = 0; i < s.properties.size(); ++i) request.properties.emplace_back(i);
  request.limits.states = 3000;
  for (const verdict::PropertyResult& r : explorer.check(request))
    if (const auto claim = certificate::claim_of(r)) document.properties.push_back(*claim);
  if (states.empty()) return std::nullopt;
  return made(s, document, states);
}

TEST(ClosedSet, StatesAreReadBack) {
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    const system::System s = parley::testing::RandomSystem(seed).make();
    const auto made = searched(s);
    if (!made) continue;
    for (const State& state : made->states) {
      std::string code;
      certificate::encode(state, code);
      EXPECT_EQ(certificate::decode(s, semantics::capacities(s), code), state);
      EXPECT_EQ(certificate::decode(s, semantics::capacities(s), code + '\0'), std::nullopt);
      if (!code.empty()) {
        EXPECT_EQ(certificate::decode(s, semantics::capacities(s), code.substr(0, code.size() - 1)),
                  std::nullopt);
      }
    }
  }
}

TEST(ClosedSet, EveryStateIsFoundAndNoOther) {
  certificate::StateCollector collector;
  std::vector<std::string> codes;
  for (std::int32_t i = 0; i < 20000; ++i) {
    const State state{{i * 7, -i, i % 3}, {{}}, {}};
    collector.add(state);
    codes.emplace_back();
    certificate::encode(state, codes.back());
  }
  const certificate::StateCollector::Blocks blocks = collector.blocks();
  EXPECT_GE(blocks.count, 20u);
  EXPECT_LT(blocks.bytes.size(), 20000u * 5);
  const std::string path = ::testing::TempDir() + "/closed-set-" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << "head\n" << blocks.bytes;
  ClosedSet set(path, {20000, blocks.count, 5}, 0);  // as little memory as there can be
  std::vector<bool> seen(20000, false);
  for (const std::string& code : codes) {
    const auto at = set.find(code);
    ASSERT_TRUE(at.has_value());
    EXPECT_FALSE(seen[*at]);
    seen[*at] = true;
    EXPECT_EQ(set.find(code + 'x'), std::nullopt);
  }
  EXPECT_EQ(set.find(""), std::nullopt);
  EXPECT_EQ(set.find("\xff\xff"), std::nullopt);
  EXPECT_THROW(ClosedSet(path, {20001, blocks.count, 5}, 0), verdict::Malformed);
  EXPECT_THROW(ClosedSet(path, {20000, blocks.count + 1, 5}, 0), verdict::Malformed);
  EXPECT_THROW(ClosedSet(path, {20000, blocks.count, 6}, 0), verdict::Malformed);
  std::ofstream(path, std::ios::binary) << "head\n" << blocks.bytes.substr(0, blocks.bytes.size() - 1);
  EXPECT_THROW(ClosedSet(path, {20000, blocks.count, 5}, 0), verdict::Malformed);
  std::ofstream(path, std::ios::binary) << "head\n" << blocks.bytes << '\0';
  EXPECT_THROW(ClosedSet(path, {20000, blocks.count, 5}, 0), verdict::Malformed);
  std::filesystem::remove(path);
}

TEST(ClosedSet, WhatTheSearchSaysIsConfirmed) {
  std::size_t claims = 0, with_sets = 0;
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    const auto made = searched(parley::testing::RandomSystem(seed).make());
    if (!made) continue;
    with_sets += made->head.contains("closed_set") ? 1 : 0;
    claims += made->head.at("properties").size();
    Options two_threads;
    two_threads.threads = 2;
    const auto v = verified(made->system, made->file(), two_threads);
    for (const ClaimReport& c : v.report.claims)
      EXPECT_EQ(c.outcome.result, Result::Confirmed)
          << "seed " << seed << ", " << c.claim << ": " << c.outcome.why;
    EXPECT_EQ(v.malformed, "") << "seed " << seed;
  }
  EXPECT_GT(with_sets, 30u);
  EXPECT_GT(claims, 300u);
}

// All states are reachable, so without one of them some step or start leads out.
TEST(ClosedSet, WithoutAnyOneStateItIsRejected) {
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < kSystems && tried < 500; ++seed) {
    const auto made = searched(parley::testing::RandomSystem(seed).make());
    if (!made || !made->head.contains("closed_set") || made->states.size() > 200) continue;
    for (std::size_t i = 0; i < made->states.size(); i += 1 + made->states.size() / 10) {
      std::vector<State> fewer = made->states;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const auto v = verified(made->system, made->file(fewer));
      EXPECT_FALSE(v.accepted()) << "seed " << seed << " without state " << i;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST(ClosedSet, ASampleSaysSo) {
  std::size_t sampled = 0;
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    const auto made = searched(parley::testing::RandomSystem(seed).make());
    if (!made || !made->head.contains("closed_set")) continue;
    Options options;
    options.share = 0.5;
    options.seed = seed;
    const auto v = verified(made->system, made->file(), options);
    EXPECT_NE(v.report.result(), Result::Confirmed);
    EXPECT_NE(v.report.result(), Result::Rejected) << v.why();
    for (const ClaimReport& c : v.report.claims) sampled += c.outcome.result == Result::Sampled ? 1 : 0;
  }
  EXPECT_GT(sampled, 50u);
}

TEST(ClosedSet, OutOfTimeIsUndecided) {
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    const auto one = searched(parley::testing::RandomSystem(seed).make());
    if (!one || !one->head.contains("closed_set")) continue;
    Options options;
    options.seconds = 0;
    const auto v = verified(one->system, one->file(), options);
    EXPECT_EQ(v.report.result(), Result::Undecided) << v.why();
    return;
  }
  FAIL() << "no system with a closed set";
}

}  // namespace
}  // namespace parley::verify
