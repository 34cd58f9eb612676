// The control-flow graph of one component: its nodes are the values of the tracked cells it can reach, with a
// range for each cell that only this component writes (interval analysis with widening to the constants of
// the model and two narrowing rounds); its edges are the ways of the actions that take part. Actions of other
// owners take part when they write a tracked cell; their messages are counted where they belong, in the
// owner's component. extract.cpp assembles these into a FlowGraph.
#pragma once

#include <functional>

#include "bounds/precision.hpp"
#include "bounds/pump.hpp"
#include "semantics/interpreter.hpp"
#include "system/footprint.hpp"

namespace parley::bounds {

struct GraphEdge {
  std::uint32_t from = 0, to = 0;
  system::ActionId action;
  std::vector<std::pair<MessageClass, std::int64_t>> change;  // sorted
  std::vector<Interval> steps;                                // by counter: new value - old value
  // What was open on the way, for refinement.
  std::vector<system::CellId> open_reads;
  std::vector<std::pair<system::SignalId, std::uint32_t>> open_params;
};

struct ComponentGraph {
  View view;                                 // exact slots first
  std::size_t exact = 0;                     // number of exact slots
  std::vector<std::vector<Interval>> nodes;  // by node: ranges of all slots
  std::vector<std::uint32_t> initial;
  std::vector<Interval> start;  // ranges of all slots before the first step
  std::vector<GraphEdge> edges;
  std::vector<std::uint32_t> counters;    // slots with a step of their own
  std::vector<system::ActionId> actions;  // that take part
};

// Facts about a system that every component needs: where every run starts, which actions can ever fire, who
// writes what. A run's beginning is followed concretely as long as there is only one way and processes are
// being started, so that process creation costs no precision.
struct SystemFacts {
  // `stop` only cuts the search for the start short.
  explicit SystemFacts(const system::System& system, const std::function<bool()>& stop = {});
  const system::System& system;
  std::vector<system::Footprint> footprints;  // by action

  // The only state after `steps` from the only initial state; nothing if there are several initial states.
  struct Start {
    std::vector<std::uint64_t> choices;
    std::vector<semantics::Step> steps;
    semantics::State state;
    std::vector<std::uint32_t> longest;  // queue lengths on the way, in steps aside that fail too
  };
  std::optional<Start> start;
  bool never_starts = false;  // every initialisation fails: there is no state at all

  Relevance relevant;                                  // what can influence what happens; ranges only of that
  std::vector<char> dead;                              // by action: known never to fire
  std::vector<std::vector<system::ActionId>> writers;  // by cell, live actions only
  std::vector<Interval> ranges;                        // by cell: constants exactly, else the type
  std::vector<std::int64_t> thresholds;                // sorted, for widening
  std::optional<ParamRanges> params;                   // what messages can carry, if that was found out
  std::vector<char> assumed;                           // by action: dead by somebody else's proof
  // Takes note of more dead actions.
  void bury(const std::vector<system::ActionId>& actions);
  void assume_dead(const std::vector<system::ActionId>& actions);

 private:
  void find_start(const std::function<bool()>& stop);
  void find_ranges();
};

struct GraphLimits {
  std::size_t max_nodes = 4000;
  std::size_t max_edges = 60000;
  std::function<bool()> stop;
  ParamRanges* sent = nullptr;  // takes note of what is sent
  std::size_t max_ways = 4096;  // of one action from one node
  std::uint32_t patience = 3;   // a node's ranges may grow so often before they are widened
};

// Throws TooWide when a limit is reached.
ComponentGraph build_component(const SystemFacts& facts, const ComponentPlan& plan, const Splits& splits,
                               const GraphLimits& limits);

}  // namespace parley::bounds
