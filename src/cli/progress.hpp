// The one-line progress display on a terminal: engine, states or bound, rate, depth, memory.
#pragma once

#include <mutex>

#include "cli/options.hpp"
#include "engine/engine.hpp"

namespace parley::cli {

class ProgressLine {
 public:
  explicit ProgressLine(Terminal& terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  // A sink for engines; empty if the terminal shows no progress.
  engine::ProgressSink sink();
  void clear();

 private:
  void show(const engine::Progress& progress);
  Terminal& terminal_;
  std::mutex mutex_;
  bool shown_ = false;
};

}  // namespace parley::cli
