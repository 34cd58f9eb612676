// A trace told in the user's words: who did what, which message went where with its values, what changed.
// Messages are numbered so that a send and its receipt can be matched. Made by replaying on the reference
// semantics; the text, JSON and HTML reports only lay this out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verdict/replay.hpp"

namespace parley::verdict {

struct NarratedMessage {
  std::uint32_t number = 0;  // from 1, in order of sending
  std::string text;          // "verify(3, atm)"
  std::string signal;
  system::QueueId queue;
  system::OwnerId sender;    // invalid: sent while the system started, by nobody in particular
  system::OwnerId receiver;  // who the message is for; invalid if several may take it
  std::size_t sent_at = 0;   // step number from 1; 0: while the system started
  std::size_t taken_at = 0;  // step that received or discarded it; 0: never
  bool discarded = false;
  bool lost = false;           // dropped by a full queue
  bool deferred_over = false;  // some later message was taken before it
};

struct NarratedChange {
  system::CellId cell;
  std::string name, before, after;
};

struct NarratedStep {
  system::ActionId action;
  system::OwnerId owner, partner;
  std::string title;  // the action's name
  system::ActionKind kind = system::ActionKind::Fire;
  std::vector<std::uint32_t> received;  // numbers of messages
  std::vector<std::uint32_t> sent;
  std::vector<NarratedChange> changes;  // net changes of cells, in order of cells
  std::vector<std::string> printed;
  std::vector<system::ElementId> noted;
  bool inside_stretch = false;  // the state after it is not visible
  semantics::Outcome outcome = semantics::Outcome::Done;
  semantics::Failure failure;
};

struct Narration {
  std::vector<NarratedMessage> messages;  // messages[k] has number k + 1
  std::vector<NarratedStep> steps;
  std::vector<std::uint32_t> sent_at_start;
  std::vector<system::ElementId> noted_at_start;
  std::vector<semantics::State> states;  // states[0] after the start, states[i] after step i
  std::vector<std::vector<std::vector<std::uint32_t>>>
      queues;  // per state, per queue: message numbers from the head
  std::optional<std::size_t> loop_start;
};

// The trace must replay; a trace that does not is narrated as far as it goes.
Narration narrate(const semantics::Interpreter& interpreter, const Trace& trace);
// The same for a trace that answers a property: the loop of a queue that grows for ever is a run of the model
// with its capacities taken away, and is told as that.
Narration narrate(const semantics::Interpreter& interpreter, PropertyId property, const Trace& trace);

// How a step failed, in one sentence: what kind of failure, unless the message says so itself.
std::string failure_text(const NarratedStep& step);

// Printf-like text of a Print event: %d %e and friends replaced by the arguments in order.
std::string format_printed(const system::System& system, const semantics::Event& event);

}  // namespace parley::verdict
