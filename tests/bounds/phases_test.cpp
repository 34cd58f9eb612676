// Connectivity cut in on demand (bounds/phases.hpp): graphs and systems whose every run is bounded although
// no single set of weights shows it, since it would take cycles that no run can combine. Numbers by hand.
#include "bounds/phases.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "figures.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using nlohmann::json;
using system::OwnerId;
using system::QueueId;
using system::SignalId;
using testing::component;
using testing::edge;
using testing::Maker;
using testing::message;

constexpr std::uint32_t kX = 0, kY = 1, kCoin = 2;

// Node 0 makes two y of each x, node 1 makes an x of each y. Once round both doubles what is there.
FlowGraph doubling() {
  FlowGraph g;
  message(g, "x", 0);
  message(g, "y", 1);
  message(g, "coin", 2);
  g.kinds[kX].initial = 1;
  Component& c = component(g, "P", 2);
  edge(c, 0, 0, {{kX, -1}, {kY, 2}});
  edge(c, 0, 1);
  edge(c, 1, 1, {{kX, 1}, {kY, -1}});
  return g;
}

TEST(Phases, OneSetOfWeightsIsNotEnough) {
  const FlowGraph g = doubling();
  WeightSolver solver(g, {});
  const Decision d = solver.decide();
  ASSERT_TRUE(d.complete);
  EXPECT_FALSE(d.boundable[kX]);
  EXPECT_FALSE(d.boundable[kY]);
  const auto apart = fallen_apart(g, solver.counterexample({kX, kY}));
  ASSERT_TRUE(apart.has_value());
  EXPECT_EQ(apart->parts, (std::vector<std::vector<std::uint32_t>>{{0}, {1}}));
}

// One x becomes two y at node 0; at node 1 at most x + y = 3 by the weights there (2 in truth, since the x is
// gone when both y are there, which contents by kind do not tell).
TEST(Phases, TwoStronglyConnectedComponents) {
  const FlowGraph g = doubling();
  const PhaseProof proof = prove_by_phases(g, {});
  ASSERT_TRUE(proof.complete);
  EXPECT_TRUE(proof.bounded[kX]);
  EXPECT_TRUE(proof.bounded[kY]);
  EXPECT_EQ(proof.root.children.size(), 2U);
  EXPECT_TRUE(proof.standing.empty());
  EXPECT_EQ(phase_limit(g, proof, {kY}), 2);
  EXPECT_EQ(phase_limit(g, proof, {kX}), 3);
}

// Back from 1 to 0 for a coin, of which there are two: one strongly connected component, finitely many
// crossings. By hand: 1 x -> 2 y -> 2 x -> 4 y -> 4 x -> 8 y -> 8 x.
TEST(Phases, CrossingsThatUseSomethingUp) {
  FlowGraph g = doubling();
  g.kinds[kCoin].initial = 2;
  edge(g.components[0], 1, 0, {{kCoin, -1}});
  const PhaseProof proof = prove_by_phases(g, {});
  ASSERT_TRUE(proof.complete);
  EXPECT_TRUE(proof.bounded[kX] && proof.bounded[kY] && proof.bounded[kCoin]);
  EXPECT_EQ(phase_limit(g, proof, {kCoin}), 2);
  ASSERT_TRUE(phase_limit(g, proof, {kX}).has_value());
  EXPECT_GE(phase_limit(g, proof, {kX}), 8);
}

// Back for nothing: what stands is connected, and says by which way.
TEST(Phases, WhatIsConnectedStands) {
  FlowGraph g = doubling();
  edge(g.components[0], 1, 0);
  const PhaseProof proof = prove_by_phases(g, {});
  ASSERT_TRUE(proof.complete);
  EXPECT_FALSE(proof.bounded[kX]);
  EXPECT_FALSE(proof.bounded[kY]);
  EXPECT_TRUE(proof.bounded[kCoin]);  // never sent
  ASSERT_FALSE(proof.standing.empty());
  for (const auto& runs : proof.standing) EXPECT_FALSE(fallen_apart(g, runs).has_value());
  EXPECT_EQ(proof.standing[0].size(), 3U);  // both cycles and the way there and back
}

// A coin comes back with every second crossing: rank needs weights, not the shape of the graph alone.
TEST(Phases, CrossingsPaidByAnotherComponent) {
  FlowGraph g = doubling();
  g.kinds[kCoin].initial = 1;
  edge(g.components[0], 1, 0, {{kCoin, -1}});
  const std::uint32_t token = message(g, "token", 3);
  g.kinds[token].initial = 3;
  Component& bank = component(g, "Bank", 1);
  edge(bank, 0, 0, {{kCoin, 1}, {token, -1}});
  const PhaseProof proof = prove_by_phases(g, {});
  ASSERT_TRUE(proof.complete);
  EXPECT_TRUE(proof.bounded[kX] && proof.bounded[kY]);
  // Four ways back: 1 x doubles five times.
  EXPECT_GE(phase_limit(g, proof, {kX}), 32);
}

// If y grows for ever in the first phase, nothing that is made of y is bounded in the second.
TEST(Phases, WhatOnePhaseCannotBoundNoOtherMayUse) {
  FlowGraph g;
  message(g, "x", 0);
  message(g, "y", 1);
  Component& c = component(g, "P", 2);
  edge(c, 0, 0, {{kY, 1}});
  edge(c, 0, 1);
  edge(c, 1, 1, {{kX, 1}, {kY, -1}});
  const PhaseProof proof = prove_by_phases(g, {});
  ASSERT_TRUE(proof.complete);
  EXPECT_FALSE(proof.bounded[kX]);
  EXPECT_FALSE(proof.bounded[kY]);
}

// The same as a system, beside somebody who floods a queue of his own so that no search ends.
struct Doubling {
  Maker m;
  QueueId x, y, coin, flood;
  explicit Doubling(std::int32_t coins) {
    const OwnerId p = m.owner("P", 3 + coins), noise = m.owner("Noise", 1);
    x = m.queue("x"), y = m.queue("y"), coin = m.queue("coin"), flood = m.queue("flood");
    const SignalId g = m.signal("g");
    m.step(p, 2 + coins, 0, {m.send(x, g)});
    for (std::int32_t i = 0; i < coins; ++i) m.step(p, 2 + i, 3 + i, {m.send(coin, g)});
    m.s.cells[m.s.owners[p.index()].locations[0].index()].initial = 2;
    m.receive(p, 0, 0, x, g, {m.send(y, g), m.send(y, g)});
    m.step(p, 0, 1);
    m.receive(p, 1, 1, y, g, {m.send(x, g)});
    if (coins > 0) m.receive(p, 1, 0, coin, g);
    m.step(noise, 0, 0, {m.send(flood, g)});
  }
};

TEST(PhasesCertificate, IsAcceptedAndForgeriesAreNot) {
  const Doubling d(0);
  Options o;
  o.use_search = false;
  const BoundsReport r = analyse(d.m.s, o);
  const QueueReport& x = r.queues[d.x.index()];
  ASSERT_EQ(x.answer, Answer::Bounded);
  ASSERT_EQ(x.certificate.kind, verdict::CertificateKind::Phases);
  EXPECT_EQ(x.limit, 3);
  EXPECT_EQ(r.queues[d.y.index()].limit, 2);
  EXPECT_EQ(r.queues[d.flood.index()].answer, Answer::Unknown);
  const certify::Check accepted = certify::check_bounded(d.m.s, d.x, 3, x.certificate);
  EXPECT_TRUE(accepted.accepted) << accepted.why;
  EXPECT_FALSE(certify::check_bounded(d.m.s, d.x, 2, x.certificate).accepted);
  EXPECT_FALSE(certify::check_bounded(d.m.s, d.flood, 3, x.certificate).accepted);

  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge) {
    json j = json::parse(x.certificate.payload);
    forge(j);
    const certify::Check c =
        certify::check_bounded(d.m.s, d.x, 3, {verdict::CertificateKind::Phases, j.dump()});
    EXPECT_FALSE(c.accepted) << what;
    EXPECT_FALSE(c.why.empty()) << what;
  };
  rejected("one phase for all", [](json& j) { j["tree"] = j["tree"]["phases"][0]; });
  rejected("a phase too few", [](json& j) { j["tree"]["phases"].erase(0); });
  rejected("a piece too few", [](json& j) {
    j["tree"]["phases"].erase(0);
    j["tree"]["pieces"].erase(0);
  });
  rejected("a node in two pieces",
           [](json& j) { j["tree"]["pieces"][0].push_back(j["tree"]["pieces"][1][0]); });
  rejected("phases exchanged", [](json& j) { std::swap(j["tree"]["phases"][0], j["tree"]["phases"][1]); });
  rejected("no rank", [](json& j) {
    for (json& part : j["tree"]["potentials"])
      for (json& p : part) p = "0";
  });
  rejected("the kind is not listed", [&](json& j) {
    std::erase_if(j["kinds"].get_ref<json::array_t&>(),
                  [&](const json& k) { return k["queue"] == d.x.index(); });
  });
  rejected("a kind that grows is listed", [&](json& j) {
    j["kinds"].push_back({{"queue", d.flood.index()}, {"signal", 0}, {"values", json::array()}});
  });
  rejected("an unbounded kind pays", [&](json& j) {
    j["tree"]["messages"].push_back(
        {{"queue", d.flood.index()}, {"signal", 0}, {"values", json::array()}, {"weight", "1"}});
  });
  rejected("no weights in a leaf", [](json& j) { j["tree"]["phases"][0]["messages"] = json::array(); });
  rejected("a component that is not there", [](json& j) { j["tree"]["component"] = 7; });
  rejected("potentials missing", [](json& j) { j["tree"].erase("potentials"); });
  rejected("the wrong type", [](json& j) { j["tree"] = "none"; });
}

TEST(PhasesCertificate, CrossingsThatUseSomethingUp) {
  const Doubling d(2);
  Options o;
  o.use_search = false;
  const BoundsReport r = analyse(d.m.s, o);
  const QueueReport& x = r.queues[d.x.index()];
  ASSERT_EQ(x.answer, Answer::Bounded);
  ASSERT_EQ(x.certificate.kind, verdict::CertificateKind::Phases);
  EXPECT_GE(x.limit, 8);
  const certify::Check accepted = certify::check_bounded(d.m.s, d.x, x.limit, x.certificate);
  EXPECT_TRUE(accepted.accepted) << accepted.why;
  EXPECT_FALSE(certify::check_bounded(d.m.s, d.x, 7, x.certificate).accepted);
}

}  // namespace
}  // namespace parley::bounds
