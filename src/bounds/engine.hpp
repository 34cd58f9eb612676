// The boundedness test behind the engine seam: answers "no unbounded queues" and leaves every other property
// to others. Violated comes with a lasso whose loop makes a queue longer each round (it replays with
// capacities taken away, verdict/replay.hpp); Holds with one certificate per queue.
#pragma once

#include <memory>

#include "bounds/bounds.hpp"

namespace parley::bounds {

// How the answer was found: the report itself. report/ tells it.
struct BoundsStory : verdict::Story {
  explicit BoundsStory(BoundsReport r) : report(std::move(r)) {}
  verdict::StoryKind kind() const override { return verdict::StoryKind::Bounds; }
  BoundsReport report;
};

// The report as an answer to the property: verdict with evidence, assumptions, coverage and story.
verdict::PropertyResult result_of(const system::System& system, system::PropertyId property,
                                  const BoundsReport& report);

class BoundsEngine : public engine::Engine {
 public:
  // A fast exhaustive search to race with, and a prover to ask; may be null.
  explicit BoundsEngine(std::unique_ptr<engine::Engine> explorer = nullptr,
                        std::unique_ptr<engine::Engine> prover = nullptr)
      : explorer_(std::move(explorer)), prover_(std::move(prover)) {}
  engine::EngineKind kind() const override { return engine::EngineKind::Bounds; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;

 private:
  std::unique_ptr<engine::Engine> explorer_, prover_;
};

}  // namespace parley::bounds
