// Behaviours of the action language as statements of the System, seen from one object: effects, entry and
// exit actions. Operations are inlined, their locals renamed into the action's frame; expressions that need a
// statement (any(…), operations with effects) are evaluated in Java's order, left to right, through
// temporaries.
#pragma once

#include "lower/expressions.hpp"

namespace parley::lower {

// Locals of an action. Behaviours run one after the other, so they may share them.
struct Frame {
  std::uint32_t next = 0;
  std::uint32_t high = 0;  // number of locals needed
  std::uint32_t take() {
    high = std::max(high, next + 1);
    return next++;
  }
};

StmtId lower_behaviour(Context& c, const model::Behaviour& b, Scope scope, Frame& frame);

}  // namespace parley::lower
