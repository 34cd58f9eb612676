// An abstract system shown as it is: one counterexample explained (its events with the abstract values,
// whether the concrete system can follow it, the analysis step by step), and the whole graph of a small one.
// For `parley explain-cex` and `parley abstract`; changes nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cegar/loop.hpp"

namespace parley::report {

struct Explanation {
  std::string text;
  nlohmann::ordered_json json;
  bool counterexample = false;  // the abstract system has one at this precision
  bool feasible = false;
};

// The counterexample that the abstract system has at this precision.
Explanation explain_counterexample(const engine::Request& request, system::PropertyId property,
                                   const domain::Precision& precision, const cegar::LoopOptions& options);

// A state in the user's words: cells by name, abstracted ones as intervals, queues with their messages.
std::string show_state(const cegar::AbstractSystem& abstract, const semantics::State& state);

// The abstract system at this precision: its partition, and every state with its steps if there are at most
// `max_states` of them.
struct AbstractGraph {
  std::string text, dot;
  nlohmann::ordered_json json;
  std::uint64_t states = 0, transitions = 0;
  bool complete = false;
};
AbstractGraph describe_abstract_system(const engine::Request& request, const domain::Precision& precision,
                                       const cegar::LoopOptions& options, std::size_t max_states);

}  // namespace parley::report
