#include "front/promela/preprocess_limits.hpp"

#include <fmt/format.h>

namespace parley::front::promela {
namespace {

constexpr const char* kLargeMacros =
    "write what the macro stands for as an inline, a proctype or a loop; --cpp runs the compiler's "
    "preprocessor, which has no limit";

}  // namespace

void PreprocessBudget::read_include(std::uint64_t bytes, diag::Span place) {
  include_bytes_ += bytes;
  if (include_bytes_ > limits_.all_include_bytes)
    throw PreprocessLimitReached{
        fmt::format("the included files are larger than {} MB together", limits_.all_include_bytes >> 20),
        "does a file include others in a circle, or the same one many times?", place};
}

void PreprocessBudget::expand() {
  if (++expansions_ > limits_.expansions)
    throw PreprocessLimitReached{
        fmt::format("more than {} macros are replaced", limits_.expansions), kLargeMacros, {}};
  tick();
}

void PreprocessBudget::copy_tokens(std::size_t count) {
  macro_tokens_ += count;
  if (macro_tokens_ > limits_.macro_tokens)
    throw PreprocessLimitReached{
        fmt::format("macros make more than {} tokens", limits_.macro_tokens), kLargeMacros, {}};
}

void PreprocessBudget::make_text(std::size_t bytes) {
  made_bytes_ += bytes;
  if (made_bytes_ > limits_.made_bytes)
    throw PreprocessLimitReached{
        fmt::format("# and ## make more than {} MB of text", limits_.made_bytes >> 20), kLargeMacros, {}};
}

void PreprocessBudget::nest_calls(std::size_t depth) const {
  if (depth > limits_.call_depth)
    throw PreprocessLimitReached{
        fmt::format("calls of macros are nested more than {} deep", limits_.call_depth), kLargeMacros, {}};
}

void PreprocessBudget::tick() {
  constexpr std::uint64_t kTicksBetweenLooks = 1024;
  if (++ticks_ % kTicksBetweenLooks != 0 || !limits_.deadline) return;
  if (std::chrono::steady_clock::now() > *limits_.deadline)
    throw PreprocessLimitReached{"the time limit ended the preprocessing of this model",
                                 "give it more time with --time, or fewer macros",
                                 {}};
}

}  // namespace parley::front::promela
