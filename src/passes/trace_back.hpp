// Runs of a System that a pass made, as runs of the original. Where the pass keeps steps and choices they are
// renamed; otherwise the original is run beside the new System on the reference semantics, and every step is
// matched by one that the map allows and that leads to a state which agrees, with silent steps before it
// where needed (a stuttering simulation, looked for along one run). Used for everything that engines find on
// transformed Systems. A run that cannot be followed is an answer: passes that add runs (abstractions)
// promise no more. What comes out is a claim like any other; verdict::confirm replays it.
#pragma once

#include "passes/back_map.hpp"
#include "semantics/interpreter.hpp"
#include "semantics/trace.hpp"

namespace parley::passes {

struct TraceBack {
  std::optional<semantics::Trace> trace;  // of the original
  std::string why;                        // there is none
};

// Step by step by the map alone; nothing where a step may be one of several, or makes other choices.
std::optional<semantics::Trace> renamed(const BackMap& map, const semantics::Trace& trace);

// `most_states`: of the original, looked at before giving up.
TraceBack followed(const semantics::Interpreter& original, const semantics::Interpreter& transformed,
                   const BackMap& map, const semantics::Trace& trace, std::size_t most_states = 100'000);

// `renamed` where that is possible, else `followed`.
TraceBack trace_back(const semantics::Interpreter& original, const semantics::Interpreter& transformed,
                     const BackMap& map, const semantics::Trace& trace);

}  // namespace parley::passes
