// Runs that go on for ever, in an unrolling of a monitored System (passes/monitored.hpp): some earlier state
// is the last one again, and between the two every mark of the automaton was passed and every fairness
// respected. One shared copy of "the state where the loop begins" keeps it linear in the bound (biere2006,
// section 4.1): each state may be declared equal to it, the last state must be. What only the last step said
// (marks, events) is not part of the comparison. Used by symbolic/lasso_search.cpp; works for every relation
// whose stages take one action each, since marks and fairness are looked at stage by stage.
#pragma once

#include "passes/monitored.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {

class Lasso {
 public:
  // Before the unrolling has steps. `relation` is of the monitored System.
  Lasso(encode::Relation& relation, const passes::Monitored& monitored, Unrolling& unrolling,
        encode::ClauseSink& sink);

  // What `relation` must be asked for before its unrolling is made: for each fairness, whether one of its
  // actions is possible.
  static std::vector<encode::Lit> enabledness(encode::Relation& relation);

  // Adds a step to the unrolling. Returns what, assumed true, closes a loop in its last state.
  Literal add_step();
  // After a model of that: the run, with its loop.
  verdict::Trace trace() const;

 private:
  struct Goal {  // to be met in the loop
    Literal met = 0;
  };
  struct Strong {  // met, or its actions are never possible in the loop
    Literal met = 0, never = 0;
  };
  void may_begin_here();
  void same(Literal condition, const std::vector<Literal>& state);
  // A literal that implies `before`, or this: inside the loop, and one literal of each list is true.
  Literal or_now(Literal before, const std::vector<std::vector<Literal>>& all_of);
  std::vector<Literal> taken(const system::Fairness& fairness, const Unrolling::StageInstance& stage) const;

  const system::System& s_;
  Unrolling& unrolling_;
  encode::ClauseSink& sink_;
  std::vector<std::size_t> compared_;              // state bits
  std::vector<std::optional<std::size_t>> marks_;  // state bits; nothing: never passed
  std::vector<Literal> begin_state_;               // of the compared bits
  std::vector<Literal> begins_;                    // per state: the loop begins there
  Literal inside_ = 0;                             // the loop has begun before the step to come
  std::vector<Goal> passed_, weak_;                // per mark, per fairness that is weak
  std::vector<Strong> strong_;
};

}  // namespace parley::symbolic
