// The answers of a check that is still running, at any moment and from any thread: what is decided and
// confirmed, and for the rest what the engines were doing and how far they were. Written by driver/check.cpp,
// read by the command line when a limit or a signal ends the check under its feet. Its lock is never held
// while anything is computed or allocated, so that a reader does not wait for a busy writer.
#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <vector>

#include "driver/check.hpp"

namespace parley::driver {

class LiveReport {
 public:
  LiveReport();

  // By the check.
  void doing(const char* what);                                      // "while searching"; a literal
  void capacities(std::vector<std::uint32_t> of_queues);             // of the run, as soon as known
  void answers(const std::vector<verdict::PropertyResult>& so_far);  // confirmed, as they are to be reported
  void progress(const engine::Progress& progress);

  // What is undecided becomes Unknown because of `stop`, with what was being done and what was covered.
  CheckReport so_far(const verdict::Stop& stop) const;

 private:
  std::string unfinished(const verdict::Stop& stop) const;

  const std::chrono::steady_clock::time_point start_;
  mutable std::mutex mutex_;
  const char* doing_ = "";
  std::vector<std::uint32_t> capacities_;
  std::vector<verdict::PropertyResult> answers_;
  std::array<engine::Progress, all_of<engine::EngineKind>.size()>
      progress_;  // by engine; seconds 0: none yet
};

}  // namespace parley::driver
