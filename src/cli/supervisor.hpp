// Keeps limits and answers signals whatever the command is doing. The command runs in a worker thread; the
// main thread waits for its end, for signals, for the clock and for memory. It first asks
// (support/interrupt.hpp); a command that does not end in time is answered for: the last words that it left
// are rendered, and the process ends under its feet. So nothing needs to poll for limits to hold. Used by
// main.cpp; commands meet it as Terminal::supervisor. docs/limits.md says what is promised. Not concerned
// with the limits of one engine: those are the engine's.
#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/output_buffer.hpp"
#include "verdict/stop.hpp"

namespace parley::cli {

struct Budget {
  std::optional<double> seconds;              // absent: as long as it takes
  std::optional<std::uint64_t> memory_bytes;  // absent: no limit

  // What --time and --memory say; without --memory a share of what the machine has.
  static Budget of(const Arguments& arguments);
};

class Supervisor {
 public:
  // Renders what is known so far; returns the exit status. Called while the worker runs on.
  using Words = std::function<int(const verdict::Stop&, Terminal&)>;

  // Before any other thread starts: signals are blocked in all of them.
  Supervisor(OutputBuffer& out, const Terminal& terminal);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Runs the command; returns its exit status, or ends the process.
  int run(const std::function<int()>& command);

  // For the worker. The first budget counts from the start of the program, later ones from now.
  void arm(const Budget& budget);
  void doing(const char* what);  // "while loading the model"; a literal
  std::string told() const;      // why it ends and what it was doing, for commands without partial answers
  // Signals as the program found them, for a worker that becomes another program.
  void hand_over();

 private:
  friend class LastWords;
  using Clock = std::chrono::steady_clock;

  std::optional<verdict::Stop> reason_to_stop(int signal, std::uint64_t resident) const;
  void ask(const verdict::Stop& stop, int signal);
  bool patience_is_over(std::uint64_t resident) const;
  int next_signal() const;  // 0: none
  void take_over();
  void restore_signals();

  OutputBuffer& out_;
  const bool colour_, progress_;
  const std::size_t width_;

  mutable std::mutex mutex_;  // of what the worker tells; held for moments, or for good by take_over
  Budget budget_;
  Clock::time_point start_;
  bool armed_ = false;
  const char* doing_ = "";
  Words words_;

  std::optional<verdict::Stop> stop_;  // main thread only, from here on
  Clock::time_point asked_;
  int signal_ = 0;
  sigset_t caught_, before_;
  int signals_ = -1, done_ = -1;    // descriptors
  std::atomic<bool> ended_{false};  // whoever sets it ends the process: worker or supervisor
};

// What is to be said if the command is cut from here to the end of the scope. What the function refers to
// must live as long, and be safe to read while the command goes on.
class LastWords {
 public:
  LastWords(Supervisor* supervisor, Supervisor::Words words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  Supervisor* supervisor_;
};

}  // namespace parley::cli
