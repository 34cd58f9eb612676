// A System that remembers the order of messages: for questions about queues as bags of messages (bounds/),
// where a message may otherwise overtake another. Each message of an ordered queue carries, as one more
// parameter, which message its sender had put into the queue just before; the receiver remembers per sender
// what it took last. A queue that is only ever read at its head hands out the messages of each sender in the
// order they were sent, so the two always agree: demanding that they do takes no step away, and every run of
// the original is a run of this System with the same queue lengths, and the other way round. But in an
// abstraction that forgets the order it is something to reason with.
//
// What is remembered of a message is its letter: signal and, where there is one, message type.
//
// Preserved, as long as no message is lost to a full queue (a sender remembers what it sent, not what
// arrived; bounds/ asks with capacities taken away): all runs, step by step with the same choices, so all
// verdicts, queue lengths and shortest runs; not the number of states, which differ in what is remembered.
// Ids of actions, queues, owners and old cells keep their meaning.
#pragma once

#include "passes/back_map.hpp"

namespace parley::passes {

// Queues that are read at their heads only, by one owner, and filled at their ends only, by sends that do not
// look at queues, and that hold different letters: those whose order can be remembered and may matter.
std::vector<system::QueueId> with_visible_order(const system::System& system);

// `queues` must be among with_visible_order(system).
Passed remembering_order(const system::System& system, const std::vector<system::QueueId>& queues);

}  // namespace parley::passes
