#include "engine/engine.hpp"

#include "support/interrupt.hpp"

namespace parley::engine {

Deadline::Deadline(const Request& request)
    : start_(std::chrono::steady_clock::now()), limit_(request.limits.seconds), cancel_(request.cancel) {}

double Deadline::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<Stop> Deadline::reached() const {
  if (cancel_ != nullptr && cancel_->cancelled()) return verdict::cancelled();
  switch (interrupt_cause()) {
    case InterruptCause::None:
      break;
    case InterruptCause::OutOfTime:
      return Stop{verdict::StopCause::OutOfTime, interrupt_text()};
    case InterruptCause::OutOfMemory:
      return Stop{verdict::StopCause::OutOfMemory, interrupt_text()};
    case InterruptCause::Signal:
      return Stop{verdict::StopCause::Cancelled, interrupt_text()};
  }
  if (limit_ && seconds() > *limit_) return verdict::out_of_time(*limit_);
  return std::nullopt;
}

}  // namespace parley::engine
