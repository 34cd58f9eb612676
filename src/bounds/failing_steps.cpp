#include "bounds/failing_steps.hpp"

#include <algorithm>
#include <limits>

#include "system/may_fail.hpp"

namespace parley::bounds {

using system::ActionId;
using system::QueueId;

namespace {

template <class Sent, class Counts>
std::int64_t count(const Sent& sent, const Counts& counts) {
  std::int64_t n = 0;
  for (const auto& [m, times] : sent)
    if (counts(m)) n += times;
  return n;
}

// What the counted data of a component certainly weighs.
Rational data_weight(const FlowGraph& g, const WeightBound& b, std::uint32_t component, const View& view,
                     const std::vector<Interval>& ranges) {
  Rational sum = 0;
  for (std::size_t k = 0; k < g.kinds.size(); ++k) {
    const Kind& kind = g.kinds[k];
    if (kind.sort != KindSort::Data || kind.component != component || sgn(b.weights[k]) == 0) continue;
    const Interval& r = ranges[static_cast<std::size_t>(view.slot_of_cell[kind.cell.index()])];
    sum += b.weights[k] * static_cast<long>(kind.rising ? r.lo - kind.limit : kind.limit - r.hi);
  }
  return sum;
}

// What the steps of a component add at most.
Rational depth(const FlowGraph& g, const WeightBound& b, std::uint32_t component) {
  const Component& c = g.components[component];
  Rational deepest = 0;
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    Rational d = b.potentials[component][n];
    if (!c.reserve.empty())
      for (const auto& [k, amount] : c.reserve[n]) d -= b.weights[k] * static_cast<long>(amount);
    if (d > deepest) deepest = d;
  }
  return deepest;
}

std::int64_t floor_of(const Rational& r) {
  mpz_class f;
  mpz_fdiv_q(f.get_mpz_t(), r.get_num_mpz_t(), r.get_den_mpz_t());
  return f.fits_slong_p() ? f.get_si() : std::numeric_limits<std::int32_t>::max();
}

}  // namespace

void for_each_interruption(RunContext context, ActionId action, const std::vector<Interval>& view,
                           const std::function<void(const Way&)>& found) {
  context.interrupted = &found;
  for_each_way(context, action, view, [](const Way&) {});
}

FailingSteps::FailingSteps(const SystemFacts& facts, const Extraction& x, const std::function<bool()>& stop)
    : graph_(x.graph), extraction_(x), steps_(facts.system.queues.size()) {
  const system::System& s = facts.system;
  std::map<MessageClass, std::uint32_t> kinds;
  for (std::uint32_t k = 0; k < graph_.kinds.size(); ++k)
    if (const Kind& kind = graph_.kinds[k]; kind.sort == KindSort::Message)
      kinds.emplace(MessageClass{kind.queue, kind.signal, kind.values}, k);
  const ParamRanges* params = facts.params ? &*facts.params : nullptr;
  for (std::uint32_t m = 0; m < x.components.size(); ++m) {
    const ComponentGraph& part = *x.components[m];
    const auto& owners = x.precision.components[m].owners;
    const RunContext context{s, part.view, x.precision.splits, facts.ranges, true, 4096, params};
    for (std::size_t a = 0; a < s.actions.size(); ++a) {
      if (facts.assumed[a] || facts.footprints[a].puts.empty() || !system::may_fail(s, s.actions[a].body) ||
          std::find(owners.begin(), owners.end(), s.actions[a].owner) == owners.end())
        continue;
      if (stop && stop()) throw TooWide("out of time");
      for (std::uint32_t n = 0; n < part.nodes.size(); ++n)
        for_each_interruption(context, ActionId(a), part.nodes[n],
                              [&](const Way& way) { add(m, n, way, kinds); });
    }
  }
  if (facts.start || !s.initial_body.valid() || !system::may_fail(s, s.initial_body)) return;
  View everything;
  std::vector<Interval> start;
  for (std::size_t c = 0; c < s.cells.size(); ++c) {
    everything.cells.emplace_back(c);
    everything.exact.push_back(false);
    everything.slot_of_cell.push_back(static_cast<std::int32_t>(c));
    start.push_back(only(s.cells[c].initial));
  }
  everything.prepare(s);
  for_each_interruption({s, everything, x.precision.splits, facts.ranges, true, 20000}, ActionId{}, start,
                        [&](const Way& way) { starts_.push_back(way.sent); });
}

void FailingSteps::add(std::uint32_t component, std::uint32_t node, const Way& way,
                       const std::map<MessageClass, std::uint32_t>& kinds) {
  std::map<QueueId, Interruption> by_queue;
  for (const auto& sent : way.sent) by_queue[sent.first.queue].sent.push_back(sent);
  for (auto& [queue, i] : by_queue) {
    i.component = component;
    i.node = node;
    i.before = way.before;
    if (way.taken) {
      i.taken_from = way.taken->queue;
      if (const auto kind = kinds.find(*way.taken); kind != kinds.end()) i.taken = kind->second;
    }
    // Choices made later lead to the same place again.
    std::vector<Interruption>& known = steps_[queue.index()];
    if (known.empty() || known.back() != i) known.push_back(std::move(i));
  }
}

std::int64_t FailingSteps::limit(QueueId queue, const WeightBound& b, const Counts& counts) const {
  std::int64_t most = b.limit;
  std::map<std::uint32_t, Rational> depths;  // of components, as needed
  for (const Interruption& i : steps_[queue.index()]) {
    const std::int64_t sent = count(i.sent, counts);
    if (sent == 0) continue;
    const auto [deepest, fresh] = depths.try_emplace(i.component);
    if (fresh) deepest->second = depth(graph_, b, i.component);
    Rational length =
        b.value - deepest->second + b.potentials[i.component][i.node] -
        data_weight(graph_, b, i.component, extraction_.components[i.component]->view, i.before);
    if (i.taken) length -= b.weights[*i.taken];
    most = std::max(most, floor_of(length + Rational(static_cast<long>(sent))));
  }
  for (const Sent& sent : starts_) most = std::max(most, count(sent, counts));
  return most;
}

std::int64_t FailingSteps::limit(QueueId queue, const WeightBound& bound) const {
  return limit(queue, bound, [&](const MessageClass& m) { return m.queue == queue; });
}

std::int64_t FailingSteps::limit_of_kind(std::uint32_t kind, const WeightBound& bound) const {
  const Kind& k = graph_.kinds[kind];
  return limit(k.queue, bound, [&](const MessageClass& m) {
    return m.queue == k.queue && m.signal == k.signal && m.values == k.values;
  });
}

std::int64_t FailingSteps::added(QueueId queue) const {
  std::int64_t most = 0;
  for (const Interruption& i : steps_[queue.index()])
    most = std::max(
        most, count(i.sent, [](const MessageClass&) { return true; }) - (i.taken_from == queue ? 1 : 0));
  return most;
}

std::int64_t FailingSteps::sent_at_start(QueueId queue) const {
  std::int64_t most = 0;
  for (const Sent& sent : starts_)
    most = std::max(most, count(sent, [&](const MessageClass& m) { return m.queue == queue; }));
  return most;
}

}  // namespace parley::bounds
