// What an action asks about queues, as far as a pump must know: a loop may test a queue that it makes longer
// if the answer cannot change, because the queue is long enough already or because only its head is looked
// at. Used by pump.cpp and fairness.cpp, and by settle.cpp to tell what tests of fullness were taken to mean;
// the checker in certify/ has its own.
#pragma once

#include <vector>

#include "system/system.hpp"

namespace parley::bounds {

struct QueueTest {
  enum class Kind : std::uint8_t {
    Length,  // length `op` number
    Head,    // whether the first message matches
    Opaque   // anything else
  };
  Kind kind = Kind::Opaque;
  system::QueueId queue;
  expr::Op op = expr::Op::Eq;
  std::int64_t number = 0;
  bool in_body = false;  // asked when messages may have been taken and sent already
};

// Every test in the action's guard and body.
std::vector<QueueTest> queue_tests(const system::System& system, system::ActionId action);

// Whether the comparison has the same answer for all lengths from `length` on.
bool same_for_all_longer(const QueueTest& test, std::int64_t length);

// Whether the test asks if the last of `capacity` places is taken: its answer changes there.
bool asks_whether_full(const QueueTest& test, std::int64_t capacity);

}  // namespace parley::bounds
