// Whether evaluating an expression can be a run-time error, judged by its operators alone: division,
// indexing, and arithmetic where overflow is not simply wrapped. Coarse and safe.
#pragma once

#include "system/system.hpp"

namespace parley::system {

bool may_fail(const System& system, ExprId expression);  // an invalid id cannot

}  // namespace parley::system
