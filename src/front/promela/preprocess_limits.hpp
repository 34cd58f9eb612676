// How far our preprocessor goes for one model, and the account it keeps while it works. A model that a person
// wrote stays far below; a bomb of macros is refused within a second or two. Every limit is a count, so that
// the same model is refused everywhere, except for the time limit of the user.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "diag/source.hpp"

namespace parley::front::promela {

struct PreprocessLimits {
  std::size_t include_depth = 200;              // files that include one another; gcc's number
  std::uint64_t include_bytes = 4u << 20;       // one included file
  std::uint64_t all_include_bytes = 16u << 20;  // all of them, each as often as it is included
  std::size_t call_depth = 200;                 // calls of macros inside arguments of calls
  std::uint64_t expansions = 1'000'000;         // replacements of macros
  std::uint64_t macro_tokens = 4'000'000;       // tokens of replacements, as often as they are copied
  std::uint64_t made_bytes = 16u << 20;         // text made by # and ##
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

// Thrown when a limit is reached; the preprocessor catches it, says where, and reads no further.
struct PreprocessLimitReached {
  std::string what;  // "more than 200 files include one another"
  std::string hint;
  diag::Span place = {};  // where, if it is not the call of a macro
};

// Counts against the limits.
class PreprocessBudget {
 public:
  explicit PreprocessBudget(const PreprocessLimits& limits) : limits_(limits) {}

  const PreprocessLimits& limits() const { return limits_; }
  void read_include(std::uint64_t bytes, diag::Span place);
  void expand();
  void copy_tokens(std::size_t count);
  void make_text(std::size_t bytes);
  void nest_calls(std::size_t depth) const;
  // Looks at the clock once in a while; called for every token read.
  void tick();

 private:
  PreprocessLimits limits_;
  std::uint64_t include_bytes_ = 0, expansions_ = 0, macro_tokens_ = 0, made_bytes_ = 0, ticks_ = 0;
};

}  // namespace parley::front::promela
