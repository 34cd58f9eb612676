// The abstract transition system: the reference semantics over interval partitions, with the three places
// where enabledness is used negatively made sound. Concretely, others move only when a holder cannot, `Idle`
// is true only when nothing moves, and a stretch ends when its holder is stuck. An abstract action *may* move
// or *must* move; each of the three looks at "may not move", so that no concrete run is lost.
//
// Used by abstract_check.hpp (search), resimulate.hpp and the commands; it stores nothing.
#pragma once

#include "domain/interval_domain.hpp"
#include "semantics/interpreter.hpp"

namespace parley::cegar {

using semantics::ActionId;
using semantics::OwnerId;
using semantics::State;
using semantics::StepResult;
using system::PropertyId;
using system::System;
using AbstractInterpreter = semantics::BasicInterpreter<domain::IntervalDomain>;

// A step of an abstract run: an event of the thesis' counterexamples (ojala2008, section 3.3), with the
// choices in the place of the function F.
struct AbstractStep {
  ActionId action;
  std::vector<std::uint64_t> choices;
  bool idle = false;      // taken when nothing else may move
  bool released = false;  // the stretch ended here, though its holder may be able to go on
  friend bool operator==(const AbstractStep&, const AbstractStep&) = default;
};

struct AbstractSuccessor {
  AbstractStep step;
  StepResult result;  // anything but Disabled and Blocked
};

class AbstractSystem {
 public:
  AbstractSystem(const System& system, const domain::Precision& precision,
                 std::vector<std::uint32_t> queue_capacities, domain::IntervalDomain::Options options);

  const System& system() const { return interpreter_.system(); }
  const AbstractInterpreter& interpreter() const { return interpreter_; }
  const domain::IntervalDomain& domain() const { return interpreter_.domain(); }

  std::vector<semantics::InitialState> initial_states() const { return interpreter_.initial_states(); }
  std::vector<AbstractSuccessor> successors(const State& state) const;
  // Every way the action may run here, by itself: what the re-simulation of an event sequence needs.
  std::vector<AbstractSuccessor> outcomes(const State& state, ActionId action, bool idle) const;
  // No action must move here, not even an idle one, and somebody may not rest.
  bool may_deadlock(const State& state) const;

 private:
  struct Moves {
    std::vector<AbstractSuccessor> may;
    bool must = false;  // some action moves whatever concrete state this is
  };
  void collect(const State& state, ActionId action, bool idle, Moves& into) const;
  Moves pass(const State& state, OwnerId only, OwnerId without, bool idle) const;
  Moves holder_moves(const State& state) const;

  AbstractInterpreter interpreter_;
  std::vector<bool> reads_idle_;
};

}  // namespace parley::cegar
