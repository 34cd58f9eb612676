// What the boundedness test found, for people (a table, and with `explain` the stories behind it) and for
// machines; the same for the test as it was published. Used by `parley bounds`, and by story.hpp for checks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bounds/bounds.hpp"
#include "bounds/published/run.hpp"

namespace parley::report {

struct BoundsTextOptions {
  bool explain = false;
};
std::string text(const system::System& system, const bounds::BoundsReport& report,
                 const BoundsTextOptions& options);
nlohmann::ordered_json to_json(const system::System& system, const bounds::BoundsReport& report);
// to_json without the bulk: the loops as they are, of certificates by weights only the weights, with their
// names.
nlohmann::ordered_json story_json(const system::System& system, const bounds::BoundsReport& report);

// The counts in one line, then a line per counterexample, and what was left unanswered.
std::string text(const bounds::published::Run& run);
nlohmann::ordered_json to_json(const bounds::published::Run& run);

}  // namespace parley::report
