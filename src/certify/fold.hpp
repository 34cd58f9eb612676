// Constant folding at the top of a Z3 term. z3::expr::simplify walks the whole term each time it is asked,
// which is quadratic for terms that grow statement by statement; here only the upper levels are looked at.
#pragma once

#include <z3++.h>

namespace parley::certify {

z3::expr folded(const z3::expr& term);

}  // namespace parley::certify
