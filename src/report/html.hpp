// The HTML report: one self-contained file with the verdicts, and for each counterexample a sequence diagram,
// the state machines with what is active, values, queues and source, all in step. The page's behaviour is in
// src/report/assets; here its data is put together.
#pragma once

#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "model/model.hpp"
#include "report/machine_formats.hpp"

namespace parley::report {

// A section of "how the answer was found": a refinement round, a cycle of a bounds result.
struct Round {
  std::string title;
  std::vector<std::string> lines;
};

struct HtmlOptions {
  const model::Model* model = nullptr;  // text and UML models: their machines are drawn
  const lower::BackMap* map = nullptr;
  std::vector<std::uint32_t> queue_capacities;
  std::vector<Round> rounds;
};

std::string to_html(const ResultSet& set, const HtmlOptions& options);

}  // namespace parley::report
