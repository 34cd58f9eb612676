#include "bounds/component_graph.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace parley::bounds {

using system::ActionId;
using system::CellId;

namespace {

constexpr std::size_t kLongestStart = 400;

bool chooses_widely(const system::System& s) {
  return std::any_of(s.stmts.begin(), s.stmts.end(), [&](const system::Stmt& st) {
    if (st.kind != system::StmtKind::Choose) return false;
    const expr::Node &lo = s.exprs[st.lo], &hi = s.exprs[st.hi];
    return lo.op != expr::Op::Const || hi.op != expr::Op::Const ||
           static_cast<std::int64_t>(hi.value) - lo.value > 1000;
  });
}

}  // namespace

SystemFacts::SystemFacts(const system::System& s, const std::function<bool()>& stop)
    : system(s), relevant(relevance(s)), dead(s.actions.size(), 0), assumed(s.actions.size(), 0) {
  for (std::size_t a = 0; a < s.actions.size(); ++a) footprints.push_back(system::footprint(s, ActionId(a)));
  std::set<std::int64_t> constants;
  for (std::size_t e = 0; e < s.exprs.size(); ++e)
    if (s.exprs[system::ExprId(e)].op == expr::Op::Const) {
      const std::int64_t v = s.exprs[system::ExprId(e)].value;
      constants.insert({v - 1, v, v + 1});
    }
  thresholds.assign(constants.begin(), constants.end());
  find_start(stop);
  bury({});
}

void SystemFacts::assume_dead(const std::vector<ActionId>& actions) {
  for (ActionId a : actions) assumed[a.index()] = 1;
  bury(actions);
}

void SystemFacts::bury(const std::vector<ActionId>& actions) {
  for (ActionId a : actions) dead[a.index()] = 1;
  writers.assign(system.cells.size(), {});
  for (std::size_t a = 0; a < system.actions.size(); ++a)
    for (CellId c : footprints[a].writes)
      if (!dead[a]) writers[c.index()].push_back(ActionId(a));
  find_ranges();
}

void SystemFacts::find_start(const std::function<bool()>& stop) {
  if (chooses_widely(system)) return;
  const semantics::Interpreter in(system, std::vector<std::uint32_t>(system.queues.size(), 1U << 24));
  const std::vector<semantics::InitialState> initial = in.initial_states();
  never_starts = std::none_of(initial.begin(), initial.end(), [](const semantics::InitialState& i) {
    return i.result.outcome == semantics::Outcome::Done ||
           i.result.outcome == semantics::Outcome::AssumedAway;  // a run that nobody may speak of
  });
  if (initial.size() != 1 || initial[0].result.outcome != semantics::Outcome::Done) return;
  Start s;
  s.choices = initial[0].choices;
  s.state = initial[0].result.state;
  for (const auto& q : s.state.queues) s.longest.push_back(static_cast<std::uint32_t>(q.size()));
  start = s;
  // Follow the only way; remember the place after the last step that started a process.
  std::set<semantics::State> seen{s.state};
  while (s.steps.size() < kLongestStart) {
    if (stop && stop()) return;
    std::vector<semantics::Successor> next = in.successors(s.state);
    std::vector<std::uint32_t> failing(s.longest.size(), 0);
    for (const semantics::Successor& x : next)
      for (std::size_t q = 0; semantics::is_failure(x.result.outcome) && q < failing.size(); ++q)
        failing[q] = std::max(failing[q], static_cast<std::uint32_t>(x.result.state.queues[q].size()));
    std::erase_if(next, [](const auto& x) { return x.result.outcome != semantics::Outcome::Done; });
    if (next.size() != 1 || !seen.insert(next[0].result.state).second) return;
    const system::OwnerId mover = system.action(next[0].step.action).owner;
    bool starts = false;
    for (CellId c : footprints[next[0].step.action.index()].writes)
      starts =
          starts || (system.cell(c).role == system::CellRole::Location && system.cell(c).owner != mover &&
                     s.state.cells[c.index()] != next[0].result.state.cells[c.index()]);
    s.steps.push_back(next[0].step);
    s.state = std::move(next[0].result.state);
    for (std::size_t q = 0; q < s.longest.size(); ++q)
      s.longest[q] =
          std::max({s.longest[q], failing[q], static_cast<std::uint32_t>(s.state.queues[q].size())});
    if (starts) start = s;
  }
}

// Cells that nobody writes keep what they have at the start.
void SystemFacts::find_ranges() {
  ranges.clear();
  for (const system::Cell& c : system.cells) ranges.push_back(values_of(c.type));
  if (start) {
    for (std::size_t c = 0; c < ranges.size(); ++c)
      if (writers[c].empty()) ranges[c] = only(start->state.cells[c]);
    return;
  }
  View view;
  view.slot_of_cell.assign(system.cells.size(), -1);
  std::vector<Interval> first;
  for (std::size_t c = 0; c < system.cells.size(); ++c) {
    if (!writers[c].empty()) continue;
    view.slot_of_cell[c] = static_cast<std::int32_t>(view.cells.size());
    view.cells.push_back(CellId(c));
    view.exact.push_back(false);
    first.push_back(only(system.cells[c].initial));
  }
  view.prepare(system);
  std::vector<Interval> found(first.size(), Interval{1, 0});
  bool any = false;
  try {
    const Splits none;
    const RunContext context{system, view, none, ranges, false, 20000};
    for_each_way(context, ActionId{}, first, [&](const Way& way) {
      for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = any ? hull(found[i], way.after[i].range) : way.after[i].range;
      any = true;
    });
    for (std::size_t i = 0; any && i < found.size(); ++i) ranges[view.cells[i].index()] = found[i];
  } catch (const TooWide&) {
    // The types' ranges stand.
  }
}

namespace {

class Builder {
 public:
  Builder(const SystemFacts& facts, const ComponentPlan& plan, const Splits& splits,
          const GraphLimits& limits)
      : facts_(facts), s_(facts.system), plan_(plan), splits_(splits), limits_(limits) {
    choose_actions();
    choose_view();
  }

  ComponentGraph build() {
    seed();
    while (!work_.empty()) {
      const std::uint32_t n = work_.front();
      work_.pop_front();
      queued_[n] = false;
      expand(n, [&](const Way& way, ActionId) { reach(way); });
    }
    if (g_.exact < g_.view.cells.size()) {
      narrow();
      narrow();
    }
    emit();
    prune();
    for (CellId c : g_.view.cells)
      if (starts_.empty()) g_.start.push_back(only(s_.cell(c).initial));
    for (const auto& ranges : starts_) {
      if (g_.start.empty()) g_.start = ranges;
      for (std::size_t i = 0; i < ranges.size(); ++i) g_.start[i] = hull(g_.start[i], ranges[i]);
    }
    return std::move(g_);
  }

 private:
  bool ours(system::OwnerId o) const {
    return o.valid() && std::find(plan_.owners.begin(), plan_.owners.end(), o) != plan_.owners.end();
  }

  void choose_actions() {
    std::vector<char> in(s_.actions.size(), 0);
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      in[a] = ours(s_.actions[a].owner) || ours(s_.actions[a].partner);
    for (CellId c : plan_.tracked)
      for (ActionId a : facts_.writers[c.index()]) in[a.index()] = 1;
    for (std::size_t a = 0; a < in.size(); ++a) in[a] = in[a] && !facts_.dead[a];
    for (std::size_t a = 0; a < in.size(); ++a)
      if (in[a]) g_.actions.push_back(ActionId(a));
    takes_part_ = std::move(in);
  }

  void choose_view() {
    g_.view.slot_of_cell.assign(s_.cells.size(), -1);
    const auto add = [&](CellId c, bool exact) {
      g_.view.slot_of_cell[c.index()] = static_cast<std::int32_t>(g_.view.cells.size());
      g_.view.cells.push_back(c);
      g_.view.exact.push_back(exact);
    };
    for (CellId c : plan_.tracked) add(c, true);
    g_.exact = g_.view.cells.size();
    // Ranges only for cells whose every writer is here and owned by the component.
    for (std::size_t c = 0; c < s_.cells.size(); ++c) {
      if (g_.view.slot_of_cell[c] >= 0 || !facts_.relevant.cells[c]) continue;
      const auto& writers = facts_.writers[c];
      // A cell that nobody writes any more is a constant; unless the initialisation had a choice, and then
      // what was found out with it in view must still be found out.
      if (writers.empty() && (facts_.ranges[c].single() || !s_.cells[c].owner.valid())) continue;
      if (!std::all_of(writers.begin(), writers.end(),
                       [&](ActionId a) { return takes_part_[a.index()] != 0; }))
        continue;
      // Its own, or nobody's and written by its own actions only.
      const system::OwnerId owner = s_.cells[c].owner;
      if (owner.valid() ? !ours(owner) : !std::all_of(writers.begin(), writers.end(), [&](ActionId a) {
            return ours(s_.action(a).owner);
          }))
        continue;
      add(CellId(c), false);
    }
    prepare();
  }

  // Marks the statements of the actions here, and finds what an action's guard demands of exact cells: the
  // test that rules out most actions in most nodes.
  void prepare() {
    g_.view.prepare(s_);
    for (ActionId a : g_.actions) {
      demands_.emplace_back();
      demand(s_.action(a).guard, demands_.back());
    }
  }
  void demand(system::ExprId e, std::vector<std::pair<std::size_t, std::int64_t>>& list) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == expr::Op::AndAlso) {
      demand(n.operands[0], list);
      // The second operand is not evaluated when the first is false, but then the guard is false as well.
      demand(n.operands[1], list);
    } else if (n.op == expr::Op::Eq) {
      for (const int side : {0, 1}) {
        const expr::Node &x = s_.exprs[n.operands[side]], &y = s_.exprs[n.operands[1 - side]];
        if (x.op != expr::Op::Cell || y.op != expr::Op::Const) continue;
        const std::int32_t slot = g_.view.slot_of_cell[x.a];
        if (slot >= 0 && g_.view.exact[static_cast<std::size_t>(slot)])
          list.emplace_back(static_cast<std::size_t>(slot), y.value);
      }
    }
  }

  RunContext context(bool messages) const {
    return {s_,
            g_.view,
            splits_,
            facts_.ranges,
            messages,
            limits_.max_ways,
            facts_.params ? &*facts_.params : nullptr,
            limits_.sent};
  }

  std::uint32_t node_of(const std::vector<Interval>& ranges) {
    std::vector<std::int64_t> key;
    for (std::size_t i = 0; i < g_.exact; ++i) key.push_back(ranges[i].lo);
    const auto [at, fresh] = index_.try_emplace(std::move(key), static_cast<std::uint32_t>(g_.nodes.size()));
    if (fresh) {
      if (g_.nodes.size() >= limits_.max_nodes) throw TooWide("too many control states");
      g_.nodes.push_back(ranges);
      visits_.push_back(0);
      queued_.push_back(true);
      work_.push_back(at->second);
    }
    return at->second;
  }

  static std::vector<Interval> ranges_of(const std::vector<Known>& after) {
    std::vector<Interval> ranges;
    for (const Known& k : after) ranges.push_back(k.range);
    return ranges;
  }

  void seed() {
    std::vector<Interval> start;
    if (facts_.start) {
      for (CellId c : g_.view.cells) start.push_back(only(facts_.start->state.cells[c.index()]));
      starts_.push_back(start);
      g_.initial.push_back(node_of(start));
      return;
    }
    for (CellId c : g_.view.cells) start.push_back(only(s_.cell(c).initial));
    for_each_way(context(false), ActionId{}, start, [&](const Way& way) {
      starts_.push_back(ranges_of(way.after));
      const std::uint32_t n = node_of(starts_.back());
      join_into(n, starts_.back());
      if (std::find(g_.initial.begin(), g_.initial.end(), n) == g_.initial.end()) g_.initial.push_back(n);
    });
  }

  void reach(const Way& way) {
    const std::vector<Interval> ranges = ranges_of(way.after);
    join_into(node_of(ranges), ranges);
  }

  void join_into(std::uint32_t n, const std::vector<Interval>& ranges) {
    bool grew = false;
    for (std::size_t i = g_.exact; i < ranges.size(); ++i) {
      Interval& mine = g_.nodes[n][i];
      if (mine.contains(ranges[i])) continue;
      Interval next = hull(mine, ranges[i]);
      if (visits_[n] > limits_.patience)
        next = widened(mine, next, values_of(s_.cell(g_.view.cells[i]).type));
      mine = next;
      grew = true;
    }
    if (!grew) return;
    ++visits_[n];
    if (!queued_[n]) {
      queued_[n] = true;
      work_.push_back(n);
    }
  }

  Interval widened(const Interval& old, Interval next, const Interval& type) const {
    const auto& t = facts_.thresholds;
    if (next.hi > old.hi) {
      const auto up = std::lower_bound(t.begin(), t.end(), next.hi);
      next.hi = up == t.end() ? type.hi : std::min(*up, type.hi);
    }
    if (next.lo < old.lo) {
      const auto down = std::upper_bound(t.begin(), t.end(), next.lo);
      next.lo = down == t.begin() ? type.lo : std::max(*std::prev(down), type.lo);
    }
    return next;
  }

  template <class F>
  void expand(std::uint32_t n, F&& found, bool messages = false) {
    const std::vector<Interval> view = g_.nodes[n];  // a copy: found may grow nodes
    if (limits_.stop && limits_.stop()) throw TooWide("out of time");
    for (std::size_t i = 0; i < g_.actions.size(); ++i) {
      const ActionId a = g_.actions[i];
      if (std::any_of(demands_[i].begin(), demands_[i].end(),
                      [&](const auto& d) { return view[d.first].lo != d.second; }))
        continue;
      const bool home = messages && ours(s_.action(a).owner);
      for_each_way(context(home), a, view, [&](const Way& way) { found(way, a); });
    }
  }

  // One decreasing round: ranges from the incoming ways only.
  void narrow() {
    std::vector<std::vector<Interval>> fresh = g_.nodes;
    std::vector<char> met(g_.nodes.size(), 0);
    const auto meet = [&](const std::vector<Interval>& ranges) {
      std::vector<std::int64_t> key;
      for (std::size_t i = 0; i < g_.exact; ++i) key.push_back(ranges[i].lo);
      const std::uint32_t n = index_.at(key);
      for (std::size_t i = g_.exact; i < ranges.size(); ++i)
        fresh[n][i] = met[n] ? hull(fresh[n][i], ranges[i]) : ranges[i];
      met[n] = 1;
    };
    for (const auto& s : starts_) meet(s);
    for (std::uint32_t n = 0; n < g_.nodes.size(); ++n)
      expand(n, [&](const Way& way, ActionId) { meet(ranges_of(way.after)); });
    g_.nodes = std::move(fresh);
  }

  void emit() {
    struct Raw {
      GraphEdge edge;
      std::vector<Interval> steps;  // by slot
    };
    std::vector<char> counts(g_.view.cells.size(), 0);
    std::map<
        std::tuple<std::uint32_t, std::uint32_t, ActionId, std::vector<std::pair<MessageClass, std::int64_t>>,
                   std::vector<std::pair<std::int64_t, std::int64_t>>>,
        std::size_t>
        seen;
    for (std::uint32_t n = 0; n < g_.nodes.size(); ++n)
      expand(
          n,
          [&](const Way& way, ActionId a) {
            GraphEdge e;
            e.from = n;
            e.to = node_of(ranges_of(way.after));
            e.action = a;
            std::map<MessageClass, std::int64_t> change;
            for (const auto& [m, times] : way.sent) change[m] += times;
            if (way.taken) --change[*way.taken];
            // Also what is taken and sent again: the certificate weighs every kind that is ever sent.
            for (const auto& [m, amount] : change) e.change.emplace_back(m, amount);
            std::vector<std::pair<std::int64_t, std::int64_t>> key;
            for (std::size_t i = g_.exact; i < g_.view.cells.size(); ++i) {
              const Known& k = way.after[i];
              Interval step{k.range.lo - way.before[i].hi, k.range.hi - way.before[i].lo};
              if (k.base == static_cast<std::int32_t>(i)) {
                step = intersect(step, k.delta);
                if (k.delta != only(0)) counts[i] = 1;
              }
              e.steps.push_back(step);
              key.emplace_back(step.lo, step.hi);
            }
            const auto [at, fresh] = seen.try_emplace({e.from, e.to, a, e.change, key}, g_.edges.size());
            GraphEdge& kept = fresh ? g_.edges.emplace_back(std::move(e)) : g_.edges[at->second];
            if (g_.edges.size() > limits_.max_edges) throw TooWide("too many transitions");
            for (CellId c : way.open_reads)
              if (std::find(kept.open_reads.begin(), kept.open_reads.end(), c) == kept.open_reads.end())
                kept.open_reads.push_back(c);
            for (const auto& o : way.open_params)
              if (std::find(kept.open_params.begin(), kept.open_params.end(), o) == kept.open_params.end())
                kept.open_params.push_back(o);
          },
          true);
    for (std::uint32_t i = static_cast<std::uint32_t>(g_.exact); i < counts.size(); ++i)
      if (counts[i]) g_.counters.push_back(i);
    for (GraphEdge& e : g_.edges) {
      std::vector<Interval> steps;
      for (std::uint32_t slot : g_.counters) steps.push_back(e.steps[slot - g_.exact]);
      e.steps = std::move(steps);
    }
  }

  // Narrower ranges may have closed the only way to a node that wider ones had opened. Nobody weighs what
  // happens there, so it must not be listed: the checker asks of every listed node.
  void prune() {
    std::vector<std::vector<std::uint32_t>> next(g_.nodes.size());
    for (const GraphEdge& e : g_.edges) next[e.from].push_back(e.to);
    constexpr std::uint32_t kGone = 0xffffffffU;
    std::vector<std::uint32_t> number(g_.nodes.size(), kGone);
    std::vector<std::uint32_t> open = g_.initial;
    for (std::uint32_t n : open) number[n] = 0;
    while (!open.empty()) {
      const std::uint32_t n = open.back();
      open.pop_back();
      for (std::uint32_t to : next[n])
        if (std::exchange(number[to], 0) == kGone) open.push_back(to);
    }
    std::uint32_t count = 0;
    for (std::uint32_t n = 0; n < number.size(); ++n) {
      if (number[n] == kGone) continue;
      if (count != n) g_.nodes[count] = std::move(g_.nodes[n]);
      number[n] = count++;
    }
    g_.nodes.resize(count);
    std::erase_if(g_.edges, [&](const GraphEdge& e) { return number[e.from] == kGone; });
    for (GraphEdge& e : g_.edges) {
      e.from = number[e.from];
      e.to = number[e.to];
    }
    for (std::uint32_t& n : g_.initial) n = number[n];
  }

  const SystemFacts& facts_;
  const system::System& s_;
  const ComponentPlan& plan_;
  const Splits& splits_;
  const GraphLimits& limits_;
  ComponentGraph g_;
  std::vector<char> takes_part_;
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> demands_;  // by action here
  std::map<std::vector<std::int64_t>, std::uint32_t> index_;
  std::vector<std::vector<Interval>> starts_;
  std::vector<std::uint32_t> visits_;
  std::vector<bool> queued_;
  std::deque<std::uint32_t> work_;
};

}  // namespace

ComponentGraph build_component(const SystemFacts& facts, const ComponentPlan& plan, const Splits& splits,
                               const GraphLimits& limits) {
  return Builder(facts, plan, splits, limits).build();
}

}  // namespace parley::bounds
