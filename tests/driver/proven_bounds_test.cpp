// Proven bounds as capacities of the other engines, and the driver's check of boundedness certificates.
#include "driver/proven_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"

namespace parley::driver {
namespace {

using testing::load_text;

CheckReport ask(const system::System& s, engine::EngineKind engine, CheckOptions options = {}) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_engine(engine));
  options.limits.seconds = 60;
  return check(s, std::move(engines), options);
}

bool assumes_capacity(const verdict::PropertyResult& r) {
  return std::any_of(r.assumptions.begin(), r.assumptions.end(),
                     [](const auto& a) { return a.code == verdict::AssumptionCode::QueueCapacity; });
}

// A burst of six messages: b needs 6 places, a none. The default capacity is 4.
std::string burst(const std::string& queues) {
  return R"(
signal item;
class Source {
  Sink sink;
  int(0..6) sent = 0;
  machine {
    initial -> busy;
    waiting state busy {
      [sent < 6] / { sent = sent + 1; send item to sink; } -> busy;
    }
  }
}
class Sink {
  int(0..6) seen = 0;
  machine {
    initial -> run;
    waiting state run {
      on item / { seen = seen + 1; } -> run;
    }
  }
}
system {
  a : Source { sink = b; };
  b : Sink;
)" + queues +
         R"(
}
check always (b.seen <= a.sent);
)";
}

// A queue that is only sent to while it is empty needs one place, although the other one grows for ever.
TEST(ProvenBounds, FromTestsOfLengths) {
  const load::Loaded l = load_text(R"(
signal card;
signal note;
class Atm { int(0..1) n = 0; machine { initial -> idle; waiting state idle { on card / { n = 1 - n; } -> idle; } } }
class Log { machine { initial -> idle; waiting state idle { on note -> idle; } } }
system {
  atm : Atm;
  log : Log;
  environment sends card to atm when (len(atm) == 0);
  environment sends note to log;
}
check always (len(atm) <= 1);
)");
  const CheckReport r = ask(*l.system, EngineKind::BreadthFirst);
  EXPECT_EQ(r.queue_capacities, (std::vector<std::uint32_t>{1, 4}));
  ASSERT_TRUE(r.results[0].holds());
  EXPECT_EQ(r.results[0].lemmas,
            (std::vector<std::string>{
                "queue atm never holds more than 1 message (boundedness proof, certificate checked)"}));
  EXPECT_TRUE(assumes_capacity(r.results[0]));  // about log
}

TEST(ProvenBounds, BecomeCapacitiesOfEveryEngine) {
  const load::Loaded l = load_text(burst(""));
  for (const EngineKind kind : {EngineKind::BreadthFirst, EngineKind::DepthFirst, EngineKind::KInduction,
                                EngineKind::Ic3, EngineKind::Cegar}) {
    const CheckReport r = ask(*l.system, kind);
    EXPECT_EQ(r.queue_capacities, (std::vector<std::uint32_t>{1, 6})) << name_of(kind);
    ASSERT_TRUE(r.results[0].holds()) << name_of(kind);
    EXPECT_FALSE(assumes_capacity(r.results[0])) << name_of(kind);
    EXPECT_EQ(r.results[0].lemmas,
              (std::vector<std::string>{
                  "queue b never holds more than 6 messages (boundedness proof, certificate checked)"}))
        << name_of(kind);
  }
}

// What the user gives or declares is not exceeded; then the assumption stays, and no lemma hides it.
TEST(ProvenBounds, DoNotOverruleTheUser) {
  const load::Loaded l = load_text(burst(""));
  CheckOptions options;
  options.capacity = 3;
  const CheckReport r = ask(*l.system, EngineKind::BreadthFirst, options);
  EXPECT_EQ(r.queue_capacities, (std::vector<std::uint32_t>{1, 3}));
  ASSERT_TRUE(r.results[0].holds());
  EXPECT_TRUE(assumes_capacity(r.results[0]));
  EXPECT_TRUE(r.results[0].lemmas.empty());
  const load::Loaded declared = load_text(burst("queue of b: capacity 2, overflow cut;"));
  const CheckReport d = ask(*declared.system, EngineKind::BreadthFirst);
  EXPECT_EQ(d.queue_capacities, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(assumes_capacity(d.results[0]));
}

// A queue that blocks or loses when it is full makes runs of its own, about which the proof says nothing.
TEST(ProvenBounds, NeedEveryQueueThatCanBeFull) {
  for (const char* policy : {"block", "lose"}) {
    const load::Loaded full =
        load_text(burst(std::string("queue of b: capacity 2, overflow ") + policy + ";"));
    const RunCapacities r = run_capacities(*full.system, {});
    EXPECT_EQ(r.capacities, (std::vector<std::uint32_t>{4, 2})) << policy;
    EXPECT_TRUE(r.lemmas.empty()) << policy;
    EXPECT_FALSE(r.never_cut) << policy;
    const load::Loaded roomy =
        load_text(burst(std::string("queue of b: capacity 7, overflow ") + policy + ";"));
    const RunCapacities fine = run_capacities(*roomy.system, {});
    EXPECT_EQ(fine.capacities, (std::vector<std::uint32_t>{1, 7})) << policy;
    EXPECT_TRUE(fine.never_cut) << policy;
  }
}

// The step that fails after two sends is not part of the proof; the run must still have room for it.
TEST(ProvenBounds, LeaveRoomForStepsThatFail) {
  const load::Loaded l = load_text(R"(
signal item;
class Source {
  Source other;
  machine {
    initial -> busy;
    state busy { / { send item to other; send item to other; send item to other; assert false; } -> rest; }
    waiting state rest;
  }
}
system { a : Source { other = b; }; b : Source { other = a; }; }
check no assertion failures;
)");
  const CheckReport r = ask(*l.system, EngineKind::BreadthFirst);
  EXPECT_GE(r.queue_capacities[0], 3U);
  EXPECT_TRUE(r.results[0].violated());
}

// Who asks whether queues overflow asks about the default capacity.
TEST(ProvenBounds, DoNotAnswerForOverflow) {
  const load::Loaded l = load_text(burst("") + "check no overflow;\n");
  const CheckReport r = ask(*l.system, EngineKind::BreadthFirst);
  EXPECT_EQ(r.queue_capacities, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_TRUE(r.results[1].violated());
}

// An engine with an answer and a certificate of our choice.
class Claims : public engine::Engine {
 public:
  explicit Claims(verdict::Verdict v) : v_(std::move(v)) {}
  EngineKind kind() const override { return EngineKind::Bounds; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override {
    verdict::PropertyResult r;
    r.property = request.properties[0];
    r.engine = kind();
    r.verdict = v_;
    return {r};
  }

 private:
  verdict::Verdict v_;
};

verdict::PropertyResult claim(const system::System& s, const verdict::Verdict& v) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<Claims>(v));
  return check(s, std::move(engines), {}).results[0];
}

const char* const kAsk = "check no unbounded queues;\n";

load::Loaded only_bounds(const std::string& queues) {
  std::string text = burst(queues);
  text = text.substr(0, text.find("check always")) + kAsk;
  return load_text(text);
}

TEST(BoundsCertificates, AreCheckedByTheDriver) {
  const load::Loaded l = only_bounds("");
  const CheckReport honest = ask(*l.system, EngineKind::Bounds);
  ASSERT_TRUE(honest.results[0].holds());
  for (const verdict::Assumption& a : honest.results[0].assumptions)  // this engine looks for no errors
    EXPECT_EQ(a.code, verdict::AssumptionCode::ErrorsNotExcluded) << a.text;
  const verdict::Certificate good = std::get<verdict::Holds>(honest.results[0].verdict).certificate;
  ASSERT_EQ(good.kind, verdict::CertificateKind::Bounds);
  EXPECT_TRUE(claim(*l.system, verdict::Holds{good, {}}).holds());
  const auto rejected = [&](const char* what, const std::function<void(nlohmann::json&)>& forge) {
    nlohmann::json j = nlohmann::json::parse(good.payload);
    forge(j);
    const verdict::PropertyResult r =
        claim(*l.system, verdict::Holds{{verdict::CertificateKind::Bounds, j.dump()}, {}});
    ASSERT_TRUE(r.unknown()) << what;
    EXPECT_NE(std::get<verdict::Unknown>(r.verdict).reason.find("does not accept"), std::string::npos)
        << what;
  };
  rejected("a smaller limit", [](nlohmann::json& j) { j[1]["limit"] = 5; });
  rejected("a queue left out", [](nlohmann::json& j) { j.erase(1); });
  rejected("a queue that does not exist", [](nlohmann::json& j) { j[1]["queue"] = 99; });
  rejected("another kind", [](nlohmann::json& j) { j[1]["kind"] = "inductive-invariant"; });
  rejected("a search that finds more", [](nlohmann::json& j) {
    j[1]["kind"] = "exhaustive";
    j[1]["limit"] = 3;
  });
  rejected("no list", [](nlohmann::json& j) { j = "all fine"; });
}

TEST(BoundsCertificates, AGrowingLoopNeedsOneToo) {
  const load::Loaded l = load_text(R"(
signal item;
class Source {
  Source other;
  machine { initial -> busy; state busy { / { send item to other; } -> busy; } }
}
system { a : Source { other = b; }; b : Source { other = a; }; }
check no unbounded queues;
)");
  const CheckReport honest = ask(*l.system, EngineKind::Bounds);
  ASSERT_TRUE(honest.results[0].violated());
  verdict::Violated v = std::get<verdict::Violated>(honest.results[0].verdict);
  EXPECT_TRUE(claim(*l.system, v).violated());
  v.certificate->payload = "{}";
  EXPECT_TRUE(claim(*l.system, v).unknown());
  v.certificate.reset();
  EXPECT_TRUE(claim(*l.system, v).unknown());
}

}  // namespace
}  // namespace parley::driver
