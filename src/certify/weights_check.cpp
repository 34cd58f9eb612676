// What is verified, for weights y, potentials L and control states as listed:
//  0. messages at the start and all that are sent are within the ranges listed for them, if any are; the
//  start, if one is given, is the only way a run can begin, and it is short enough for the limit; the actions
//     listed as dead are disabled in every control state of their component;
//  1. every action has exactly one component of its owner, and takes part in every other component one of
//  whose cells
//     it may write;
//  2. from every control state every outcome of every action that takes part leads to a listed control state,
//  within
//     its ranges, and L(there) >= L(here) + weight of what the outcome adds; initial states have L >= 0;
//  3. messages for the queue weigh at least 1, nothing weighs less than 0 (the ledgers of joint actions may),
//  counted
//     data stays on its side of its limit;
//  4. the sum of the largest potentials (less the data certainly there), plus initial contents, is below
//  limit + 1.
// By induction over the run, weighted content <= 4, hence the queue's length <= limit.
#include "certify/weights_check.hpp"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <map>

#include "certify/worlds.hpp"
#include "semantics/interpreter.hpp"
#include "system/footprint.hpp"

namespace parley::certify {

using nlohmann::json;
using system::ActionId;
using system::CellId;

namespace {

struct Rejected {
  std::string why;
};

struct Node {
  std::vector<Interval> ranges;  // of all listed cells
  mpq_class potential;
};

struct Datum {
  CellId cell;
  std::size_t at = 0;  // among the component's cells
  bool rising = false;
  std::int64_t limit = 0;
  mpq_class weight;
  std::int64_t content(const Interval& r, bool most) const {
    return rising ? (most ? r.hi : r.lo) - limit : limit - (most ? r.lo : r.hi);
  }
};

struct Part {
  std::vector<std::size_t> owners;
  Setting setting;
  std::size_t singles = 0;
  std::vector<Node> nodes;
  std::map<std::vector<std::int64_t>, std::size_t> index;
  std::vector<Datum> data;
  std::vector<char> takes_part;  // by action
  explicit Part(const system::System& s) : setting{s, {}, {}, {}, {}, true, {}} {}
};

using Class = std::tuple<std::size_t, std::size_t, std::vector<std::int64_t>>;

class Checker {
 public:
  Checker(const system::System& s, system::QueueId queue, std::int64_t limit)
      : s_(s), queue_(queue), limit_(limit) {}

  void run(const json& j) {
    begin(j);
    read(j);
    constants();
    if (never_starts_) return;  // no state exceeds anything
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      parts_[m].setting.elsewhere = elsewhere_;
      parts_[m].setting.carried = carried();
    }
    participation();
    mpq_class total = initial_messages();
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      total += initial_nodes(parts_[m]);
      edges(m);
      total += deepest(parts_[m]);
    }
    mpz_class floor;
    mpz_fdiv_q(floor.get_mpz_t(), total.get_num_mpz_t(), total.get_den_mpz_t());
    if (floor > mpz_class(static_cast<long>(limit_)))
      throw Rejected{fmt::format("the weights only prove {}, not {}", floor.get_str(), limit_)};
  }

 private:
  // Of the initial body, with every cell listed.
  std::optional<std::vector<Outcome>> initial_outcomes(Setting all) const {
    std::vector<Interval> start;
    for (std::size_t c = 0; c < s_.cells.size(); ++c) {
      all.cells.emplace_back(c);
      all.single.push_back(false);
      start.push_back({s_.cells[c].initial, s_.cells[c].initial});
    }
    all.prepare();
    return outcomes(all, ActionId{}, start);
  }
  static void need(bool condition, const char* why) {
    if (!condition) throw Rejected{why};
  }
  static mpq_class rational(const json& j) {
    mpq_class r;
    const auto text = j.get<std::string>();
    need(!text.empty() && text.find_first_not_of("-0123456789/") == std::string::npos &&
             r.set_str(text, 10) == 0 && sgn(r.get_den()) > 0,
         "not a rational number");
    r.canonicalize();
    return r;
  }
  std::size_t number(const json& j, std::size_t below, const char* what) const {
    const auto n = j.get<std::int64_t>();
    need(n >= 0 && static_cast<std::size_t>(n) < below, what);
    return static_cast<std::size_t>(n);
  }

  // Replays the start: one initial state, then exactly one step each time.
  void begin(const json& j) {
    dead_.assign(s_.actions.size(), 0);
    for (const json& a : j.at("dead")) dead_[number(a, s_.actions.size(), "no such action")] = 1;
    if (!j.contains("start")) return;
    const semantics::Interpreter in(s_, std::vector<std::uint32_t>(s_.queues.size(), 1U << 24));
    const auto initial = in.initial_states();
    need(initial.size() == 1 && initial[0].result.outcome == semantics::Outcome::Done,
         "there are several starts");
    semantics::State state = initial[0].result.state;
    const auto fits = [&] {
      need(static_cast<std::int64_t>(state.queues[queue_.index()].size()) <= limit_,
           "the start exceeds the limit");
    };
    fits();
    for (const json& x : j.at("start").at("steps")) {
      std::vector<semantics::Successor> next = in.successors(state);
      std::erase_if(next, [](const auto& n) { return n.result.outcome != semantics::Outcome::Done; });
      need(next.size() == 1, "the start is not the only way");
      need(next[0].step.action.index() == x.at("action").get<std::size_t>(), "the start goes another way");
      state = next[0].result.state;
      fits();
    }
    start_ = std::move(state);
  }

  void read(const json& j) {
    told_apart_.resize(s_.signals.size());
    for (std::size_t i = 0; i < s_.signals.size(); ++i)
      told_apart_[i].assign(s_.signals[i].params.size(), false);
    for (const json& x : j.at("splits")) {
      const std::size_t signal = number(x.at(0), s_.signals.size(), "no such signal");
      told_apart_[signal][number(x.at(1), s_.signals[signal].params.size(), "no such parameter")] = true;
    }
    if (j.contains("params")) read_carried(j.at("params"));
    for (const json& x : j.at("components")) {
      Part p(s_);
      for (const json& o : x.at("owners")) p.owners.push_back(number(o, s_.owners.size(), "no such owner"));
      for (const char* list : {"tracked", "ranged"})
        for (const json& c : x.at(list)) {
          p.setting.cells.emplace_back(number(c, s_.cells.size(), "no such cell"));
          p.setting.single.push_back(list[0] == 't');
        }
      p.singles = x.at("tracked").size();
      std::vector<CellId> sorted = p.setting.cells;
      std::sort(sorted.begin(), sorted.end());
      need(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a cell is listed twice");
      p.setting.told_apart = told_apart_;
      p.setting.prepare();
      for (const json& n : x.at("nodes")) {
        Node node;
        std::vector<std::int64_t> key;
        for (const json& v : n.at("values")) {
          key.push_back(v.get<std::int64_t>());
          node.ranges.push_back({key.back(), key.back()});
        }
        for (const json& r : n.at("ranges")) node.ranges.push_back({r.at(0), r.at(1)});
        need(key.size() == p.singles && node.ranges.size() == p.setting.cells.size(),
             "a node does not fit its cells");
        node.potential = rational(n.at("potential"));
        need(p.index.emplace(key, p.nodes.size()).second, "a node is listed twice");
        p.nodes.push_back(std::move(node));
      }
      parts_.push_back(std::move(p));
    }
    for (const json& x : j.at("messages")) {
      const Class c{number(x.at("queue"), s_.queues.size(), "no such queue"),
                    number(x.at("signal"), s_.signals.size(), "no such signal"),
                    x.at("values").get<std::vector<std::int64_t>>()};
      mpq_class w = rational(x.at("weight"));
      need(sgn(w) >= 0, "a negative weight");
      need(messages_.emplace(c, std::move(w)).second, "a kind of message is weighed twice");
    }
    for (const json& x : j.at("data")) {
      Part& p = parts_[number(x.at("component"), parts_.size(), "no such component")];
      Datum d;
      d.cell = CellId(number(x.at("cell"), s_.cells.size(), "no such cell"));
      const auto at = p.setting.place[d.cell.index()];
      need(at.has_value() && *at >= p.singles, "a weighed cell has no range");
      d.at = *at;
      d.rising = x.at("rising").get<bool>();
      d.limit = x.at("limit").get<std::int64_t>();
      d.weight = rational(x.at("weight"));
      need(sgn(d.weight) >= 0, "a negative weight");
      for (const Node& n : p.nodes) need(d.content(n.ranges[d.at], false) >= 0, "a cell can pass its limit");
      p.data.push_back(std::move(d));
    }
    for (const json& x : j.at("ledgers")) {
      const std::size_t a = number(x.at("action"), s_.actions.size(), "no such action");
      const std::size_t m = number(x.at("component"), parts_.size(), "no such component");
      need(ledgers_.emplace(std::pair(a, m), rational(x.at("weight"))).second, "a ledger is weighed twice");
    }
  }

  // What messages can carry, if claimed; what is in the queues at the start must be covered, what is sent
  // later is compared by worlds.cpp.
  const std::map<std::pair<std::size_t, std::size_t>, std::vector<Interval>>* carried() const {
    return carried_ ? &*carried_ : nullptr;
  }
  void read_carried(const json& j) {
    carried_.emplace();
    for (const json& x : j) {
      const std::size_t signal = number(x.at("signal"), s_.signals.size(), "no such signal");
      std::vector<Interval> ranges;
      for (const json& r : x.at("ranges")) ranges.push_back({r.at(0), r.at(1)});
      need(ranges.size() == s_.signals[signal].params.size(),
           "the ranges of a message do not fit its signal");
      need(carried_
               ->emplace(std::pair(number(x.at("queue"), s_.queues.size(), "no such queue"), signal),
                         std::move(ranges))
               .second,
           "the ranges of a message are listed twice");
    }
    if (!start_) return;
    for (std::size_t q = 0; q < s_.queues.size(); ++q)
      for (const semantics::Message& m : start_->queues[q]) {
        const auto at = carried_->find({q, m.signal.index()});
        need(at != carried_->end(), "a message of the start has no ranges");
        for (std::size_t i = 0; i < m.args.size(); ++i)
          need(at->second[i].contains({m.args[i], m.args[i]}),
               "a message of the start is outside its ranges");
      }
  }

  // Cells that no action writes keep what the initial body gave them; of the others the type is known.
  void constants() {
    for (const system::Cell& c : s_.cells) elsewhere_.push_back(interval_of(c.type));
    std::vector<char> written(s_.cells.size(), 0);
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      writes_.push_back(system::footprint(s_, ActionId(a)).writes);
      for (CellId c : writes_.back())
        if (!dead_[a]) written[c.index()] = 1;
    }
    if (start_) {
      for (std::size_t c = 0; c < s_.cells.size(); ++c)
        if (!written[c]) elsewhere_[c] = {start_->cells[c], start_->cells[c]};
      return;
    }
    Setting all{s_, {}, {}, elsewhere_, {}, false, {}};
    const auto results = initial_outcomes(std::move(all));
    if (!results) return;
    never_starts_ = results->empty();
    if (never_starts_) return;
    for (std::size_t c = 0; c < s_.cells.size(); ++c) {
      if (written[c]) continue;
      Interval r = results->front().world.now[c].range;
      for (const Outcome& o : *results) r = hull(r, o.world.now[c].range);
      elsewhere_[c] = r;
    }
  }

  void participation() {
    home_.assign(s_.actions.size(), parts_.size());
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      Part& p = parts_[m];
      p.takes_part.assign(s_.actions.size(), 0);
      const auto ours = [&](system::OwnerId o) {
        return o.valid() && std::find(p.owners.begin(), p.owners.end(), o.index()) != p.owners.end();
      };
      for (std::size_t a = 0; a < s_.actions.size(); ++a) {
        const system::Action& action = s_.actions[a];
        if (ours(action.owner)) {
          need(home_[a] == parts_.size(), "an action has two components");
          home_[a] = m;
        }
        p.takes_part[a] = !dead_[a] && (ours(action.owner) || ours(action.partner) ||
                                        std::any_of(writes_[a].begin(), writes_[a].end(), [&](CellId c) {
                                          return p.setting.place[c.index()].has_value();
                                        }));
      }
    }
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      need(home_[a] < parts_.size(), "an action has no component");
  }

  mpq_class weigh(const SentMessage& m, bool sent) const {
    const auto at = messages_.find(Class{m.queue.index(), m.signal.index(), m.values});
    if (sent && m.queue == queue_ && (at == messages_.end() || at->second < 1))
      throw Rejected{fmt::format("a message `{}` of the queue weighs less than 1", s_.signal(m.signal).name)};
    return at == messages_.end() ? mpq_class(0) : mpq_class(at->second * static_cast<long>(m.times));
  }

  mpq_class initial_messages() const {
    if (start_) {
      mpq_class sum = 0;
      for (std::size_t q = 0; q < s_.queues.size(); ++q)
        for (const semantics::Message& m : start_->queues[q]) {
          SentMessage x{system::QueueId(q), m.signal, {}, 1};
          for (std::size_t i = 0; i < m.args.size(); ++i)
            if (told_apart_[m.signal.index()][i]) x.values.push_back(m.args[i]);
          sum += weigh(x, true);
        }
      return sum;
    }
    Setting all{s_, {}, {}, elsewhere_, told_apart_, true, {}};
    all.carried = carried();
    const auto results = initial_outcomes(std::move(all));
    if (!results) throw Rejected{"the initial body has too many outcomes"};
    mpq_class most = 0;
    for (const Outcome& o : *results) {
      mpq_class sum = 0;
      for (const SentMessage& m : o.world.sent) sum += weigh(m, true);
      if (sum > most) most = sum;
    }
    return most;
  }

  const Node& landing(const Part& p, const World& w) const {
    std::vector<std::int64_t> key;
    for (std::size_t i = 0; i < p.singles; ++i) {
      need(w.now[i].range.single(), "a tracked cell has several values");
      key.push_back(w.now[i].range.lo);
    }
    const auto at = p.index.find(key);
    if (at == p.index.end()) throw Rejected{"a control state can be reached that is not listed"};
    const Node& node = p.nodes[at->second];
    for (std::size_t i = p.singles; i < node.ranges.size(); ++i)
      if (!node.ranges[i].contains(w.now[i].range))
        throw Rejected{fmt::format("{} can leave its range", s_.cell(p.setting.cells[i]).name)};
    return node;
  }

  // The initial control states are listed and start at 0 or higher; returns the weight of counted data at the
  // start.
  mpq_class initial_nodes(const Part& p) const {
    std::vector<Interval> start;
    for (CellId c : p.setting.cells) start.push_back({s_.cell(c).initial, s_.cell(c).initial});
    Setting quiet = p.setting;
    quiet.messages = false;
    auto results = start_ ? std::optional(std::vector<Outcome>(1)) : outcomes(quiet, ActionId{}, start);
    if (!results) throw Rejected{"the initial body has too many outcomes"};
    if (start_)
      for (CellId c : p.setting.cells) {
        const std::int64_t v = start_->cells[c.index()];
        results->front().world.now.push_back({{v, v}, std::nullopt, {}});
      }
    std::vector<std::int64_t> content(p.data.size(), 0);
    for (const Outcome& o : *results) {
      need(landing(p, o.world).potential >= 0, "an initial control state has a negative potential");
      for (std::size_t d = 0; d < p.data.size(); ++d)
        content[d] = std::max(content[d], p.data[d].content(o.world.now[p.data[d].at].range, true));
    }
    mpq_class sum = 0;
    for (std::size_t d = 0; d < p.data.size(); ++d) sum += p.data[d].weight * static_cast<long>(content[d]);
    return sum;
  }

  mpq_class ledger(std::size_t action, std::size_t m) const {
    const auto at = ledgers_.find({action, m});
    return at == ledgers_.end() ? mpq_class(0) : at->second;
  }

  // An action whose owner is here and that is called dead.
  void stays_dead(const Part& p, std::size_t a) const {
    Setting quiet = p.setting;
    quiet.messages = false;
    for (const Node& node : p.nodes) {
      const auto results = outcomes(quiet, ActionId(a), node.ranges);
      if (!results || !results->empty()) throw Rejected{fmt::format("`{}` is not dead", s_.actions[a].name)};
    }
  }

  void edges(std::size_t m) const {
    const Part& p = parts_[m];
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      if (dead_[a] && home_[a] == m) stays_dead(p, a);
      if (!p.takes_part[a]) continue;
      Setting setting = p.setting;
      setting.messages = home_[a] == m;
      mpq_class shared = 0;
      if (home_[a] != m)
        shared = -ledger(a, m);
      else
        for (std::size_t guest = 0; guest < parts_.size(); ++guest)
          if (guest != m && parts_[guest].takes_part[a]) shared += ledger(a, guest);
      for (const Node& node : p.nodes) {
        const auto results = outcomes(setting, ActionId(a), node.ranges);
        if (!results) throw Rejected{fmt::format("`{}` has too many outcomes", s_.actions[a].name)};
        for (const Outcome& o : *results) {
          mpq_class gain = shared;
          for (const SentMessage& sent : o.world.sent) gain += weigh(sent, true);
          if (o.taken) gain -= weigh(*o.taken, false);
          for (const Datum& d : p.data) gain += d.weight * static_cast<long>(step(d, o.world));
          if (landing(p, o.world).potential < node.potential + gain)
            throw Rejected{
                fmt::format("`{}` gains more weight than the potentials allow", s_.actions[a].name)};
        }
      }
    }
  }
  // How much a datum's content can grow.
  static std::int64_t step(const Datum& d, const World& w) {
    const Interval &now = w.now[d.at].range, &old = w.old[d.at];
    Interval change{now.lo - old.hi, now.hi - old.lo};
    if (w.now[d.at].relative_to == d.at) change = intersect(change, w.now[d.at].shift);
    return d.rising ? change.hi : -change.lo;
  }

  static mpq_class deepest(const Part& p) {
    mpq_class most = 0;
    for (const Node& n : p.nodes) {
      mpq_class depth = n.potential;
      for (const Datum& d : p.data) depth -= d.weight * static_cast<long>(d.content(n.ranges[d.at], false));
      if (depth > most) most = depth;
    }
    return most;
  }

  const system::System& s_;
  system::QueueId queue_;
  std::int64_t limit_;
  std::vector<Part> parts_;
  std::vector<std::vector<bool>> told_apart_;
  std::vector<std::vector<CellId>> writes_;  // by action
  std::vector<Interval> elsewhere_;
  std::vector<std::size_t> home_;
  std::vector<char> dead_;  // by action
  std::optional<semantics::State> start_;
  bool never_starts_ = false;  // every initialisation fails
  std::optional<std::map<std::pair<std::size_t, std::size_t>, std::vector<Interval>>> carried_;
  std::map<Class, mpq_class> messages_;
  std::map<std::pair<std::size_t, std::size_t>, mpq_class> ledgers_;
};

}  // namespace

Check check_weights(const system::System& system, system::QueueId queue, std::int64_t limit, const json& j) {
  try {
    Checker(system, queue, limit).run(j);
  } catch (const Rejected& r) {
    return Check::no(r.why);
  } catch (const CarriesMore&) {
    return Check::no("a message can carry more than its ranges say");
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
  return Check::yes();
}

}  // namespace parley::certify
