// What is verified of a certificate of weights, besides what flow.hpp verifies, for weights y and potentials
// L:
//  1. L(there) >= L(here) + weight of what the edge adds, for every edge; initial control states have L >= 0;
//  2. messages for the queue weigh at least 1, nothing weighs less than 0 (the ledgers of joint actions may),
//     counted data stays on its side of its limit;
//  3. the sum of the largest potentials (less the data certainly there), plus initial contents, is below
//     limit + 1;
//  4. so is what a step that fails makes of it: 3 with the potential of where it begins, less what it takes,
//     plus 1 for each message it has sent to the queue by then.
// By induction over the run, weighted content <= 3, hence the queue's length <= limit, within steps too: they
// only add, and one that is completed ends with the most.
#include "certify/weights_check.hpp"

#include <fmt/format.h>

#include "certify/weighing.hpp"

namespace parley::certify {

using nlohmann::json;

namespace {

void check(const system::System& s, system::QueueId queue, std::int64_t limit, const json& j,
           const ActionSet& never, const Patience& patience) {
  const Flow flow(s, j, never, patience);
  need(flow.sent_by_failing_start(queue) <= limit, "an initialisation that fails exceeds the limit");
  if (flow.never_starts) return;  // no state exceeds anything
  need(static_cast<std::int64_t>(flow.longest_before[queue.index()]) <= limit, "the start exceeds the limit");
  Weighing w = read_weights(flow, j);
  for (std::size_t m = 0; m < flow.parts.size(); ++m) {
    std::vector<mpq_class> potentials;
    for (const json& n : j.at("components").at(m).at("nodes"))
      potentials.push_back(rational(n.at("potential")));
    w.potentials.push_back(std::move(potentials));
  }
  const auto heavy = [&](const std::vector<SentMessage>& sent) {
    for (const SentMessage& m : sent)
      if (m.queue == queue && w.of(m) < 1)
        throw Rejected{
            fmt::format("a message `{}` of the queue weighs less than 1", s.signal(m.signal).name)};
  };
  for (const auto& first : flow.first_messages) heavy(first);
  for (const FlowEdge& e : flow.edges) {
    heavy(e.sent);
    if (loss(flow, w, e) < 0)
      throw Rejected{
          fmt::format("`{}` gains more weight than the potentials allow", s.actions[e.action].name)};
  }
  const WeightForEver weight = weight_for_ever(flow, w);
  mpz_class most = floor_of(weight.sum());
  for (const FlowStop& stop : flow.stops(queue)) most = std::max(most, floor_of(length_at(w, weight, stop)));
  if (most > mpz_class(static_cast<long>(limit)))
    throw Rejected{fmt::format("the weights only prove {}, not {}", most.get_str(), limit)};
}

}  // namespace

Check check_weights(const system::System& system, system::QueueId queue, std::int64_t limit, const json& j,
                    const ActionSet& never, const Patience& patience) {
  return guarded([&] { check(system, queue, limit, j, never, patience); });
}

}  // namespace parley::certify
