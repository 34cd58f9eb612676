// The one sentence at the end of a violated property: what went wrong and where, read off the replayed trace.
// The searches and the symbolic engines use it, so that the same finding is told in the same words. Data
// abstraction (cegar/loop.cpp) and the test of boundedness (bounds/engine.cpp) have sentences of their own.
#pragma once

#include <string>

#include "verdict/replay.hpp"

namespace parley::verdict {

struct Reason {
  std::string text;
  system::Origin origin;
};

Reason reason_for(const semantics::Interpreter& interpreter, system::PropertyId property, const Trace& trace);
// For properties violated by what no run does; lists the elements.
std::string reason_for_unreached(const system::System& system, const std::vector<ElementId>& elements);

}  // namespace parley::verdict
