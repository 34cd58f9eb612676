// The proof that a queue grows for ever: a run to a state A and a loop from A that can be repeated without
// end and leaves more in some queue every round. After Jeron and Jard [jeron1993], in a form that covers
// deferral, selective receive and parameters: with w a queue's content at A, p the letters of w the loop
// looks at, d those it leaves, t the rest of w and s what it appends, the loop repeats if p = d v and t
// s^omega = v^omega with |s| >= |v|. A queue that is the same before and after the loop needs no condition.
//
// Sound, not complete. What the loop must not do: look at messages it sent itself (a longer loop may then
// fit), ask something about a queue that changes whose answer may change with its length
// (bounds/queue_tests.hpp), wait for everybody else to be stuck, or let go of an exclusive stretch because
// its holder is stuck (with more messages it might not be).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bounds/queue_tests.hpp"
#include "semantics/interpreter.hpp"
#include "system/footprint.hpp"

namespace parley::bounds {

// Which cells and parameters can influence what happens: the others may differ between the rounds of a pump.
struct Relevance {
  std::vector<bool> cells;
  std::vector<std::vector<bool>> params;  // by signal
};
Relevance relevance(const system::System& system);

struct Growth {
  system::QueueId queue;
  std::uint32_t per_round = 0;
};

struct PumpCheck {
  bool repeats = false;
  std::vector<Growth> growth;  // queues that gain, if it repeats
  std::string why;             // why not
};

class PumpChecker {
 public:
  explicit PumpChecker(const system::System& system);
  // Whether `loop`, taken from `start`, can be repeated for ever. The interpreter's capacities must be large.
  PumpCheck check(const semantics::Interpreter& interpreter, const semantics::State& start,
                  const std::vector<semantics::Step>& loop) const;
  const Relevance& relevant() const { return relevance_; }

 private:
  struct QueueWalk;
  bool same(const semantics::Message& x, const semantics::Message& y) const;
  bool repeats(const std::vector<semantics::Message>& kept, const std::vector<semantics::Message>& looked_at,
               const std::vector<semantics::Message>& rest,
               const std::vector<semantics::Message>& sent) const;

  const system::System& s_;
  std::vector<system::Footprint> footprints_;
  std::vector<std::vector<QueueTest>> tests_;  // by action
  Relevance relevance_;
};

}  // namespace parley::bounds
