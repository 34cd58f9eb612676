// A run as a trail of Spin's: what `pan -r` follows, and `spin -p -k` as a guided simulation, so that a
// counterexample can be looked at in the tool the model was written for. Only for Systems made by this front
// end.
#pragma once

#include <string>

#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::front::promela {

// One line per step, "number:process number:number of the statement", the numbers being those of `spin -o1
// -o2 -o3`: no statements are merged.
std::string spin_trail(const semantics::Interpreter& interpreter, const verdict::Trace& trace);

}  // namespace parley::front::promela
