#include "explore/explore.hpp"

#include <unistd.h>

#include "explore/compiled.hpp"
#include "explore/interpreted.hpp"

namespace parley::explore {

std::uint64_t default_memory_limit() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4 * 3;
}

std::vector<verdict::PropertyResult> Explorer::check(const engine::Request& given) {
  engine::Request request = given;
  if (!request.limits.memory_bytes) request.limits.memory_bytes = default_memory_limit();
  const semantics::Interpreter interpreter(request.system, request.queue_capacities);
  Tracker tracker(request, kind(), &interpreter);
  CompiledModel model(request.system, request.queue_capacities);
  Search<CompiledModel> search(model, tracker, request, options_);
  const std::optional<engine::Stop> stopped = search.run();
  statistics_ = search.statistics();
  if (all_states_ && statistics_.complete)
    for (std::uint32_t id = 0; id < search.store().size(); ++id)
      all_states_(unpack(model.layout(), search.store().record(id)));
  return tracker.results(statistics_, stopped);
}

}  // namespace parley::explore
