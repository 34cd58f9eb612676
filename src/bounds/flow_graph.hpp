// The abstraction the boundedness test works on [leue2005, section 2]: per component (an owner, or several) a
// control-flow graph whose edges say what they add to and take from each kind of content. A kind is a class
// of messages in one queue; or the distance of a bounded integer cell from an end of its range, which makes
// loop counters part of the same linear program; or a ledger that ties the two halves of a joint action
// together. extract.hpp builds it from a System, weights.hpp and cycles.hpp read it; tests write it by hand.
//
// Invariant behind every use: in each step of the system, each component the action takes part in follows one
// of its edges, and the content of every kind changes by at most the sum of those edges' effects. Contents of
// messages and data kinds are never negative; a ledger's content is always zero.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "system/system.hpp"

namespace parley::bounds {

enum class KindSort : std::uint8_t { Message, Data, Ledger };

struct Kind {
  KindSort sort = KindSort::Message;
  std::string name;
  // Message: which queue, which signal, and the values of the parameters that are told apart.
  system::QueueId queue;
  system::SignalId signal;
  std::vector<std::int32_t> values;
  // Data: content is cell - limit (rising) or limit - cell (falling).
  system::CellId cell;
  bool rising = false;
  std::int64_t limit = 0;
  // Ledger: which action, and in which component its other half is.
  system::ActionId action;
  std::uint32_t component = 0;

  std::int64_t initial = 0;  // content before the first step
};

// Sorted by kind, no zeros.
using Effect = std::vector<std::pair<std::uint32_t, std::int64_t>>;
void add_to(Effect& effect, std::uint32_t kind, std::int64_t amount);
void add_to(Effect& effect, const Effect& other, std::int64_t times = 1);

struct Edge {
  std::uint32_t from = 0, to = 0;
  Effect effect;
  system::ActionId action;  // invalid in graphs written by hand and for the initial body
  std::string label;
};

struct Component {
  std::string name;
  std::vector<system::OwnerId> owners;
  std::vector<std::string> nodes;  // names
  std::vector<std::uint32_t> initial;
  std::vector<Edge> edges;
  std::vector<Effect> reserve;  // by node, or empty: content of data kinds that is certainly there
};

struct FlowGraph {
  std::vector<Kind> kinds;
  std::vector<Component> components;

  std::size_t edge_count() const;
  std::size_t node_count() const;
  // Message kinds of a queue.
  std::vector<std::uint32_t> kinds_of(system::QueueId queue) const;
};

// A closed walk of one component without repeated nodes, and how often it is taken.
struct CycleRun {
  std::uint32_t component = 0;
  std::vector<std::uint32_t> edges;
  Effect effect;
  std::int64_t times = 0;
};

// "idle -> busy -> idle"
std::string show_cycle(const Component& component, const std::vector<std::uint32_t>& edges);
std::string show_effect(const FlowGraph& graph, const Effect& effect);

}  // namespace parley::bounds
