// One action run on what is known: some cells exactly, some as ranges, the rest not at all. Enumerates every
// way the action may go (guard, branches, routes, values of told-apart parameters); each way has the cells
// after it, the messages it sends and takes. Over-approximates the reference semantics: whatever a concrete
// step does from a state within the view is one of the ways. Failing steps have no successor and so no way;
// what they have done by then is told apart (RunContext::interrupted).
//
// Loops whose condition stays open are summarised: cells they write become unknown, messages they send count
// `limit` times. Used by extract.cpp; the checker in certify/ has its own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "domain/interval_arithmetic.hpp"
#include "semantics/choices.hpp"
#include "system/system.hpp"

namespace parley::bounds {

using domain::Interval;
using domain::only;
using domain::values_of;

// Thrown when an abstraction has too many ways or values to list: the caller coarsens it.
class TooWide : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value: its range and, if it is a viewed cell's old value plus something, that.
struct Known {
  Interval range;
  std::int32_t base = -1;  // slot of the view
  Interval delta;          // value - old value of the base
};

// What is looked at: slots of cells, exact ones first needing a single value in every node.
struct View {
  std::vector<system::CellId> cells;
  std::vector<bool> exact;                 // by slot
  std::vector<std::int32_t> slot_of_cell;  // -1: not viewed
  // By statement: whether it can change a viewed cell or a local, fail, or (first list only) send. Filled by
  // prepare.
  std::vector<char> matters, matters_quietly;
  void prepare(const system::System& system);
};

// Which parameters are told apart, by signal (all queues alike) and parameter.
struct Splits {
  std::vector<std::vector<bool>> by_signal;
  bool split(system::SignalId s, std::size_t param) const {
    return s.index() < by_signal.size() && param < by_signal[s.index()].size() && by_signal[s.index()][param];
  }
};

struct MessageClass {
  system::QueueId queue;
  system::SignalId signal;
  std::vector<std::int32_t> values;  // of the parameters that are split, in order
  friend auto operator<=>(const MessageClass&, const MessageClass&) = default;
};

struct Way {
  std::vector<Interval> before;  // the view's ranges as narrowed by guard and branches
  std::vector<Known> after;
  std::vector<std::pair<MessageClass, std::int64_t>> sent;
  std::optional<MessageClass> taken;
  std::vector<system::CellId> open_reads;  // unviewed or inexact cells that decided something
  std::vector<std::pair<system::SignalId, std::uint32_t>> open_params;  // unsplit parameters that did
};

// What messages can carry, by queue, signal and parameter. Nothing is known of a pair that is not listed but
// that no such message is ever in the queue.
struct ParamRanges {
  std::map<std::pair<system::QueueId, system::SignalId>, std::vector<Interval>> known;

  const std::vector<Interval>* of(system::QueueId q, system::SignalId s) const {
    const auto at = known.find({q, s});
    return at == known.end() ? nullptr : &at->second;
  }
  void add(system::QueueId q, system::SignalId s, const std::vector<Interval>& params) {
    const auto [at, fresh] = known.try_emplace({q, s}, params);
    for (std::size_t i = 0; !fresh && i < params.size(); ++i) at->second[i] = hull(at->second[i], params[i]);
  }
  friend bool operator==(const ParamRanges&, const ParamRanges&) = default;
};

struct RunContext {
  const system::System& system;
  const View& view;
  const Splits& splits;
  const std::vector<Interval>& ranges;  // of every cell, for those not viewed
  bool messages = true;                 // false: the action's other half counts them
  std::size_t max_ways = 4096;
  const ParamRanges* params = nullptr;  // null: the types
  ParamRanges* sent = nullptr;          // takes note of what is sent, if messages are counted
  // Told right after each send behind which the body may fail, if messages are counted (failing_steps.hpp).
  const std::function<void(const Way&)>* interrupted = nullptr;
};

// Calls `found` for every way. `action` invalid: the initial body.
void for_each_way(const RunContext& context, system::ActionId action, const std::vector<Interval>& view,
                  const std::function<void(const Way&)>& found);

}  // namespace parley::bounds
