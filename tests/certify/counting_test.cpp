// Proofs of temporal properties by counting: accepted as made, by three engines; rejected when k, the
// property or the certificate inside is another.
#include "certify/counting.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "certify/registry.hpp"
#include "semantics/hand_made.hpp"
#include "symbolic/temporal_agreement.hpp"

#ifndef PARLEY_COUNTED_SYSTEMS
#define PARLEY_COUNTED_SYSTEMS 12  // the slow tier: 100
#endif

namespace parley::certify {
namespace {

using nlohmann::json;
using testing::TemporalTask;
using verdict::Certificate;
using Result = ProofCheck::Result;

std::vector<std::unique_ptr<engine::Engine>> provers() {
  symbolic::InductionOptions induction;
  induction.bound = 4;
  symbolic::BmcOptions bounded;
  bounded.steps = encode::Steps::Interleaving;
  bounded.bound = 5;
  std::vector<std::unique_ptr<engine::Engine>> list;
  list.push_back(symbolic::make_ic3({}));
  list.push_back(symbolic::make_kind(induction));
  list.push_back(symbolic::make_bmc(bounded));
  return list;
}

TEST(Counting, ProofsOfRandomPropertiesAreAccepted) {
  std::map<engine::EngineKind, int> accepted;
  for (std::uint64_t seed = 1; seed <= PARLEY_COUNTED_SYSTEMS; ++seed) {
    const TemporalTask task = testing::temporal_task(seed);
    for (const auto& prover : provers()) {
      const verdict::PropertyResult r = testing::answer(*prover, task, 10);
      const auto* h = std::get_if<verdict::Holds>(&r.verdict);
      if (h == nullptr) continue;
      const ProofCheck c =
          check_property(task.system, task.property, semantics::capacities(task.system), h->certificate, 60);
      if (c.result == Result::Undecided) continue;
      EXPECT_EQ(c.result, Result::Accepted) << task.label << ", " << r.engine_name() << ": " << c.why;
      ++accepted[prover->kind()];
    }
  }
  for (const auto& prover : provers()) EXPECT_GT(accepted[prover->kind()], 1) << shown_name(prover->kind());
}

system::PropertyId add(system::System& s, system::Formula::Kind kind, system::ExprId predicate) {
  system::Formula atom;
  atom.predicate = predicate;
  system::Property p;
  p.kind = system::PropertyKind::Temporal;
  p.formula.emplace();
  p.formula->kind = kind;
  p.formula->operands.push_back(std::move(atom));
  p.name = p.temporal = system::show(s, *p.formula);
  return s.add(std::move(p));
}

// Two pings are sent, and come back: that both arrive is proved, that three do is not so.
class Forged : public ::testing::Test {
 protected:
  Forged()
      : arrive_(add(model_.s, system::Formula::Kind::Finally, got(2))),
        never_(add(model_.s, system::Formula::Kind::Finally, got(3))) {
    const auto ic3 = symbolic::make_ic3({});
    const verdict::PropertyResult r = testing::answer(*ic3, {model_.s, arrive_, ""}, 60);
    payload_ = json::parse(std::get<verdict::Holds>(r.verdict).certificate.payload);
  }

  system::ExprId got(std::int32_t n) { return model_.s.exprs.equals(model_.s.read(model_.got), n); }

  Result verdict_on(const json& payload) { return verdict_on(payload, arrive_); }
  Result verdict_on(const json& payload, system::PropertyId property) {
    return check_property(model_.s, property, semantics::capacities(model_.s),
                          {verdict::CertificateKind::KLiveness, payload.dump()}, 60)
        .result;
  }

  testing::PingPong model_;
  system::PropertyId arrive_, never_;
  json payload_;
};

TEST_F(Forged, AsMadeItIsAccepted) {
  EXPECT_EQ(verdict_on(payload_), Result::Accepted);
}

TEST_F(Forged, AnotherNumberOfRoundsIsRejected) {
  for (const int k : {-1, 0, 1, 2, 3, 1000, 2'000'000}) {
    json j = payload_;
    if (j["k"] == k) continue;
    j["k"] = k;
    EXPECT_EQ(verdict_on(j), Result::Rejected) << k;
  }
}

TEST_F(Forged, AnotherPropertyIsRejected) {
  EXPECT_EQ(verdict_on(payload_, never_), Result::Rejected) << "the name says so";
  json j = payload_;
  j["property"] = model_.s.property(never_).name;
  EXPECT_EQ(verdict_on(j, never_), Result::Rejected) << "so does the one inside";
  std::string text = j.dump();
  const std::string from = json(model_.s.property(arrive_).name).dump();
  const std::string to = json(model_.s.property(never_).name).dump();
  const std::string bare_from = from.substr(1, from.size() - 2), bare_to = to.substr(1, to.size() - 2);
  for (std::size_t at = text.find(bare_from); at != std::string::npos; at = text.find(bare_from, at + 1))
    text.replace(at, bare_from.size(), bare_to);
  EXPECT_EQ(verdict_on(json::parse(text), never_), Result::Rejected) << "it is not so";
}

TEST_F(Forged, AnotherCertificateInsideIsRejected) {
  json j = payload_;
  j["payload"]["clauses"] = json::array();
  EXPECT_EQ(verdict_on(j), Result::Rejected) << "no invariant";
  j = payload_;
  j["payload"]["clauses"].push_back(json::array());
  EXPECT_EQ(verdict_on(j), Result::Rejected) << "false is no invariant";
  for (const char* kind : {"witness", "exhaustive", "ranking", "k-liveness", "no-longer-runs", "nonsense"}) {
    j = payload_;
    j["kind"] = kind;
    EXPECT_EQ(verdict_on(j), Result::Rejected) << kind;
  }
  j = payload_;
  j.erase("payload");
  EXPECT_EQ(verdict_on(j), Result::Rejected);
  j = payload_;
  j["payload"]["capacities"][0] = 1;
  EXPECT_EQ(verdict_on(j), Result::Rejected) << "other capacities";
}

TEST_F(Forged, ItSaysNothingAboutSafety) {
  system::Property overflow;
  overflow.kind = system::PropertyKind::NoOverflow;
  overflow.name = model_.s.property(arrive_).name;
  EXPECT_EQ(verdict_on(payload_, model_.s.add(overflow)), Result::Rejected);
}

}  // namespace
}  // namespace parley::certify
