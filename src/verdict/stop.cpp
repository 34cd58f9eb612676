#include "verdict/stop.hpp"

#include <fmt/format.h>

namespace parley::verdict {

Stop cancelled() {
  return {StopCause::Cancelled, std::string(name_of(StopCause::Cancelled))};
}

Stop out_of_time(double seconds) {
  // Rounded: what the user gave may have been shared with a boundedness proof that came first.
  return {StopCause::OutOfTime, seconds < 10 ? fmt::format("out of time ({:.2g} s)", seconds)
                                             : fmt::format("out of time ({:.0f} s)", seconds)};
}

Stop out_of_memory(std::uint64_t limit_bytes) {
  return {StopCause::OutOfMemory, fmt::format("out of memory ({} MB)", limit_bytes / 1'000'000)};
}

Stop solver_gave_up() {
  return {StopCause::GaveUp, "the solver gave up"};
}

}  // namespace parley::verdict
