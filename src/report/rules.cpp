#include "report/rules.hpp"

#include "support/check.hpp"

namespace parley::report {

using system::PropertyKind;

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"deadlock", "Nothing can move, and somebody is not done",
       "A deadlock is a state in which no object can take any step, although at least one of them is neither "
       "in a final "
       "state nor in a state marked `waiting` (Promela: `end`).\n\n"
       "Usual causes: two parties wait for each other's message; a message that somebody waits for was "
       "consumed or lost "
       "earlier; a guard that can never become true again; all senders are blocked by full queues.\n\n"
       "What to do: read the last lines of the trace for who waits for what. If waiting for ever is fine "
       "there, mark the "
       "state: `waiting state idle { … }`.",
       PropertyKind::NoDeadlock},
      {"lost-message", "A message is consumed without effect",
       "An object takes a message that no transition of its active states reacts to and that is not "
       "deferred: UML "
       "consumes it implicitly, and the information in it is gone. A message dropped by a full queue of "
       "policy `lose` "
       "counts too.\n\n"
       "What to do: add a transition for the signal in that state, defer it (`defer s;`), or, if ignoring it "
       "is meant, say "
       "so with an internal transition without effect: `on s / { };`.",
       PropertyKind::NoLostMessages},
      {"assertion", "An assertion is false when it is executed",
       "The `assert` statement named in the reason was reached with a false condition. The trace ends with "
       "the step that "
       "executed it; that step has no successor.",
       PropertyKind::NoAssertionFailure},
      {"runtime-error", "An expression or statement has no value",
       "Division by zero, use of null, an array index outside the array, a message sent to null, a value "
       "outside a ranged "
       "variable, a choice with no open branch, a loop over its limit; integer overflow where the model says "
       "that it is "
       "an error. The failing step has no successor.",
       PropertyKind::NoRuntimeError},
      {"queue-overflow", "A queue is asked to hold more than its capacity",
       "The last step of the trace sends a message to a queue that is full. Whether the queue can grow for "
       "ever, or only "
       "needs a larger capacity, is a different question: `parley bounds` answers it.\n\n"
       "What to do: raise the capacity (`queue of x: capacity 8;` or --capacity), or make the sender wait "
       "for an answer.",
       PropertyKind::NoOverflow},
      {"unreachable-state", "A state is never entered",
       "In the whole state space, no object of the class ever enters the state. It is dead, or something "
       "that should lead "
       "there does not: a guard that is never true, a signal that nobody sends.",
       PropertyKind::NoUnreachableStates},
      {"unreachable-transition", "A transition is never taken",
       "In the whole state space, no object of the class ever takes the transition.",
       PropertyKind::NoUnreachableTransitions},
      {"endless-completion", "A run-to-completion step never ends",
       "Completion transitions of one object lead round in a circle: the object never comes to rest to take "
       "another "
       "message. The trace shows the way into the circle and the circle itself.",
       PropertyKind::NoEndlessCompletion},
      {"unbounded-queue", "A queue can grow for ever",
       "There is a run after which a loop can be repeated any number of times, each time leaving more "
       "messages in the queue "
       "than before. `parley bounds --explain` tells the loop as a story.",
       PropertyKind::NoUnboundedQueues},
      {"invariant", "A condition that should always hold is false in a reachable state",
       "The trace leads to a state where the expression after `always` is false.", PropertyKind::Always},
      {"forbidden-state", "A condition that should never hold is true in a reachable state",
       "The trace leads to a state where the expression after `never` is true.", PropertyKind::Never},
      {"unreachable-goal", "A condition that should be reachable is not",
       "The whole state space was searched: no state satisfies the expression after `reachable`. When it "
       "holds, the run "
       "that gets there is the witness (`--witness` shows it).",
       PropertyKind::Reachable},
      {"temporal", "A run breaks a temporal property",
       "A property over whole runs, such as `G (a receives x -> F a in idle)`, is false on the run that is "
       "shown (docs/temporal.md says what a position of a run is, and what events and states mean there).\n\n"
       "The run is a lasso: a stem, the steps that lead somewhere, and a loop, the steps that come back to "
       "the same state and so can be repeated for ever. `3 + 4 steps` is a stem of 3 and a loop of 4. That "
       "something never happens is seen in the loop. Or the run ends: nobody can move any more. Its last "
       "state then lasts for ever, as in Spin, and nothing happens there; `F done` is false if the run ends "
       "before `done`.\n\n"
       "The table below the run has a row for each proposition and sub-formula and a column for each "
       "position: find the column where the last row, the property, is false, and go up to the part "
       "that makes it so.\n\n"
       "Fairness: without it, an object that could move may be passed over for ever. If the property fails "
       "only for that reason, a note says so. `assume fair scheduling;` in the model leaves out runs in "
       "which some object can move from some moment on and never does (weak fairness).\n\n"
       "What to do: if the loop is no run of the real system, say which fairness keeps it from going on for "
       "ever; if it is, some step has to lead out of it. A property that holds because its condition never "
       "comes true is reported as vacuous. `parley draw MODEL --property NAME` draws the automaton that "
       "is looked for.",
       PropertyKind::Temporal},
  };
  return all;
}

const Rule& rule_of(PropertyKind kind) {
  for (const Rule& r : rules())
    if (r.kind == kind) return r;
  internal_error("every kind of property has a rule", __FILE__, __LINE__);
}

const Rule* find_rule(const std::string& id) {
  for (const Rule& r : rules())
    if (r.id == id) return &r;
  return nullptr;
}

}  // namespace parley::report
