// Which conditions ask for what messages carried: the global dependencies that [leue2005] leaves aside
// (section 4: a local variable that stores the content of a message makes its conditions global). A variable
// of a process stores received content at a control state when a receive, or an assignment that copies or
// computes from such a variable, may have been the last to write it; a shared variable when that happens
// anywhere. An index is not content, but a condition that uses a received index asks for it. Used by
// test.cpp to say why a counterexample was not decided.
#pragma once

#include <optional>
#include <vector>

#include "bounds/flow_graph.hpp"

namespace parley::bounds::published {

class ReceivedData {
 public:
  ReceivedData(const system::System& system, const FlowGraph& graph);

  bool stored_in(std::uint32_t component, std::uint32_t node, system::CellId cell) const {
    return stored_[component][node][cell.index()];
  }

  // A condition on data that the edge's action must pass, in its guard or while it runs.
  struct Condition {
    system::ExprId expression;
    std::vector<system::CellId> reads;       // data only, indices included
    std::optional<system::CellId> received;  // the first of them that stores received content there
  };
  std::vector<Condition> conditions(std::uint32_t component, const Edge& edge) const;

 private:
  using Marks = std::vector<bool>;  // by cell
  void follow(std::uint32_t component, const Marks& anywhere);

  const system::System& s_;
  const FlowGraph& g_;
  std::vector<std::vector<Marks>> stored_;  // by component and node
};

}  // namespace parley::bounds::published
