// The published test on a System, from taking the capacities away to the report in words and in JSON: what
// `parley bounds --published` shows beside the default's answers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bounds/published/test.hpp"

namespace parley::bounds::published {

struct Run {
  FlowGraph graph;
  Report report;
};

// `options`: range and start are filled in here. Throws TooWide.
Run run(const system::System& original, Options options);

// The counts in one line, then a line per counterexample, and what was left unanswered.
std::string text(const Run& run);
nlohmann::ordered_json to_json(const Run& run);

}  // namespace parley::bounds::published
