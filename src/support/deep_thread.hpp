// A thread with a stack for deep recursion: expressions and machines are as deep as their authors made them.
// The command and every engine run in one. The stack costs memory only where it is used. Joins when it ends;
// the function must not throw.
#pragma once

#include <pthread.h>

#include <functional>

namespace parley {

class DeepThread {
 public:
  static constexpr std::size_t kStackBytes = std::size_t{256} << 20;

  explicit DeepThread(std::function<void()> function);
  ~DeepThread() { join(); }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;
  void join();

 private:
  static void* start(void* self);
  std::function<void()> function_;
  pthread_t thread_{};
  bool joinable_ = false;
};

}  // namespace parley
