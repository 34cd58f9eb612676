// Interrupts a Z3 context when patience is over. The solver's own time limit does not hold while it rewrites
// and translates a formula, which can take minutes. What was running then answers `unknown` or throws
// z3::exception; both mean that nothing was decided. Used by invariant.cpp and closure.cpp, around a whole
// check.
#pragma once

#include <z3++.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "certify/patience.hpp"

namespace parley::certify {

class Z3Alarm {
 public:
  Z3Alarm(z3::context& context, const Patience& patience) {
    if (patience.left()) thread_ = std::thread([this, &context, &patience] { watch(context, patience); });
  }
  ~Z3Alarm() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Z3Alarm(const Z3Alarm&) = delete;
  Z3Alarm& operator=(const Z3Alarm&) = delete;

 private:
  // Again and again: an interruption reaches only what is running.
  void watch(z3::context& context, const Patience& patience) {
    constexpr double kAgain = 0.05;
    std::unique_lock lock(mutex_);
    while (!done_) {
      wake_.wait_for(lock, std::chrono::duration<double>(std::max(kAgain, patience.left().value_or(kAgain))));
      if (!done_ && patience.over()) context.interrupt();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace parley::certify
