// Real models of the corpus, end to end: what docs/uml.md says was found in them. Skipped where the corpus is
// absent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "explore/explore.hpp"
#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "front/uml/importing.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "semantics/interpreter.hpp"

namespace parley::front::uml {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  const char* shared = std::getenv("PARLEY_SHARED");
  return fs::path(shared != nullptr ? shared : PARLEY_SOURCE_DIR "/../shared") / "corpus" / "uml";
}

struct Checked {
  std::uint64_t states = 0;
  std::map<std::string, verdict::PropertyResult> results;
  std::vector<std::string> unreached;
  bool violated(const std::string& name) const { return results.at(name).violated(); }
};

Checked check(model::Model& model, diag::Diagnostics& diagnostics, std::uint32_t capacity) {
  Checked checked;
  model::resolve(model, diagnostics);
  if (!model.resolved) return checked;
  const auto lowered = lower::lower(model, diagnostics);
  if (!lowered) return checked;
  const auto& system = lowered->system;
  explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true});
  engine::Request request{system, {}, semantics::capacities(system, capacity), {}, 0, nullptr, {}, {}};
  request.limits.states = 300000;
  for (std::size_t i = 0; i < system.properties.size(); ++i)
    request.properties.push_back(system::PropertyId(i));
  for (const auto& r : explorer.check(request)) {
    for (const auto e : r.coverage.unreached) checked.unreached.push_back(system.element(e).name);
    checked.results.emplace(system.property(r.property).name, r);
  }
  checked.states = explorer.statistics().states;
  return checked;
}

// Reachable states with queues of one message; 0 if there are more than a few thousand.
std::uint64_t states_of(const system::System& system) {
  explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true});
  engine::Request request{system, {}, semantics::capacities(system, 1), {}, 0, nullptr, {}, {}};
  request.limits.states = 3000;
  request.limits.seconds = 5;
  for (std::size_t i = 0; i < system.properties.size(); ++i)
    request.properties.push_back(system::PropertyId(i));
  (void)explorer.check(request);
  return explorer.statistics().states < 3000 ? explorer.statistics().states : 0;
}

bool chooses_wide(const system::System& system) {
  for (const auto& s : system.stmts) {
    if (s.kind == system::StmtKind::Choose && system::show(system, s.hi).size() > 6) return true;
  }
  return false;
}

class Corpus : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(corpus())) GTEST_SKIP() << "the corpus is not there: " << corpus();
  }
  static Imported import_file(const std::string& path, bool havoc, model::Model* system = nullptr) {
    Options options;
    options.havoc_unknown = havoc;
    options.system = system;
    return import_text(read_file((corpus() / path).string()), options, path);
  }
};

TEST_F(Corpus, PingPongOfCapsules) {
  auto in = import_file("papyrus-rt/models/tests/executable/PingPong/PingPong.uml", false);
  ASSERT_TRUE(in.model) << in.rendered();
  const auto checked = check(*in.model, in.diagnostics, 4);
  // By hand: one message is under way, a ping or a pong, for ever: 2 states.
  EXPECT_EQ(checked.states, 2u) << in.rendered();
  EXPECT_FALSE(checked.violated("no deadlock"));
}

TEST_F(Corpus, TrafficLightsArePartsWithoutAggregation) {
  const std::string path = "papyrus-rt/models/samples/TrafficLights/TrafficLights_Basic.uml";
  const auto strict = import_file(path, false);
  EXPECT_FALSE(strict.model);
  // Action code with a parenthesis missing, in three behaviours.
  EXPECT_NE(strict.rendered().find("is taking the onID_fromOn transition"), std::string::npos);
  auto in = import_file(path, true);
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_FALSE(in.report.control_structure_lost());
  // The intersection is a capsule part of Top without `aggregation`: with its two lights and the provider of
  // ids there are five objects.
  const auto checked = check(*in.model, in.diagnostics, 2);
  EXPECT_EQ(in.model->objects.size(), 5u);
  EXPECT_FALSE(checked.violated("no deadlock"));
}

TEST_F(Corpus, PhoneLosesCalls) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  auto given = text::parse(
      sources,
      sources.add("phone.ply",
                  "system { phone : Phone;\n  environment sends IncomingCall, Accepted, Refused, Finished, "
                  "Refuse to phone; }\ncheck no lost messages;\n"),
      diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diag::render(sources, diagnostics.sorted());
  auto in = import_file("xuml-rt-executor/plugins/hu.eltesoft.modelexecution.examples/resources/Phone.uml",
                        false, &given);
  ASSERT_TRUE(in.model) << in.rendered();
  const auto checked = check(*in.model, in.diagnostics, 3);
  // By hand: its own StartCall must be taken first, then something arrives in Calling and is discarded: 3
  // steps.
  ASSERT_TRUE(checked.violated("no lost messages"));
  EXPECT_EQ(std::get<verdict::Violated>(checked.results.at("no lost messages").verdict).trace->steps.size(),
            3u);
}

TEST_F(Corpus, OrderShippingHasDeadInitialTransitions) {
  auto in = import_file(
      "spring-statemachine/spring-statemachine-samples/ordershipping/src/main/resources/ordershipping.uml",
      true);
  ASSERT_TRUE(in.model) << in.rendered();
  const auto checked = check(*in.model, in.diagnostics, 1);
  EXPECT_FALSE(checked.violated("no deadlock"));
  // HANDLE_ORDER is only entered through a fork, so the initial transitions of its two regions are never
  // taken.
  EXPECT_NE(std::find(checked.unreached.begin(), checked.unreached.end(),
                      "StateMachine: HANDLE_ORDER.initial -> HANDLE_ORDER.SEND_BILL"),
            checked.unreached.end());
  EXPECT_NE(std::find(checked.unreached.begin(), checked.unreached.end(),
                      "StateMachine: HANDLE_ORDER.initial -> HANDLE_ORDER.CHECK_STOCK"),
            checked.unreached.end());
}

TEST_F(Corpus, ComputerSystemHasALeftOver) {
  auto in = import_file("papyrus-rt/models/samples/ComputerSystem/ComputerSystem.uml", true);
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_TRUE(in.has("uml-unconnected")) << "an initial pseudostate without a transition, beside another one";
}

TEST_F(Corpus, MiceAreTwoDiagramsInOneRegion) {
  auto in = import_file("visual-paradigm-mice/statemachine.xmi", false);
  ASSERT_TRUE(in.model) << in.rendered();
  model::resolve(*in.model, in.diagnostics);
  EXPECT_TRUE(in.model->resolved) << in.rendered();
  EXPECT_EQ(in.model->objects.size(), 2u);
}

// Every file of the corpus that imports and resolves: printed, read again, it resolves, prints the same, and
// is lowered to a System of the same shape.
TEST_F(Corpus, RoundTrip) {
  std::size_t compared = 0, explored = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus())) {
    const std::string path = fs::relative(entry.path(), corpus()).string();
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".uml" && extension != ".xmi" && extension != ".zargo"))
      continue;
    if (path.starts_with("tetrabox") || path.find(".unzipped") != std::string::npos) continue;
    auto in = import_file(path, true);
    if (!in.model) continue;
    model::resolve(*in.model, in.diagnostics);
    if (!in.model->resolved) continue;
    const std::string text = text::print(*in.model);
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    auto again = text::parse(sources, sources.add("again.ply", text), diagnostics);
    model::resolve(again, diagnostics);
    ASSERT_TRUE(again.resolved) << path << "\n" << diag::render(sources, diagnostics.sorted());
    EXPECT_EQ(text::print(again), text) << path;
    const auto before = lower::lower(*in.model, in.diagnostics);
    const auto after = lower::lower(again, diagnostics);
    ASSERT_EQ(before.has_value(), after.has_value()) << path;
    if (!before) continue;
    ASSERT_EQ(before->system.cells.size(), after->system.cells.size()) << path;
    ASSERT_EQ(before->system.actions.size(), after->system.actions.size()) << path;
    EXPECT_EQ(before->system.stmts.size(), after->system.stmts.size()) << path;
    // The formatter puts transitions beside their states, so the order of actions may change; what there is
    // may not.
    const auto names = [](const system::System& system) {
      std::vector<std::string> result;
      for (const auto& a : system.actions) result.push_back(a.name);
      for (const auto& c : system.cells) result.push_back(c.name);
      std::sort(result.begin(), result.end());
      return result;
    };
    EXPECT_EQ(names(before->system), names(after->system)) << path;
    if (before->system.actions.size() < 200 &&
        !chooses_wide(before->system)) {  // small ones: the same states
      EXPECT_EQ(states_of(before->system), states_of(after->system)) << path;
      ++explored;
    }
    ++compared;
  }
  EXPECT_GT(compared, 150u);
  EXPECT_GT(explored, 100u);
}

}  // namespace
}  // namespace parley::front::uml
