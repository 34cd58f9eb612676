// What a temporal property says about runs of the System, ready for an engine: a formula over predicates of
// states, or the automaton of a never claim (holzmann2004). Front ends fill it in beside the text the user
// wrote; nothing decides it yet. Predicates are expressions of the System's own pool and hold the visible
// state between two steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/source.hpp"
#include "expr/expr.hpp"

namespace parley::system {

struct System;

struct Formula {
  enum class Kind : std::uint8_t {
    Predicate,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Next,
    Globally,
    Finally,
    Until,
    WeakUntil,
    Release
  };
  Kind kind = Kind::Predicate;
  expr::ExprId predicate;  // Predicate
  std::vector<Formula> operands;
  diag::Span span;
};

// Runs beside the system, one step of it for each step of the system, and must not accept: neither pass
// through an accepting state infinitely often nor reach a final one.
struct NeverClaim {
  struct Edge {
    expr::ExprId guard;
    expr::ExprId assertion;  // if valid: must hold when the edge is taken
    std::uint32_t target = 0;
    diag::Span span;
  };
  struct State {
    std::string name;  // its label, or the line it stands on
    bool accepting = false, final = false;
    std::vector<Edge> edges;
    diag::Span span;
  };
  std::vector<State> states;
  std::uint32_t start = 0;
};

// "[] ((x == 1) -> <> done)": with Promela's operators, predicates as the System shows expressions.
std::string show(const System& system, const Formula& formula);

}  // namespace parley::system
