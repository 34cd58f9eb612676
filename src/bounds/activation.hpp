// Activation conditions: cycles that might pump a queue up, if only they could be entered. Where the actions
// on a counterexample's cycles were never seen to fire, they are taken to be dead, and if every queue is
// bounded then, another engine is asked whether they can fire at all in the system with room for these
// bounds. Both together hold by induction over the run: as long as none of the actions has fired the bounds
// hold, and as long as the bounds hold the engine's system does the same steps, none of which is one of them.
// Needs a bound for every queue, so it says nothing where one grows for ever.
#pragma once

#include <set>

#include "bounds/bounds.hpp"

namespace parley::bounds {

struct InactiveCycles {
  std::vector<QueueReport> queues;   // all bounded
  std::size_t actions = 0;           // that never fire
  verdict::Certificate certificate;  // kind "activation", for any of them
  std::vector<std::string> refinement_log;
};

// `endless`: without capacities; `actions`: on the cycles, and never seen to fire; `fired`: those that were,
// by action. Nothing if a queue stays open, or the engine cannot tell.
std::optional<InactiveCycles> bounded_without(const system::System& endless,
                                              std::set<system::ActionId> actions,
                                              const std::vector<bool>& fired, const Options& options,
                                              double seconds, engine::Engine& prover,
                                              const engine::CancelToken* cancel);

}  // namespace parley::bounds
