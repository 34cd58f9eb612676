#include "report/story.hpp"

#include "bounds/engine.hpp"
#include "cegar/engine.hpp"
#include "report/bounds_report.hpp"
#include "report/refinement_report.hpp"
#include "verdict/json.hpp"

namespace parley::report {

using json = nlohmann::ordered_json;

namespace {

json told(const system::System& s, const verdict::Story& story) {
  switch (story.kind()) {
    case verdict::StoryKind::Refinement:
      return to_json(s, dynamic_cast<const cegar::RefinementStory&>(story));
    case verdict::StoryKind::Bounds:
      return story_json(s, dynamic_cast<const bounds::BoundsStory&>(story).report);
  }
  return nullptr;
}

}  // namespace

json story_json(const system::System& s, const verdict::PropertyResult& r) {
  if (!r.story) return nullptr;
  json story = {{"kind", name_of(r.story->kind())}};
  story.update(told(s, *r.story));
  return story;
}

json result_json(const system::System& s, const diag::SourceMap& sources,
                 const semantics::Interpreter& interpreter, const verdict::PropertyResult& r) {
  return verdict::to_json(s, sources, interpreter, r, story_json(s, r));
}

}  // namespace parley::report
