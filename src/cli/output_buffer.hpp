// The standard output of the program: collects everything until it is flushed, remembers why a flush failed,
// and lets the supervisor take back what was not flushed. Used by main.cpp, supervisor.cpp; commands see a
// std::ostream. Not for files: see support/write_file.hpp.
#pragma once

#include <mutex>
#include <streambuf>
#include <string>

namespace parley::cli {

class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(int descriptor) : descriptor_(descriptor) {}

  // The system's words for the first write that failed; empty: none did.
  std::string failure() const;

  // From now on only the caller's `text` comes out: what was written since the last flush is dropped, and
  // whoever writes waits for the end of the process. Returns why that failed, empty: it did not. A flush that
  // is under way is given `patience` seconds.
  std::string take_over(const std::string& text, double patience);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  void drain();  // writes waiting_ out; under the lock

  mutable std::timed_mutex mutex_;
  std::string waiting_;
  int descriptor_;
  int error_ = 0;  // errno of the first failure
};

}  // namespace parley::cli
