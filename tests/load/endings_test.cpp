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
  for (const FormatInfo& f : formats())
    for (const std::string& ending : f.endings) EXPECT_EQ(format_of("model" + ending), f.format) << ending;
  EXPECT_FALSE(format_of("formula.prp").has_value());  // a formula beside a model, not a model
  EXPECT_FALSE(format_of("pml").has_value());
}

TEST(Endings, TheErrorListsThemAll) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "parley-endings.txt";
  std::ofstream(file) << "Dear diary, no model today.\n";
  const Loaded loaded = load(file.string(), {});
  std::filesystem::remove(file);
  ASSERT_TRUE(loaded.diagnostics.has_errors());
  const std::string& hint = loaded.diagnostics.all().front().hint;
  EXPECT_EQ(hint, known_endings() + "; --format-in says it");
  for (const FormatInfo& f : formats())
    for (const std::string& ending : f.endings)
      EXPECT_NE(hint.find(ending), std::string::npos) << ending << " in " << hint;
}

TEST(Endings, ContentDecidesWhereTheEndingSaysNothing) {
  EXPECT_EQ(format_of_content("/* two */ active proctype P() { skip }"), Format::Promela);
  EXPECT_EQ(format_of_content("chan q = [1] of { byte };\ninit { q!1 }"), Format::Promela);
  EXPECT_EQ(format_of_content("class A { machine { } }\nsystem { a : A; }"), Format::Text);
  EXPECT_EQ(format_of_content("<?xml version='1.0'?><uml:Model/>"), Format::Uml);
  EXPECT_FALSE(format_of_content("// proctype in a comment").has_value());
  EXPECT_FALSE(format_of_content("").has_value());
}

TEST(Endings, FilesOfToolsSayHowToExport) {
  for (const char* name : {"a.mdzip", "a.qea", "a.sbs", "a.EAP"}) {
    EXPECT_FALSE(export_hint(name).empty()) << name;
    EXPECT_FALSE(format_of(name).has_value()) << name;
  }
  EXPECT_TRUE(export_hint("a.uml").empty());
}

}  // namespace
}  // namespace parley::load
