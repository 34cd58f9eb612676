// Nothing is reported unchecked: which evidence the driver takes from whom, and what it rejects.
#include "driver/certification.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "certify/registry.hpp"
#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"
#include "report/story_page.hpp"

namespace parley::driver {
namespace {

using verdict::CertificateKind;

// Two counters that go up together; the queue of b declares a capacity.
system::System pair_of_counters(const std::string& checks) {
  load::Loaded loaded = testing::load_text(R"(
signal item;
class Source {
  Sink sink;
  int(0..3) sent = 0;
  machine {
    initial -> busy;
    waiting state busy { [sent < 3] / { sent = sent + 1; send item to sink; } -> busy; }
  }
}
class Sink {
  int(0..3) seen = 0;
  machine { initial -> run; waiting state run { on item / { seen = seen + 1; } -> run; } }
}
system { a : Source { sink = b; }; b : Sink; queue of b: capacity 5, overflow cut; queue of a: capacity 1, overflow cut; }
)" + checks);
  return *loaded.system;
}

CheckReport ask(const system::System& s, EngineKind kind) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_engine(kind));
  CheckOptions options;
  options.limits.seconds = 60;
  return check(s, std::move(engines), options);
}

// What becomes of an engine's claim about the first property.
verdict::PropertyResult claimed(const system::System& s, EngineKind by, verdict::Verdict v) {
  verdict::PropertyResult r;
  r.property = system::PropertyId(0);
  r.engine = by;
  r.verdict = std::move(v);
  certify(semantics::Interpreter(s), r);
  return r;
}

bool unchecked(const verdict::PropertyResult& r) {
  return std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const verdict::Assumption& a) {
    return a.code == verdict::AssumptionCode::UncheckedCertificate;
  });
}

TEST(Engines, AreMadeAsWhatTheySayTheyAre) {
  for (const EngineKind kind : all_of<EngineKind>) {
    const auto made = make_engine(kind);
    ASSERT_NE(made, nullptr) << name_of(kind);
    EXPECT_EQ(made->kind(), kind) << name_of(kind);
  }
}

TEST(Registry, EveryKindOfCertificateHasACheckerOrSaysWhyNot) {
  for (const CertificateKind kind : all_of<CertificateKind>) {
    const certify::Checkers c = certify::checkers_of(kind);
    const bool somebody = c.property != nullptr || c.limit != nullptr || c.growth != nullptr;
    const bool none = kind == CertificateKind::None || kind == CertificateKind::Witness ||
                      kind == CertificateKind::Covered ||
                      kind == CertificateKind::Ranking;  // certify/registry.hpp says who judges those
    EXPECT_EQ(somebody, !none) << name_of(kind);
  }
}

// The same payload under every other name: no checker takes what belongs to another.
TEST(Certification, AKindWhoseCheckerIsAnotherIsRejected) {
  const system::System s = pair_of_counters("check always (b.seen <= a.sent);\n");
  const CheckReport honest = ask(s, EngineKind::Ic3);
  ASSERT_TRUE(honest.results[0].holds());
  const verdict::Certificate good = std::get<verdict::Holds>(honest.results[0].verdict).certificate;
  ASSERT_EQ(good.kind, CertificateKind::InductiveInvariant);
  for (const CertificateKind kind : all_of<CertificateKind>) {
    const verdict::PropertyResult r =
        claimed(s, EngineKind::Ic3, verdict::Holds{{kind, good.payload}, std::nullopt});
    if (kind == good.kind) {
      EXPECT_TRUE(r.holds() && !unchecked(r));
    } else {
      EXPECT_TRUE(r.unknown() || unchecked(r)) << name_of(kind);
    }
  }
}

// Neither says anything about the other's question, though each is a good certificate for its own.
TEST(Certification, ACertificateForAnotherQuestionIsRejected) {
  const system::System s = pair_of_counters("check no unbounded queues;\n");
  const CheckReport bounded = ask(s, EngineKind::Bounds);
  ASSERT_TRUE(bounded.results[0].holds());
  const verdict::Certificate limits = std::get<verdict::Holds>(bounded.results[0].verdict).certificate;
  const system::System deadlocks = pair_of_counters("check no deadlock;\n");
  EXPECT_TRUE(claimed(deadlocks, EngineKind::Bounds, verdict::Holds{limits, {}}).unknown());
  // No bad state and no bad step: an empty invariant would do, if it were asked.
  const verdict::Certificate nothing{CertificateKind::InductiveInvariant,
                                     R"({"property":"no unbounded queues","capacities":[1,5],"clauses":[]})"};
  EXPECT_TRUE(claimed(s, EngineKind::Ic3, verdict::Holds{nothing, {}}).unknown());
}

TEST(Certification, TheWordOfASearchIsTakenFromExhaustiveEnginesOnly) {
  const system::System s = pair_of_counters("check always (b.seen <= a.sent);\n");
  const verdict::Holds word{{CertificateKind::Exhaustive, "{}"}, {}};
  const auto searches = [](EngineKind kind, system::PropertyKind property) {
    return row(kind).exhaustive && verdict::decides(kind, property);
  };
  for (const EngineKind kind : all_of<EngineKind>)
    EXPECT_EQ(claimed(s, kind, word).holds(), searches(kind, system::PropertyKind::Always)) << name_of(kind);
  const system::System goal = pair_of_counters("check reachable (b.seen == 3 && a.sent == 0);\n");
  for (const EngineKind kind : all_of<EngineKind>)
    EXPECT_EQ(claimed(goal, kind, verdict::Violated{}).violated(),
              searches(kind, system::PropertyKind::Reachable))
        << name_of(kind);
}

TEST(Certification, AWitnessIsARun) {
  const system::System s = pair_of_counters("check reachable (b.seen == 3);\n");
  const verdict::Holds without{{CertificateKind::Witness, ""}, {}};
  EXPECT_TRUE(claimed(s, EngineKind::BreadthFirst, without).unknown());
  const CheckReport honest = ask(s, EngineKind::BreadthFirst);
  EXPECT_TRUE(claimed(s, EngineKind::Bmc, honest.results[0].verdict).holds());
  // A run that ends in a violation is no proof.
  const system::System wrong = pair_of_counters("check always (b.seen < 3);\n");
  const verdict::Trace run = *std::get<verdict::Holds>(honest.results[0].verdict).witness;
  EXPECT_TRUE(claimed(wrong, EngineKind::BreadthFirst, verdict::Holds{{CertificateKind::Witness, ""}, run})
                  .unknown());
}

TEST(Certification, AnUnknownKindInsideACertificateIsRejected) {
  const system::System s = pair_of_counters("check no unbounded queues;\n");
  for (const char* kind : {"sorcery", "", "none", "bounds"}) {
    const std::string payload = fmt::format(R"([{{"queue":0,"limit":0,"kind":"{0}","payload":"{{}}"}},
                        {{"queue":1,"limit":3,"kind":"{0}","payload":"{{}}"}}])",
                                            kind);
    EXPECT_TRUE(
        claimed(s, EngineKind::Bounds, verdict::Holds{{CertificateKind::Bounds, payload}, {}}).unknown())
        << kind;
    const std::string inner = fmt::format(R"({{"queues":[],"kind":"{}","payload":{{}}}})", kind);
    EXPECT_FALSE(certify::check_bounded(s, system::QueueId(1), 3, {CertificateKind::Ordered, inner}).accepted)
        << kind;
  }
}

// `parley bounds` and `parley check` take the same evidence.
TEST(Certification, OfAReportDropsWhatIsNotAccepted) {
  const system::System s = pair_of_counters("check no unbounded queues;\n");
  bounds::Options options;
  options.use_search = false;
  bounds::BoundsReport report = bounds::analyse(s, options);
  ASSERT_TRUE(report.all(bounds::Answer::Bounded));
  bounds::BoundsReport forged = report;
  certify(s, report, 10);
  EXPECT_TRUE(report.all(bounds::Answer::Bounded));
  for (const bounds::QueueReport& q : report.queues) EXPECT_EQ(q.checked, true);
  forged.queues[1].certificate.kind = CertificateKind::LengthTests;
  certify(s, forged, 10);
  EXPECT_EQ(forged.queues[0].answer, bounds::Answer::Bounded);
  EXPECT_EQ(forged.queues[1].answer, bounds::Answer::Unknown);
  EXPECT_EQ(forged.queues[1].checked, std::nullopt);
}

// Depth-first search sees for itself whether a queue was full; no proof about capacities is made for it.
TEST(Check, NoBoundednessProofForDepthFirstSearch) {
  const system::System s = pair_of_counters("check always (b.seen <= a.sent);\n");
  EXPECT_FALSE(ask(s, EngineKind::Ic3).results[0].lemmas.empty());
  EXPECT_TRUE(ask(s, EngineKind::BreadthFirst).results[0].lemmas.empty());
  EXPECT_TRUE(ask(s, EngineKind::DepthFirst).results[0].lemmas.empty());
}

TEST(Check, AssumptionsOfTheModelAreListedOnce) {
  system::System s = pair_of_counters("check always (b.seen <= a.sent);\n");
  s.assumptions = {{verdict::AssumptionCode::Guessed, "the moon is full"}};
  for (const EngineKind kind :
       {EngineKind::BreadthFirst, EngineKind::KInduction, EngineKind::Ic3, EngineKind::Cegar}) {
    const CheckReport report = ask(s, kind);
    ASSERT_TRUE(report.results[0].holds()) << name_of(kind);
    EXPECT_EQ(std::count_if(
                  report.results[0].assumptions.begin(), report.results[0].assumptions.end(),
                  [](const verdict::Assumption& a) { return a.code == verdict::AssumptionCode::Guessed; }),
              1)
        << name_of(kind);
  }
}

// Whatever proves the limit of a queue has its argument in words on the page about queues.
TEST(Report, EveryProofOfALimitHasAnArgument) {
  const system::System s = pair_of_counters("");
  for (const CertificateKind kind : all_of<CertificateKind>) {
    if (certify::checkers_of(kind).limit == nullptr) continue;
    const nlohmann::ordered_json queue = {{"name", "b"},
                                          {"answer", "bounded"},
                                          {"limit", 3},
                                          {"certificate", {{"kind", name_of(kind)}}},
                                          {"phases", nlohmann::ordered_json::array()},
                                          {"senders", nlohmann::ordered_json::array()},
                                          {"weights", nlohmann::ordered_json::array()}};
    nlohmann::ordered_json story = {{"queues", {queue}}, {"states", 1}};
    for (const char* key : {"control_states", "transitions", "cycles", "cycles_complete", "kinds",
                            "counterexamples", "refinements", "search_closed", "note"})
      story[key] = 0;
    const nlohmann::ordered_json page = report::bounds_page(s, story).at("queues").at(0);
    EXPECT_NE(page.at("argument"), "") << name_of(kind);
    EXPECT_EQ(page.at("proof"), words_of(kind));
  }
}

}  // namespace
}  // namespace parley::driver
