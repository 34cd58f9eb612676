// The published test on a System, from taking the capacities away to the report in words and in JSON: what
// `parley bounds --published` shows beside the default's answers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bounds/published.hpp"

namespace parley::bounds {

struct PublishedRun {
  FlowGraph graph;
  PublishedReport report;
};

// `options`: range and start are filled in here. Throws TooWide.
PublishedRun run_published(const system::System& original, PublishedOptions options);

// The counts in one line, then a line per counterexample, and what was left unanswered.
std::string text(const PublishedRun& run);
nlohmann::ordered_json to_json(const PublishedRun& run);

}  // namespace parley::bounds
