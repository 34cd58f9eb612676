#include "bounds/published/run.hpp"

#include "bounds/extract.hpp"
#include "bounds/published/graph.hpp"
#include "passes/capacities.hpp"

namespace parley::bounds::published {

Run run(const system::System& original, Options options) {
  const system::System s = passes::without_capacities(original).system;
  SystemFacts facts(s, options.stop);
  GraphLimits limits;
  limits.stop = options.stop;
  const Extraction extraction = extract(facts, coarsest(s), limits);
  options.range = [&](std::uint32_t component, std::uint32_t node, system::CellId cell) {
    return range_at(extraction, component, node, cell);
  };
  options.start = [&](std::uint32_t component, system::CellId cell) {
    return start_at(extraction, component, cell);
  };
  Run run{graph_of(s, extraction), {}};
  run.report = test(s, run.graph, options);
  return run;
}

}  // namespace parley::bounds::published
