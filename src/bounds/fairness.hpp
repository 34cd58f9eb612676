// Is the loop of an unbounded queue weakly fair? It is if nobody who is able to act in every state of it,
// round after round, is left out: then the queue also grows where everybody gets a turn. A loop that starves
// the receiver of the queue only shows that it can fall behind. The environment may stop whenever it likes.
//
// What others may do can change while queues grow, but not for ever: a head that is there stays, and a length
// passes every number that it is compared with. So the rounds after that decide.
#pragma once

#include <optional>

#include "bounds/search.hpp"

namespace parley::bounds {

struct Fairness {
  std::vector<system::OwnerId> starved;  // able to act all the time, and never do; empty: fair
  bool fair() const { return starved.empty(); }
};

// Nothing if what others may do did not settle within some rounds.
std::optional<Fairness> weak_fairness(const semantics::Interpreter& interpreter, const Pump& pump);

}  // namespace parley::bounds
