// The formatter: printing twice changes nothing, and what was printed is the same model.
#include "front/text/printer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "front/text/dump.hpp"
#include "front/text/support.hpp"

namespace parley::front::text {
namespace {

std::vector<std::string> ply_files() {
  std::vector<std::string> files;
  for (const char* folder : {"/tests/models", "/examples", "/tests/front/text/models"}) {
    const std::filesystem::path path = std::string(PARLEY_SOURCE_DIR) + folder;
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".ply") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Comments in order, white space inside them left out: what formatting must not lose.
std::string comments_of(const model::Model& m) {
  std::string all;
  for (const model::Comment& c : m.comments) {
    for (const char ch : c.text) {
      if (ch != ' ' && ch != '\n') all += ch;
    }
  }
  return all;
}

// The files are found when the test runs, so that a new example needs no rebuild to be covered.
TEST(Printer, PrintsToTheSameModelAndStaysAsItIs) {
  const std::vector<std::string> files = ply_files();
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const Loaded first = load_file(file);
    ASSERT_FALSE(first.diagnostics.has_errors()) << first.rendered;
    const std::string once = print(first.model, &first.sources);
    const Loaded second = load_text(once);
    ASSERT_FALSE(second.diagnostics.has_errors()) << second.rendered;
    EXPECT_EQ(Dump::of(first.model), Dump::of(second.model));
    EXPECT_EQ(comments_of(first.model), comments_of(second.model));
    EXPECT_EQ(print(second.model, &second.sources), once);
  }
}

TEST(Printer, PrintsWithoutSourcesToo) {
  for (const std::string& file : ply_files()) {
    SCOPED_TRACE(file);
    const Loaded first = load_file(file);
    const Loaded second = load_text(print(first.model, nullptr));
    ASSERT_FALSE(second.diagnostics.has_errors()) << second.rendered;
    EXPECT_EQ(Dump::of(first.model), Dump::of(second.model));
  }
}

}  // namespace
}  // namespace parley::front::text
