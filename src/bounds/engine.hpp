// The boundedness test behind the engine seam: answers "no unbounded queues" and leaves every other property
// to others. Violated comes with a lasso whose loop makes a queue longer each round (it replays with
// capacities taken away, verdict/replay.hpp); Holds with one certificate per queue.
#pragma once

#include <memory>

#include "bounds/bounds.hpp"

namespace parley::bounds {

// The report as an answer to the property: verdict with evidence, assumptions, coverage and story.
verdict::PropertyResult result_of(const system::System& system, system::PropertyId property,
                                  const BoundsReport& report);

class BoundsEngine : public engine::Engine {
 public:
  // `explorer`: a fast exhaustive search to race with, may be null.
  explicit BoundsEngine(std::unique_ptr<engine::Engine> explorer = nullptr)
      : explorer_(std::move(explorer)) {}
  std::string name() const override { return "bounds"; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;

 private:
  std::unique_ptr<engine::Engine> explorer_;
};

}  // namespace parley::bounds
