// The tables of evidence, engines and stops: every enumerator has its row, and names lead back to it. Adding
// an enumerator without a row does not compile; these tests hold the rest of what the headers promise.
#include "verdict/evidence.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "verdict/checked.hpp"
#include "verdict/engine_kind.hpp"
#include "verdict/stop.hpp"

namespace parley::verdict {
namespace {

template <class E>
class NamedTables : public testing::Test {};
using Tables = testing::Types<CertificateKind, StoryKind, AssumptionCode, EngineKind, StopCause>;
TYPED_TEST_SUITE(NamedTables, Tables);

TYPED_TEST(NamedTables, NamesLeadBack) {
  EXPECT_EQ(names_of<TypeParam>().size(), all_of<TypeParam>.size());
  for (std::size_t i = 0; i < all_of<TypeParam>.size(); ++i) {
    const TypeParam e = all_of<TypeParam>[i];
    EXPECT_EQ(static_cast<std::size_t>(e), i) << "a hole in the table before " << name_of(e);
    EXPECT_EQ(named<TypeParam>(name_of(e)), e) << name_of(e);
  }
  EXPECT_EQ(named<TypeParam>(""), std::nullopt);
  EXPECT_EQ(named<TypeParam>("no such name"), std::nullopt);
}

std::vector<std::string> admitted(const nlohmann::json& schema, const std::string& field) {
  return schema.at(nlohmann::json::json_pointer("/definitions/result/properties/" + field + "/enum"))
      .get<std::vector<std::string>>();
}

// Whoever reads results by the schema knows every name that can occur.
TEST(Schema, AdmitsEveryName) {
  std::ifstream file(PARLEY_SOURCE_DIR "/docs/result-schema.json");
  const auto schema = nlohmann::json::parse(file);
  std::vector<std::string> certificates = names_of<CertificateKind>();
  std::erase(certificates, name_of(CertificateKind::None));
  EXPECT_EQ(admitted(schema, "certificate"), certificates);
  EXPECT_EQ(admitted(schema, "assumptions/items/properties/code"), names_of<AssumptionCode>());
  std::vector<std::string> engines;
  for (const EngineKind e : all_of<EngineKind>) engines.emplace_back(shown_name(e));
  engines.emplace_back();  // nobody has answered
  EXPECT_EQ(admitted(schema, "engine"), engines);
  EXPECT_EQ(admitted(schema, "checked"), names_of<CheckedBy>());
}

TEST(Certificates, HaveWordsForPeople) {
  for (const CertificateKind kind : all_of<CertificateKind>)
    EXPECT_FALSE(words_of(kind).empty()) << name_of(kind);
}

TEST(Stories, HaveAPlaceInTheReport) {
  for (const StoryKind kind : all_of<StoryKind>) {
    EXPECT_FALSE(row(kind).section.empty()) << name_of(kind);
    EXPECT_EQ(row(kind).letter.size(), 1U) << name_of(kind);
    EXPECT_NE(row(kind).letter, "s") << "the letter of steps";
  }
}

// As on the command line and in results; one row per engine, so one cannot be spelled two ways.
TEST(Engines, HaveStableNames) {
  EXPECT_EQ(names_of<EngineKind>(), (std::vector<std::string>{"explicit", "dfs", "temporal", "bmc", "kind",
                                                              "ic3", "cegar", "bounds", "relay"}));
  for (const EngineKind a : all_of<EngineKind>)
    for (const EngineKind b : all_of<EngineKind>) EXPECT_EQ(shown_name(a) == shown_name(b), a == b);
}

TEST(Engines, EveryQuestionHasSomebody) {
  using system::PropertyKind;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(PropertyKind::Temporal); ++k) {
    const auto kind = static_cast<PropertyKind>(k);
    bool somebody = false;
    for (const EngineKind e : all_of<EngineKind>) somebody = somebody || decides(e, kind);
    EXPECT_TRUE(somebody) << system::describe(kind);
  }
}

// A search sees whether a queue was full; boundedness is asked without capacities.
TEST(Engines, WhoGainsFromProvenCapacities) {
  for (const EngineKind e : {EngineKind::BreadthFirst, EngineKind::DepthFirst, EngineKind::Bounds})
    EXPECT_FALSE(rests_on_capacities(e)) << name_of(e);
  for (const EngineKind e :
       {EngineKind::Bmc, EngineKind::KInduction, EngineKind::Ic3, EngineKind::Cegar, EngineKind::Relay})
    EXPECT_TRUE(rests_on_capacities(e)) << name_of(e);
}

TEST(Stops, SayWhatWasCut) {
  EXPECT_EQ(cancelled().text, "cancelled");
  EXPECT_EQ(out_of_time(0.25).text, "out of time (0.25 s)");
  EXPECT_EQ(out_of_time(20).text, "out of time (20 s)");
  EXPECT_EQ(out_of_memory(300'000'000).text, "out of memory (300 MB)");  // --memory 300M
  EXPECT_EQ(out_of_time(1).cause, StopCause::OutOfTime);
}

}  // namespace
}  // namespace parley::verdict
