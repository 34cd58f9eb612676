// What is verified of a certificate of phases, besides what flow.hpp verifies. `kinds` are the kinds of
// message that it bounds; every message that is ever sent to the queue is of one of them, and only they,
// counted data and ledgers may have weights. The tree is a case distinction over where the components are:
//  1. no edge of a phase gains weight (loss >= 0, weighing.hpp);
//  2. a phase with pieces: every control state of its component in this phase is in exactly one piece; an
//  edge
//     that loses less than 1 stays within its piece. The others are crossings: none of the phases below has
//     them;
//  3. a phase without pieces gives every kind a weight above 0.
// Then a stay in a phase, from contents c, has at most floor(weight of c + slack) crossings if it has pieces,
// and otherwise ends with at most (weight of c + slack) / weight of the kind, or with no more than c of a
// kind to which no edge of the phase adds. Slack is what data and potentials can add between where the stay
// begins and any control state of the phase. The limits of the whole run follow by going from stay to stay,
// per number of crossings and piece; `always`, if it is there, is a set of weights for the whole run that
// caps them. What a step that fails may have added to the queue comes on top.
#include "certify/phases_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certify/weighing.hpp"

namespace parley::certify {

using nlohmann::json;

namespace {

using Contents = std::vector<mpz_class>;  // by kind

class Checker {
 public:
  Checker(const system::System& s, system::QueueId queue, const json& j, const ActionSet& never,
          const Patience& patience)
      : s_(s), queue_(queue), patience_(patience), flow_(s, j, never, patience) {
    if (flow_.never_starts) return;  // no state exceeds anything
    for (const json& x : j.at("kinds")) {
      MessageKind kind{number_below(x.at("queue"), s.queues.size(), "no such queue"),
                       number_below(x.at("signal"), s.signals.size(), "no such signal"),
                       x.at("values").get<std::vector<std::int64_t>>()};
      need(kinds_.emplace(std::move(kind), kinds_.size()).second, "a kind of message is listed twice");
    }
    caps_.resize(kinds_.size());
    for (const auto& first : flow_.first_messages) covered(first);
    for (const FlowEdge& e : flow_.edges) covered(e.sent);
    if (j.contains("always")) read_caps(j.at("always"));
    Place everywhere;
    for (const FlowPart& p : flow_.parts) everywhere.nodes.emplace_back(p.nodes.size(), 1);
    everywhere.edges.assign(flow_.edges.size(), 1);
    tree_ = read(j.at("tree"), everywhere, 0);
  }

  std::int64_t longest_before() const {
    return static_cast<std::int64_t>(flow_.longest_before[queue_.index()]);
  }

  mpz_class most() {
    if (flow_.never_starts) return 0;
    Contents start(kinds_.size(), 0);
    for (const auto& first : flow_.first_messages) {
      Contents now(kinds_.size(), 0);
      for (const SentMessage& m : first)
        if (const auto at = kinds_.find(kind_of(m)); at != kinds_.end())
          now[at->second] += static_cast<long>(m.times);
      raise(start, now);
    }
    Nodes entry;
    for (const FlowPart& p : flow_.parts) {
      entry.emplace_back(p.nodes.size(), 0);
      for (std::size_t n : p.initial) entry.back()[n] = 1;
    }
    stay(tree_, start, entry);
    return most_ + added_by_failing_steps();
  }

  std::int64_t sent_by_failing_start() const { return flow_.sent_by_failing_start(queue_); }

 private:
  using Nodes = std::vector<std::vector<char>>;  // by part: which nodes
  struct Place {                                 // where the run is for the moment
    Nodes nodes;
    std::vector<char> edges;
  };
  struct Crossing {
    std::vector<char> entry;  // nodes of the split part where the next stay may begin
    Contents leap;            // the most that the step adds
  };
  struct Phase {
    std::vector<mpq_class> weights;  // by kind
    Weighing weighing;
    Nodes nodes;
    std::vector<char> grows;  // by kind
    std::size_t component = 0;
    std::vector<std::size_t> piece;                                     // by node of the component
    std::map<std::pair<std::size_t, std::size_t>, Crossing> crossings;  // by piece before and after
    std::vector<Phase> children;
  };

  // At most this much longer is the queue when a step fails than it was before.
  mpz_class added_by_failing_steps() const {
    mpz_class most = 0;
    for (const FlowStop& stop : flow_.stops(queue_)) {
      const bool takes = stop.taken && stop.taken->queue == queue_;
      most = std::max(most, mpz_class(static_cast<long>(stop.sent - (takes ? 1 : 0))));
    }
    return most;
  }

  // Every message for the queue is of a listed kind.
  void covered(const std::vector<SentMessage>& sent) const {
    for (const SentMessage& m : sent)
      if (m.queue == queue_ && !kinds_.contains(kind_of(m)))
        throw Rejected{fmt::format("nothing is said about message `{}`", s_.signal(m.signal).name)};
  }

  Weighing read_weighing(const json& j) const {
    Weighing w = read_weights(flow_, j);
    const json& potentials = j.at("potentials");
    need(potentials.is_array() && potentials.size() == flow_.parts.size(), "potentials do not fit");
    for (std::size_t m = 0; m < flow_.parts.size(); ++m) {
      need(potentials[m].size() == flow_.parts[m].nodes.size(), "potentials do not fit");
      w.potentials.emplace_back();
      for (const json& p : potentials[m]) w.potentials.back().push_back(rational(p));
    }
    return w;
  }

  void read_caps(const json& j) {
    const Weighing w = read_weighing(j);
    for (const FlowEdge& e : flow_.edges)
      need(sgn(loss(flow_, w, e)) >= 0, "an edge gains weight that never rises");
    const mpq_class weight = weight_for_ever(flow_, w).sum();
    for (const auto& [kind, k] : kinds_)
      if (const auto at = w.messages.find(kind); at != w.messages.end() && sgn(at->second) > 0)
        caps_[k] = floor_of(weight / at->second);
  }

  Phase read(const json& j, const Place& place, std::size_t depth) {
    need(depth < 500, "phases are nested too deeply");
    Weighing w = read_weighing(j);
    Phase phase;
    phase.weights.assign(kinds_.size(), 0);
    for (const auto& [kind, weight] : w.messages) {
      const auto at = kinds_.find(kind);
      need(at != kinds_.end() || sgn(weight) == 0, "a kind of message that is not bounded has a weight");
      if (at != kinds_.end()) phase.weights[at->second] = weight;
    }
    phase.nodes = place.nodes;
    phase.grows.assign(kinds_.size(), 0);
    const bool splits = j.contains("pieces");
    if (splits) {
      phase.component = number_below(j.at("component"), flow_.parts.size(), "no such component");
      phase.piece = pieces(j, phase.component, place);
    } else {
      for (const mpq_class& weight : phase.weights) need(sgn(weight) > 0, "a kind of message has no weight");
    }
    // Per action, what its step may add.
    std::map<std::size_t, Contents> leaps;
    for (std::size_t i = 0; i < flow_.edges.size(); ++i) {
      if (!place.edges[i]) continue;
      const Contents added = net(flow_.edges[i]);
      for (std::size_t k = 0; k < added.size(); ++k)
        if (added[k] > 0) phase.grows[k] = 1;
      raise(leaps.try_emplace(flow_.edges[i].action, kinds_.size(), 0).first->second, added);
    }
    Place inner = place;
    for (std::size_t i = 0; i < flow_.edges.size(); ++i) {
      if (!place.edges[i]) continue;
      const FlowEdge& e = flow_.edges[i];
      const mpq_class lost = loss(flow_, w, e);
      if (sgn(lost) < 0)
        throw Rejected{fmt::format("`{}` gains weight within a phase", s_.actions[e.action].name)};
      if (!splits) continue;
      if (lost >= 1) {
        inner.edges[i] = 0;
        cross(phase, e, leaps.at(e.action));
      } else if (e.part == phase.component && phase.piece[e.from] != phase.piece[e.to]) {
        throw Rejected{fmt::format("`{}` crosses without a loss", s_.actions[e.action].name)};
      }
    }
    phase.weighing = std::move(w);
    if (!splits) return phase;
    const json& children = j.at("phases");
    need(children.is_array() && !children.empty() && children.size() == j.at("pieces").size(),
         "pieces and phases do not fit");
    for (std::size_t p = 0; p < children.size(); ++p) {
      Place child = inner;
      std::vector<char>& here = child.nodes[phase.component];
      for (std::size_t n = 0; n < here.size(); ++n) here[n] = here[n] && phase.piece[n] == p;
      for (std::size_t i = 0; i < flow_.edges.size(); ++i)
        if (flow_.edges[i].part == phase.component && !here[flow_.edges[i].from]) child.edges[i] = 0;
      phase.children.push_back(read(children[p], child, depth + 1));
    }
    return phase;
  }

  // The piece of each node of the component; nodes that are not here have none.
  std::vector<std::size_t> pieces(const json& j, std::size_t component, const Place& place) const {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> piece(flow_.parts[component].nodes.size(), kNone);
    std::size_t p = 0;
    for (const json& nodes : j.at("pieces")) {
      for (const json& n : nodes) {
        const std::size_t node = number_below(n, piece.size(), "no such node");
        need(piece[node] == kNone, "a node is in two pieces");
        piece[node] = p;
      }
      ++p;
    }
    for (std::size_t n = 0; n < piece.size(); ++n)
      need(!place.nodes[component][n] || piece[n] != kNone, "a node is in no piece");
    return piece;
  }

  // What an edge adds to each kind, on balance.
  Contents net(const FlowEdge& e) const {
    Contents added(kinds_.size(), 0);
    const auto count = [&](const SentMessage& m, long times) {
      if (const auto at = kinds_.find(kind_of(m)); at != kinds_.end()) added[at->second] += times;
    };
    for (const SentMessage& m : e.sent) count(m, static_cast<long>(m.times));
    if (e.taken) count(*e.taken, -static_cast<long>(e.taken->times));
    return added;
  }

  // An edge that ends a stay: from piece to piece, or, in another part, wherever the split part is.
  void cross(Phase& phase, const FlowEdge& e, const Contents& leap) const {
    const auto add = [&](std::size_t from, std::size_t to, std::size_t entry) {
      Crossing& c = phase.crossings[{from, to}];
      if (c.entry.empty()) c = {std::vector<char>(phase.piece.size(), 0), Contents(kinds_.size(), 0)};
      c.entry[entry] = 1;
      raise(c.leap, leap);
    };
    if (e.part == phase.component) return add(phase.piece[e.from], phase.piece[e.to], e.to);
    for (std::size_t n = 0; n < phase.piece.size(); ++n)
      if (phase.nodes[phase.component][n]) add(phase.piece[n], phase.piece[n], n);
  }

  static void raise(Contents& most, const Contents& now) {
    for (std::size_t k = 0; k < most.size(); ++k)
      if (most[k] < now[k]) most[k] = now[k];
  }
  void cap(Contents& c) const {
    for (std::size_t k = 0; k < c.size(); ++k)
      if (caps_[k] && *caps_[k] < c[k]) c[k] = *caps_[k];
  }

  // The weight that a stay never exceeds.
  mpq_class weight_within(const Phase& phase, const Contents& start, const Nodes& entry) const {
    mpq_class weight = 0;
    for (std::size_t k = 0; k < start.size(); ++k) weight += phase.weights[k] * start[k];
    for (std::size_t m = 0; m < flow_.parts.size(); ++m) {
      std::optional<mpq_class> before, after;
      for (std::size_t n = 0; n < flow_.parts[m].nodes.size(); ++n) {
        const auto& ranges = flow_.parts[m].nodes[n];
        const mpq_class& potential = phase.weighing.potentials[m][n];
        if (entry[m][n]) {
          const mpq_class first = phase.weighing.data_at(m, ranges, true) - potential;
          if (!before || *before < first) before = first;
        }
        if (phase.nodes[m][n]) {
          const mpq_class last = potential - phase.weighing.data_at(m, ranges, false);
          if (!after || *after < last) after = last;
        }
      }
      if (before && after) weight += *before + *after;
    }
    return weight;
  }

  // Contents at the end of a stay, at most.
  Contents stay(const Phase& phase, const Contents& start, const Nodes& entry) {
    need(++stays_ < 200000, "there are too many stays to go through");
    patience_.ask();
    const mpq_class weight = weight_within(phase, start, entry);
    return phase.children.empty() ? leaf(phase, start, weight) : stays(phase, start, entry, weight);
  }

  Contents leaf(const Phase& phase, const Contents& start, const mpq_class& weight) {
    Contents end = start;
    for (std::size_t k = 0; k < end.size(); ++k)
      if (phase.grows[k]) end[k] = floor_of(weight / phase.weights[k]);
    cap(end);
    mpz_class sum = 0;
    std::optional<mpq_class> lightest;
    for (const auto& [kind, k] : kinds_) {
      if (std::get<0>(kind) != queue_.index()) continue;
      sum += end[k];
      if (!lightest || phase.weights[k] < *lightest) lightest = phase.weights[k];
    }
    if (lightest) sum = std::min(sum, floor_of(weight / *lightest));
    most_ = std::max(most_, sum);
    return end;
  }

  struct Entered {
    Contents contents;
    Nodes nodes;
    friend bool operator==(const Entered&, const Entered&) = default;
  };
  Contents stays(const Phase& phase, const Contents& start, const Nodes& entry, const mpq_class& weight) {
    const mpz_class crossings = floor_of(weight);
    need(crossings <= 20000, "there are too many crossings to go through");
    std::map<std::size_t, Entered> now;  // by piece
    for (std::size_t n = 0; n < phase.piece.size(); ++n) {
      if (!entry[phase.component][n]) continue;
      Entered& here = now[phase.piece[n]];
      if (here.nodes.empty()) {
        here = {start, entry};
        here.nodes[phase.component].assign(phase.piece.size(), 0);
      }
      here.nodes[phase.component][n] = 1;
    }
    Contents most = start;
    for (mpz_class crossed = 0;; ++crossed) {
      std::map<std::size_t, Entered> next;
      for (const auto& [p, entered] : now) {
        need(p < phase.children.size(), "a stay begins in no piece");
        const Contents end = stay(phase.children[p], entered.contents, entered.nodes);
        raise(most, end);
        if (crossings <= crossed) continue;
        for (const auto& [ends, crossing] : phase.crossings) {
          if (ends.first != p) continue;
          Entered& to = next[ends.second];
          if (to.nodes.empty()) {
            to = {Contents(kinds_.size(), 0), phase.nodes};
            to.nodes[phase.component].assign(phase.piece.size(), 0);
          }
          Contents after = end;
          for (std::size_t k = 0; k < after.size(); ++k) after[k] += crossing.leap[k];
          cap(after);
          raise(to.contents, after);
          for (std::size_t n = 0; n < phase.piece.size(); ++n)
            if (crossing.entry[n]) to.nodes[phase.component][n] = 1;
        }
      }
      if (next.empty() || next == now) return most;
      now = std::move(next);
    }
  }

  const system::System& s_;
  system::QueueId queue_;
  const Patience& patience_;
  Flow flow_;
  std::map<MessageKind, std::size_t> kinds_;
  std::vector<std::optional<mpz_class>> caps_;  // by kind
  Phase tree_;
  mpz_class most_ = 0;
  std::size_t stays_ = 0;
};

}  // namespace

Check check_phases(const system::System& system, system::QueueId queue, std::int64_t limit, const json& j,
                   const ActionSet& never, const Patience& patience) {
  return guarded([&] {
    Checker checker(system, queue, j, never, patience);
    need(checker.longest_before() <= limit && checker.sent_by_failing_start() <= limit,
         "the start exceeds the limit");
    const mpz_class most = checker.most();
    if (most > mpz_class(static_cast<long>(limit)))
      throw Rejected{fmt::format("the phases only prove {}, not {}", most.get_str(), limit)};
  });
}

}  // namespace parley::certify
