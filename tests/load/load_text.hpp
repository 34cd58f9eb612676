// Text models inside tests, loaded as the commands load files: with the search for errors that load/ adds.
// For tests above load/; those of front ends and engines load through what they test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "load/load.hpp"

namespace parley::testing {

inline load::Loaded load_text(const std::string& text) {
  const std::string file = ::testing::TempDir() + "/model-" + std::to_string(getpid()) + ".ply";
  std::ofstream(file) << text;
  load::Loaded loaded = load::load(file, {});
  EXPECT_TRUE(loaded.ok()) << diag::render(loaded.sources, loaded.diagnostics.sorted());
  std::filesystem::remove(file);
  return loaded;
}

}  // namespace parley::testing
