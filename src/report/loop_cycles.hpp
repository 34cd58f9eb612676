// A loop that makes a queue grow, taken apart for people: which object goes round which cycle of its machine
// how often in one round, what each cycle leaves in the queues, and how long the queues are round after
// round. Runs the reference semantics with capacities taken away; decides nothing.
#pragma once

#include <string>
#include <vector>

#include "verdict/replay.hpp"

namespace parley::report {

struct LoopCycle {
  system::OwnerId owner;
  std::vector<system::ActionId> actions;    // in order, beginning with the smallest
  std::vector<system::ElementId> elements;  // what was fired or entered, in order, each once
  std::size_t times = 0;                    // in one round of the loop
  std::string path;                         // "idle -> checking -> idle"
  std::string effect;                       // "+1 verify in bank, -1 card in atm"; empty: none on balance
};

struct QueueGrowth {
  system::QueueId queue;
  std::vector<std::size_t> after_round;  // [0]: when the loop starts
  std::vector<std::size_t> after_step;   // of all rounds, [0] as above
};

// `roomy`: the system without capacities; `lasso` must have a loop that can be taken there.
std::vector<LoopCycle> loop_cycles(const system::System& roomy, const verdict::Trace& lasso);
// Only queues that are longer after the last round than before the first.
std::vector<QueueGrowth> queue_growth(const system::System& roomy, const verdict::Trace& lasso,
                                      std::size_t rounds);

}  // namespace parley::report
