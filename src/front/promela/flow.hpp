// The automaton of a proctype: states and transitions exactly as Spin numbers and joins them, since the
// number of stored states depends on it (holzmann2004; the state tables of `pan -d`). A body becomes a chain
// of elements; the automaton skips those that take no step (ends of selections, targets of break, jumps
// reached from elsewhere). Atomic sequences are flags on transitions, a d_step one transition with an
// automaton of its own inside. What a statement does is not known here; lower_effects.hpp gives it its
// meaning.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/ast.hpp"

namespace parley::front::promela {

// One step of a process: statement (or jump) and where it leads.
struct Transition {
  const Stmt* statement = nullptr;  // null: a jump, which always can be taken
  std::uint32_t element = 0;        // identity: the same statement may leave several states
  std::uint32_t target = 0;         // state; 0: the process has died
  bool atomic = false;              // the process keeps the control afterwards
  bool is_end = false;              // the process dies
  std::uint32_t escape = 0;   // number of the escape (unless) this belongs to, 0: none; escapes come first
  std::uint32_t dstep = 0;    // number of the d_step it belongs to, 0: none. Of the transitions of one state
                              // that belong to one d_step, the first that can be executed is taken
  bool blocks_dstep = false;  // nothing could be executed inside a d_step: an error
  diag::Span span;
};

struct AutomatonState {
  std::vector<Transition> transitions;  // in the order in which Spin tries them
  bool end_label = false;               // may rest here
  bool accept_label = false, progress_label = false;
  bool in_dstep = false;
  std::string label;  // one of its labels, if any
  diag::Span span;
};

struct Automaton {
  std::uint32_t start = 0;
  std::uint32_t elements = 0;  // how many elements Spin makes of the body; transitions name them from 0
  std::vector<AutomatonState> states;    // index: number of the state; 0 is not used
  std::uint32_t end = 0;                 // the state before dying
  std::vector<std::uint32_t> reachable;  // states reachable from start, ascending
  // (label, state) pairs for remote references.
  std::vector<std::pair<std::string, std::uint32_t>> labels;
};

// `referenced` holds the labels that remote references of other processes name: a jump under such a label
// stays a state of its own.
Automaton build_automaton(const Proctype& proctype, const std::vector<std::string>& referenced,
                          diag::Diagnostics& diagnostics);

}  // namespace parley::front::promela
