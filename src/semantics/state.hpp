// Global states, steps and what happens in a step: the vocabulary of the reference semantics, shared by
// traces and by every test that compares an engine with it. Slow and obvious on purpose.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace parley::semantics {

using system::ActionId;
using system::CellId;
using system::ElementId;
using system::OwnerId;
using system::QueueId;
using system::SignalId;

struct Message {
  SignalId signal;
  std::vector<std::int32_t> args;  // codes of the domain; concretely the values
  friend bool operator==(const Message&, const Message&) = default;
  friend auto operator<=>(const Message&, const Message&) = default;
};

struct State {
  std::vector<std::int32_t> cells;
  std::vector<std::vector<Message>> queues;  // contents from the head
  OwnerId holder;  // inside an exclusive stretch: who must move next. Such states are not visible.
  bool visible() const { return !holder.valid(); }
  friend bool operator==(const State&, const State&) = default;
  friend auto operator<=>(const State&, const State&) = default;
};

// An action with the choices that were made while it ran, in order of asking.
struct Step {
  ActionId action;
  std::vector<std::uint64_t> choices;
  friend bool operator==(const Step&, const Step&) = default;
};

enum class Outcome : std::uint8_t {
  Disabled,     // guard false or no fitting message
  Blocked,      // would send into a full queue of policy Block: not enabled now
  Cut,          // would send into a full queue of policy Cut: the run is not followed, and the answer says so
  AssumedAway,  // integers overflow although assumed not to: not followed, and the answer says so
  Done,
  AssertionFailed,  // the three failures: no successor state
  RuntimeError,
  QueueOverflow
};
const char* describe(Outcome outcome);
inline bool is_failure(Outcome o) {
  return o >= Outcome::AssertionFailed;
}
// The step exists: it leads somewhere or fails.
inline bool happens(Outcome o) {
  return o >= Outcome::Done;
}

enum class EventKind : std::uint8_t { Received, Sent, Lost, Discarded, Assigned, Noted, Printed };

struct Event {
  EventKind kind = EventKind::Noted;
  QueueId queue;               // Received, Sent, Lost, Discarded
  std::uint32_t position = 0;  // Received, Discarded: index taken from; Sent: index put at
  Message message;
  CellId cell;  // Assigned
  std::int32_t before = 0, after = 0;
  ElementId element;  // Noted
  std::string text;   // Printed
};

struct Failure {
  system::RuntimeError error = system::RuntimeError::Other;
  std::string message;  // one sentence
  system::Origin origin;
  QueueId queue;  // QueueOverflow, Cut, Blocked
};

struct StepResult {
  Outcome outcome = Outcome::Disabled;
  State state;                // after the step, if Done
  std::vector<Event> events;  // in order; also up to a failure
  Failure failure;
};

// The step loses a message: it finds no room in its queue, or a discarding action (null: the start) was executed. Where
// dispatch and discard are separate steps, the discarding one has no trigger.
bool loses(const system::Action* action, const StepResult& result);

// What a run touched, for checking declared footprints.
struct AccessLog {
  std::vector<CellId> cells_read, cells_written;
  std::vector<QueueId> queues_taken, queues_put, queues_tested;
};

std::string show(const system::System& system, const Message& message);

}  // namespace parley::semantics
