#include "certify/flow.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certify/totality.hpp"
#include "system/footprint.hpp"

namespace parley::certify {

using nlohmann::json;
using system::ActionId;
using system::CellId;

void need(bool condition, const char* why) {
  if (!condition) throw Rejected{why};
}

mpq_class rational(const json& j) {
  mpq_class r;
  const auto text = j.get<std::string>();
  need(!text.empty() && text.find_first_not_of("-0123456789/") == std::string::npos &&
           r.set_str(text, 10) == 0 && sgn(r.get_den()) > 0,
       "not a rational number");
  r.canonicalize();
  return r;
}

std::size_t number_below(const json& j, std::size_t below, const char* what) {
  const auto n = j.get<std::int64_t>();
  need(n >= 0 && static_cast<std::size_t>(n) < below, what);
  return static_cast<std::size_t>(n);
}

std::int64_t value32(const json& j) {
  need(j.is_number_integer() && !(j.is_number_unsigned() && j.get<std::uint64_t>() > 0x7fffffffU),
       "not a value of a cell");
  const auto v = j.get<std::int64_t>();
  need(v >= expr::kIntMin && v <= expr::kIntMax, "not a value of a cell");
  return v;
}

Interval range32(const json& j) {
  const Interval r{value32(j.at(0)), value32(j.at(1))};
  need(r.lo <= r.hi, "an empty range");
  return r;
}

namespace {

std::int64_t sent_to(system::QueueId queue, const std::vector<SentMessage>& sent) {
  std::int64_t count = 0;
  for (const SentMessage& m : sent)
    if (m.queue == queue) count += m.times;
  return count;
}

}  // namespace

Flow::Flow(const system::System& system, const json& j, const ActionSet& never, const Patience& patience)
    : s(system), never_(never), patience_(patience) {
  begin(j);
  read(j);
  constants();
  if (never_starts) return;
  for (FlowPart& p : parts) {
    p.setting.elsewhere = elsewhere_;
    p.setting.carried = carried();
    p.setting.patience = &patience_;
  }
  participation();
  find_first_messages();
  for (std::size_t m = 0; m < parts.size(); ++m) {
    find_initial(parts[m]);
    find_edges(m);
  }
}

std::vector<Interval> Flow::list_all(Setting& all) const {
  std::vector<Interval> start;
  for (std::size_t c = 0; c < s.cells.size(); ++c) {
    all.cells.emplace_back(c);
    all.single.push_back(false);
    start.push_back({s.cells[c].initial, s.cells[c].initial});
  }
  all.prepare();
  return start;
}

std::vector<FlowStop> Flow::stops(system::QueueId queue) const {
  std::vector<FlowStop> all;
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    if (never_.contains(a) || std::find(puts_[a].begin(), puts_[a].end(), queue) == puts_[a].end() ||
        total(s, s.actions[a].body))
      continue;
    const FlowPart& p = parts[home[a]];
    for (std::size_t n = 0; n < p.nodes.size(); ++n) {
      const auto results = interruptions(p.setting, ActionId(a), p.nodes[n]);
      if (!results) throw Rejected{fmt::format("`{}` may fail in too many places", s.actions[a].name)};
      for (const Outcome& o : *results)
        if (const std::int64_t sent = sent_to(queue, o.world.sent); sent > 0)
          all.push_back({home[a], n, a, o.world.old, o.taken, sent});
    }
  }
  return all;
}

std::int64_t Flow::sent_by_failing_start(system::QueueId queue) const {
  if (start_ || !s.initial_body.valid()) return 0;
  Setting all{s, {}, {}, elsewhere_, told_apart_, true, {}};
  const std::vector<Interval> start = list_all(all);
  const auto results = interruptions(all, ActionId{}, start);
  if (!results) throw Rejected{"the initial body may fail in too many places"};
  std::int64_t most = 0;
  for (const Outcome& o : *results) most = std::max(most, sent_to(queue, o.world.sent));
  return most;
}

// Replays the start: one initial state, then exactly one step each time.
void Flow::begin(const json& j) {
  longest_before.assign(s.queues.size(), 0);
  dead_.assign(s.actions.size(), 0);
  for (const json& a : j.at("dead")) dead_[number_below(a, s.actions.size(), "no such action")] = 1;
  if (!j.contains("start")) return;
  const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 1U << 24));
  const auto initial = in.initial_states();
  need(initial.size() == 1 && initial[0].result.outcome == semantics::Outcome::Done,
       "there are several starts");
  semantics::State state = initial[0].result.state;
  const auto measure = [&](const semantics::State& at) {
    for (std::size_t q = 0; q < longest_before.size(); ++q)
      longest_before[q] = std::max(longest_before[q], at.queues[q].size());
  };
  measure(state);
  for (const json& x : j.at("start").at("steps")) {
    patience_.ask();
    std::vector<semantics::Successor> next = in.successors(state);
    for (const semantics::Successor& n : next)
      if (semantics::is_failure(n.result.outcome)) measure(n.result.state);
    std::erase_if(next, [](const auto& n) { return n.result.outcome != semantics::Outcome::Done; });
    need(next.size() == 1, "the start is not the only way");
    need(next[0].step.action.index() == x.at("action").get<std::size_t>(), "the start goes another way");
    state = next[0].result.state;
    measure(state);
  }
  start_ = std::move(state);
}

void Flow::read(const json& j) {
  told_apart_.resize(s.signals.size());
  for (std::size_t i = 0; i < s.signals.size(); ++i) told_apart_[i].assign(s.signals[i].params.size(), false);
  for (const json& x : j.at("splits")) {
    const std::size_t signal = number_below(x.at(0), s.signals.size(), "no such signal");
    told_apart_[signal][number_below(x.at(1), s.signals[signal].params.size(), "no such parameter")] = true;
  }
  if (j.contains("params")) read_carried(j.at("params"));
  for (const json& x : j.at("components")) {
    FlowPart p(s);
    for (const json& o : x.at("owners"))
      p.owners.push_back(number_below(o, s.owners.size(), "no such owner"));
    for (const char* list : {"tracked", "ranged"})
      for (const json& c : x.at(list)) {
        p.setting.cells.emplace_back(number_below(c, s.cells.size(), "no such cell"));
        p.setting.single.push_back(list[0] == 't');
      }
    p.singles = x.at("tracked").size();
    std::vector<CellId> sorted = p.setting.cells;
    std::sort(sorted.begin(), sorted.end());
    need(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a cell is listed twice");
    p.setting.told_apart = told_apart_;
    p.setting.prepare();
    for (const json& n : x.at("nodes")) {
      std::vector<Interval> node;
      std::vector<std::int64_t> key;
      for (const json& v : n.at("values")) {
        key.push_back(value32(v));
        node.push_back({key.back(), key.back()});
      }
      for (const json& r : n.at("ranges")) node.push_back(range32(r));
      need(key.size() == p.singles && node.size() == p.setting.cells.size(), "a node does not fit its cells");
      need(p.index.emplace(key, p.nodes.size()).second, "a node is listed twice");
      p.nodes.push_back(std::move(node));
    }
    parts.push_back(std::move(p));
  }
}

// What messages can carry, if claimed; what is in the queues at the start must be covered, what is sent later
// is compared by worlds.cpp.
void Flow::read_carried(const json& j) {
  carried_.emplace();
  for (const json& x : j) {
    const std::size_t signal = number_below(x.at("signal"), s.signals.size(), "no such signal");
    std::vector<Interval> ranges;
    for (const json& r : x.at("ranges")) ranges.push_back(range32(r));
    need(ranges.size() == s.signals[signal].params.size(), "the ranges of a message do not fit its signal");
    need(carried_
             ->emplace(std::pair(number_below(x.at("queue"), s.queues.size(), "no such queue"), signal),
                       std::move(ranges))
             .second,
         "the ranges of a message are listed twice");
  }
  if (!start_) return;
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    for (const semantics::Message& m : start_->queues[q]) {
      const auto at = carried_->find({q, m.signal.index()});
      need(at != carried_->end(), "a message of the start has no ranges");
      for (std::size_t i = 0; i < m.args.size(); ++i)
        need(at->second[i].contains({m.args[i], m.args[i]}), "a message of the start is outside its ranges");
    }
}

// Cells that no action writes keep what the initial body gave them; of the others the type is known.
void Flow::constants() {
  for (const system::Cell& c : s.cells) elsewhere_.push_back(interval_of(c.type));
  std::vector<char> written(s.cells.size(), 0);
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    system::Footprint f = system::footprint(s, ActionId(a));
    puts_.push_back(std::move(f.puts));
    writes_.push_back(std::move(f.writes));
    for (CellId c : writes_.back())
      if (!dead_[a]) written[c.index()] = 1;
  }
  if (start_) {
    for (std::size_t c = 0; c < s.cells.size(); ++c)
      if (!written[c]) elsewhere_[c] = {start_->cells[c], start_->cells[c]};
    return;
  }
  Setting all{s, {}, {}, elsewhere_, {}, false, {}};
  const std::vector<Interval> start = list_all(all);
  const auto results = outcomes(all, ActionId{}, start);
  if (!results) return;
  never_starts = results->empty();
  if (never_starts) return;
  for (std::size_t c = 0; c < s.cells.size(); ++c) {
    if (written[c]) continue;
    Interval r = results->front().world.now[c].range;
    for (const Outcome& o : *results) r = hull(r, o.world.now[c].range);
    elsewhere_[c] = r;
  }
}

void Flow::participation() {
  home.assign(s.actions.size(), parts.size());
  for (std::size_t m = 0; m < parts.size(); ++m) {
    FlowPart& p = parts[m];
    p.takes_part.assign(s.actions.size(), 0);
    const auto ours = [&](system::OwnerId o) {
      return o.valid() && std::find(p.owners.begin(), p.owners.end(), o.index()) != p.owners.end();
    };
    for (std::size_t a = 0; a < s.actions.size(); ++a) {
      const system::Action& action = s.actions[a];
      if (ours(action.owner)) {
        need(home[a] == parts.size(), "an action has two components");
        home[a] = m;
      }
      p.takes_part[a] = !dead_[a] && (ours(action.owner) || ours(action.partner) ||
                                      std::any_of(writes_[a].begin(), writes_[a].end(), [&](CellId c) {
                                        return p.setting.place[c.index()].has_value();
                                      }));
    }
  }
  for (std::size_t a = 0; a < s.actions.size(); ++a)
    need(home[a] < parts.size(), "an action has no component");
}

void Flow::find_first_messages() {
  if (start_) {
    first_messages.emplace_back();
    for (std::size_t q = 0; q < s.queues.size(); ++q)
      for (const semantics::Message& m : start_->queues[q]) {
        SentMessage x{system::QueueId(q), m.signal, {}, 1};
        for (std::size_t i = 0; i < m.args.size(); ++i)
          if (told_apart_[m.signal.index()][i]) x.values.push_back(m.args[i]);
        first_messages.back().push_back(std::move(x));
      }
    return;
  }
  Setting all{s, {}, {}, elsewhere_, told_apart_, true, {}};
  all.carried = carried();
  const std::vector<Interval> start = list_all(all);
  const auto results = outcomes(all, ActionId{}, start);
  if (!results) throw Rejected{"the initial body has too many outcomes"};
  for (const Outcome& o : *results) first_messages.push_back(o.world.sent);
}

std::size_t Flow::landing(const FlowPart& p, const World& w) const {
  std::vector<std::int64_t> key;
  for (std::size_t i = 0; i < p.singles; ++i) {
    need(w.now[i].range.single(), "a tracked cell has several values");
    key.push_back(w.now[i].range.lo);
  }
  const auto at = p.index.find(key);
  if (at == p.index.end()) throw Rejected{"a control state can be reached that is not listed"};
  const std::vector<Interval>& node = p.nodes[at->second];
  for (std::size_t i = p.singles; i < node.size(); ++i)
    if (!node[i].contains(w.now[i].range))
      throw Rejected{fmt::format("{} can leave its range", s.cell(p.setting.cells[i]).name)};
  return at->second;
}

void Flow::find_initial(FlowPart& p) const {
  std::vector<Interval> start;
  for (CellId c : p.setting.cells) start.push_back({s.cell(c).initial, s.cell(c).initial});
  Setting quiet = p.setting;
  quiet.messages = false;
  auto results = start_ ? std::optional(std::vector<Outcome>(1)) : outcomes(quiet, ActionId{}, start);
  if (!results) throw Rejected{"the initial body has too many outcomes"};
  if (start_)
    for (CellId c : p.setting.cells) {
      const std::int64_t v = start_->cells[c.index()];
      results->front().world.now.push_back({{v, v}, std::nullopt, {}});
    }
  for (const Outcome& o : *results) {
    p.initial.push_back(landing(p, o.world));
    for (std::size_t i = 0; i < p.setting.cells.size(); ++i) {
      const Interval& range = o.world.now[i].range;
      if (p.first.size() <= i)
        p.first.push_back(range);
      else
        p.first[i] = hull(p.first[i], range);
    }
  }
}

// An action whose owner is here and that is called dead.
void Flow::stays_dead(const FlowPart& p, std::size_t a) const {
  Setting quiet = p.setting;
  quiet.messages = false;
  for (const std::vector<Interval>& node : p.nodes) {
    const auto results = outcomes(quiet, ActionId(a), node);
    if (!results || !results->empty()) throw Rejected{fmt::format("`{}` is not dead", s.actions[a].name)};
  }
}

void Flow::find_edges(std::size_t m) {
  const FlowPart& p = parts[m];
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    if (dead_[a] && home[a] == m && !never_.contains(a)) stays_dead(p, a);
    if (!p.takes_part[a]) continue;
    Setting setting = p.setting;
    setting.messages = home[a] == m;
    for (std::size_t n = 0; n < p.nodes.size(); ++n) {
      const auto results = outcomes(setting, ActionId(a), p.nodes[n]);
      if (!results) throw Rejected{fmt::format("`{}` has too many outcomes", s.actions[a].name)};
      for (const Outcome& o : *results) {
        FlowEdge e{m, n, landing(p, o.world), a, o.world.sent, o.taken, {}};
        for (std::size_t i = p.singles; i < p.setting.cells.size(); ++i) {
          const Interval &now = o.world.now[i].range, &old = o.world.old[i];
          Interval change{now.lo - old.hi, now.hi - old.lo};
          if (o.world.now[i].relative_to == i) change = intersect(change, o.world.now[i].shift);
          if (change.lo != 0 || change.hi != 0) e.change.emplace_back(i, change);
        }
        edges.push_back(std::move(e));
      }
    }
  }
}

}  // namespace parley::certify
