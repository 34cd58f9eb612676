#include "bounds/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace parley::bounds {

using system::ActionId;

std::string show_class(const system::System& s, const MessageClass& m, const Splits& splits) {
  const system::Signal& signal = s.signal(m.signal);
  std::string text = signal.name;
  if (!m.values.empty()) {
    text += '(';
    std::size_t next = 0;
    for (std::size_t i = 0; i < signal.params.size(); ++i) {
      if (i > 0) text += ", ";
      text += splits.split(m.signal, i) ? system::show_value(s, signal.params[i], m.values[next++]) : "_";
    }
    text += ')';
  }
  return text;
}

namespace {

constexpr std::int64_t kWidestCounter = 10'000'000;

class Assembler {
 public:
  Assembler(const SystemFacts& facts, const Precision& p,
            std::vector<std::shared_ptr<const ComponentGraph>> parts)
      : s_(facts.system), facts_(facts) {
    x_.precision = p;
    x_.components = std::move(parts);
  }

  Extraction run() {
    find_homes();
    for (std::uint32_t m = 0; m < x_.components.size(); ++m) add_component(m);
    if (facts_.start)
      add_first_messages();
    else
      add_initial_body();
    return std::move(x_);
  }

 private:
  void find_homes() {
    home_.assign(s_.actions.size(), kNowhere);
    guests_.resize(s_.actions.size());
    for (std::uint32_t m = 0; m < x_.components.size(); ++m) {
      const auto& owners = x_.precision.components[m].owners;
      for (ActionId a : x_.components[m]->actions) {
        if (std::find(owners.begin(), owners.end(), s_.action(a).owner) != owners.end())
          home_[a.index()] = m;
        else
          guests_[a.index()].push_back(m);
      }
    }
  }

  std::uint32_t message(const MessageClass& m) {
    const auto [at, fresh] = messages_.try_emplace(m, static_cast<std::uint32_t>(x_.graph.kinds.size()));
    if (fresh) {
      Kind k;
      k.queue = m.queue;
      k.signal = m.signal;
      k.values = m.values;
      k.name = s_.queue(m.queue).name + ": " + show_class(s_, m, x_.precision.splits);
      x_.graph.kinds.push_back(std::move(k));
    }
    return at->second;
  }
  std::uint32_t ledger(ActionId a, std::uint32_t guest) {
    const auto [at, fresh] =
        ledgers_.try_emplace({a, guest}, static_cast<std::uint32_t>(x_.graph.kinds.size()));
    if (fresh) {
      Kind k;
      k.sort = KindSort::Ledger;
      k.action = a;
      k.component = guest;
      k.name = fmt::format("{} with {}", s_.action(a).name, x_.precision.components[guest].name);
      x_.graph.kinds.push_back(std::move(k));
    }
    return at->second;
  }

  void add_component(std::uint32_t m) {
    const ComponentGraph& part = *x_.components[m];
    Component c;
    c.name = x_.precision.components[m].name;
    c.owners = x_.precision.components[m].owners;
    c.initial = part.initial;
    for (const auto& node : part.nodes) c.nodes.push_back(name(part, node));
    // Counters as kinds: distance from both ends of the range.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> data;  // rising, falling; equal: none
    for (std::uint32_t slot : part.counters) {
      Interval range{1, 0};
      for (std::size_t n = 0; n < part.nodes.size(); ++n)
        range = n == 0 ? part.nodes[n][slot] : hull(range, part.nodes[n][slot]);
      if (range.hi - range.lo > kWidestCounter) {
        data.emplace_back(0, 0);
        continue;
      }
      const Interval start = part.start[slot];
      Kind k;
      k.sort = KindSort::Data;
      k.cell = part.view.cells[slot];
      k.component = m;
      k.rising = true;
      k.limit = range.lo;
      k.initial = start.hi - range.lo;
      k.name = fmt::format("{} - {}", s_.cell(k.cell).name, k.limit);
      x_.graph.kinds.push_back(k);
      k.rising = false;
      k.limit = range.hi;
      k.initial = range.hi - start.lo;
      k.name = fmt::format("{} - {}", k.limit, s_.cell(k.cell).name);
      x_.graph.kinds.push_back(k);
      const auto last = static_cast<std::uint32_t>(x_.graph.kinds.size() - 1);
      data.emplace_back(last - 1, last);
    }
    for (const auto& node : part.nodes) {
      Effect reserve;
      for (std::size_t k = 0; k < data.size(); ++k) {
        if (data[k].first == data[k].second) continue;
        const Interval& range = node[part.counters[k]];
        add_to(reserve, data[k].first, range.lo - x_.graph.kinds[data[k].first].limit);
        add_to(reserve, data[k].second, x_.graph.kinds[data[k].second].limit - range.hi);
      }
      c.reserve.push_back(std::move(reserve));
    }
    x_.origin.emplace_back();
    for (std::uint32_t i = 0; i < part.edges.size(); ++i) {
      const GraphEdge& from = part.edges[i];
      Edge e{from.from, from.to, {}, from.action, s_.action(from.action).name};
      for (const auto& [cls, amount] : from.change) add_to(e.effect, message(cls), amount);
      for (std::size_t k = 0; k < data.size(); ++k) {
        if (data[k].first == data[k].second) continue;
        add_to(e.effect, data[k].first, from.steps[k].hi);
        add_to(e.effect, data[k].second, -from.steps[k].lo);
      }
      if (home_[from.action.index()] == m) {
        for (std::uint32_t guest : guests_[from.action.index()])
          add_to(e.effect, ledger(from.action, guest), 1);
      } else if (home_[from.action.index()] != kNowhere) {
        add_to(e.effect, ledger(from.action, m), -1);
      }
      if (e.from == e.to && e.effect.empty()) continue;
      c.edges.push_back(std::move(e));
      x_.origin.back().push_back(i);
    }
    x_.graph.components.push_back(std::move(c));
  }

  std::string name(const ComponentGraph& part, const std::vector<Interval>& node) const {
    std::string text;
    for (std::size_t i = 0; i < part.exact; ++i) {
      const system::Cell& cell = s_.cell(part.view.cells[i]);
      const std::string value = system::show_value(s_, cell.type, static_cast<std::int32_t>(node[i].lo));
      if (i > 0) text += ", ";
      text += cell.role == system::CellRole::Location ? value : cell.name + "=" + value;
    }
    return text.empty() ? "·" : text;
  }

  // What the queues hold when the components start.
  void add_first_messages() {
    for (std::size_t q = 0; q < s_.queues.size(); ++q)
      for (const semantics::Message& m : facts_.start->state.queues[q]) {
        MessageClass c{system::QueueId(q), m.signal, {}};
        for (std::size_t i = 0; i < m.args.size(); ++i)
          if (x_.precision.splits.split(m.signal, i)) c.values.push_back(m.args[i]);
        const std::uint32_t kind = message(c);
        ++x_.graph.kinds[kind].initial;
      }
  }

  // What the initial body sends, as a component of its own with one step.
  void add_initial_body() {
    if (!s_.initial_body.valid()) return;
    View everything;
    std::vector<Interval> start;
    for (std::size_t i = 0; i < s_.cells.size(); ++i) {
      everything.slot_of_cell.push_back(static_cast<std::int32_t>(i));
      everything.cells.push_back(system::CellId(i));
      everything.exact.push_back(false);
      start.push_back(only(s_.cells[i].initial));
    }
    everything.prepare(s_);
    const RunContext context{s_, everything, x_.precision.splits, facts_.ranges, true, 20000};
    Component c;
    c.name = "initialisation";
    c.nodes = {"before", "after"};
    c.initial = {0};
    std::map<Effect, bool> seen;
    for_each_way(context, ActionId{}, start, [&](const Way& way) {
      Effect effect;
      for (const auto& [m, times] : way.sent) add_to(effect, message(m), times);
      if (seen.emplace(effect, true).second) c.edges.push_back({0, 1, effect, {}, "initialisation"});
    });
    const bool silent =
        std::all_of(c.edges.begin(), c.edges.end(), [](const Edge& e) { return e.effect.empty(); });
    if (!silent) x_.graph.components.push_back(std::move(c));
  }

  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  const system::System& s_;
  const SystemFacts& facts_;
  Extraction x_;
  std::vector<std::uint32_t> home_;
  std::vector<std::vector<std::uint32_t>> guests_;
  std::map<MessageClass, std::uint32_t> messages_;
  std::map<std::pair<ActionId, std::uint32_t>, std::uint32_t> ledgers_;
};

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> range_at(const Extraction& x, std::uint32_t component,
                                                              std::uint32_t node, system::CellId cell) {
  if (component >= x.components.size()) return std::nullopt;
  const ComponentGraph& part = *x.components[component];
  const std::int32_t slot = part.view.slot_of_cell[cell.index()];
  if (slot < 0) return std::nullopt;
  const Interval& r = part.nodes[node][static_cast<std::size_t>(slot)];
  return std::pair(r.lo, r.hi);
}

std::optional<std::int64_t> start_at(const Extraction& x, std::uint32_t component, system::CellId cell) {
  if (component >= x.components.size()) return std::nullopt;
  const ComponentGraph& part = *x.components[component];
  const std::int32_t slot = part.view.slot_of_cell[cell.index()];
  if (slot < 0) return std::nullopt;
  const Interval& r = part.start[static_cast<std::size_t>(slot)];
  return r.lo == r.hi ? std::optional(r.lo) : std::nullopt;
}

Extraction assemble(const SystemFacts& facts, const Precision& precision,
                    std::vector<std::shared_ptr<const ComponentGraph>> components) {
  return Assembler(facts, precision, std::move(components)).run();
}

namespace {

// What messages can carry: from what is there at the start upwards, until nothing new is sent. What still
// grows after some rounds becomes anything of its type. Leaves the facts as they were if it does not end in
// time.
void find_params(SystemFacts& facts, const Precision& precision, GraphLimits limits) {
  constexpr int kPatience = 6, kRounds = 14;
  const system::System& s = facts.system;
  if (std::all_of(s.signals.begin(), s.signals.end(), [](const auto& g) { return g.params.empty(); })) return;
  ParamRanges now;
  if (facts.start) {
    for (std::size_t q = 0; q < s.queues.size(); ++q)
      for (const semantics::Message& m : facts.start->state.queues[q]) {
        std::vector<Interval> values;
        for (std::int32_t v : m.args) values.push_back(only(v));
        now.add(system::QueueId(q), m.signal, values);
      }
  } else if (s.initial_body.valid()) {
    return;  // one start is the rule, and what is sent before it is rare
  }
  try {
    for (int round = 0; round < kRounds; ++round) {
      facts.params = now;
      ParamRanges next = now;
      limits.sent = &next;
      for (const ComponentPlan& plan : precision.components)
        build_component(facts, plan, precision.splits, limits);
      if (next == now) return;
      if (round >= kPatience)
        for (auto& [key, ranges] : next.known)
          for (std::size_t i = 0; i < ranges.size(); ++i) {
            const std::vector<Interval>* before = now.of(key.first, key.second);
            if (before == nullptr || (*before)[i] != ranges[i])
              ranges[i] = values_of(s.signal(key.second).params[i]);
          }
      now = std::move(next);
    }
  } catch (const TooWide&) {
  }
  facts.params.reset();
}

// Actions called dead that can fire in the final graph of their component after all: ranges are not monotone,
// and what was shown on an earlier graph need not show on the last one, which is what the certificate has.
std::vector<ActionId> not_dead(const SystemFacts& facts, const Precision& precision,
                               const std::vector<std::shared_ptr<const ComponentGraph>>& parts) {
  std::vector<ActionId> found;
  for (std::size_t m = 0; m < parts.size(); ++m) {
    const auto& owners = precision.components[m].owners;
    const RunContext context{facts.system,
                             parts[m]->view,
                             precision.splits,
                             facts.ranges,
                             false,
                             4096,
                             facts.params ? &*facts.params : nullptr};
    for (std::size_t a = 0; a < facts.dead.size(); ++a) {
      if (!facts.dead[a] || facts.assumed[a] ||
          std::find(owners.begin(), owners.end(), facts.system.actions[a].owner) == owners.end())
        continue;
      bool fires = false;
      try {
        for (const auto& node : parts[m]->nodes)
          for_each_way(context, ActionId(a), node, [&](const Way&) { fires = true; });
      } catch (const TooWide&) {
        fires = true;
      }
      if (fires) found.emplace_back(a);
    }
  }
  return found;
}

}  // namespace

Extraction extract(SystemFacts& facts, const Precision& precision, const GraphLimits& limits) {
  std::vector<std::shared_ptr<const ComponentGraph>> parts;
  constexpr int kRounds = 6;
  constexpr std::size_t kFewWays = 128;
  bool params_sought = false;
  std::vector<char> revived(facts.dead.size(), 0);
  // First with little patience: what is wide is often what never happens.
  GraphLimits patience = limits;
  patience.max_ways = kFewWays;
  for (int round = 0;; ++round) {
    parts.clear();
    std::vector<char> fires(facts.dead.begin(), facts.dead.end());
    // A component that is too wide may not be so any more when the others have shown what never happens.
    std::optional<TooWide> failed;
    for (const ComponentPlan& plan : precision.components) {
      const auto ours = [&](ActionId a) {
        return std::find(plan.owners.begin(), plan.owners.end(), facts.system.action(a).owner) !=
               plan.owners.end();
      };
      try {
        parts.push_back(
            std::make_shared<const ComponentGraph>(build_component(facts, plan, precision.splits, patience)));
        for (const GraphEdge& e : parts.back()->edges)
          if (ours(e.action)) fires[e.action.index()] = 1;
        // Where no run begins (the initialisation always fails) nothing is said about what happens later: a
        // graph with fewer cells in view could not repeat it.
        if (parts.back()->initial.empty())
          for (std::size_t a = 0; a < fires.size(); ++a) fires[a] = fires[a] || ours(ActionId(a));
      } catch (const TooWide& e) {
        if (limits.stop && limits.stop()) throw;
        failed = e;
        for (std::size_t a = 0; a < fires.size(); ++a) fires[a] = fires[a] || ours(ActionId(a));
      }
    }
    std::vector<ActionId> never;
    for (std::size_t a = 0; a < fires.size(); ++a)
      if (!fires[a] && !revived[a]) never.emplace_back(a);
    if (failed && (never.empty() || round >= kRounds)) {
      if (patience.max_ways == limits.max_ways) throw *failed;
      patience.max_ways = limits.max_ways;
      if (never.empty()) continue;
    }
    if (never.empty() && !params_sought) {
      params_sought = true;
      find_params(facts, precision, limits);
      if (facts.params) continue;
    }
    if (failed || (!never.empty() && round < kRounds)) {
      facts.bury(never);
      continue;
    }
    const std::vector<ActionId> again = not_dead(facts, precision, parts);
    if (again.empty()) break;
    for (ActionId a : again) {
      facts.dead[a.index()] = 0;
      revived[a.index()] = 1;
    }
    facts.bury({});
  }
  return assemble(facts, precision, std::move(parts));
}

}  // namespace parley::bounds
