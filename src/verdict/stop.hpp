// Why a run ended before it had an answer, as a type: what the driver decides by (a cancelled engine has
// nothing to tell) and what reports say. Made by the functions below, so that the same limit is told in the
// same words by every engine. Not for questions that an engine does not decide at all: those are Unknown
// without a stop.
#pragma once

#include <optional>
#include <string>

#include "support/named_enum.hpp"

namespace parley::verdict {

enum class StopCause : std::uint8_t {
  OutOfTime,
  OutOfMemory,
  StateLimit,
  Cancelled,     // another engine was faster, or the user has had enough
  BoundReached,  // as many steps, frames or rounds as asked for
  GaveUp,        // a solver or a refiner has no answer
};

constexpr std::string_view name_of(StopCause cause) {
  switch (cause) {
    case StopCause::OutOfTime:
      return "out of time";
    case StopCause::OutOfMemory:
      return "out of memory";
    case StopCause::StateLimit:
      return "state limit";
    case StopCause::Cancelled:
      return "cancelled";
    case StopCause::BoundReached:
      return "bound reached";
    case StopCause::GaveUp:
      return "gave up";
  }
  return {};
}
static_assert(names_differ<StopCause>());

struct Stop {
  StopCause cause = StopCause::GaveUp;
  std::string text;  // the sentence for people
};

Stop cancelled();
Stop out_of_time(double seconds);  // the limit
Stop out_of_memory(std::uint64_t limit_bytes);
Stop solver_gave_up();

}  // namespace parley::verdict
