// From a temporal property to something that can be searched and evaluated: the System in which every atom of
// the property is a predicate of states (events by passes/event_cells.hpp), numbered as propositions, and the
// property over these numbers, as a formula of ltl/ or as an automaton that must not accept (never claims).
// Everybody who decides temporal properties starts here, and so does the replay that confirms them, so that
// one place says what a position of a run is (docs/temporal.md):
//
//   a run is s0 s1 s2 …, a state after the start and after every step (inside exclusive stretches too).
//   Position i is the state si together with what happened in the step that led to it. A run that ends stays
//   in its last state for ever, and nothing happens there.
//
// Preserved: all runs, as with_event_cells says. Not decided here: which runs are fair.
#pragma once

#include <string>

#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"
#include "passes/back_map.hpp"
#include "semantics/interpreter.hpp"

namespace parley::passes {

struct Proposition {
  enum class Kind : std::uint8_t {
    State,
    Event,  // false at positions after the end of a run
    Alive   // true up to the end of a run (system::RunEnd::Ends)
  };
  Kind kind = Kind::State;
  system::ExprId expression;    // of the observed System; not of Alive
  system::PropertyId property;  // asks for the expression (kind Always); not of Alive
  std::string shown;
};

struct Observed {
  Passed passed;
  std::vector<Proposition> propositions;
  ltl::Store formulas;
  ltl::FormulaId formula;  // what every run must satisfy, for infinite words; invalid: a claim
  ltl::FormulaId written;  // the same as the user reads it: differs where runs that end are finite words
  std::optional<ltl::Automaton> claim;

  const system::System& system() const { return passed.system; }
};

struct Observation {
  std::optional<Observed> observed;
  std::string why_not;  // a sentence, if there is none
};
Observation observe(const system::System& system, system::PropertyId property);

// What is true at a position.
ltl::Letter letter(const Observed& observed, const semantics::Interpreter& interpreter,
                   const semantics::State& state, bool ended);

// The infinite word of a replayed run: `states` from the initial one, the steps from `loop_start` on repeated
// for ever; with `loop_start` at the last state, the run ends there.
ltl::Lasso word_of(const Observed& observed, const semantics::Interpreter& interpreter,
                   const std::vector<semantics::State>& states, std::size_t loop_start);

}  // namespace parley::passes
