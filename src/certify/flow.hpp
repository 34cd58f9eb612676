// The abstraction that certificates about queue lengths speak of: components with the control states listed
// in the certificate, and every edge that an outcome of an action makes between them. Made here from the
// System and the list alone (certify/worlds.hpp says what an action may do), so that a list that leaves
// something out is a rejection. weights_check.cpp and phases_check.cpp weigh the edges.
//
// Checked on the way:
//  - messages at the start and all that are sent are within the ranges listed for them, if any are; the
//  start,
//    if one is given, is the only way a run can begin; actions listed as dead are disabled in every control
//    state of their component;
//  - every action has exactly one component of its owner, and takes part in every other component one of
//  whose
//    cells it may write;
//  - from every control state every outcome of every action that takes part leads to a listed control state,
//    within its ranges.
#pragma once

#include <gmpxx.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "certify/worlds.hpp"
#include "semantics/interpreter.hpp"

namespace parley::certify {

struct Rejected {
  std::string why;
};
void need(bool condition, const char* why);
std::size_t number_below(const nlohmann::json& j, std::size_t below, const char* what);
mpq_class rational(const nlohmann::json& j);
// Numbers of cells and messages have 32 bits; more could overflow further on.
std::int64_t value32(const nlohmann::json& j);
Interval range32(const nlohmann::json& j);

// A kind of message: queue, signal, values of the parameters told apart.
using MessageKind = std::tuple<std::size_t, std::size_t, std::vector<std::int64_t>>;
inline MessageKind kind_of(const SentMessage& m) {
  return {m.queue.index(), m.signal.index(), m.values};
}

struct FlowPart {
  std::vector<std::size_t> owners;
  Setting setting;
  std::size_t singles = 0;                   // listed cells with one value per node come first
  std::vector<std::vector<Interval>> nodes;  // ranges of all listed cells
  std::map<std::vector<std::int64_t>, std::size_t> index;
  std::vector<char> takes_part;      // by action
  std::vector<std::size_t> initial;  // nodes where a run may begin
  std::vector<Interval> first;       // of all listed cells, over all beginnings
  explicit FlowPart(const system::System& s) : setting{s, {}, {}, {}, {}, true, {}} {}
};

struct FlowEdge {
  std::size_t part = 0, from = 0, to = 0, action = 0;
  std::vector<SentMessage> sent;  // only in the part that is the action's home
  std::optional<SentMessage> taken;
  std::vector<std::pair<std::size_t, Interval>> change;  // by place among the part's cells; not listed: none
};

// A step that sends to a queue and may then fail. It makes no edge, since it leads nowhere, but the queue is
// as long by then as it will ever be.
struct FlowStop {
  std::size_t part = 0, from = 0, action = 0;
  std::vector<Interval> ranges;      // of the part's cells before the step
  std::optional<SentMessage> taken;  // by then
  std::int64_t sent = 0;             // to the queue, by then
};

using ActionSet = std::set<std::size_t>;

class Flow {
 public:
  // `never`: actions known not to fire (may be empty), which need not be shown dead. Throws Rejected,
  // CarriesMore, OutOfTime, json::exception.
  Flow(const system::System& system, const nlohmann::json& certificate, const ActionSet& never,
       const Patience& patience);

  // Every step that may fail after sending to the queue, except that of the initialisation. Throws Rejected.
  std::vector<FlowStop> stops(system::QueueId queue) const;
  // The most that an initialisation which fails may have sent to the queue. Throws Rejected.
  std::int64_t sent_by_failing_start(system::QueueId queue) const;

  const system::System& s;
  bool never_starts = false;  // every initialisation fails: nothing else is filled in
  std::vector<FlowPart> parts;
  std::vector<FlowEdge> edges;
  std::vector<std::size_t> home;                         // by action
  std::vector<std::vector<SentMessage>> first_messages;  // what may be in the queues at the beginning
  std::vector<std::size_t> longest_before;               // by queue: during the start, if one is given

 private:
  void begin(const nlohmann::json& j);
  void read(const nlohmann::json& j);
  void read_carried(const nlohmann::json& j);
  void constants();
  void participation();
  void find_first_messages();
  void find_initial(FlowPart& p) const;
  std::size_t landing(const FlowPart& p, const World& w) const;
  void stays_dead(const FlowPart& p, std::size_t action) const;
  void find_edges(std::size_t m);
  // Every cell listed, and what it is before the initial body.
  std::vector<Interval> list_all(Setting& all) const;
  const std::map<std::pair<std::size_t, std::size_t>, std::vector<Interval>>* carried() const {
    return carried_ ? &*carried_ : nullptr;
  }

  std::vector<std::vector<bool>> told_apart_;
  std::vector<std::vector<system::CellId>> writes_;  // by action
  std::vector<std::vector<system::QueueId>> puts_;   // by action
  std::vector<Interval> elsewhere_;
  const ActionSet& never_;
  const Patience& patience_;
  std::vector<char> dead_;  // by action
  std::optional<semantics::State> start_;
  std::optional<std::map<std::pair<std::size_t, std::size_t>, std::vector<Interval>>> carried_;
};

}  // namespace parley::certify
