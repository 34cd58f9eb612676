// Replaying traces on the reference semantics, and confirming that a trace shows what a verdict claims.
// Nothing is reported before `confirm` accepted it.
#pragma once

#include <string>
#include <vector>

#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::verdict {

struct Replay {
  std::vector<semantics::State> states;  // states[0] initial, states[i+1] after step i (if Done)
  semantics::StepResult initial;
  std::vector<semantics::StepResult> results;  // one per replayed step
  bool complete = false;       // every step could be taken (the last may fail an assertion, …)
  std::size_t stopped_at = 0;  // first step that does not fit, if not complete
  std::string why;             // why it does not fit
};

Replay replay(const semantics::Interpreter& interpreter, const Trace& trace);

// Runs a system whose capacities were taken away (passes/capacities.hpp) with more room than any run uses.
semantics::Interpreter unlimited_interpreter(const system::System& roomy);

// Whether the replayed trace violates the property; otherwise `why` says what is missing.
struct Confirmation {
  bool confirmed = false;
  std::string why;
};
Confirmation confirm(const semantics::Interpreter& interpreter, system::PropertyId property,
                     const Trace& trace);

}  // namespace parley::verdict
