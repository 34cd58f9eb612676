// The next-state seam: three operations on packed states (initial, successors, inspect), and the path that
// says by which steps the successor just made was reached. The search is a template over it, so that the
// compiled generator, the reference interpreter, an abstract domain, generated native code, a reduction or a
// product with an automaton can be searched without touching the search. Nothing here is virtual: it is the
// inner loop. tests/explore/seam_*.hpp wrap it in a product, a reduction and a self-check.
//
// While a model enumerates (inside a listener's calls) only `path` may be asked: it works in place, and
// another question would take its working state away. The words a question is about are read before the first
// call to a listener, who may move them.
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

// Where a state stands in the search at the moment it arrives.
enum class Arrival : std::uint8_t {
  Unasked,  // nobody wants to know (AsksForArrivals): the search may look it up later
  New,      // not met before; depth-first a state is met when it is entered, so twins may both be new
  Waiting,  // met, not expanded yet (breadth-first)
  OnPath,   // being expanded: the source itself or, depth-first, any state on the path to it
  Expanded  // its enumeration is over
};

// Who listens while a model enumerates. `room` is where the next successor's words go; `arrive` says that
// they are there, and names the owner (or Id::kNone) if the whole path is completion of that owner; the
// answer says where that state stands. `omit` reports a step that is not followed: Cut (with the full queue),
// AssumedAway, or Blocked for initial bodies. `enough` is asked between the runs of one action; after true
// the model may leave out whatever it likes.
//
// A listener that is no search and only looks for something answers Expanded. A model may list less because
// of New and Waiting, never because of Expanded: such a listener sees whatever the search has seen.
template <class S>
concept Listener = requires(S& s, std::uint32_t owner_or_queue, Event event, semantics::Outcome outcome) {
  { s.room() } -> std::same_as<std::uint32_t*>;
  { s.arrive(owner_or_queue) } -> std::same_as<Arrival>;
  {s.happen(event)};
  {s.omit(outcome, owner_or_queue)};
  { s.enough() } -> std::same_as<bool>;
};

// A listener that does nothing, to state the concepts with.
struct Deaf {
  std::uint32_t* room() { return nullptr; }
  Arrival arrive(std::uint32_t) { return Arrival::Expanded; }
  void happen(Event) {}
  void omit(semantics::Outcome, std::uint32_t) {}
  bool enough() { return false; }
};

template <class M>
concept NextState = requires(M& m, Deaf& listener, const std::uint32_t* words, system::PropertyId property) {
  { m.words() } -> std::convertible_to<std::uint32_t>;
  {m.initial(listener)};
  // All steps of a state, in the same order whenever asked; true if somebody could move (a step that is cut
  // counts, a blocked one does not).
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

// Some of the actions, by number.
using ActionSet = std::vector<bool>;

// An ability of its own: the steps of a state in parts, by their first action (inside a stretch everything
// its holder can do is followed). A part is exactly what `successors` has of it: steps that wait for idleness
// are there if nobody at all can move otherwise, also nobody outside the part. The result says whether the
// part could move. Parts that cover all actions have the same successors and events together as `successors`;
// which of several paths to a successor is told, and how often, may differ, because within one call the
// inside of a stretch is walked once.
template <class M>
concept Divisible = NextState<M> &&
    requires(M& m, Deaf& listener, const std::uint32_t* words, const ActionSet& actions) {
  { m.owners() } -> std::convertible_to<std::uint32_t>;  // numbered from 0
  { m.successors_of(words, 0u, listener) } -> std::same_as<bool>;
  { m.successors_by(words, actions, listener) } -> std::same_as<bool>;
};

// A model that decides by where its successors stand (a cycle proviso) says so, and the search looks every
// state up when it arrives. For the others it looks them up in batches, which is faster.
template <class M>
concept AsksForArrivals = NextState<M> && requires {
  requires M::asks_for_arrivals;
};

}  // namespace parley::explore
