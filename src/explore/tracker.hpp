// Which properties of a request are still open, and what was found for the others. The search tells it about
// events and states; it makes the results. It knows nothing of how states are stored or found.
#pragma once

#include <vector>

#include "explore/omissions.hpp"
#include "explore/seam.hpp"
#include "semantics/interpreter.hpp"

namespace parley::explore {

// What the search knows at its end.
struct Statistics {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;         // breadth-first: levels completed; depth-first: longest path
  std::uint64_t memory_bytes = 0;  // of the store
  double bytes_per_state = 0;      // of the store, table included
  double seconds = 0;
  double states_per_second = 0;
  bool complete = false;
  std::vector<bool> reached;                   // by element
  std::vector<std::uint32_t> longest;          // by queue
  std::vector<std::uint64_t> states_at_depth;  // breadth-first: new states per level
};

class Tracker {
 public:
  // With an interpreter, violations get their reason by replay; abstract traces do without.
  Tracker(const engine::Request& request, engine::EngineKind engine,
          const semantics::Interpreter* interpreter);

  bool all_decided() const { return open_ == 0; }
  bool wants(Event event) const { return (wanted_events_ & (1u << static_cast<unsigned>(event))) != 0; }
  bool wants_deadlock() const { return deadlock_open_; }
  // Open properties that are decided by looking at a state.
  const std::vector<system::PropertyId>& watched() const { return watched_; }
  // Whether a state where a watched property's expression has this truth decides the property.
  bool decides(system::PropertyId property, domain::Truth truth) const {
    const bool always = request_.system.property(property).kind == system::PropertyKind::Always;
    return always ? truth.may_be_false : truth.may_be_true;
  }
  bool wants_completion_cycles() const { return cycles_open_; }

  void happened(Event event, const verdict::Trace& trace);
  void deadlock(const verdict::Trace& trace);
  void completion_cycle(const verdict::Trace& trace);
  // A watched property was violated (or, for `reachable`, shown) by the last state of the trace.
  void shown(system::PropertyId property, const verdict::Trace& trace);
  // Coverage properties hold as soon as everything was reached.
  void covered(const std::vector<bool>& reached);

  void omitted(semantics::Outcome outcome, std::uint32_t queue) { omissions_.note(outcome, queue); }

  // All results in the order of the request. `stopped` absent: the search saw everything.
  std::vector<verdict::PropertyResult> results(const Statistics& statistics,
                                               const std::optional<engine::Stop>& stopped);

 private:
  struct Question {
    verdict::PropertyResult result;
    bool open = true;
  };
  void decide(Question& question, verdict::Verdict verdict);
  void decide_all(system::PropertyKind kind, const verdict::Trace& trace);
  void refresh();
  std::vector<system::ElementId> unreached(system::PropertyKind kind, const std::vector<bool>& reached) const;
  void conclude(Question& question, const Statistics& statistics, const std::optional<engine::Stop>& stopped);

  verdict::Violated violated(system::PropertyId property, const verdict::Trace& trace) const;

  const engine::Request& request_;
  const semantics::Interpreter* interpreter_;
  std::vector<Question> questions_;
  std::vector<system::PropertyId> watched_;
  std::uint32_t wanted_events_ = 0;
  std::size_t open_ = 0;
  bool deadlock_open_ = false;
  bool cycles_open_ = false;
  Omissions omissions_;
};

}  // namespace parley::explore
