// The checking wrapper: runs a step with access logging and compares what it touched with the footprint that
// system/footprint.hpp derived. Tests run every step of every model through it.
#pragma once

#include <string>

#include "semantics/interpreter.hpp"

namespace parley::semantics {

// Empty if the step stays within its action's footprint, else a sentence that names what it touched.
std::string footprint_violation(const Interpreter& interpreter, const State& state, const Step& step);

}  // namespace parley::semantics
