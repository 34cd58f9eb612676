// Why the process is to stop now, if it is: its time or memory is used up, or somebody sent a signal. One
// flag for the process, because these are facts about the process; it is set by the supervisor of the command
// line (cli/supervisor.hpp) and polled by whatever may run for long. Code that can end with a partial result
// does so; code that cannot (front ends, lowering) throws Interrupted, which the command line turns into an
// answer. Not for stopping one of several engines: that is engine::CancelToken.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

namespace parley {

enum class InterruptCause : std::uint8_t { None, OutOfTime, OutOfMemory, Signal };

namespace interrupt_flag {
inline std::atomic<InterruptCause> cause{InterruptCause::None};
}

inline InterruptCause interrupt_cause() noexcept {
  return interrupt_flag::cause.load(std::memory_order_acquire);
}
inline bool interrupted() noexcept {
  return interrupt_flag::cause.load(std::memory_order_relaxed) != InterruptCause::None;
}
// "out of time (3 s)", "interrupted by SIGINT"; empty if there is no interrupt.
std::string interrupt_text();

// The first one counts.
void interrupt(InterruptCause cause, const std::string& text);
// For commands that go on after a limit: `check --watch`.
void withdraw_interrupt();

class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};
inline void throw_if_interrupted() {
  if (interrupted()) [[unlikely]]
    throw Interrupted();
}

}  // namespace parley
