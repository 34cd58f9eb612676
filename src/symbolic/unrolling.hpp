// A relation unrolled in a solver: states named by literals, step after step, each stage an instance of the
// relation's graph. Keeps what is needed to read a run back out of a model. Used by bounded model checking
// and k-induction.
#pragma once

#include <memory>
#include <vector>

#include "encode/cnf.hpp"
#include "encode/relation.hpp"
#include "verdict/verdict.hpp"

namespace parley::symbolic {

using solver::sat::Literal;

class Unrolling {
 public:
  enum class Start : std::uint8_t { Initial, AnyWellFormed };
  Unrolling(encode::Relation& relation, encode::ClauseSink& sink, Start start);
  ~Unrolling();

  // One stage of a step as it stands in the solver.
  struct StageInstance {
    const encode::Stage* stage = nullptr;
    std::vector<std::pair<std::uint32_t, Literal>> inputs;  // node, literal
    std::vector<Literal> bad;                               // per property: in a step from here
    std::vector<Literal> bad_after;                         // per property: in the state after the stage
    std::vector<Literal> watched;  // functions of the state before the stage (see `watch`)
    std::vector<Literal> fire;     // by position in Stage::actions
    Literal fires = 0;             // one of them
    std::vector<Literal> after;    // the state after the stage
  };

  std::size_t steps() const { return steps_.size(); }
  void add_step();
  // Functions of the state bits whose literals are kept for every stage from now on.
  void watch(std::vector<encode::Lit> functions) { watched_ = std::move(functions); }
  // The stages of step k, which leads from state k to state k + 1.
  const std::vector<StageInstance>& stages(std::size_t k) const { return steps_[k]; }
  // Assumed true: the property (by position in the relation's list) is violated in step k, k = 0: at the
  // start.
  Literal target(std::size_t k, std::size_t property) const { return targets_[k][property]; }
  // The single places in step k where it may be violated.
  const std::vector<Literal>& places(std::size_t k, std::size_t property) const {
    return places_[k][property];
  }
  const std::vector<Literal>& state(std::size_t k) const { return states_[k]; }
  // Clauses that only the step constraints brought in.
  std::uint64_t step_constraint_clauses() const { return step_constraint_clauses_; }
  // The literal of a function of the state bits in the last state.
  Literal last(encode::Lit function) { return frame_->literal(function); }

  // The run in the solver's model up to the first violation of the property, step k included.
  verdict::Trace trace(std::size_t k, std::size_t property) const;
  // The first k steps of the run in the solver's model.
  verdict::Trace run(std::size_t k) const;

 private:
  void open_frame(const std::vector<Literal>& state);
  std::vector<std::pair<std::uint32_t, Literal>> known_inputs() const;
  std::vector<bool> values(const std::vector<std::pair<std::uint32_t, Literal>>& inputs) const;
  void add_fired(const StageInstance& instance, const std::vector<bool>& all, verdict::Trace& trace) const;
  void close_targets(std::vector<std::vector<Literal>> places, std::vector<Literal> fires);

  encode::Relation& relation_;
  encode::ClauseSink& sink_;
  std::unique_ptr<encode::Gates> gates_;
  std::unique_ptr<encode::Frame> frame_;
  std::vector<std::uint32_t> input_nodes_;
  std::vector<std::vector<Literal>> states_;
  std::vector<std::vector<StageInstance>> steps_;
  std::vector<std::pair<std::uint32_t, Literal>> initial_inputs_;
  std::vector<Literal> initial_bad_;
  std::vector<std::vector<Literal>> targets_;
  std::vector<std::vector<std::vector<Literal>>> places_;
  std::uint64_t step_constraint_clauses_ = 0;
  std::vector<encode::Lit> watched_;
};

// The choices an effect asks for under the given values of all nodes.
std::vector<std::uint64_t> choices_of(const encode::Effect& effect, const std::vector<bool>& values);

}  // namespace parley::symbolic
