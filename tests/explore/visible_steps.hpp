// The steps between visible states by the reference semantics alone, exclusive stretches walked to their
// ends: what every wrapper of the next-state seam is compared with. Shares no code with src/explore.
#pragma once

#include <deque>
#include <set>

#include "semantics/interpreter.hpp"

namespace parley::testing {

struct VisibleSteps {
  std::vector<semantics::State> next;  // one per step that ends in a visible state
  bool moved = false;                  // somebody could go on, were it not for a limit of the run
};

inline VisibleSteps visible_steps(const semantics::Interpreter& in, const semantics::State& from) {
  VisibleSteps out;
  std::set<semantics::State> inner;
  std::deque<semantics::State> open{from};
  while (!open.empty()) {
    const semantics::State at = open.front();
    open.pop_front();
    for (const semantics::Successor& s : in.successors(at)) {
      out.moved = out.moved || s.result.outcome != semantics::Outcome::Blocked;
      if (s.result.outcome != semantics::Outcome::Done) continue;
      if (s.result.state.visible())
        out.next.push_back(s.result.state);
      else if (inner.insert(s.result.state).second)
        open.push_back(s.result.state);
    }
  }
  return out;
}

}  // namespace parley::testing
