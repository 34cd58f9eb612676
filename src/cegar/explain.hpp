// One abstract counterexample explained: its events with the abstract values, whether the concrete system can
// follow it, and the analysis step by step. For `parley explain-cex`; changes nothing.
#pragma once

#include "cegar/loop.hpp"

namespace parley::cegar {

struct Explanation {
  std::string text;
  nlohmann::ordered_json json;
  bool counterexample = false;  // the abstract system has one at this precision
  bool feasible = false;
};

// The counterexample that the abstract system has at this precision.
Explanation explain_counterexample(const engine::Request& request, PropertyId property,
                                   const domain::Precision& precision, const LoopOptions& options);

// A state in the user's words: cells by name, abstracted ones as intervals, queues with their messages.
std::string show_state(const AbstractSystem& abstract, const State& state);

// The abstract system at this precision: its partition, and every state with its steps if there are at most
// `max_states` of them.
struct AbstractGraph {
  std::string text, dot;
  nlohmann::ordered_json json;
  std::uint64_t states = 0, transitions = 0;
  bool complete = false;
};
AbstractGraph describe_abstract_system(const engine::Request& request, const domain::Precision& precision,
                                       const LoopOptions& options, std::size_t max_states);

}  // namespace parley::cegar
