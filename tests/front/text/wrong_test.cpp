// Wrong models and exactly what is said about them. Each wrong/*.ply has its rendered diagnostics beside it
// in
// *.expected, reviewed by hand; a model without one fails. PARLEY_WRITE_EXPECTED=1 writes the files anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "front/text/printer.hpp"
#include "front/text/support.hpp"

namespace parley::front::text {
namespace {

std::vector<std::filesystem::path> wrong_models(const char* extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PARLEY_SOURCE_DIR) + "/tests/front/text/wrong")) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(WrongModels, AreReportedExactlyAsExpected) {
  const bool write = std::getenv("PARLEY_WRITE_EXPECTED") != nullptr;
  const auto models = wrong_models(".ply");
  EXPECT_GE(models.size(), 36u);
  for (std::filesystem::path file : models) {
    SCOPED_TRACE(file.filename().string());
    const Loaded l = load_file(file.string());
    const bool only_warnings = file.filename().string().starts_with("warnings-");
    EXPECT_EQ(l.diagnostics.has_errors(), !only_warnings);
    EXPECT_EQ(l.model.resolved, only_warnings);
    EXPECT_NE(l.rendered, "");
    file.replace_extension(".expected");
    if (write) std::ofstream(file) << l.rendered;
    ASSERT_TRUE(std::filesystem::exists(file)) << "no expectation";
    EXPECT_EQ(l.rendered, read_file(file.string()));
  }
}

TEST(WrongModels, EveryExpectationHasItsModel) {
  for (std::filesystem::path file : wrong_models(".expected")) {
    SCOPED_TRACE(file.filename().string());
    file.replace_extension(".ply");
    EXPECT_TRUE(std::filesystem::exists(file));
  }
}

// What could be understood of a wrong model must be printable all the same.
TEST(WrongModels, CanBePrinted) {
  for (const std::filesystem::path& file : wrong_models(".ply")) {
    SCOPED_TRACE(file.filename().string());
    const Loaded l = load_file(file.string());
    EXPECT_NO_THROW(print(l.model, &l.sources));
  }
}

}  // namespace
}  // namespace parley::front::text
