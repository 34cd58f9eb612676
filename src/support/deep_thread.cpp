#include "support/deep_thread.hpp"

#include <system_error>

namespace parley {

DeepThread::DeepThread(std::function<void()> function) : function_(std::move(function)) {
  // Where address space is short (`ulimit -v`) a smaller stack is better than none.
  int problem = 0;
  for (std::size_t bytes = kStackBytes; bytes >= (std::size_t{1} << 20); bytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    problem = pthread_create(&thread_, &attributes, start, this);
    pthread_attr_destroy(&attributes);
    if (problem == 0) {
      joinable_ = true;
      return;
    }
  }
  throw std::system_error(problem, std::generic_category(), "a thread cannot be started");
}

void* DeepThread::start(void* self) {
  static_cast<DeepThread*>(self)->function_();
  return nullptr;
}

void DeepThread::join() {
  if (joinable_) pthread_join(thread_, nullptr);
  joinable_ = false;
}

}  // namespace parley
