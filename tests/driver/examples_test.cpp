// Every example states its verdicts in its own head comment:
//   // expect: <property name> = holds|violated|unknown
//   // expect: states = 123        (counts of the whole state space, each with its source beside it)
//   // expect: transitions = 456
//   // expect: steps(<property name>) = 30      (length of the shortest counterexample)
//   // expect (fairness = none): <property name> = violated      (with that semantics switch set)
// This test reads them, so an example without expectations is an error.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> example_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PARLEY_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".ply")
      files.push_back(fs::relative(entry.path(), fs::path(PARLEY_SOURCE_DIR) / "examples").string());
  std::sort(files.begin(), files.end());
  return files;
}

using Expectations = std::map<std::string, std::string>;

// By the switch that is set, "fairness=none"; "" for the model as it is.
std::map<std::string, Expectations> expectations(const fs::path& file) {
  std::map<std::string, Expectations> result;
  std::ifstream in(file);
  const std::regex form(R"(// expect( \((\w+) = (\w+)\))?: (.*) = (holds|violated|unknown|\d+)\b.*)");
  std::smatch m;
  for (std::string line; std::getline(in, line);)
    if (std::regex_match(line, m, form))
      result[m[1].matched ? m[2].str() + "=" + m[3].str() : std::string()][m[4]] = m[5];
  return result;
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, VerdictsAreAsItsCommentSays) {
  const fs::path file = fs::path(PARLEY_SOURCE_DIR) / "examples" / GetParam();
  Expectations expected = expectations(file)[""];
  ASSERT_FALSE(expected.empty()) << "the example states no expected verdicts";
  load::Loaded loaded = load::load(file.string(), {});
  ASSERT_TRUE(loaded.ok()) << diag::render(loaded.sources, loaded.diagnostics.sorted());
  // Exhaustive search must answer all but the models with wide data and those about queues that grow for
  // ever, where the default portfolio must.
  const bool special = GetParam().starts_with("wide/") || GetParam().starts_with("bounds/");
  driver::CheckOptions options;
  options.limits.seconds = 60;
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const engine::EngineKind kind :
       special ? driver::default_portfolio(*loaded.system)
               : std::vector{engine::EngineKind::BreadthFirst, engine::EngineKind::Temporal})
    engines.push_back(driver::make_engine(kind));
  const driver::CheckReport report = driver::check(*loaded.system, std::move(engines), options);
  for (const verdict::PropertyResult& r : report.results) {
    const std::string& name = loaded.system->property(r.property).name;
    ASSERT_TRUE(expected.count(name))
        << "no expectation for `" << name << "`, which is " << verdict::word(r.verdict);
    const auto* u = std::get_if<verdict::Unknown>(&r.verdict);
    EXPECT_EQ(verdict::word(r.verdict), expected[name]) << name << (u != nullptr ? ": " + u->reason : "");
    if (const auto steps = expected.find("steps(" + name + ")"); steps != expected.end()) {
      const auto* v = std::get_if<verdict::Violated>(&r.verdict);
      ASSERT_TRUE(v != nullptr && v->trace);
      EXPECT_EQ(std::to_string(v->trace->steps.size()), steps->second) << name;
      expected.erase(steps);
    }
    expected.erase(name);
  }
  if (expected.count("states") || expected.count("transitions")) {
    system::Property everything;
    everything.kind = system::PropertyKind::Never;
    everything.name = "(count)";
    everything.expression = loaded.system->exprs.boolean(false);
    loaded.system->properties = {everything};
    engines.clear();
    engines.push_back(driver::make_engine(engine::EngineKind::BreadthFirst));
    const verdict::Coverage c =
        driver::check(*loaded.system, std::move(engines), options).results.at(0).coverage;
    ASSERT_TRUE(c.complete);
    if (expected.count("states")) {
      EXPECT_EQ(std::to_string(c.states.value()), expected["states"]);
    }
    if (expected.count("transitions")) {
      EXPECT_EQ(std::to_string(c.transitions.value()), expected["transitions"]);
    }
    expected.erase("states");
    expected.erase("transitions");
  }
  for (const auto& [name, verdict] : expected) ADD_FAILURE() << "there is no property `" << name << "`";
}

TEST_P(Example, VerdictsWithSwitchesAreAsItsCommentSays) {
  const fs::path file = fs::path(PARLEY_SOURCE_DIR) / "examples" / GetParam();
  for (const auto& [setting, expected] : expectations(file)) {
    if (setting.empty()) continue;
    const std::size_t equals = setting.find('=');
    load::LoadOptions set;
    set.switches[setting.substr(0, equals)] = setting.substr(equals + 1);
    const load::Loaded loaded = load::load(file.string(), set);
    ASSERT_TRUE(loaded.ok()) << diag::render(loaded.sources, loaded.diagnostics.sorted());
    driver::CheckOptions options;
    options.limits.seconds = 60;
    std::vector<std::unique_ptr<engine::Engine>> engines;
    for (const engine::EngineKind kind : {engine::EngineKind::BreadthFirst, engine::EngineKind::Temporal})
      engines.push_back(driver::make_engine(kind));
    std::size_t found = 0;
    for (const verdict::PropertyResult& r :
         driver::check(*loaded.system, std::move(engines), options).results) {
      const auto wanted = expected.find(loaded.system->property(r.property).name);
      if (wanted == expected.end()) continue;
      ++found;
      EXPECT_EQ(verdict::word(r.verdict), wanted->second) << wanted->first << " with " << setting;
    }
    EXPECT_EQ(found, expected.size()) << "a property of that name does not exist, with " << setting;
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).replace_extension().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(example_files()), test_name);

}  // namespace
}  // namespace parley
