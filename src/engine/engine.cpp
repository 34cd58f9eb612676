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
  if (limit_ && seconds() > *limit_) return fmt::format("out of time ({:g} s)", *limit_);
  return std::nullopt;
}

}  // namespace parley::engine
