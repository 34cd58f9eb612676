// The reference semantics: initial states, enabled steps, apply. Small, slow and obvious; the oracle for
// every engine, and what replays every trace. Written once over a value domain (domain/domain.hpp); the
// concrete instance is Interpreter, abstract ones are made by instantiating BasicInterpreter with another
// domain.
//
// Rules that no engine may change (docs/semantics.md):
//  - An action is enabled when its trigger's message is there, its guard is true and no blocking queue is
//  full.
//  - `Idle` is true only when no action is enabled with `Idle` false.
//  - After an action with `hold`, only the holder moves while it can (an exclusive stretch).
#pragma once

#include <optional>
#include <utility>

#include "domain/concrete.hpp"
#include "semantics/choices.hpp"
#include "semantics/state.hpp"

namespace parley::semantics {

// The queue capacities of a run: declared ones, else the default.
std::vector<std::uint32_t> capacities(const system::System& system,
                                      std::optional<std::uint32_t> default_capacity = std::nullopt);

struct InitialState {
  std::vector<std::uint64_t> choices;
  StepResult result;  // Done, a failure, or not followed (Blocked, Cut, AssumedAway)
};

struct Successor {
  Step step;
  StepResult result;  // anything but Disabled
};

template <domain::ValueDomain D>
class BasicInterpreter {
 public:
  using Value = typename D::Value;

  BasicInterpreter(const system::System& system, D domain, std::vector<std::uint32_t> queue_capacities)
      : s_(system), d_(std::move(domain)), capacities_(std::move(queue_capacities)) {}

  const system::System& system() const { return s_; }
  const D& domain() const { return d_; }
  const std::vector<std::uint32_t>& queue_capacities() const { return capacities_; }

  // All initial states, one per list of choices of the initial body.
  std::vector<InitialState> initial_states() const;
  StepResult initial_state(const std::vector<std::uint64_t>& choices) const;

  // Every step of a state with its result; Disabled ones are left out. In a state with a holder only the
  // holder's steps (or, if it has none, everybody's) are listed.
  std::vector<Successor> successors(const State& state) const;
  // One step, replayed. Disabled if it is not enabled or its choices do not fit.
  StepResult run(const State& state, const Step& step, AccessLog* log = nullptr) const;
  // One action on its own, with the given resolution of choices: no priority of a holder, `Idle` as told, a
  // holder is not released. For loops that must tell "may move" from "must move" over abstract domains.
  StepResult attempt(const State& state, ActionId action, bool idle, Choices& choices) const {
    return attempt(state, s_.action(action), idle, choices, nullptr);
  }
  StepResult attempt_initial(Choices& choices) const;
  // A property expression with the given resolution of choices; nothing after an evaluation error.
  std::optional<Value> evaluate(const State& state, system::ExprId expression, Choices& choices) const;
  // No step exists at all (not even one that is cut), and not every owner may rest here.
  bool is_deadlock(const State& state) const;
  bool all_at_rest(const State& state) const;
  // All values a property expression may have: concretely one. An evaluation error is no value.
  std::vector<Value> evaluate(const State& state, system::ExprId expression) const;
  // A property expression that may be true / may be false (three-valued over abstract domains).
  domain::Truth truth(const State& state, system::ExprId expression) const;

 private:
  class Run;
  State declared_state() const;
  StepResult attempt(const State& state, const system::Action& action, bool idle, Choices& choices,
                     AccessLog* log) const;
  void collect(const State& state, ActionId action, bool idle, std::vector<Successor>& out) const;
  bool can_move(const State& state, OwnerId owner, bool idle = false) const;  // invalid owner: anybody
  std::vector<Successor> pass(const State& state, OwnerId only, bool idle) const;

  const system::System& s_;
  D d_;
  std::vector<std::uint32_t> capacities_;
};

class Interpreter : public BasicInterpreter<domain::Concrete> {
 public:
  explicit Interpreter(const system::System& system)
      : BasicInterpreter(system, domain::Concrete(system), capacities(system)) {}
  Interpreter(const system::System& system, std::vector<std::uint32_t> queue_capacities)
      : BasicInterpreter(system, domain::Concrete(system), std::move(queue_capacities)) {}
};

extern template class BasicInterpreter<domain::Concrete>;

}  // namespace parley::semantics
