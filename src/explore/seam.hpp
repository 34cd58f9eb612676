// The next-state seam: three operations on packed states (initial, successors, inspect), and the path that
// says by which steps the successor just made was reached. The search is a template over it, so that the
// compiled generator, the reference interpreter, an abstract domain, generated native code, a reduction or a
// product with an automaton can be searched without touching the search. Nothing here is virtual: it is the
// inner loop.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "domain/domain.hpp"
#include "semantics/state.hpp"

namespace parley::explore {

// What a step can do besides leading to a state. Each is the business of one kind of property.
enum class Event : std::uint8_t {
  Lost,        // a message was discarded, or lost at a full queue
  Overflowed,  // a message did not fit into its queue
  AssertionFailed,
  RuntimeError,
  EndlessStretch,  // an exclusive stretch can go on for ever: the path is a lasso
  LongStretch      // a stretch is longer than the generator follows: the search is not complete
};
inline constexpr std::size_t kEventKinds = 6;

// The steps from the state being expanded (or, from nothing, the initial choices) to the event or successor
// that is being reported.
struct Path {
  std::vector<std::uint64_t> initial_choices;
  std::vector<semantics::Step> steps;
  std::optional<std::size_t> loop_start;  // EndlessStretch
};

// Who listens while a model enumerates. `room` is where the next successor's words go; `arrive` says that
// they are there, and names the owner (or Id::kNone) if the whole path is completion of that owner. `omit`
// reports a step that is not followed: Cut (with the full queue), AssumedAway, or Blocked for initial bodies.
// `enough` is asked between the runs of one action; true ends the enumeration early.
template <class S>
concept Listener = requires(S& s, std::uint32_t owner_or_queue, Event event, semantics::Outcome outcome) {
  { s.room() } -> std::same_as<std::uint32_t*>;
  {s.arrive(owner_or_queue)};
  {s.happen(event)};
  {s.omit(outcome, owner_or_queue)};
  { s.enough() } -> std::same_as<bool>;
};

// A listener that does nothing, to state the concept with.
struct Deaf {
  std::uint32_t* room() { return nullptr; }
  void arrive(std::uint32_t) {}
  void happen(Event) {}
  void omit(semantics::Outcome, std::uint32_t) {}
  bool enough() { return false; }
};

template <class M>
concept NextState = requires(M& m, Deaf& listener, const std::uint32_t* words, system::PropertyId property) {
  { m.words() } -> std::convertible_to<std::uint32_t>;
  {m.initial(listener)};
  // All steps of a state; true if somebody could move (a step that is cut counts, a blocked one does not).
  { m.successors(words, listener) } -> std::same_as<bool>;
  // The truth of a property's expression, and whether everybody may rest here for ever.
  { m.inspect(words, property) } -> std::same_as<domain::Truth>;
  { m.at_rest(words) } -> std::same_as<bool>;
  // Only valid inside a listener's calls.
  { m.path() } -> std::same_as<Path>;
  // Coverage so far: elements reached, longest queues, owners whose completions may cycle.
  { m.reached() } -> std::convertible_to<std::vector<bool>>;
  { m.longest() } -> std::convertible_to<std::vector<std::uint32_t>>;
  { m.may_complete_forever(0u) } -> std::same_as<bool>;
};

}  // namespace parley::explore
