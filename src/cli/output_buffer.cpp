#include "cli/output_buffer.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace parley::cli {

std::string OutputBuffer::failure() const {
  const std::lock_guard lock(mutex_);
  return error_ == 0 ? std::string() : std::strerror(error_);
}

OutputBuffer::int_type OutputBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize OutputBuffer::xsputn(const char* text, std::streamsize size) {
  const std::lock_guard lock(mutex_);
  waiting_.append(text, static_cast<std::size_t>(size));
  return size;
}

int OutputBuffer::sync() {
  const std::lock_guard lock(mutex_);
  drain();
  return error_ == 0 ? 0 : -1;
}

void OutputBuffer::drain() {
  std::size_t done = 0;
  while (done < waiting_.size() && error_ == 0) {
    const ssize_t n = ::write(descriptor_, waiting_.data() + done, waiting_.size() - done);
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      error_ = errno;
  }
  waiting_.clear();
}

std::string OutputBuffer::take_over(const std::string& text, double patience) {
  if (!mutex_.try_lock_for(std::chrono::duration<double>(patience))) return "nobody reads it";
  waiting_ = text;
  drain();
  return error_ == 0 ? std::string() : std::strerror(error_);  // the lock is kept
}

}  // namespace parley::cli
