// The state graph of a small model, built by the reference semantics, and drawn as DOT or written as JSON.
// For `parley explore --graph`; engines search without building it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semantics/interpreter.hpp"

namespace parley::report {

struct StateGraph {
  struct Edge {
    std::size_t from = 0, to = 0;
    system::ActionId action;
  };
  std::vector<semantics::State> states;  // inner states of exclusive stretches too
  std::vector<std::size_t> initial;
  std::vector<Edge> edges;
};

// Nothing if there are more than `limit` states.
std::optional<StateGraph> state_graph(const semantics::Interpreter& interpreter, std::size_t limit);

std::string graph_dot(const system::System& system, const StateGraph& graph);
std::string graph_json(const system::System& system, const StateGraph& graph);

}  // namespace parley::report
