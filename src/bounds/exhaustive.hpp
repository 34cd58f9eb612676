// The exhaustive racer of the boundedness test: an engine that sees all states of a system without
// capacities, given more and more room. If no queue ever used all of its room, the lengths are exact. Runs on
// a thread of its own beside the weights, or when asked.
#pragma once

#include <atomic>
#include <thread>

#include "bounds/search.hpp"
#include "engine/engine.hpp"

namespace parley::bounds {

// `seconds`: how long it may still take. The result has no pumps; closed or not.
SearchResult see_everything(engine::Engine& engine, const system::System& system, std::uint64_t seed,
                            double seconds, const engine::CancelToken* cancel);

class BackgroundSearch {
 public:
  BackgroundSearch(engine::Engine& engine, const system::System& system, std::uint64_t seed, double seconds);
  ~BackgroundSearch();  // ends the search
  BackgroundSearch(const BackgroundSearch&) = delete;
  BackgroundSearch& operator=(const BackgroundSearch&) = delete;

  bool done() const { return done_.load(std::memory_order_acquire); }
  // Everything was seen.
  bool closed() const { return done() && result_.closed; }
  // Only when done.
  const SearchResult& result() const { return result_; }

 private:
  engine::CancelToken cancel_;
  std::atomic<bool> done_{false};
  SearchResult result_;
  std::thread thread_;
};

}  // namespace parley::bounds
