#include "report/loop_cycles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace parley::report {
namespace {

using semantics::Event;
using semantics::EventKind;
using semantics::State;
using system::ActionId;
using system::OwnerId;

// One step of the loop as one object sees it.
struct Move {
  std::vector<std::int32_t> from, to;  // active states of the object
  const verdict::Step* step = nullptr;
  const semantics::StepResult* result = nullptr;
};

std::vector<std::int32_t> places(const system::System& s, OwnerId owner, const State& state) {
  std::vector<std::int32_t> values;
  for (system::CellId c : s.owner(owner).locations) values.push_back(state.cells[c.index()]);
  return values;
}

std::string place_name(const system::System& s, OwnerId owner, const std::vector<std::int32_t>& values) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string name = system::show_value(s, s.cell(s.owner(owner).locations[i]).type, values[i]);
    if (!name.empty()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, "/"));
}

// What stays in the queues after these moves, by "signal in queue".
std::string effect_of(const system::System& s, const std::vector<Move>& cycle, OwnerId owner) {
  std::map<std::string, int> balance;
  for (const Move& m : cycle) {
    const system::Action& a = s.action(m.step->action);
    if (a.owner != owner) continue;  // a partner's share is told with the partner
    for (const Event& e : m.result->events) {
      const bool takes = e.kind == EventKind::Received || e.kind == EventKind::Discarded;
      if (takes && a.trigger && !a.trigger->consume) continue;
      if (!takes && e.kind != EventKind::Sent) continue;
      balance[fmt::format("{} in {}", s.signal(e.message.signal).name, s.queue(e.queue).name)] +=
          takes ? -1 : 1;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [what, n] : balance)
    if (n != 0) parts.push_back(fmt::format("{:+} {}", n, what));
  return fmt::format("{}", fmt::join(parts, ", "));
}

LoopCycle told(const system::System& s, OwnerId owner, std::vector<Move> cycle) {
  // The same cycle may be entered at different places: it begins with its smallest action.
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [](const Move& x, const Move& y) { return x.step->action < y.step->action; }),
              cycle.end());
  LoopCycle c;
  c.owner = owner;
  c.times = 1;
  c.path = place_name(s, owner, cycle.front().from);
  for (const Move& m : cycle) {
    c.actions.push_back(m.step->action);
    if (!c.path.empty()) c.path += " -> " + place_name(s, owner, m.to);
    for (const Event& e : m.result->events)
      if (e.kind == EventKind::Noted &&
          std::find(c.elements.begin(), c.elements.end(), e.element) == c.elements.end())
        c.elements.push_back(e.element);
  }
  if (c.path.empty()) c.path = s.action(c.actions.front()).name;
  c.effect = effect_of(s, cycle, owner);
  return c;
}

// Elementary cycles of a closed walk: whenever a place comes back, what lies between is one.
std::vector<std::vector<Move>> taken_apart(const std::vector<Move>& walk) {
  std::vector<std::vector<Move>> cycles;
  std::vector<Move> open;
  for (const Move& m : walk) {
    open.push_back(m);
    for (std::size_t i = 0; i < open.size(); ++i)
      if (open[i].from == m.to) {
        cycles.emplace_back(open.begin() + static_cast<std::ptrdiff_t>(i), open.end());
        open.resize(i);
        break;
      }
  }
  if (!open.empty()) cycles.push_back(std::move(open));
  return cycles;
}

}  // namespace

std::vector<LoopCycle> loop_cycles(const system::System& s, const verdict::Trace& lasso) {
  const semantics::Interpreter in = verdict::unlimited_interpreter(s);
  const verdict::Replay run = verdict::replay(in, lasso);
  const std::size_t from = lasso.loop_start.value_or(lasso.steps.size());
  std::vector<std::vector<Move>> walks(s.owners.size());
  for (std::size_t i = from; i + 1 < run.states.size(); ++i) {
    const system::Action& a = s.action(lasso.steps[i].action);
    for (OwnerId o : {a.owner, a.partner})
      if (o.valid())
        walks[o.index()].push_back(
            {places(s, o, run.states[i]), places(s, o, run.states[i + 1]), &lasso.steps[i], &run.results[i]});
  }
  std::vector<LoopCycle> cycles;
  for (std::size_t o = 0; o < walks.size(); ++o)
    for (std::vector<Move>& cycle : taken_apart(walks[o])) {
      LoopCycle c = told(s, OwnerId(o), std::move(cycle));
      const auto same = std::find_if(cycles.begin(), cycles.end(), [&](const LoopCycle& x) {
        return x.owner == c.owner && x.actions == c.actions && x.effect == c.effect;
      });
      if (same != cycles.end())
        ++same->times;
      else
        cycles.push_back(std::move(c));
    }
  return cycles;
}

std::vector<QueueGrowth> queue_growth(const system::System& s, const verdict::Trace& lasso,
                                      std::size_t rounds) {
  verdict::Trace unrolled = lasso;
  const std::size_t from = lasso.loop_start.value_or(lasso.steps.size());
  const std::size_t length = lasso.steps.size() - from;
  for (std::size_t r = 1; r < rounds; ++r)
    unrolled.steps.insert(unrolled.steps.end(), lasso.steps.begin() + static_cast<std::ptrdiff_t>(from),
                          lasso.steps.end());
  const verdict::Replay run = verdict::replay(verdict::unlimited_interpreter(s), unrolled);
  std::vector<QueueGrowth> all;
  if (length == 0 || run.states.size() <= from) return all;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    if (run.states.back().queues[q].size() <= run.states[from].queues[q].size()) continue;
    QueueGrowth g;
    g.queue = system::QueueId(q);
    for (std::size_t i = from; i < run.states.size(); ++i) {
      g.after_step.push_back(run.states[i].queues[q].size());
      if ((i - from) % length == 0) g.after_round.push_back(g.after_step.back());
    }
    all.push_back(std::move(g));
  }
  return all;
}

}  // namespace parley::report
