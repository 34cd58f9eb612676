// Claims that everything is reached rest on runs nobody wrote down: they are searched for again, breadth
// first, with the reference semantics and an ordinary set of states, until every element was noted or a limit
// is reached. The only search in this room.
#pragma once

#include <optional>

#include "semantics/interpreter.hpp"
#include "verify/outcome.hpp"

namespace parley::verify {

// `kind`: of the property, NoUnreachableStates or NoUnreachableTransitions.
Outcome reached_again(const semantics::Interpreter& interpreter, system::PropertyKind kind,
                      std::optional<double> seconds);

}  // namespace parley::verify
