// Which states can do whatever others can, step by step and with at least their marks: direct simulation
// (etessami2000), letter by letter, so that several edges together may answer one. Forwards it
// compares what states accept, backwards how they are reached. States that simulate each other become one
// (`quotient`), edges that another one answers are dropped (clemente2013). Used by ltl/reduce.hpp.
#pragma once

#include <vector>

#include "ltl/automaton.hpp"

namespace parley::ltl {

enum class Direction : std::uint8_t { Forward, Backward };

class Simulation {
 public:
  // Where `kinds` is not empty, only states of the same kind are compared.
  Simulation(const Automaton& automaton, Direction direction, const std::vector<bool>& kinds);

  // Whatever `less` can do `more` can.
  bool holds(State less, State more) const { return above_[less][more]; }

  // The automaton with states that simulate each other as one, without edges that others answer, and for each
  // old state the new one.
  struct Quotient {
    Automaton automaton;
    std::vector<State> now;
  };
  Quotient quotient(const Automaton& automaton) const;

 private:
  using EdgeLists = std::vector<std::vector<Edge>>;
  bool answers(const Edge& edge, const std::vector<Edge>& answers) const;
  bool restrict_once(const EdgeLists& lists);

  Direction direction_;
  std::vector<std::vector<bool>> above_;
};

}  // namespace parley::ltl
