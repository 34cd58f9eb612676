// How what the racers found becomes answers, queue by queue: each function writes what one argument proves
// into the report, with its evidence, and leaves alone what another has settled better. When the racers run
// is not decided here (schedule.hpp).
#pragma once

#include <map>

#include "bounds/activation.hpp"
#include "bounds/bounds.hpp"
#include "bounds/weighing.hpp"
#include "passes/back_map.hpp"

namespace parley::bounds {

using LengthBounds = std::map<system::QueueId, LengthBound>;

// Some queue has no answer (with one_is_enough: and none grows).
bool has_open_queue(const BoundsReport& report, bool one_growing_queue_is_enough);

// A closed search knows every length exactly; an open one may have found loops.
void settle_by_search(BoundsReport& report, const SearchResult& result, const Relevance& relevance);
// No state, so nothing to prove: the search is over when it has seen how far each initialisation gets, and so
// is the checker's.
void settle_without_start(BoundsReport& report, const Searcher& searcher);
// After ask_for_limits: queues that one set of weights bounds, and those that a tree of them does.
void settle_by_weights(BoundsReport& report, const SystemFacts& facts, Weighing& weighing,
                       const std::function<bool()>& stop);
// They speak of one queue only, so they are the better evidence than having seen all states.
void settle_by_length_tests(BoundsReport& report, const LengthBounds& bounds);
// `inner`: the report of the system that remembers the order of messages in `queues`; `back` leads from it.
void settle_by_order(BoundsReport& report, const BoundsReport& inner, const passes::BackMap& back,
                     const std::vector<system::QueueId>& queues);
void settle_by_activation(BoundsReport& report, const InactiveCycles& proof);

// The cycles to blame for what is open; the program stops at that share.
void tell_stories(BoundsReport& report, Weighing& weighing, double finish);
// The last word on each queue: fairness of its loop, whether the limit is reached, what to do about it.
void conclude(BoundsReport& report, const semantics::Interpreter& interpreter);
// Where a queue can hold more than it declares and somebody asks whether it is full: what that was taken to
// mean. `system`: without capacities.
void tell_tests_of_fullness(BoundsReport& report, const system::System& system);
// Queues that only mark where lowering stopped are no queues; their names say what was left out.
void leave_out_marks(BoundsReport& report, const system::System& system);

}  // namespace parley::bounds
