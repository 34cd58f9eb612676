// Runs the search over any model of the next-state seam, for all properties of a System, to the end.
#pragma once

#include "explore/search.hpp"

namespace parley::testing {

struct Searched {
  explore::Statistics statistics;
  std::vector<verdict::PropertyResult> results;  // by property
  std::uint64_t states() const { return statistics.states; }
  std::uint64_t transitions() const { return statistics.transitions; }
};

// An engine's request for all properties.
inline engine::Request whole_request(const system::System& s) {
  std::vector<system::PropertyId> ids;
  for (std::size_t i = 0; i < s.properties.size(); ++i) ids.emplace_back(i);
  return engine::Request{s, ids, semantics::capacities(s), {}, 0, nullptr, {}, {}};
}

template <explore::NextState M>
Searched search_whole(M& model, const system::System& s, explore::SearchOrder order) {
  const engine::Request request = whole_request(s);
  explore::Tracker tracker(request, engine::EngineKind::BreadthFirst, nullptr);
  explore::Search<M> search(model, tracker, request, explore::SearchOptions{order, true});
  const std::optional<engine::Stop> stopped = search.run();
  return {search.statistics(), tracker.results(search.statistics(), stopped)};
}

}  // namespace parley::testing
