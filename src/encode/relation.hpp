// The transition relations of dubrovin2007 (section 3 and appendix B) over one AIG: interleaving, static and
// dynamic steps, and chained steps, where an action may be enabled by earlier ones of the same step
// (rintanen2006, bofill2017: relaxed steps). A relation is a list of stages that run one after another, each
// a function from the state bits and free inputs to the next state bits under constraints; all relations but
// the chained one have a single stage. Engines instantiate the stages as often as they need.
//
// How we differ from the paper: several sends per action, also to one queue; a guard's reads are explicit in
// the System, so discarding actions need not come first; two actions of a step may not write one cell even
// with equal values. Soundness: constraint (8), (9) and (52)/(53) in the form of prefix conditions make every
// step executable in the order of its actions. Completeness: every step of one action is allowed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "encode/execution.hpp"

namespace parley::encode {

enum class Steps : std::uint8_t { Interleaving, Static, Dynamic, Chained };
constexpr std::string_view name_of(Steps steps) {
  switch (steps) {
    case Steps::Interleaving:
      return "interleaving";
    case Steps::Static:
      return "static";
    case Steps::Dynamic:
      return "dynamic";
    case Steps::Chained:
      return "chained";
  }
  return {};
}

// In which order the actions of a step run.
enum class ActionOrder : std::uint8_t {
  Declared,      // as in the System
  ReadersFirst,  // who reads (or takes) comes before who writes (or sends): fewest conflicts, for the ∃-steps
  WritersFirst  // who sends comes before who receives: longest chains, for chained steps
};
constexpr std::string_view name_of(ActionOrder order) {
  switch (order) {
    case ActionOrder::Declared:
      return "declared";
    case ActionOrder::ReadersFirst:
      return "readers-first";
    case ActionOrder::WritersFirst:
      return "writers-first";
  }
  return {};
}

struct Stage {
  std::vector<system::ActionId> actions;  // in the order of execution
  std::vector<Lit> fire;                  // free inputs, one per action
  std::vector<Effect> effects;
  std::vector<Lit> allowed;           // per action: no other owner holds
  std::vector<Lit> next;              // per state bit
  std::vector<Lit> constraints;       // a fired action is enabled and ends well; one per owner
  std::vector<Lit> step_constraints;  // what makes a set of actions a step
  Lit any_fire = kFalse;
  std::vector<Lit> bad;  // per property: a step from here violates it; nothing fires in this stage
  std::vector<std::vector<Lit>> bad_by_action;  // per property and action
};

struct RelationOptions {
  Steps steps = Steps::Interleaving;
  ActionOrder order = ActionOrder::Declared;
};

class Relation {
 public:
  Relation(const system::System& system, std::vector<std::uint32_t> capacities,
           std::vector<system::PropertyId> properties, const RelationOptions& options);

  const system::System& system() const { return layout_.system(); }
  const Layout& layout() const { return layout_; }
  const Aig& aig() const { return g_; }
  Aig& aig() { return g_; }
  const std::vector<system::PropertyId>& properties() const { return properties_; }
  // Safety properties of states and steps; others are not encoded.
  static bool supports(system::PropertyKind kind);

  const std::vector<Lit>& state_bits() const { return bits_; }  // inputs of the graph
  const std::vector<Stage>& stages() const { return stages_; }
  // The initial state as functions of choice inputs.
  const std::vector<Lit>& initial_bits() const { return initial_bits_; }
  Lit initial_ok() const { return initial_ok_; }
  const Effect& initial_effect() const { return initial_; }
  const std::vector<Lit>& initial_bad() const { return initial_bad_; }
  // Per property: the state itself violates it (false for properties of steps).
  const std::vector<Lit>& state_bad() const { return state_bad_; }
  Lit well_formed() const { return well_formed_; }
  // The start or some step from this state is cut / assumed away: what a proof rests on.
  Lit cut_possible() const { return cut_possible_; }
  Lit assumed_possible() const { return assumed_possible_; }
  // Nobody holds an exclusive stretch.
  Lit visible() const { return visible_; }
  // The action can be taken here, for some choice of its own. Made when asked for, so before an unrolling.
  Lit possible(system::ActionId action) {
    return g_.conj(allowed(s_.action(action).owner), moves(action, idle_));
  }

 private:
  void build_state_facts();
  void build_initial();
  void build_single_stage(const std::vector<system::ActionId>& order, bool exclusive);
  void build_steps(const std::vector<system::ActionId>& order, bool dynamic);
  void finish_stage(Stage& stage);
  void add_stage_bad(Stage& stage);
  Lit happens(const Effect& effect);  // semantics::happens, of an enabled action
  Lit loses(const system::Action& action, const Effect& effect);
  void compose(Stage& stage);
  Lit moves(system::ActionId action, Lit idle);
  Lit allowed(system::OwnerId owner);
  std::vector<Lit> at_most_one(const std::vector<Lit>& xs);

  Aig g_;
  Layout layout_;
  const system::System& s_;
  std::vector<system::PropertyId> properties_;
  std::vector<Lit> bits_;
  SymbolicState state_;
  std::vector<Lit> holding_;  // per owner: holds and can move
  Lit idle_ = kFalse;
  Lit visible_ = kTrue;
  InputPool pool_{g_};
  std::vector<Stage> stages_;
  std::vector<Lit> initial_bits_, initial_bad_, state_bad_;
  Lit initial_ok_ = kTrue, well_formed_ = kTrue, cut_possible_ = kFalse, assumed_possible_ = kFalse;
  Effect initial_;
};

// The actions in the given order (see ActionOrder).
std::vector<system::ActionId> ordered_actions(const system::System& system, ActionOrder order);
// The owners in the order in which chained steps visit them.
std::vector<system::OwnerId> ordered_owners(const system::System& system, ActionOrder order);

}  // namespace parley::encode
