#include "report/story.hpp"

#include "bounds/engine.hpp"
#include "cegar/engine.hpp"
#include "report/bounds_report.hpp"
#include "report/refinement_report.hpp"
#include "support/check.hpp"
#include "verdict/json.hpp"

namespace parley::report {

using json = nlohmann::ordered_json;

json story_json(const system::System& s, const verdict::PropertyResult& r) {
  if (!r.story) return nullptr;
  json story;
  if (const auto* bounds = dynamic_cast<const bounds::BoundsStory*>(r.story.get())) {
    story["kind"] = "bounds";
    story.update(story_json(s, bounds->report));
  } else {
    const auto* refinement = dynamic_cast<const cegar::RefinementStory*>(r.story.get());
    PARLEY_CHECK(refinement != nullptr);  // a story that nobody can tell
    story["kind"] = "refinement";
    story.update(to_json(s, *refinement));
  }
  return story;
}

json result_json(const system::System& s, const diag::SourceMap& sources,
                 const semantics::Interpreter& interpreter, const verdict::PropertyResult& r) {
  return verdict::to_json(s, sources, interpreter, r, story_json(s, r));
}

}  // namespace parley::report
