// Certificates of data abstraction, accepted by a checker that shares no code with it; and forged ones, which
// must be rejected.
#include "certify/closure.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cegar/harness.hpp"
#include "explore/random_system.hpp"

namespace parley::certify {
namespace {

using cegar::test::load;
using nlohmann::json;
using Result = ProofCheck::Result;

struct Proved {
  std::unique_ptr<cegar::test::Loaded> loaded;
  system::PropertyId property;
  std::vector<std::uint32_t> capacities;
  json payload;

  ProofCheck check(const json& j) const {
    return check_closure(loaded->system(), property, capacities,
                         {verdict::CertificateKind::AbstractClosure, j.dump()}, 60);
  }
};

Proved prove(const std::string& text, const std::string& property) {
  Proved p{load(text), {}, {}, {}};
  p.property = p.loaded->property(property);
  const engine::Request request = cegar::test::request(p.loaded->system());
  p.capacities = request.queue_capacities;
  const cegar::LoopResult r = cegar::refine_and_check(request, p.property, {});
  if (const auto* h = std::get_if<verdict::Holds>(&r.result.verdict))
    p.payload = json::parse(h->certificate.payload);
  if (const auto* v = std::get_if<verdict::Violated>(&r.result.verdict); v != nullptr && v->certificate)
    p.payload = json::parse(v->certificate->payload);
  EXPECT_FALSE(p.payload.is_null()) << report::show(p.loaded->system(), r);
  return p;
}

const char* kMeter = R"(
  signal flow(int amount);
  class Meter {
    int total = 0; int high = 0;
    machine { initial -> run; waiting state run {
      on flow(n) [n > 0 && n <= 1000] / { if (total < 1000000) { total = total + n; } high = n; } -> run;
      on flow(n) / { high = 0; } -> run; } }
  }
  system {
    m : Meter; queues: capacity 1, overflow cut;
    environment sends flow(-2147483648..2147483647) to m when (len(m) == 0);
  }
  check always (m.total < 1001000 && m.high <= 1000);
  check reachable (m.high == 1001);
  check no run-time errors;)";

TEST(ClosureCertificates, AreUndecidedWhenTheTimeIsOver) {
  const Proved p = prove(kMeter, "no run-time errors");
  const ProofCheck late = check_closure(p.loaded->system(), p.property, p.capacities,
                                        {verdict::CertificateKind::AbstractClosure, p.payload.dump()}, 0.0);
  EXPECT_EQ(late.result, Result::Undecided);
  EXPECT_EQ(late.why, "out of time");
}

TEST(ClosureCertificates, AreAccepted) {
  for (const char* name : {"always (m.total < 1001000 && m.high <= 1000)", "reachable (m.high == 1001)"}) {
    const Proved p = prove(kMeter, name);
    const ProofCheck c = p.check(p.payload);
    EXPECT_EQ(c.result, Result::Accepted) << name << ": " << c.why;
    EXPECT_GE(p.payload["states"].size(), 3u);
  }
}

// Every abstract state is reached, so leaving one out leaves a hole.
TEST(ClosureCertificates, WithAStateLeftOutAreRejected) {
  const Proved p = prove(kMeter, "always (m.total < 1001000 && m.high <= 1000)");
  for (std::size_t i = 0; i < p.payload["states"].size(); ++i) {
    json forged = p.payload;
    forged["states"].erase(i);
    const ProofCheck c = p.check(forged);
    EXPECT_EQ(c.result, Result::Rejected) << "without state " << i << ": " << c.why;
  }
}

TEST(ClosureCertificates, WithAnIntervalMovedAreRejected) {
  const Proved p = prove(kMeter, "always (m.total < 1001000 && m.high <= 1000)");
  const std::size_t total = p.loaded->cell("m.total")->index();
  std::size_t moved = 0;
  for (std::size_t i = 0; i < p.payload["states"].size(); ++i) {
    const json& interval = p.payload["states"][i]["cells"][total];
    if (!interval.is_array()) continue;
    json narrow = p.payload, wide = p.payload;
    narrow["states"][i]["cells"][total][1] = interval[1].get<std::int64_t>() - 1;
    wide["states"][i]["cells"][total][1] = 2147483647;
    // Narrower: the largest total is lost, unless another state has it. Wider: the property may fail there.
    EXPECT_EQ(p.check(wide).result, Result::Rejected) << i;
    EXPECT_NE(p.check(narrow).result, Result::Undecided) << i;
    moved += p.check(narrow).result == Result::Rejected ? 1 : 0;
  }
  EXPECT_GT(moved, 0u);
}

TEST(ClosureCertificates, ThatAreNoneAreRejected) {
  const Proved p = prove(kMeter, "always (m.total < 1001000 && m.high <= 1000)");
  const auto with = [&p](const std::function<void(json&)>& change) {
    json j = p.payload;
    change(j);
    return p.check(j).result;
  };
  EXPECT_EQ(with([](json& j) { j["property"] = "no deadlock"; }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["capacities"][0] = 7; }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["states"] = json::array(); }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["states"][0]["cells"].erase(0); }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["states"][0]["cells"][0] = json{5, 3}; }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["states"][0]["holder"] = 99; }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j["states"][0] = 17; }), Result::Rejected);
  EXPECT_EQ(with([](json& j) { j.erase("states"); }), Result::Undecided);
  EXPECT_EQ(check_closure(p.loaded->system(), p.property, p.capacities,
                          {verdict::CertificateKind::AbstractClosure, "{"})
                .result,
            Result::Rejected);
  // A claim about a property that does not hold, with the states of one that does.
  json other = p.payload;
  other["property"] = "no run-time errors";
  const Proved q = prove(kMeter, "no run-time errors");
  EXPECT_EQ(q.check(q.payload).result, Result::Accepted);
}

// Everything proved of the wide models is accepted.
TEST(ClosureCertificates, OfTheWideModels) {
  std::size_t checked = 0;
  for (const auto& e : std::filesystem::directory_iterator(PARLEY_SOURCE_DIR "/examples/wide")) {
    if (e.path().extension() != ".ply") continue;
    const auto l = load(cegar::test::read(e.path().string()));
    const engine::Request request = cegar::test::request(l->system());
    for (const verdict::PropertyResult& r : cegar::CegarEngine().check(request)) {
      const auto* h = std::get_if<verdict::Holds>(&r.verdict);
      if (h == nullptr || h->certificate.kind != verdict::CertificateKind::AbstractClosure) continue;
      const ProofCheck c =
          check_closure(l->system(), r.property, request.queue_capacities, h->certificate, 60);
      EXPECT_EQ(c.result, Result::Accepted)
          << e.path() << ", " << l->system().property(r.property).name << ": " << c.why;
      ++checked;
    }
  }
  EXPECT_GE(checked, 15u);
}

// Holders, deferral, timers, sorted queues: whatever random Systems have.
TEST(ClosureCertificates, OfRandomSystems) {
  std::size_t checked = 0, undecided = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const system::System s = testing::RandomSystem(seed).make();
    engine::Request request = cegar::test::request(s, 20);
    std::erase_if(request.properties,
                  [&s](system::PropertyId p) { return !cegar::decides(s.property(p).kind); });
    cegar::LoopOptions o;
    o.start.exact_up_to = 1;
    o.max_states = 300;
    for (const verdict::PropertyResult& r : cegar::CegarEngine(o).check(request)) {
      const auto* h = std::get_if<verdict::Holds>(&r.verdict);
      if (h == nullptr || h->certificate.kind != verdict::CertificateKind::AbstractClosure) continue;
      const ProofCheck c = check_closure(s, r.property, request.queue_capacities, h->certificate, 20);
      EXPECT_NE(c.result, Result::Rejected)
          << "seed " << seed << ", " << s.property(r.property).name << ": " << c.why;
      ++checked;
      undecided += c.result == Result::Undecided ? 1 : 0;
    }
  }
  EXPECT_GT(checked, 20u);
  EXPECT_LT(undecided * 2, checked);
  printf("checked %zu, undecided %zu\n", checked, undecided);
}

}  // namespace
}  // namespace parley::certify
