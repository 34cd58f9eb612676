// The seam between the driver and the engines: System × properties → results, under limits, cancellable, with
// progress. An engine answers the properties it can decide and leaves the others Unknown with a reason; it
// never throws for a limit. Results are unchecked claims: the driver replays every trace before anyone sees
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verdict/verdict.hpp"

namespace parley::engine {

using verdict::EngineKind;
using verdict::Stop;

struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> states;
};

// Set by the driver (another engine was faster, the user pressed ^C, time is up); engines poll it.
class CancelToken {
 public:
  void cancel() { flag_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
};

struct Progress {
  EngineKind engine{};
  std::optional<std::uint64_t> states, depth, bound, memory_bytes;
  double states_per_second = 0;
  double seconds = 0;
  std::string note;  // e.g. "round 3: 14 cells"
};
using ProgressSink = std::function<void(const Progress&)>;  // called rarely (a few times a second)
// Called as soon as a property is decided, so that a portfolio can stop the others early.
using ResultSink = std::function<void(const verdict::PropertyResult&)>;

struct Request {
  const system::System& system;
  std::vector<system::PropertyId> properties;   // what to decide
  std::vector<std::uint32_t> queue_capacities;  // of this run, one per queue
  Limits limits;
  std::uint64_t seed = 0;
  const CancelToken* cancel = nullptr;
  ProgressSink progress;  // may be empty
  ResultSink decided;     // may be empty
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual EngineKind kind() const = 0;
  // One result per requested property, in order.
  virtual std::vector<verdict::PropertyResult> check(const Request& request) = 0;
};

// Measures the time since its construction and says when the request's limits or cancellation end a run.
class Deadline {
 public:
  explicit Deadline(const Request& request);
  double seconds() const;
  // Empty: go on.
  std::optional<Stop> reached() const;

 private:
  std::chrono::steady_clock::time_point start_;
  std::optional<double> limit_;
  const CancelToken* cancel_;
};

}  // namespace parley::engine
