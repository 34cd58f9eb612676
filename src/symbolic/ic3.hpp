// Property-directed reachability (bradley2011, een2011) on the interleaving relation, one property at a time:
// frames of clauses over the named state bits, obligations blocked by relative induction, cubes shrunk by
// failed assumptions and literal dropping, clauses pushed until two frames agree. The invariant is the
// certificate; a counterexample is the chain of obligations, run forward.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encode/cnf.hpp"
#include "encode/relation.hpp"
#include "solver/sat/solver.hpp"
#include "verdict/verdict.hpp"

namespace parley::symbolic {

// A conjunction of state literals: +(bit + 1) or -(bit + 1), sorted by bit. As a clause: its negation.
using Cube = std::vector<int>;

class Ic3 {
 public:
  // `known`: cubes that no reachable state satisfies, together inductive.
  Ic3(encode::Relation& relation, std::size_t property, const solver::sat::Factory& solvers,
      const solver::sat::Interrupt& interrupt, std::vector<Cube> known);
  ~Ic3();

  enum class Outcome : std::uint8_t { Proved, Refuted, Stopped };
  Outcome run(std::optional<std::uint32_t> most_frames);
  std::uint32_t frames() const { return static_cast<std::uint32_t>(lemmas_.size()) - 1; }

  // After Proved: cubes that are excluded; with well-formedness an inductive invariant that implies the
  // property.
  const std::vector<Cube>& invariant() const { return invariant_; }
  // After Proved: some state of the invariant satisfies the function.
  bool possible(encode::Lit function);
  // After Refuted.
  const verdict::Trace& trace() const { return trace_; }

 private:
  using Literal = solver::sat::Literal;
  using Answer = solver::sat::Answer;
  // Raised inside when a solver was interrupted.
  struct Interrupted {};
  struct Obligation {
    Cube cube;
    std::size_t level = 0;
    std::size_t depth = 0;     // steps to the violation
    std::size_t next = 0;      // obligation it leads to; itself: to the violation
    std::vector<bool> inputs;  // values of the graph's inputs on the way there
  };

  // One instance of the stage in a solver.
  struct Instance {
    std::unique_ptr<solver::sat::Solver> solver;
    std::unique_ptr<encode::ClauseSink> sink;
    std::unique_ptr<encode::Frame> frame;
    std::vector<Literal> now, next;
  };
  Instance make_instance(const solver::sat::Factory& solvers, const solver::sat::Interrupt& interrupt);
  Answer ask(Instance& in, const std::vector<Literal>& assumptions);
  Literal now(const Instance& in, int literal) const;
  Literal next(const Instance& in, int literal) const;
  std::vector<Literal> frame_assumptions(std::size_t level) const;
  void add_frame();
  void setup_initial(const solver::sat::Factory& solvers, const solver::sat::Interrupt& interrupt);

  std::optional<Outcome> check_start();
  std::optional<Obligation> bad_state();
  bool discharge(Obligation first);
  bool blocked(const Cube& cube, std::size_t level, Cube* core);
  Obligation predecessor(const Cube& target);
  Cube lifted(const std::vector<bool>& model, const std::vector<Literal>& must_hold);
  std::vector<bool> model_inputs(const Instance& in) const;
  Cube generalised(Cube cube, std::size_t level);
  void add_lemma(const Cube& cube, std::size_t level);
  bool propagate();
  void retire();
  bool meets_start(const Cube& cube);
  void reconstruct(const std::vector<Obligation>& chain, std::size_t at);

  encode::Relation& r_;
  std::size_t property_;
  std::unique_ptr<encode::Gates> gates_;
  Instance main_, lift_, start_;
  std::vector<Literal> start_bits_;
  Literal bad_main_ = 0, bad_lift_ = 0, moves_ = 0;
  std::vector<Literal> lift_constraints_;
  Literal lift_any_ = 0;
  std::vector<Literal> active_;            // per frame
  std::vector<std::vector<Cube>> lemmas_;  // per frame, those that hold up to it
  std::vector<Cube> known_, invariant_;
  std::vector<int> importance_;  // per bit: small ones are dropped first
  verdict::Trace trace_;
  std::vector<std::uint32_t> input_nodes_;
  std::vector<Literal> retired_;  // clauses of finished queries, switched off before the next
};

}  // namespace parley::symbolic
