// What a pass hands back beside the System it made: what the parts of the new System are in the original.
// Everything that an engine says about the new System (cells, queues, actions of a trace, elements of a
// coverage) is read through this map before anybody sees it. Maps compose, so that a chain of passes has one.
// Used by every pass, by trace_back.hpp and by verdict/map_back.hpp. It says nothing about what is preserved:
// each pass's header does (docs/passes.md).
//
// Invariants: one entry per id of the new System in each list; ids in the entries are the original's.
#pragma once

#include "semantics/state.hpp"
#include "system/system.hpp"

namespace parley::passes {

// A signal that carries other parameters than the original's.
struct SignalBack {
  static constexpr std::uint32_t kNew = Id<void>::kNone;
  system::SignalId signal;            // invalid: a signal that only the pass knows
  std::vector<std::uint32_t> params;  // by parameter of the new signal: which of the original's, or kNew
  friend bool operator==(const SignalBack&, const SignalBack&) = default;
};

struct BackMap {
  // All of them have the cell's value (cells that were merged because they are always equal); none: the cell
  // is new, or its value is none of the original's (counted, hashed, abstracted).
  std::vector<std::vector<system::CellId>> cells;
  std::vector<SignalBack> signals;
  std::vector<system::QueueId> queues;  // of the same contents; invalid: new, or of other contents
  std::vector<system::OwnerId> owners;  // invalid: new
  // A step of the action is a step of one of them. An invalid id among them: or of none, the original stays
  // where it is. Actions that were split have the same original.
  std::vector<std::vector<system::ActionId>> actions;
  std::vector<system::ElementId> elements;     // invalid: new
  std::vector<system::PropertyId> properties;  // invalid: a question of the pass
  std::vector<system::ActionId> silent;        // of the original: the new System does not see them happen
  bool keeps_choices = true;                   // a step makes the choices of its original, in the same order
  bool adds_choices = false;                   // … and others after them
  friend bool operator==(const BackMap&, const BackMap&) = default;

  bool valid_for(const system::System& original, const system::System& transformed) const;
};

// What a pass returns.
struct Passed {
  system::System system;
  BackMap back;
};

// For passes that only add: ids of the original keep their meaning, higher ones are new, and so are
// parameters beyond those that a signal had.
BackMap same_ids(const system::System& original, const system::System& transformed);

// `first` leads from the second System back to the first, `second` from the third to the second: the third to
// the first.
BackMap chained(const BackMap& first, const BackMap& second);

// Whether a state of the original may be what this state of the new System stands for: all that the map knows
// of is the same.
bool agree(const BackMap& map, const semantics::State& original, const semantics::State& transformed);

// Elements of the original of which nothing was reached, given the elements of the new System that were not.
// Those that the new System does not have are not among them: nobody looked.
std::vector<system::ElementId> unreached_back(const BackMap& map,
                                              const std::vector<system::ElementId>& unreached);
// Lengths by queue of the original; empty if the map does not know every queue.
std::vector<std::uint32_t> lengths_back(const BackMap& map, const system::System& original,
                                        const std::vector<std::uint32_t>& lengths);

}  // namespace parley::passes
