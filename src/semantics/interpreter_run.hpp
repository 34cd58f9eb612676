// The body of the reference semantics, included by whoever instantiates BasicInterpreter with a domain: all
// ways to start, the steps of a state, priority of a holder, `Idle`, deadlock, values of properties. What one
// action does is in action_run.hpp.
#pragma once

#include "semantics/action_run.hpp"

namespace parley::semantics {

template <domain::ValueDomain D>
StepResult BasicInterpreter<D>::attempt(const State& state, const system::Action& action, bool idle,
                                        Choices& choices, AccessLog* log) const {
  Run run(*this, state, idle, choices, log);
  if (run.enabled(action)) run.execute(action);
  return run.take();
}

template <domain::ValueDomain D>
void BasicInterpreter<D>::collect(const State& state, ActionId id, bool idle,
                                  std::vector<Successor>& out) const {
  Choices choices;
  do {
    StepResult r = attempt(state, s_.action(id), idle, choices, nullptr);
    if (r.outcome == Outcome::Disabled) continue;
    if (r.outcome == Outcome::Done && r.state.holder.valid() && !can_move(r.state, r.state.holder))
      r.state.holder = OwnerId{};
    out.push_back({Step{id, choices.used()}, std::move(r)});
  } while (choices.advance());
}

template <domain::ValueDomain D>
std::vector<Successor> BasicInterpreter<D>::pass(const State& state, OwnerId only, bool idle) const {
  std::vector<Successor> out;
  for (std::size_t i = 0; i < s_.actions.size(); ++i)
    if (!only.valid() || s_.actions[i].owner == only) collect(state, ActionId(i), idle, out);
  return out;
}

// Somebody could go on, were it not for a limit of the run: Cut and AssumedAway count, Blocked does not.
inline bool moves(const std::vector<Successor>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Successor& s) { return s.result.outcome != Outcome::Blocked; });
}

// Stops at the first step that moves: listing the steps of an action that chooses a 32-bit number would not
// fit into memory.
template <domain::ValueDomain D>
bool BasicInterpreter<D>::can_move(const State& state, OwnerId owner, bool idle) const {
  for (std::size_t i = 0; i < s_.actions.size(); ++i) {
    if (owner.valid() && s_.actions[i].owner != owner) continue;
    Choices choices;
    do {
      const StepResult r = attempt(state, s_.action(ActionId(i)), idle, choices, nullptr);
      if (r.outcome != Outcome::Disabled && r.outcome != Outcome::Blocked) return true;
    } while (choices.advance());
  }
  return false;
}

template <domain::ValueDomain D>
std::vector<Successor> BasicInterpreter<D>::successors(const State& state) const {
  if (state.holder.valid()) {
    std::vector<Successor> held = pass(state, state.holder, false);
    if (moves(held)) return held;
  }
  std::vector<Successor> all = pass(state, OwnerId{}, false);
  return moves(all) ? all : pass(state, OwnerId{}, true);
}

template <domain::ValueDomain D>
StepResult BasicInterpreter<D>::run(const State& state, const Step& step, AccessLog* log) const {
  if (step.action.index() >= s_.actions.size()) return {};
  const system::Action& action = s_.action(step.action);
  if (state.holder.valid() && action.owner != state.holder && can_move(state, state.holder)) return {};
  Choices choices(step.choices);
  StepResult r = attempt(state, action, false, choices, log);
  if (r.outcome == Outcome::Disabled && !can_move(state, OwnerId{})) {
    choices = Choices(step.choices);
    r = attempt(state, action, true, choices, log);
  }
  if (!choices.all_used()) return {};
  if (r.outcome == Outcome::Done && r.state.holder.valid() && !can_move(r.state, r.state.holder))
    r.state.holder = OwnerId{};
  return r;
}

template <domain::ValueDomain D>
State BasicInterpreter<D>::declared_state() const {
  State state;
  for (std::size_t i = 0; i < s_.cells.size(); ++i) {
    std::vector<domain::Stored> stored;
    d_.store_cell(CellId(i), d_.constant(s_.cells[i].initial, s_.cells[i].type), stored);
    PARLEY_CHECK_MSG(stored.size() == 1, s_.cells[i].name);
    state.cells.push_back(stored[0].code);
  }
  state.queues.resize(s_.queues.size());
  return state;
}

template <domain::ValueDomain D>
StepResult BasicInterpreter<D>::initial_state(const std::vector<std::uint64_t>& given) const {
  Choices choices(given);
  Run run(*this, declared_state(), false, choices, nullptr);
  run.execute_initial();
  return choices.all_used() ? run.take() : StepResult{};
}

template <domain::ValueDomain D>
StepResult BasicInterpreter<D>::attempt_initial(Choices& choices) const {
  Run run(*this, declared_state(), false, choices, nullptr);
  run.execute_initial();
  return run.take();
}

template <domain::ValueDomain D>
std::optional<typename D::Value> BasicInterpreter<D>::evaluate(const State& state, system::ExprId e,
                                                               Choices& choices) const {
  Run run(*this, state, false, choices, nullptr);
  return run.value(e);
}

template <domain::ValueDomain D>
std::vector<InitialState> BasicInterpreter<D>::initial_states() const {
  const State state = declared_state();
  std::vector<InitialState> out;
  Choices choices;
  do {
    Run run(*this, state, false, choices, nullptr);
    run.execute_initial();
    StepResult r = run.take();
    out.push_back({choices.used(), std::move(r)});
  } while (choices.advance());
  return out;
}

template <domain::ValueDomain D>
bool BasicInterpreter<D>::all_at_rest(const State& state) const {
  for (const system::Owner& o : s_.owners)
    if (truth(state, o.may_rest).may_be_false) return false;
  return true;
}

template <domain::ValueDomain D>
bool BasicInterpreter<D>::is_deadlock(const State& state) const {
  return !can_move(state, OwnerId{}) && !can_move(state, OwnerId{}, true) && !all_at_rest(state);
}

template <domain::ValueDomain D>
std::vector<typename D::Value> BasicInterpreter<D>::evaluate(const State& state, system::ExprId e) const {
  std::vector<Value> values;
  Choices choices;
  do {
    Run run(*this, state, false, choices, nullptr);
    if (std::optional<Value> v = run.value(e)) values.push_back(*v);
  } while (choices.advance());
  return values;
}

template <domain::ValueDomain D>
domain::Truth BasicInterpreter<D>::truth(const State& state, system::ExprId e) const {
  domain::Truth t;
  for (const Value& v : evaluate(state, e)) {
    const domain::Truth one = d_.truth(v);
    t.may_be_true = t.may_be_true || one.may_be_true;
    t.may_be_false = t.may_be_false || one.may_be_false;
  }
  return t;
}

}  // namespace parley::semantics
