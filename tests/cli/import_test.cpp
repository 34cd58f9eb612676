// parley import, and parley check on UML files, through the program's own door.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run.hpp"

namespace parley::cli {
namespace {

struct Ran {
  int status = 0;
  std::string out, err;
};

Ran run_words(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  Terminal terminal{out, err};
  Ran r;
  r.status = run(words, terminal);
  r.out = out.str();
  r.err = err.str();
  return r;
}

std::string example(const std::string& name) {
  return PARLEY_SOURCE_DIR "/examples/uml/" + name;
}

TEST(ImportCommand, PrintsATextModelThatChecksAlike) {
  const std::string text = testing::TempDir() + "/ping_pong.ply";
  const Ran imported = run_words({"import", example("ping_pong_rt.uml"), "-o", text});
  EXPECT_EQ(imported.status, kAllHold) << imported.err;
  const Ran from_text = run_words({"check", text, "--quiet", "--engine", "explicit"});
  const Ran from_uml = run_words({"check", example("ping_pong_rt.uml"), "--quiet", "--engine", "explicit"});
  EXPECT_EQ(from_text.status, kViolated) << from_text.err;  // the game ends: nothing can move
  EXPECT_EQ(from_uml.status, kViolated) << from_uml.err;
  EXPECT_NE(from_uml.out.find("4 steps"), std::string::npos) << from_uml.out;  // two services, two answers
  EXPECT_NE(from_text.out.find("4 steps"), std::string::npos) << from_text.out;
}

TEST(ImportCommand, Report) {
  const Ran text = run_words({"import", "--report", example("turnstile.uml")});
  EXPECT_EQ(text.status, kAllHold) << text.err;
  EXPECT_NE(text.out.find("5 signal trigger"), std::string::npos) << text.out;
  const Ran json =
      run_words({"import", "--report", "--format", "json", example("door_unknown.uml"), "--havoc-unknown"});
  EXPECT_EQ(json.status, kAllHold) << json.err;
  EXPECT_EQ(nlohmann::json::parse(json.out)["over-approximated"]["guard text"]["count"], 1);
  const Ran strict = run_words({"import", example("door_unknown.uml")});
  EXPECT_EQ(strict.status, kBadInput);
  EXPECT_NE(strict.err.find("[t1]"), std::string::npos);
}

TEST(ImportCommand, OnlyUml) {
  const Ran r = run_words({"import", PARLEY_SOURCE_DIR "/examples/philosophers.ply"});
  EXPECT_EQ(r.status, kBadInput);
}

TEST(CheckCommand, AnnotationsAreKeyedByElementIds) {
  const std::string file = testing::TempDir() + "/annotations.json";
  const Ran r =
      run_words({"check", example("ping_pong_rt.uml"), "--quiet", "--engine", "explicit", "--annotate", file});
  EXPECT_EQ(r.status, kViolated) << r.err;
  std::ifstream in(file);
  const auto j = nlohmann::json::parse(in);
  // The transition onPing (id tb1) fires in steps 1 and 3 of the run to the deadlock.
  ASSERT_EQ(j["elements"]["tb1"].size(), 2u);
  EXPECT_EQ(j["elements"]["tb1"][0]["step"], 1);
  EXPECT_EQ(j["elements"]["tb1"][1]["step"], 3);
}

TEST(CheckCommand, HavocIsAnAssumptionOfTheVerdict) {
  const Ran r = run_words({"check", example("door_unknown.uml"), "--havoc-unknown", "--quiet", "--engine",
                           "explicit", "--capacity", "1"});
  EXPECT_NE(r.status, kBadInput) << r.err;
  EXPECT_NE(r.out.find("mayOpen"), std::string::npos) << r.out;
}

}  // namespace
}  // namespace parley::cli
