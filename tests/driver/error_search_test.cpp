// Errors that end runs are looked for whatever is asked, and answers say what they rest on where nobody could
// tell. Also: what no engine decides is said at once, and nobody waits for it. Expected verdicts by hand.
#include "load/error_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"

namespace parley::driver {
namespace {

using testing::load_text;

using verdict::AssumptionCode;
using verdict::PropertyResult;

// A button that switches a light; `wiring` says which.
std::string lamp(const std::string& wiring, const std::string& checks) {
  return R"(
signal toggle;
class Light { bool shining = false; machine { initial -> dark; waiting state dark { on toggle / { shining = true; } -> lit; } waiting state lit; } }
class Button { Light light; machine { initial -> ready; state ready { / { send toggle to light; } -> pressed; } waiting state pressed; } }
system { light : Light; button : Button)" +
         wiring + "; }\n" + checks;
}

// Counts to 3, where an assertion says that it never does.
const std::string kCounter = R"(
class Counter { int(0..3) n = 0; machine { initial -> up; waiting state up { [n < 3] / { n = n + 1; assert n < 3; } -> up; } } }
system { c : Counter; }
check always (c.n <= 2);
check reachable (c.n == 2);
)";

CheckReport ask(const system::System& s, CheckOptions options = {},
                engine::EngineKind kind = engine::EngineKind::BreadthFirst) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_engine(kind));
  return check(s, std::move(engines), options);
}

const PropertyResult* row(const system::System& s, const CheckReport& report, system::PropertyKind kind) {
  for (const PropertyResult& r : report.results)
    if (s.property(r.property).kind == kind) return &r;
  return nullptr;
}

bool assumes(const PropertyResult& r, AssumptionCode code) {
  return std::any_of(r.assumptions.begin(), r.assumptions.end(),
                     [&](const verdict::Assumption& a) { return a.code == code; });
}

// Answers that every invariant holds, having seen all states, and knows nothing of errors.
class BlindEngine : public engine::Engine {
 public:
  engine::EngineKind kind() const override { return engine::EngineKind::BreadthFirst; }
  std::vector<PropertyResult> check(const engine::Request& request) override {
    std::vector<PropertyResult> results;
    for (const system::PropertyId id : request.properties) {
      PropertyResult r;
      r.property = id;
      r.engine = kind();
      if (request.system.property(id).kind == system::PropertyKind::Always)
        r.verdict = verdict::Holds{{verdict::CertificateKind::Exhaustive, ""}, {}};
      else
        r.verdict = verdict::Unknown::because(verdict::out_of_time(1));
      results.push_back(std::move(r));
    }
    return results;
  }
};

// Runs until somebody stops it.
class EndlessEngine : public engine::Engine {
 public:
  engine::EngineKind kind() const override { return engine::EngineKind::Relay; }
  std::vector<PropertyResult> check(const engine::Request& request) override {
    while (!request.cancel->cancelled()) std::this_thread::yield();
    std::vector<PropertyResult> results;
    for (const system::PropertyId id : request.properties) {
      PropertyResult r;
      r.property = id;
      r.engine = kind();
      r.verdict = verdict::Unknown::because(verdict::cancelled());
      results.push_back(std::move(r));
    }
    return results;
  }
};

// Finds the runs that are asked for, and then goes on until somebody stops it.
class WitnessEngine : public EndlessEngine {
 public:
  engine::EngineKind kind() const override { return engine::EngineKind::BreadthFirst; }
  std::vector<PropertyResult> check(const engine::Request& request) override {
    engine::Request part = request;
    std::erase_if(part.properties, [&](system::PropertyId id) {
      return request.system.property(id).kind != system::PropertyKind::Reachable;
    });
    make_engine(kind())->check(part);  // tells what it found on the way
    return EndlessEngine::check(request);
  }
};

TEST(ErrorSearch, AReferenceThatNothingWiresIsFound) {
  const load::Loaded loaded = load_text(lamp("", "check always (!light.shining);\ncheck no deadlock;\n"));
  const CheckReport report = ask(*loaded.system);
  ASSERT_EQ(report.results.size(), 3u);
  EXPECT_TRUE(report.results[0].holds());
  const PropertyResult* errors = row(*loaded.system, report, system::PropertyKind::NoRuntimeError);
  ASSERT_NE(errors, nullptr);
  EXPECT_TRUE(errors->violated());
  EXPECT_TRUE(errors->implicit);
  EXPECT_EQ(exit_status(report), 1);
  const auto& all = loaded.diagnostics.all();
  EXPECT_TRUE(
      std::any_of(all.begin(), all.end(), [](const auto& d) { return d.code == "unwired-reference"; }));
}

TEST(ErrorSearch, AWiredReferenceCannotFail) {
  const load::Loaded loaded =
      load_text(lamp(" { light = light; }", "check always (light in dark || light in lit);\n"));
  EXPECT_EQ(loaded.system->properties.size(), 1u);
  EXPECT_EQ(exit_status(ask(*loaded.system)), 0);
}

TEST(ErrorSearch, AFailingAssertionIsFoundBesideAnInvariantThatHolds) {
  const load::Loaded loaded = load_text(kCounter);
  const CheckReport report = ask(*loaded.system);
  EXPECT_TRUE(report.results[0].holds());
  const PropertyResult* r = row(*loaded.system, report, system::PropertyKind::NoAssertionFailure);
  ASSERT_NE(r, nullptr);
  EXPECT_TRUE(r->violated());
  EXPECT_EQ(exit_status(report), 1);
}

TEST(ErrorSearch, PickingAnotherPropertyDoesNotEndIt) {
  const load::Loaded loaded = load_text(kCounter + "check no assertion failures;\n");
  CheckOptions options;
  options.properties = {"1"};
  const CheckReport report = ask(*loaded.system, options);
  const PropertyResult* r = row(*loaded.system, report, system::PropertyKind::NoAssertionFailure);
  ASSERT_NE(r, nullptr);
  EXPECT_TRUE(r->violated());
  EXPECT_TRUE(r->implicit);
  EXPECT_FALSE(report.results[0].implicit);
}

TEST(ErrorSearch, AssumingThatThereAreNoneIsAnAssumption) {
  const load::Loaded loaded = load_text(kCounter);
  CheckOptions options;
  options.assume_no_errors = true;
  const CheckReport report = ask(*loaded.system, options);
  ASSERT_EQ(report.results.size(), 2u);
  EXPECT_TRUE(report.results[0].holds());
  EXPECT_TRUE(assumes(report.results[0], AssumptionCode::NoErrors));
  EXPECT_EQ(exit_status(report), 0);
  // Not where nothing can fail.
  const load::Loaded safe = load_text(lamp(" { light = light; }", "check no deadlock;\n"));
  EXPECT_FALSE(assumes(ask(*safe.system, options).results[0], AssumptionCode::NoErrors));
}

TEST(ErrorSearch, ProofsRestOnASearchThatStayedUnknown) {
  const load::Loaded loaded = load_text(kCounter);
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<BlindEngine>());
  const CheckReport report = check(*loaded.system, std::move(engines), {});
  ASSERT_TRUE(report.results[0].holds());
  EXPECT_TRUE(assumes(report.results[0], AssumptionCode::ErrorsNotExcluded));
  EXPECT_EQ(exit_status(report), 2);  // `reachable` is asked for and open
}

TEST(ErrorSearch, EndsSoonAfterRunsHaveAnsweredTheRest) {
  const load::Loaded loaded = load_text(kCounter);
  CheckOptions options;
  options.properties = {"2"};
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<WitnessEngine>());
  const CheckReport report = check(*loaded.system, std::move(engines), options);
  ASSERT_TRUE(row(*loaded.system, report, system::PropertyKind::Reachable)->holds());
  const PropertyResult* r = row(*loaded.system, report, system::PropertyKind::NoAssertionFailure);
  ASSERT_TRUE(r != nullptr && r->unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(r->verdict).reason,
            "nobody asked for it, and the search ended soon after runs had answered the rest");
  EXPECT_EQ(exit_status(report), 0);
}

// Timers run down to 0 and the environment counts up to its limit: neither leaves its range. An attribute
// that is counted without a limit may.
TEST(ErrorSearch, CountingWithinALimitCannotFail) {
  const auto clock = [](const std::string& effect) {
    return load_text(R"(
signal poke;
class Clock { int(0..3) n = 0;
  machine { initial -> a; state a { after 3 -> b; } waiting state b { on poke / { )" +
                     effect + R"( } -> a; } } }
system { c : Clock; environment sends poke to c when (len(c) == 0) at most 2; }
check no deadlock;
)");
  };
  EXPECT_TRUE(load::endings_of_runs(*clock("").system).empty());
  EXPECT_FALSE(load::endings_of_runs(*clock("n = n + 1;").system).empty());
  EXPECT_FALSE(load::endings_of_runs(*clock("if (n > 0) { n = n - 2; }").system).empty());
  EXPECT_FALSE(load::endings_of_runs(*clock("if (n < 4) { n = n + 1; }").system).empty());
}

// Before, a formula that nobody decides kept the others running until the time was up: this would not end.
TEST(Check, NobodyWaitsForWhatNoEngineDecides) {
  const load::Loaded loaded =
      load_text(lamp(" { light = light; }", "check no deadlock;\ncheck no unbounded queues;\n"));
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_engine(engine::EngineKind::BreadthFirst));
  engines.push_back(std::make_unique<EndlessEngine>());
  const CheckReport report = check(*loaded.system, std::move(engines), {});
  EXPECT_TRUE(report.results[0].holds());
  ASSERT_TRUE(report.results[1].unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(report.results[1].verdict).reason,
            "the chosen engine does not decide this kind of property; --engine bounds does");
  EXPECT_EQ(exit_status(report), 2);
}

TEST(Check, AnEngineIsAskedOnlyWhatItDecides) {
  const load::Loaded loaded = load_text(lamp(" { light = light; }", "check no unreachable states;\n"));
  const CheckReport report = ask(*loaded.system, {}, engine::EngineKind::Ic3);
  ASSERT_TRUE(report.results[0].unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(report.results[0].verdict).reason,
            "the chosen engine does not decide this kind of property; --engine explicit or dfs does");
}

}  // namespace
}  // namespace parley::driver
