#include "support/interrupt.hpp"

#include <mutex>

namespace parley {
namespace {

// Never destroyed, since a worker may still run while the process ends.
struct Words {
  std::mutex mutex;
  std::string text;
};
Words& words() {
  static auto* w = new Words;
  return *w;
}

}  // namespace

std::string interrupt_text() {
  const std::lock_guard lock(words().mutex);
  return words().text;
}

void interrupt(InterruptCause cause, const std::string& text) {
  const std::lock_guard lock(words().mutex);
  if (interrupted()) return;
  words().text = text;
  interrupt_flag::cause.store(cause, std::memory_order_release);
}

void withdraw_interrupt() {
  const std::lock_guard lock(words().mutex);
  interrupt_flag::cause.store(InterruptCause::None, std::memory_order_release);
  words().text.clear();
}

}  // namespace parley
