// The report's pages about how an answer was found: the rounds of a refinement loop, and what is known about
// each queue. Puts the story's JSON (story.hpp) into the form that the page's script lays out: grouped,
// cut to a size a page can hold, with the argument in words.
#pragma once

#include <nlohmann/json.hpp>

#include "verdict/verdict.hpp"

namespace parley::report {

// Null if the result has no story.
nlohmann::ordered_json story_page(const system::System& system, const verdict::PropertyResult& result);

// For each kind of story, called by story_page.
nlohmann::ordered_json refinement_page(const nlohmann::ordered_json& story);
nlohmann::ordered_json bounds_page(const system::System& system, const nlohmann::ordered_json& story);

}  // namespace parley::report
