// What a refinement loop did, round by round, for people and for machines; and the partitions of a precision.
// Used by the commands that show the loop at work, and by story.hpp for checks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cegar/engine.hpp"

namespace parley::report {

std::string show(const system::System& system, const cegar::LoopResult& result);
std::string show(const system::System& system, const domain::Precision& precision);
nlohmann::ordered_json to_json(const system::System& system, const cegar::RefinementStory& story);

}  // namespace parley::report
