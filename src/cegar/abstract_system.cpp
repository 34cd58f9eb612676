#include "cegar/abstract_system.hpp"

#include "semantics/interpreter_run.hpp"
#include "system/footprint.hpp"

namespace parley::semantics {
template class BasicInterpreter<domain::IntervalDomain>;
}

namespace parley::cegar {

using semantics::Choices;
using semantics::Outcome;

namespace {
bool moves(Outcome o) {
  return o != Outcome::Disabled && o != Outcome::Blocked;
}
}  // namespace

AbstractSystem::AbstractSystem(const System& system, const domain::Precision& precision,
                               std::vector<std::uint32_t> capacities, domain::IntervalDomain::Options options)
    : interpreter_(system, domain::IntervalDomain(system, precision, options), std::move(capacities)) {
  for (std::size_t i = 0; i < system.actions.size(); ++i)
    reads_idle_.push_back(system::footprint(system, ActionId(i)).reads_idle);
}

// An action must move if every way to run it moves; where the abstraction had no part in the choices, they
// are the model's own and one that moves is enough, as in the concrete semantics.
void AbstractSystem::collect(const State& state, ActionId id, bool idle, Moves& into) const {
  Choices choices;
  bool all = true, any = false;
  const std::uint64_t before = domain().undetermined();
  do {
    StepResult r = interpreter_.attempt(state, id, idle, choices);
    const bool moved = moves(r.outcome);
    all = all && moved;
    any = any || moved;
    if (!moved) continue;
    AbstractSuccessor next{{id, choices.used(), idle, false}, std::move(r)};
    if (next.result.outcome == Outcome::Done && next.result.state.holder.valid()) {
      const Moves held = holder_moves(next.result.state);
      if (!held.must) {
        AbstractSuccessor released = next;
        released.step.released = true;
        released.result.state.holder = OwnerId{};
        into.may.push_back(std::move(released));
      }
      if (held.may.empty()) continue;
    }
    into.may.push_back(std::move(next));
  } while (choices.advance());
  const bool determined = domain().undetermined() == before;
  into.must = into.must || (determined ? any : all);
}

AbstractSystem::Moves AbstractSystem::pass(const State& state, OwnerId only, OwnerId without,
                                           bool idle) const {
  Moves m;
  for (std::size_t i = 0; i < system().actions.size(); ++i) {
    const OwnerId owner = system().actions[i].owner;
    if ((only.valid() && owner != only) || (without.valid() && owner == without)) continue;
    if (idle && !reads_idle_[i]) continue;  // with `Idle` true it does what it did before
    collect(state, ActionId(i), idle, m);
  }
  return m;
}

AbstractSystem::Moves AbstractSystem::holder_moves(const State& state) const {
  Moves m;
  for (std::size_t i = 0; i < system().actions.size(); ++i) {
    if (system().actions[i].owner != state.holder) continue;
    Choices choices;
    bool all = true, any = false;
    const std::uint64_t before = domain().undetermined();
    do {
      const StepResult r = interpreter_.attempt(state, ActionId(i), false, choices);
      const bool moved = moves(r.outcome);
      all = all && moved;
      any = any || moved;
    } while (choices.advance());
    m.must = m.must || (domain().undetermined() == before ? any : all);
    if (any) m.may.emplace_back();
  }
  return m;
}

std::vector<AbstractSuccessor> AbstractSystem::successors(const State& state) const {
  std::vector<AbstractSuccessor> out;
  const auto take = [&out](Moves&& m) {
    for (AbstractSuccessor& s : m.may) out.push_back(std::move(s));
    return m.must;
  };
  if (state.holder.valid() && take(pass(state, state.holder, {}, false))) return out;
  if (take(pass(state, {}, state.holder, false))) return out;
  take(pass(state, {}, {}, true));
  return out;
}

std::vector<AbstractSuccessor> AbstractSystem::outcomes(const State& state, ActionId action,
                                                        bool idle) const {
  Moves m;
  collect(state, action, idle, m);
  return std::move(m.may);
}

bool AbstractSystem::may_deadlock(const State& state) const {
  if (pass(state, {}, {}, false).must || pass(state, {}, {}, true).must) return false;
  return !interpreter_.all_at_rest(state);
}

}  // namespace parley::cegar
