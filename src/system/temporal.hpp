// What a temporal property says about runs of the System, ready for an engine: a formula over predicates of
// states and events of steps, or the automaton of a never claim (holzmann2004). Front ends fill it in beside
// the text the user wrote; nothing decides it yet. Predicates are expressions of the System's own pool and
// hold the visible state between two steps; events are what a step shows (semantics::Event).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/source.hpp"
#include "expr/expr.hpp"

namespace parley::system {

struct System;
using OwnerId = Id<struct OwnerTag>;

// One of the owners sends, or takes from its queue, a message of one of the signals. Several owners: the
// members of a family. Several signals: a signal of the model is one for each queue and receiver that carries
// it.
struct EventAtom {
  enum class Kind : std::uint8_t { Sends, Receives };
  Kind kind = Kind::Sends;
  std::vector<OwnerId> owners;
  std::vector<expr::SignalId> signals;
};

struct Formula {
  enum class Kind : std::uint8_t {
    Predicate,
    Event,
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
  EventAtom event;         // Event
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

// "[] ((x == 1) -> <> done)": with Promela's operators, predicates as the System shows expressions, events as
// "atm receives card".
std::string show(const System& system, const Formula& formula);

}  // namespace parley::system
