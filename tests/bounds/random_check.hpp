// Random systems with explicit search as the oracle, for both tiers: a proven limit is never exceeded by any
// state the search sees with unlimited queues, no proven queue has a pump, and every pump replays 20 rounds.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "passes/capacities.hpp"
#include "system_maker.hpp"

namespace parley::bounds::testing {

struct Tally {
  std::size_t bounded = 0, unbounded = 0, unknown = 0;
  std::size_t by_weights = 0, by_phases = 0, by_order = 0, by_tests = 0, tight = 0;
  void print() const {
    std::printf(
        "bounded %zu (weights %zu, phases %zu, order %zu, length tests %zu, tight %zu), unbounded %zu, "
        "unknown "
        "%zu\n",
        bounded, by_weights, by_phases, by_order, by_tests, tight, unbounded, unknown);
  }
};

// Nothing that convinces the checker claims less than was seen.
inline void forge_lengths(const system::System& s, system::QueueId queue, std::int64_t limit,
                          const verdict::Certificate& evidence, std::uint32_t seen, std::uint64_t seed) {
  const nlohmann::json good = nlohmann::json::parse(evidence.payload);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 10; ++i) {
    nlohmann::json forged = good;
    for (nlohmann::json& node : forged["nodes"]) {
      nlohmann::json& most = node["length"][1];
      most = std::min(most.get<std::int64_t>(), limit - 1 - static_cast<int>(random() % 2));
      if (random() % 2 == 0 && node["length"][0] < most) node["length"][0] = most;
    }
    const certify::Check check =
        certify::check_bounded(s, queue, limit - 1, {verdict::CertificateKind::LengthTests, forged.dump()});
    ASSERT_FALSE(check.accepted && seen > limit - 1) << "seed " << seed;
  }
}

inline void against_search(const system::System& s, std::uint64_t seed, std::size_t states, Tally& tally) {
  Options o;
  o.search_states = states;
  o.walks = 2;  // only queues that stay open need more, seconds each, and few of them get an answer
  o.seconds = 4;
  const BoundsReport r = analyse(s, o);
  Options w = o;
  w.use_search = false;
  const BoundsReport proofs = analyse(s, w);
  const system::System endless = passes::without_capacities(s).system;
  const Searcher searcher(endless, seed);
  SearchResult seen;
  SearchLimits limits;
  limits.states = states;
  searcher.explore(std::vector<bool>(s.queues.size(), true), limits, seen);
  searcher.walk(std::vector<bool>(s.queues.size(), true), {}, 4, 150, {}, seen);
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    const QueueReport& x = r.queues[q];
    if (x.answer == Answer::Bounded) ++tally.bounded;
    if (x.answer == Answer::Unbounded) ++tally.unbounded;
    if (x.answer == Answer::Unknown) ++tally.unknown;
    if (x.answer == Answer::Bounded) {
      ASSERT_LE(static_cast<std::int64_t>(seen.longest[q]), x.limit) << "seed " << seed << " queue " << q;
    }
    if (proofs.queues[q].answer == Answer::Bounded) {
      const verdict::CertificateKind kind = proofs.queues[q].certificate.kind;
      ++(kind == verdict::CertificateKind::Phases        ? tally.by_phases
         : kind == verdict::CertificateKind::Ordered     ? tally.by_order
         : kind == verdict::CertificateKind::LengthTests ? tally.by_tests
                                                         : tally.by_weights);
      ASSERT_FALSE(seen.pumps.contains(q)) << "seed " << seed << " queue " << q;
      ASSERT_LE(static_cast<std::int64_t>(seen.longest[q]), proofs.queues[q].limit)
          << "seed " << seed << " queue " << q;
      if (seen.closed && seen.longest[q] == proofs.queues[q].limit) ++tally.tight;
    }
    // The evidence convinces the independent checker, and a smaller claim with it does not.
    if (proofs.queues[q].answer == Answer::Bounded) {
      const auto& [queue, limit, evidence] =
          std::tie(proofs.queues[q].queue, proofs.queues[q].limit, proofs.queues[q].certificate);
      const certify::Check check = certify::check_bounded(s, queue, limit, evidence);
      ASSERT_TRUE(check.accepted) << "seed " << seed << " queue " << q << ": " << check.why;
      ASSERT_FALSE(certify::check_bounded(s, queue, limit - 1, evidence).accepted) << "seed " << seed;
      const certify::Check late = certify::check_bounded(s, queue, limit, evidence, 0.0);
      // Without time it gives up, unless there was nothing to look at; it never says that the claim is wrong.
      ASSERT_TRUE(late.accepted || late.gave_up) << "seed " << seed << ": " << late.why;
      if (evidence.kind == verdict::CertificateKind::LengthTests)
        forge_lengths(s, queue, limit, evidence, seen.longest[q], seed);
    }
    if (x.answer == Answer::Bounded && x.certificate.kind == verdict::CertificateKind::Exhaustive) {
      ASSERT_TRUE(certify::check_bounded(s, x.queue, x.limit, x.certificate).accepted) << "seed " << seed;
    }
    if (x.answer == Answer::Unbounded) {
      const certify::Check check = certify::check_unbounded(s, x.queue, x.certificate);
      ASSERT_TRUE(check.accepted) << "seed " << seed << " queue " << q << ": " << check.why;
    }
    if (x.answer == Answer::Unbounded) {
      ASSERT_EQ(searcher.replay(*x.pump, 20), "") << "seed " << seed << " queue " << q;
    }
  }
}

inline void against_search(std::uint64_t seed, std::size_t states, Tally& tally) {
  against_search(random_system(seed), seed, states, tally);
}

}  // namespace parley::bounds::testing
