// The refinement loop behind the engine seam. Decides safety properties, one loop per property; everything
// else stays Unknown.
#pragma once

#include "cegar/loop.hpp"

namespace parley::cegar {

// How the answer was found, round by round; `verdict`: as the loop ended, before anybody checked it. report/
// tells it.
struct RefinementStory : verdict::Story {
  verdict::StoryKind kind() const override { return verdict::StoryKind::Refinement; }
  PropertyId property;
  std::string verdict;
  std::vector<RoundReport> rounds;
  domain::Precision precision;  // the last one
};
RefinementStory story_of(const LoopResult& result);

class CegarEngine : public engine::Engine {
 public:
  explicit CegarEngine(LoopOptions options = {}) : options_(std::move(options)) {}

  engine::EngineKind kind() const override { return engine::EngineKind::Cegar; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;
  // Of the last check, one per property that this engine decides.
  const std::vector<LoopResult>& loops() const { return loops_; }

 private:
  LoopOptions options_;
  std::vector<LoopResult> loops_;
};

// Worth trying beside the others: some integer of the user has more values than can be enumerated.
bool has_wide_integers(const System& system);

}  // namespace parley::cegar
