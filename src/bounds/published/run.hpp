// The published test on a System, from taking the capacities away to its report: what `parley bounds
// --published` shows beside the default's answers (in the words of report/bounds_report.hpp).
#pragma once

#include "bounds/published/test.hpp"

namespace parley::bounds::published {

struct Run {
  FlowGraph graph;
  Report report;
};

// `options`: range and start are filled in here. Throws TooWide.
Run run(const system::System& original, Options options);

}  // namespace parley::bounds::published
