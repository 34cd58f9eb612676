#include "cegar/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::cegar {

std::vector<verdict::PropertyResult> CegarEngine::check(const engine::Request& request) {
  loops_.clear();
  std::vector<verdict::PropertyResult> out;
  const engine::Deadline all(request);
  for (PropertyId p : request.properties) {
    verdict::PropertyResult r;
    r.property = p;
    r.engine = kind();
    const system::PropertyKind asked = request.system.property(p).kind;
    if (!decides(asked)) {
      const bool temporal = asked == system::PropertyKind::Temporal;
      r.verdict = verdict::Unknown{fmt::format("the refinement loop does not decide {}",
                                               temporal ? "temporal properties" : system::describe(asked))};
      out.push_back(std::move(r));
      continue;
    }
    engine::Request one = request;
    if (one.limits.seconds) one.limits.seconds = std::max(0.0, *one.limits.seconds - all.seconds());
    loops_.push_back(refine_and_check(one, p, options_));
    loops_.back().result.story = std::make_shared<const RefinementStory>(story_of(loops_.back()));
    out.push_back(loops_.back().result);
    if (request.decided && !out.back().unknown()) request.decided(out.back());
  }
  return out;
}

RefinementStory story_of(const LoopResult& r) {
  RefinementStory story;
  story.property = r.result.property;
  story.verdict = verdict::word(r.result.verdict);
  story.rounds = r.rounds;
  story.precision = r.precision;
  return story;
}

bool has_wide_integers(const System& s) {
  for (const domain::Variable& v : domain::abstractable(s, {domain::Start::One, 4096, {}, {}}))
    if (v.kind != domain::Variable::Kind::Local) return true;
  return false;
}

}  // namespace parley::cegar
