// Steps that send and then fail. They lead nowhere, so no graph has an edge for them; but a queue is as long
// by then as it will ever be, and whoever gives it less room cuts the run before the error shows. So a limit
// counts them: contents before the step are as everywhere, then it takes a message and sends what it sends up
// to the place where it may fail (system/may_fail.hpp). Used where limits become answers (settle.cpp) and by
// length_tests.cpp; the checker in certify/ finds these steps itself. A step that is completed needs no such
// look: sends only add, so its end has the most.
#pragma once

#include <map>

#include "bounds/extract.hpp"
#include "bounds/weights.hpp"

namespace parley::bounds {

// Calls `found` right after each send behind which the action (invalid: the initial body) may fail. The same
// place may be told several times. Throws TooWide.
void for_each_interruption(RunContext context, system::ActionId action, const std::vector<Interval>& view,
                           const std::function<void(const Way&)>& found);

class FailingSteps {
 public:
  // Those that may have sent to some queue. Throws TooWide, also when `stop` says so.
  FailingSteps(const SystemFacts& facts, const Extraction& extraction, const std::function<bool()>& stop);

  // The most that the queue holds, given weights for it.
  std::int64_t limit(system::QueueId queue, const WeightBound& bound) const;
  // The same for one kind of message.
  std::int64_t limit_of_kind(std::uint32_t kind, const WeightBound& bound) const;
  // By how much a failing step makes the queue longer, at most; and what a failing initialisation sends.
  std::int64_t added(system::QueueId queue) const;
  std::int64_t sent_at_start(system::QueueId queue) const;

 private:
  using Counts = std::function<bool(const MessageClass&)>;
  using Sent = std::vector<std::pair<MessageClass, std::int64_t>>;
  // What a step has done when it may fail, from a node of its owner's component.
  struct Interruption {
    std::uint32_t component = 0, node = 0;
    std::vector<Interval> before;        // the component's view, as far as the way tells
    std::optional<std::uint32_t> taken;  // kind; nothing: no message, or one that weighs nothing
    std::optional<system::QueueId> taken_from;
    Sent sent;  // to the queue

    friend bool operator==(const Interruption&, const Interruption&) = default;
  };
  void add(std::uint32_t component, std::uint32_t node, const Way& way,
           const std::map<MessageClass, std::uint32_t>& kinds);
  std::int64_t limit(system::QueueId queue, const WeightBound& bound, const Counts& counts) const;

  const FlowGraph& graph_;
  const Extraction& extraction_;
  std::vector<std::vector<Interruption>> steps_;  // by queue
  std::vector<Sent> starts_;                      // what initialisations that fail have sent
};

}  // namespace parley::bounds
