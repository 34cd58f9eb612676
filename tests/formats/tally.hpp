// How many of how many: what each part of the formats' run brings back. A part prints a line for everything
// that is not as it must be, and the runner the sum.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace parley::formats {

struct Tally {
  std::size_t good = 0, all = 0;
  void count(bool is_good, const std::string& what, const std::string& why = {}) {
    ++all;
    good += is_good ? 1 : 0;
    if (!is_good) std::fputs(fmt::format("not as expected: {}: {}\n", what, why).c_str(), stdout);
  }
  std::string text() const { return fmt::format("{}/{}", good, all); }
};

inline std::filesystem::path corpus() {
  const char* shared = std::getenv("PARLEY_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : PARLEY_SOURCE_DIR "/../shared") / "corpus";
}

}  // namespace parley::formats
