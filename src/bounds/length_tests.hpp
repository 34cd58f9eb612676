// Queues that are asked for their length before anybody sends: `environment sends x to q when len(q) == 0`,
// `len(q) < 3 -> q!x`. Weights do not see lengths, and a search only ends if every other queue is bounded as
// well; here one queue is enough. An induction over control states: where the senders are (and which queue
// they have chosen) tells how many messages the queue can hold there at most, and every step of everybody
// keeps that. A test helps the send in the same step always, and a send in a later step as long as nobody
// else can send in between.
//
// Made by counting: in a copy of the System the length is a cell like any other, and component_graph.hpp
// finds its range. The checker (certify/length_check.hpp) follows the length itself.
#pragma once

#include <functional>
#include <optional>

#include "system/system.hpp"
#include "verdict/verdict.hpp"

namespace parley::bounds {

// A step that may send to the queue, and the most that the queue holds afterwards.
struct Sender {
  system::ActionId action;
  std::int64_t most = 0;
};

struct LengthBound {
  std::int64_t limit = 0;
  verdict::Certificate certificate;  // kind "length-tests"
  std::vector<Sender> senders;
};

// For a System without capacities. Nothing if nobody asks for the length, or if the tests do not suffice.
// `reached`: a length that was seen; looking for a smaller limit makes no sense.
std::optional<LengthBound> bound_by_tests(const system::System& system, system::QueueId queue,
                                          std::int64_t reached, const std::function<bool()>& stop);

}  // namespace parley::bounds
