// What is verified, for control states as listed, each with the lengths that the queue can have there:
//  1. the initial body leads to a listed control state, within its ranges and lengths;
//  2. so does every action that writes a listed cell, takes from the queue or may send to it, from every
//     listed control state. Any other action keeps the control state and the queue;
//  3. no length is above the limit, nor is any that a step has made by the time it fails.
// By induction over the run, the queue's length <= limit. The length is followed by worlds.cpp from the test
// to the send within one step; between steps only the list says what is known, so a test does not help a send
// that others may forestall.
#include "certify/length_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "certify/totality.hpp"
#include "certify/weighing.hpp"
#include "certify/worlds.hpp"
#include "system/footprint.hpp"

namespace parley::certify {

using nlohmann::json;
using system::ActionId;
using system::CellId;

namespace {

struct Node {
  std::vector<Interval> ranges;  // of all listed cells
  Interval length;
};

class Checker {
 public:
  Checker(const system::System& s, system::QueueId queue, std::int64_t limit, const Patience& patience)
      : s_(s), queue_(queue), limit_(limit), setting_{s, {}, {}, {}, {}, true, {}} {
    setting_.patience = &patience;
  }

  void run(const json& j) {
    read(j);
    know_constants();
    initial();
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      if (matters(ActionId(a))) steps(ActionId(a));
  }

 private:
  void read(const json& j) {
    constexpr std::int64_t kLongest = 1 << 24;  // far from where a length would not fit an int
    need(limit_ < kLongest, "the limit is too large");
    setting_.measured = queue_;
    setting_.told_apart.resize(s_.signals.size());
    for (std::size_t i = 0; i < s_.signals.size(); ++i)
      setting_.told_apart[i].assign(s_.signals[i].params.size(), false);
    for (const json& x : j.at("splits")) {
      const std::size_t signal = number_below(x.at(0), s_.signals.size(), "no such signal");
      setting_
          .told_apart[signal][number_below(x.at(1), s_.signals[signal].params.size(), "no such parameter")] =
          true;
    }
    for (const char* list : {"tracked", "ranged"})
      for (const json& c : j.at(list)) {
        setting_.cells.emplace_back(number_below(c, s_.cells.size(), "no such cell"));
        setting_.single.push_back(list[0] == 't');
      }
    singles_ = j.at("tracked").size();
    std::vector<CellId> sorted = setting_.cells;
    std::sort(sorted.begin(), sorted.end());
    need(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a cell is listed twice");
    setting_.prepare();
    for (const json& x : j.at("nodes")) {
      Node node;
      std::vector<std::int64_t> key;
      for (const json& v : x.at("values")) {
        key.push_back(value32(v));
        node.ranges.push_back({key.back(), key.back()});
      }
      for (const json& r : x.at("ranges")) node.ranges.push_back(range32(r));
      need(key.size() == singles_ && node.ranges.size() == setting_.cells.size(),
           "a node does not fit its cells");
      node.length = range32(x.at("length"));
      need(node.length.lo >= 0 && node.length.lo <= node.length.hi, "a node without a length");
      need(node.length.hi <= limit_, "a node allows more messages than the limit");
      need(nodes_.emplace(std::move(key), std::move(node)).second, "a node is listed twice");
    }
  }

  // Cells that no action writes keep what the initial body gave them; of the others the type is known.
  void know_constants() {
    for (const system::Cell& c : s_.cells) setting_.elsewhere.push_back(interval_of(c.type));
    std::vector<char> written(s_.cells.size(), 0);
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      for (CellId c : system::footprint(s_, ActionId(a)).writes) written[c.index()] = 1;
    Setting all{s_, {}, {}, setting_.elsewhere, {}, false, {}};
    std::vector<Interval> start;
    for (std::size_t c = 0; c < s_.cells.size(); ++c) {
      all.cells.emplace_back(c);
      all.single.push_back(false);
      start.push_back({s_.cells[c].initial, s_.cells[c].initial});
    }
    all.prepare();
    const auto results = outcomes(all, ActionId{}, start);
    if (!results || results->empty()) return;
    for (std::size_t c = 0; c < s_.cells.size(); ++c) {
      if (written[c]) continue;
      Interval r = results->front().world.now[c].range;
      for (const Outcome& o : *results) r = hull(r, o.world.now[c].range);
      setting_.elsewhere[c] = r;
    }
  }

  bool matters(ActionId a) const {
    const system::Footprint f = system::footprint(s_, a);
    const auto touches = [&](const std::vector<system::QueueId>& list) {
      return std::find(list.begin(), list.end(), queue_) != list.end();
    };
    return touches(f.puts) || touches(f.takes) ||
           std::any_of(f.writes.begin(), f.writes.end(),
                       [&](CellId c) { return setting_.place[c.index()].has_value(); });
  }

  void lands(const World& w, const std::string& who) const {
    std::vector<std::int64_t> key;
    for (std::size_t i = 0; i < singles_; ++i) {
      need(w.now[i].range.single(), "a tracked cell has several values");
      key.push_back(w.now[i].range.lo);
    }
    const auto at = nodes_.find(key);
    if (at == nodes_.end()) throw Rejected{fmt::format("{} leads to a control state not listed", who)};
    for (std::size_t i = singles_; i < w.now.size(); ++i)
      if (!at->second.ranges[i].contains(w.now[i].range))
        throw Rejected{fmt::format("{} lets {} leave its range", who, s_.cell(setting_.cells[i]).name)};
    if (!at->second.length.contains(w.length))
      throw Rejected{fmt::format("{} can leave {} to {} messages in the queue, not {} to {}", who,
                                 w.length.lo, w.length.hi, at->second.length.lo, at->second.length.hi)};
  }

  void initial() const {
    std::vector<Interval> start;
    for (CellId c : setting_.cells) start.push_back({s_.cell(c).initial, s_.cell(c).initial});
    const auto results = outcomes(setting_, ActionId{}, start);
    if (!results) throw Rejected{"the initial body has too many outcomes"};
    for (const Outcome& o : *results) lands(o.world, "the initialisation");
    if (s_.initial_body.valid())
      stays_below(interruptions(setting_, ActionId{}, start), "the initialisation");
  }

  // A step that fails leads nowhere, but what it has sent by then counts.
  void stays_below(const std::optional<std::vector<Outcome>>& failing, const std::string& who) const {
    if (!failing) throw Rejected{who + " may fail in too many places"};
    for (const Outcome& o : *failing)
      if (o.world.length.hi > limit_)
        throw Rejected{fmt::format("{} may fail with {} messages in the queue", who, o.world.length.hi)};
  }

  void steps(ActionId a) const {
    const std::string who = fmt::format("`{}`", s_.action(a).name);
    const bool fails = !total(s_, s_.action(a).body);
    Setting here = setting_;
    for (const auto& [key, node] : nodes_) {
      here.length = node.length;
      const auto results = outcomes(here, a, node.ranges);
      if (!results) throw Rejected{who + " has too many outcomes"};
      for (const Outcome& o : *results) lands(o.world, who);
      if (fails) stays_below(interruptions(here, a, node.ranges), who);
    }
  }

  const system::System& s_;
  system::QueueId queue_;
  std::int64_t limit_;
  Setting setting_;
  std::size_t singles_ = 0;
  std::map<std::vector<std::int64_t>, Node> nodes_;
};

}  // namespace

Check check_lengths(const system::System& system, system::QueueId queue, std::int64_t limit, const json& j,
                    const Patience& patience) {
  return guarded([&] { Checker(system, queue, limit, patience).run(j); });
}

}  // namespace parley::certify
