// A state diagram as drawn in text: nodes, arrows and what is written at them, before anybody asks what it
// means. Made by the readers of PlantUML and Mermaid (state_text.hpp) and of XState's JSON (xstate.hpp);
// to_uml.hpp turns it into the tree that the UML front end reads, so that every format has one meaning of
// everything.
#pragma once

#include <string>
#include <vector>

#include "diag/source.hpp"

namespace parley::front::diagram {

enum class NodeKind : std::uint8_t {
  State,
  Initial,
  Final,
  Choice,
  Fork,
  Join,
  ShallowHistory,
  DeepHistory,
  EntryPoint,
  ExitPoint,
  Terminate
};

// event [guard] / action. Several events: any of them. `after` is the text of a time; then there is no event.
struct Label {
  std::vector<std::string> events;
  std::string after, guard, action;
};

struct InternalTransition {
  Label label;
  diag::Span span;
};

struct Node {
  std::string id;
  NodeKind kind = NodeKind::State;
  int parent = -1;  // index of the composite state; -1: the top
  int region = 0;   // of the parent
  std::string entry, exit, activity;
  std::vector<InternalTransition> internal;
  diag::Span span;
};

struct Arrow {
  int from = -1, to = -1;
  Label label;
  diag::Span span;
};

struct Chart {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Arrow> arrows;
  std::vector<std::pair<std::string, diag::Span>> remarks;  // what was read as a comment
  std::vector<std::string> approximations;  // what reading it took for more than it may mean; sentences
  diag::Span span;
};

inline constexpr int kMaxDepth = 64;            // of nested states
inline constexpr std::size_t kMaxNodes = 2000;  // of a diagram: nobody draws more
inline constexpr std::size_t kMaxArrows = 10000;

}  // namespace parley::front::diagram
