// Explicit search on the abstract system for one safety property: breadth first, so that counterexamples are
// short. An answer "holds" carries over to the concrete system (every concrete run has an abstract one); a
// counterexample is only a suspicion, for feasibility.hpp to judge.
//
// What "may be violated" means: a failure, loss or overflow that may happen in a step; an invariant that may
// be false (or a goal that may be true) in a visible state; a deadlock where no action must move.
#pragma once

#include <optional>

#include "cegar/abstract_system.hpp"
#include "engine/engine.hpp"

namespace parley::cegar {

// An abstract run with the states it goes through: states[0] is initial, states[i+1] after steps[i]; a last
// step that fails has no state after it. A failing initial body has no states at all.
struct AbstractTrace {
  std::vector<std::uint64_t> initial_choices;
  std::vector<AbstractStep> steps;
  std::vector<State> states;
};

struct AbstractAnswer {
  std::optional<AbstractTrace> trace;   // may violate the property (Reachable: may show it)
  bool complete = false;                // every abstract state was seen and none is bad
  std::optional<engine::Stop> stopped;  // why it is neither
  std::uint64_t states = 0, transitions = 0, depth = 0;
  bool cut = false, assumed_away = false;  // some step may overflow a queue that cuts; an integer
  bool blocked_at_start = false;           // some choices of the start may be blocked by a full queue
  std::vector<State> reached;              // all states, if asked for and complete
};

// Whether this engine decides the property's kind at all.
bool decides(system::PropertyKind kind);
// The step's result by itself shows the property's violation. Everywhere in this room an invalid property
// asks whether a queue is ever cut, so that the assumption of a verdict can be checked like a property.
// The action is invalid for the start of the system.
bool step_shows(const System& system, PropertyId property, ActionId action, const StepResult& result);
// A property of the state reached rather than of the step.
bool concerns_states(system::PropertyKind kind);
bool state_may_show(const AbstractSystem& abstract, PropertyId property, const State& state);

struct SearchLimits {
  const engine::Deadline* deadline = nullptr;
  std::uint64_t states = 1'000'000;
  bool keep_states = false;
};

AbstractAnswer abstract_check(const AbstractSystem& abstract, PropertyId property,
                              const SearchLimits& limits);

// Follows the actions of a trace through the abstract system, all choices open: a trace with the same action
// sequence that may violate the property, if there still is one (ojala2008, section 7.1).
std::optional<AbstractTrace> resimulate(const AbstractSystem& abstract, PropertyId property,
                                        const AbstractTrace& trace, const SearchLimits& limits);

struct StateHash {
  std::size_t operator()(const State& s) const;
};

}  // namespace parley::cegar
