// Can this queue grow for ever? The question per queue of a System with its capacities taken away, answered
// by several racers: weights (a linear program whose dual is the proof, bounds/weights.hpp, refined by
// counterexamples) and trees of them (bounds/phases.hpp), tests of lengths (bounds/length_tests.hpp),
// explicit search that closes, and a pump (bounds/pump.hpp). Used by the command `parley bounds`, by the
// property "no unbounded queues" (bounds/engine.hpp) and by the driver, which makes proven limits the
// capacities of the other engines (driver/proven_bounds.hpp). Every answer carries its evidence; certify/
// checks it without this room's code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bounds/fairness.hpp"
#include "bounds/flow_graph.hpp"
#include "bounds/length_tests.hpp"
#include "bounds/search.hpp"
#include "engine/engine.hpp"
#include "verdict/verdict.hpp"

namespace parley::bounds {

enum class Answer : std::uint8_t { Bounded, Unbounded, Unknown };
const char* word(Answer answer);  // "bounded", "unbounded", "unknown"

struct Options {
  double seconds = 10;
  bool use_weights = true;  // and length tests
  bool use_search = true;
  std::size_t search_states = 150000;
  std::size_t walks = 60;  // random walks of 1,000 steps and more, twice; for as long as something is open
  std::size_t max_refinements = 60;
  std::size_t max_nodes = 4000;    // control states of one component
  std::size_t max_cycles = 20000;  // counted for the report
  std::uint64_t seed = 0;
  std::vector<system::ActionId> assumed_dead;  // whoever asks proves that they never fire (activation.hpp)
  bool look_at_order = true;                   // where counting messages is not enough
  bool search_beside = false;  // the exhaustive engine on a thread of its own, not after the weights
  bool one_growing_queue_is_enough =
      false;  // the property is decided then; the other queues may stay unknown
};

struct KindBound {
  std::string name;
  std::int64_t limit = 0;
};

// A cycle of the counterexample to boundedness, in terms of the System.
struct BlamedCycle {
  std::vector<system::OwnerId> owners;
  std::vector<system::ActionId> actions;  // in order; without what only exists in the abstraction
  std::int64_t times = 0;
  std::string path, effect;  // "idle -> busy -> idle", "+1 job in worker"
};

struct QueueReport {
  system::QueueId queue;
  Answer answer = Answer::Unknown;
  // Bounded
  std::int64_t limit = 0;            // the best proven bound
  bool exact = false;                // it is reached
  std::int64_t certified_limit = 0;  // what the certificate proves; a search may know better than weights
  std::vector<KindBound> kinds;      // by kind of message
  std::vector<Sender> senders;       // of a certificate by length tests
  std::vector<std::string> phases;   // the tree of a certificate of phases, in words
  verdict::Certificate certificate;  // formats: docs/bounds.md
  // Unbounded
  std::optional<Pump> pump;
  std::optional<Fairness> fairness;  // of its loop
  // Unknown: which component goes round which cycle how often and what it leaves behind.
  std::vector<std::string> story;
  std::vector<BlamedCycle> cycles;  // the same for drawings

  // Whether an independent checker was convinced; false: it had not the time. Nothing: nobody asked.
  std::optional<bool> checked;
  std::uint32_t longest_seen = 0;
  std::optional<std::uint32_t> declared;  // capacity in the model
  std::string suggestion;
};

struct BoundsReport {
  std::vector<QueueReport> queues;
  // The test as published would have looked at this many elementary cycles (of the unrefined graphs).
  std::size_t cycles = 0;
  bool cycles_complete = true;
  std::size_t nodes = 0, edges = 0, kinds = 0;  // of the unrefined graphs
  std::size_t counterexamples = 0, refinements = 0;
  std::vector<std::string> refinement_log;
  std::size_t states = 0;  // of the explicit search
  bool search_closed = false;
  std::vector<std::string>
      not_followed;  // runs that the model left out, e.g. "new P processes (4 can exist)"
  // What was taken for granted about tests of fullness, e.g. "…, which asks whether it is full, …".
  std::vector<std::string> assumptions;
  std::string note;       // what could not be done, if anything
  std::string unchecked;  // why some answers were not checked again
  double seconds = 0;

  bool all(Answer answer) const;
  bool any(Answer answer) const;
};

// Other engines to ask, each may be null. `explorer` searches exhaustively, faster than this room; `prover`
// tells whether cycles can be entered at all.
struct Helpers {
  engine::Engine* explorer = nullptr;
  engine::Engine* prover = nullptr;
};
BoundsReport analyse(const system::System& system, const Options& options,
                     const engine::CancelToken* cancel = nullptr, const Helpers& helpers = {});

}  // namespace parley::bounds
