// A second, independent encoding of the reference semantics: straight from the System to Z3's 32-bit
// bit-vectors, action by action. It shares no code with encode/ or symbolic/; certificate checks and
// benchmarks (a direct word-level unrolling) use it. Slow and plain on purpose.
#pragma once

#include <z3++.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "semantics/choices.hpp"
#include "system/system.hpp"

namespace parley::certify {

class NotExpressible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Z3System {
 public:
  // `give_up` is asked while formulas are built; if it says so, NotExpressible is thrown.
  Z3System(z3::context& context, const system::System& system, std::vector<std::uint32_t> capacities,
           std::function<bool()> give_up = {});

  struct Slot {
    z3::expr signal;  // position in Queue::signals
    std::vector<z3::expr> params;
  };
  struct Queue {
    z3::expr length;
    std::vector<Slot> slots;
  };
  struct State {
    std::vector<z3::expr> cells;
    std::vector<Queue> queues;
    z3::expr holder;  // 0, or owner + 1: the last action's `hold`
  };
  struct Step {
    z3::expr happens;  // enabled, allowed by holders, choices fit, ends well
    State after;
    z3::expr cut, assumed, assertion, error, overflow, lost, discarded, exists;  // all with enabledness
  };

  State fresh(const std::string& prefix);
  Step initial();
  Step step(const State& state, system::ActionId action);
  // Values within types, lengths within capacities, empty slots zero, a holder only where an action lets
  // hold.
  z3::expr well_formed(const State& state);
  z3::expr equal(const State& x, const State& y);
  // T(x, y): some action leads from x to y.
  z3::expr moves_to(const State& x, const State& y);
  // A state bit by the name that certificates use; nullopt: no such bit.
  std::optional<z3::expr> bit(const State& state, const std::string& name);
  // The state violates the property (or is what `reachable` asks for).
  z3::expr bad_state(const State& state, const system::Property& property);
  // A step from the state does.
  z3::expr bad_step(const State& state, const system::Property& property);
  z3::expr bad_start(const Step& start, const system::Property& property);
  const std::vector<std::uint32_t>& capacities() const { return capacities_; }
  z3::context& context() { return z_; }

 private:
  friend class Body;
  struct Facts {  // of a state
    z3::expr visible;
    std::vector<z3::expr> allowed;  // per owner
  };
  struct Movers {  // of a state: nobody can move while `idle` is false; somebody can
    z3::expr idle, somebody;
  };
  Step new_step(const State& state, system::ActionId action);
  const Facts& facts(const State& state);
  const Movers& movers(const State& state);
  z3::expr idle(const State& state) { return uses_idle_ ? movers(state).idle : z_.bool_val(false); }
  z3::expr may_move(const State& state, const system::Action& action, const z3::expr& idle);
  z3::expr number(std::int64_t v) { return z_.bv_val(v, 32); }
  z3::expr in_type(const z3::expr& v, const expr::Type& type);

  z3::context& z_;
  const system::System& s_;
  std::vector<std::uint32_t> capacities_;
  std::vector<bool> may_hold_;  // by owner: some action lets it
  bool uses_idle_ = false;
  std::vector<bool> may_block_;  // by action: its body sends into a queue that blocks
  std::function<bool()> give_up_;
  // By the state's holder. It is kept, so that no other term gets its identity.
  std::vector<std::pair<z3::expr, Facts>> facts_;
  std::vector<std::pair<z3::expr, Movers>> movers_;
  std::vector<std::pair<z3::expr, std::vector<std::optional<Step>>>> steps_;
  unsigned fresh_ = 0;
};

}  // namespace parley::certify
