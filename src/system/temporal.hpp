// What a temporal property says about runs of the System, ready for an engine: a formula over predicates of
// states and events of steps, or the automaton of a never claim (holzmann2004); and which runs are looked at:
// fairness, and how runs that end are read. Front ends fill it in beside the text the user wrote. Predicates
// are expressions of the System's own pool; events are what a step shows (semantics::Event). What a position
// of a run is: docs/temporal.md. Who turns it into something that engines search: passes/observe.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/source.hpp"
#include "expr/expr.hpp"

namespace parley::system {

struct System;
using OwnerId = Id<struct OwnerTag>;
using ActionId = Id<struct ActionTag>;
using ElementId = Id<struct ElementTag>;

// Something that one of the owners does in a step: it sends a message of one of the signals, takes one from
// its queue, throws one away, or takes one of the transitions. Several owners: the members of a family.
// Several signals: a signal of the model is one for each receiver at a shared queue, so that "to whom" is a
// choice of signals and queues.
struct EventAtom {
  enum class Kind : std::uint8_t { Sends, Receives, Discards, Takes };
  Kind kind = Kind::Sends;
  std::vector<OwnerId> owners;
  std::vector<expr::SignalId> signals;  // Sends, Receives, Discards
  std::vector<expr::QueueId> queues;    // Sends: into one of these; none: into any
  std::vector<ElementId> elements;      // Takes: transitions; none: any step
  expr::ExprId where;                   // of the message's parameters (Param) alone; invalid: any message
  std::string shown;                    // as the user would write it; empty: made from the rest

  bool same_event(const EventAtom& other) const;  // whatever it is shown as
};
const char* describe(EventAtom::Kind kind);

// Runs that are not looked at: those in which some of these actions could be taken again and again, and none
// ever is. Weak: they can from some moment on be taken without interruption (that is, at every position one
// of them can); strong: infinitely often.
struct Fairness {
  enum class Strength : std::uint8_t { Weak, Strong };
  Strength strength = Strength::Weak;
  std::vector<ActionId> actions;
  std::string shown;  // "weak fairness of atm"
  diag::Span span;
};

// How temporal formulas read a run that ends: its last state goes on for ever, or the run is a finite word.
enum class RunEnd : std::uint8_t { Stutters, Ends };

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
