#include "report/story_page.hpp"

#include "report/story.hpp"

namespace parley::report {

using json = nlohmann::ordered_json;

namespace {

json page_of(const system::System& s, verdict::StoryKind kind, const json& story) {
  switch (kind) {
    case verdict::StoryKind::Refinement:
      return refinement_page(story);
    case verdict::StoryKind::Bounds:
      return bounds_page(s, story);
  }
  return nullptr;
}

}  // namespace

json story_page(const system::System& s, const verdict::PropertyResult& r) {
  if (!r.story) return nullptr;
  const verdict::StoryRow row = verdict::row(r.story->kind());
  json page = {{"kind", row.name}, {"section", row.section}, {"letter", row.letter}};
  page.update(page_of(s, r.story->kind(), story_json(s, r)));
  return page;
}

}  // namespace parley::report
