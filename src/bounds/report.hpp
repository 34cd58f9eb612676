// The boundedness report for people (a table, and with `explain` the stories behind it) and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bounds/bounds.hpp"

namespace parley::bounds {

struct TextOptions {
  bool explain = false;
};
std::string text(const system::System& system, const BoundsReport& report, const TextOptions& options);
nlohmann::ordered_json to_json(const system::System& system, const BoundsReport& report);
// to_json for reports: the loops as they are, of certificates by weights only the weights, with their names.
nlohmann::ordered_json story(const system::System& system, const BoundsReport& report);

}  // namespace parley::bounds
