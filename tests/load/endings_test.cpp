// Which files are read as what: Promela under every ending in use, and one list of endings for the error, the
// help and the page that explains it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "load/load.hpp"

namespace parley::load {
namespace {

TEST(Endings, PromelaUnderEveryName) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "parley-endings";
  std::filesystem::create_directories(folder);
  for (const char* ending : {".pml", ".prom", ".promela", ".spin", ".pr", ".prm", ".pm", ".p"}) {
    const std::filesystem::path file = folder / (std::string("model.v2") + ending);
    std::ofstream(file) << "active proctype P() { skip }\n";
    EXPECT_EQ(format_of(file.string()), Format::Promela) << ending;
    const Loaded loaded = load(file.string(), {});
    EXPECT_TRUE(loaded.ok()) << ending;
  }
  std::filesystem::remove_all(folder);
}

TEST(Endings, NoEndingMeansTwoFormats) {
  for (const Format format : {Format::Text, Format::Uml, Format::Promela})
    for (const std::string& ending : endings(format))
      EXPECT_EQ(format_of("model" + ending), format) << ending;
  EXPECT_FALSE(format_of("formula.prp").has_value());  // a formula beside a model, not a model
  EXPECT_FALSE(format_of("pml").has_value());
}

TEST(Endings, TheErrorListsThemAll) {
  const Loaded loaded = load("model.txt", {});
  ASSERT_TRUE(loaded.diagnostics.has_errors());
  const std::string& hint = loaded.diagnostics.all().front().hint;
  EXPECT_EQ(hint, known_endings());
  for (const Format format : {Format::Text, Format::Uml, Format::Promela})
    for (const std::string& ending : endings(format))
      EXPECT_NE(hint.find(ending), std::string::npos) << ending << " in " << hint;
}

}  // namespace
}  // namespace parley::load
