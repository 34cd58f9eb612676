// The HTML report: one self-contained file with the verdicts, and for each counterexample a sequence diagram,
// the state machines with what is active, values, queues and source, all in step; pages about how an answer
// was found (story_page.hpp). The page's behaviour is in src/report/assets; here its data is put together.
#pragma once

#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "model/model.hpp"
#include "report/machine_formats.hpp"

namespace parley::report {

struct HtmlOptions {
  const model::Model* model = nullptr;  // text and UML models: their machines are drawn
  const lower::BackMap* map = nullptr;
  std::vector<std::uint32_t> queue_capacities;
};

std::string to_html(const ResultSet& set, const HtmlOptions& options);

}  // namespace parley::report
