// The exhaustive engine: decides every property kind but temporal ones and unboundedness by looking at all
// reachable states. The driver runs it through the engine seam; `parley explore`, benchmarks and tests ask
// for its statistics.
#pragma once

#include <functional>

#include "explore/search.hpp"

namespace parley::explore {

// Gets every stored state once, after a search that has seen them all.
using StateSink = std::function<void(const semantics::State&)>;

class Explorer : public engine::Engine {
 public:
  explicit Explorer(SearchOptions options = {}, StateSink all_states = {})
      : options_(options), all_states_(std::move(all_states)) {}

  engine::EngineKind kind() const override { return kind_of(options_.order); }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;
  // Of the last check.
  const Statistics& statistics() const { return statistics_; }

 private:
  SearchOptions options_;
  StateSink all_states_;  // may be empty
  Statistics statistics_;
};

// A limit that leaves the machine alive when the request names none: three quarters of its memory.
std::uint64_t default_memory_limit();

}  // namespace parley::explore
