#include "engine/engine.hpp"

#include <fmt/format.h>

namespace parley::engine {

Deadline::Deadline(const Request& request)
    : start_(std::chrono::steady_clock::now()), limit_(request.limits.seconds), cancel_(request.cancel) {}

double Deadline::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<std::string> Deadline::reached() const {
  if (cancel_ != nullptr && cancel_->cancelled()) return "cancelled";
  // Rounded: what the user gave may have been shared with a boundedness proof that came first.
  if (limit_ && seconds() > *limit_)
    return *limit_ < 10 ? fmt::format("out of time ({:.2g} s)", *limit_)
                        : fmt::format("out of time ({:.0f} s)", *limit_);
  return std::nullopt;
}

}  // namespace parley::engine
