#include "bounds/failing_steps.hpp"

#include <algorithm>

#include "system/may_fail.hpp"

namespace parley::bounds {

using system::ActionId;
using system::QueueId;

namespace {

using Sent = std::vector<std::pair<MessageClass, std::int64_t>>;

template <class Counts>
std::int64_t count(const Sent& sent, const Counts& counts) {
  std::int64_t n = 0;
  for (const auto& [m, times] : sent)
    if (counts(m)) n += times;
  return n;
}

Rational weight_of(const FlowGraph& g, const WeightBound& b, const MessageClass& m) {
  for (std::size_t k = 0; k < g.kinds.size(); ++k) {
    const Kind& kind = g.kinds[k];
    if (kind.sort == KindSort::Message && kind.queue == m.queue && kind.signal == m.signal &&
        kind.values == m.values)
      return b.weights[k];
  }
  return 0;
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
    : graph_(x.graph), extraction_(x) {
  const system::System& s = facts.system;
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
        for_each_interruption(context, ActionId(a), part.nodes[n], [&](const Way& way) {
          steps_.push_back({m, n, way.before, way.taken, way.sent});
        });
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

std::int64_t FailingSteps::limit(const WeightBound& b, const Counts& counts) const {
  std::int64_t most = b.limit;
  std::vector<Rational> depths;
  for (std::uint32_t m = 0; m < extraction_.components.size(); ++m) depths.push_back(depth(graph_, b, m));
  for (const Interruption& i : steps_) {
    const std::int64_t sent = count(i.sent, counts);
    if (sent == 0) continue;
    Rational length =
        b.value - depths[i.component] + b.potentials[i.component][i.node] -
        data_weight(graph_, b, i.component, extraction_.components[i.component]->view, i.before);
    if (i.taken) length -= weight_of(graph_, b, *i.taken);
    most = std::max(most, floor_of(length + Rational(static_cast<long>(sent))));
  }
  for (const Sent& sent : starts_) most = std::max(most, count(sent, counts));
  return most;
}

std::int64_t FailingSteps::limit(QueueId queue, const WeightBound& bound) const {
  return limit(bound, [&](const MessageClass& m) { return m.queue == queue; });
}

std::int64_t FailingSteps::limit_of_kind(std::uint32_t kind, const WeightBound& bound) const {
  const Kind& k = graph_.kinds[kind];
  return limit(bound, [&](const MessageClass& m) {
    return m.queue == k.queue && m.signal == k.signal && m.values == k.values;
  });
}

std::int64_t FailingSteps::added(QueueId queue) const {
  std::int64_t most = 0;
  for (const Interruption& i : steps_) {
    const std::int64_t sent = count(i.sent, [&](const MessageClass& m) { return m.queue == queue; });
    if (sent > 0) most = std::max(most, sent - (i.taken && i.taken->queue == queue ? 1 : 0));
  }
  return most;
}

std::int64_t FailingSteps::sent_at_start(QueueId queue) const {
  std::int64_t most = 0;
  for (const Sent& sent : starts_)
    most = std::max(most, count(sent, [&](const MessageClass& m) { return m.queue == queue; }));
  return most;
}

}  // namespace parley::bounds
