// An expression that may fail (a division by zero, an index outside of its table, an overflow that is an
// error or assumed away) as one that never does: true exactly where the original has a value, and that is
// true. So that what properties say of states (where a failure is no value) can be asked in guards and
// bodies, where it would end the run. Used by passes/monitored.hpp.
#pragma once

#include <optional>

#include "system/system.hpp"

namespace parley::passes {

// Made in the System's own pool. Nothing: it cannot be said (a product or a shift that may overflow, a test
// of messages that may fail for one of them).
std::optional<system::ExprId> true_without_failing(system::System& system, system::ExprId expression);

}  // namespace parley::passes
