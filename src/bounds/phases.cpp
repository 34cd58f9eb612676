#include "bounds/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bounds/cycles.hpp"
#include "support/check.hpp"

namespace parley::bounds {

using solver::ilp::Integer;

namespace {

// The nodes and edges of each component that a stay may use, by their numbers in the whole graph, sorted.
struct Region {
  std::vector<std::vector<std::uint32_t>> nodes, edges;
};

Region whole(const FlowGraph& g) {
  Region r;
  for (const Component& c : g.components) {
    r.nodes.emplace_back(c.nodes.size());
    std::iota(r.nodes.back().begin(), r.nodes.back().end(), 0U);
    r.edges.emplace_back(c.edges.size());
    std::iota(r.edges.back().begin(), r.edges.back().end(), 0U);
  }
  return r;
}

// The region as a graph of its own; a stay may begin at every node. Messages that are not kept have no
// weight.
FlowGraph restricted(const FlowGraph& g, const Region& region, const std::vector<bool>& kept) {
  FlowGraph sub;
  sub.kinds = g.kinds;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (g.kinds[k].sort == KindSort::Message && !kept[k]) sub.kinds[k].sort = KindSort::Data;
  for (std::size_t m = 0; m < g.components.size(); ++m) {
    const Component& from = g.components[m];
    Component c;
    c.nodes.resize(region.nodes[m].size());
    c.initial.resize(region.nodes[m].size());
    std::iota(c.initial.begin(), c.initial.end(), 0U);
    std::vector<std::uint32_t> local(from.nodes.size(), 0);
    for (std::uint32_t n = 0; n < region.nodes[m].size(); ++n) {
      local[region.nodes[m][n]] = n;
      if (!from.reserve.empty()) c.reserve.push_back(from.reserve[region.nodes[m][n]]);
    }
    for (std::uint32_t e : region.edges[m]) {
      const Edge& old = from.edges[e];
      Edge edge{local[old.from], local[old.to], {}, {}, {}};
      for (const auto& [k, amount] : old.effect)
        if (g.kinds[k].sort != KindSort::Message || kept[k]) edge.effect.emplace_back(k, amount);
      c.edges.push_back(std::move(edge));
    }
    sub.components.push_back(std::move(c));
  }
  return sub;
}

Rational weigh(const Effect& effect, const std::vector<Rational>& weights) {
  Rational sum = 0;
  for (const auto& [k, amount] : effect)
    if (k < weights.size()) sum += weights[k] * static_cast<long>(amount);
  return sum;
}

Integer floor_of(const Rational& r) {
  Integer f;
  mpz_fdiv_q(f.get_mpz_t(), r.get_num_mpz_t(), r.get_den_mpz_t());
  return f;
}

// Weight of the counters at a node, at most or at least.
Rational data(const FlowGraph& g, std::size_t m, std::uint32_t n, bool most,
              const std::vector<Rational>& weights) {
  Rational sum = 0;
  if (g.components[m].reserve.empty()) return sum;
  const Effect& reserve = g.components[m].reserve[n];
  if (!most) return weigh(reserve, weights);
  // The two ends of a counter's range are neighbouring kinds: what is not above is below.
  const auto least = [&](std::uint32_t k) {
    const auto at = std::lower_bound(reserve.begin(), reserve.end(), std::pair(k, INT64_MIN));
    return at != reserve.end() && at->first == k ? at->second : 0;
  };
  for (std::uint32_t k = 0; k + 1 < g.kinds.size(); ++k) {
    const Kind &up = g.kinds[k], &down = g.kinds[k + 1];
    if (up.sort != KindSort::Data || !up.rising || up.component != m) continue;
    const std::int64_t width = down.limit - up.limit;
    sum += weights[k] * static_cast<long>(width - least(k + 1));
    sum += weights[k + 1] * static_cast<long>(width - least(k));
  }
  return sum;
}

class Builder {
 public:
  Builder(const FlowGraph& g, const PhaseLimits& limits) : g_(g), limits_(limits) {
    for (const Kind& k : g.kinds) kept_.push_back(k.sort == KindSort::Message);
  }

  PhaseProof run() {
    PhaseProof proof;
    proof.bounded.assign(g_.kinds.size(), false);
    // The greatest set of kinds that every leaf bounds with weights on the set alone: what one phase cannot
    // bound, no other may use.
    while (std::find(kept_.begin(), kept_.end(), true) != kept_.end()) {
      phases_ = 0;
      grown_.clear();
      Phase root;
      switch (build(whole(g_), root)) {
        case Result::Stopped:
          proof.standing = std::move(standing_);
          return proof;
        case Result::Proved:
          proof.complete = true;
          proof.bounded = kept_;
          proof.root = std::move(root);
          proof.always = always();
          proof.standing = std::move(standing_);
          return proof;
        case Result::Stands:
          for (std::uint32_t k : grown_) kept_[k] = false;
      }
    }
    proof.complete = true;
    proof.standing = std::move(standing_);
    return proof;
  }

 private:
  enum class Result : std::uint8_t { Proved, Stands, Stopped };

  bool stopped() const { return limits_.stop && limits_.stop(); }

  Result build(const Region& region, Phase& phase) {
    if (stopped() || ++phases_ > limits_.phases) return Result::Stopped;
    const FlowGraph sub = restricted(g_, region, kept_);
    WeightSolver solver(sub, limits_.stop);
    const Decision d = solver.decide();
    if (!d.complete) return Result::Stopped;
    std::vector<std::uint32_t> all, growing;
    for (std::uint32_t k = 0; k < kept_.size(); ++k) {
      if (!kept_[k]) continue;
      all.push_back(k);
      if (!d.boundable[k]) growing.push_back(k);
    }
    if (growing.empty()) {
      const std::optional<WeightBound> b = solver.bound(all);
      if (!b) return Result::Stopped;
      take_over(region, *b, phase);
      return Result::Proved;
    }
    std::vector<CycleRun> runs = solver.counterexample(growing);
    if (runs.empty()) return Result::Stopped;
    while (true) {
      const std::optional<FallenApart> apart = fallen_apart(sub, runs);
      if (!apart) return stands(region, sub, std::move(runs));
      const std::vector<std::uint32_t> piece = pieces(sub.components[apart->component], apart->parts);
      FlowGraph asked = with_crossings(sub, apart->component, piece);
      const auto crossing = static_cast<std::uint32_t>(g_.kinds.size());
      WeightSolver ranker(asked, limits_.stop);
      const Decision ranked = ranker.decide();
      if (!ranked.complete) return Result::Stopped;
      if (ranked.boundable[crossing]) {
        const std::optional<WeightBound> rank = ranker.bound({crossing});
        return rank ? branch(region, sub, apart->component, piece, *rank, phase) : Result::Stopped;
      }
      std::vector<CycleRun> bridge = ranker.counterexample({crossing});
      if (bridge.empty()) return Result::Stopped;
      std::move(bridge.begin(), bridge.end(), std::back_inserter(runs));
    }
  }

  // Number of the piece of each node: the strongly connected components of the parts where these differ,
  // else the first part; the rest is the last piece.
  static std::vector<std::uint32_t> pieces(const Component& c,
                                           const std::vector<std::vector<std::uint32_t>>& parts) {
    const std::vector<std::uint32_t> strong = strong_components(c);
    std::vector<std::uint32_t> homes;
    for (const auto& part : parts)
      if (std::find(homes.begin(), homes.end(), strong[part[0]]) == homes.end())
        homes.push_back(strong[part[0]]);
    const bool by_part = homes.size() == 1;
    std::vector<std::uint32_t> piece(c.nodes.size(), by_part ? 1 : static_cast<std::uint32_t>(homes.size()));
    if (by_part) {
      for (std::uint32_t n : parts[0]) piece[n] = 0;
    } else {
      for (std::uint32_t n = 0; n < piece.size(); ++n)
        for (std::uint32_t h = 0; h < homes.size(); ++h)
          if (strong[n] == homes[h]) piece[n] = h;
    }
    return piece;
  }

  // The only message there is now says that the component went from one piece to another.
  FlowGraph with_crossings(FlowGraph g, std::uint32_t component,
                           const std::vector<std::uint32_t>& piece) const {
    for (Kind& k : g.kinds)
      if (k.sort == KindSort::Message) k.sort = KindSort::Data;
    const auto crossing = static_cast<std::uint32_t>(g.kinds.size());
    Kind k;
    k.name = "crossing";
    g.kinds.push_back(std::move(k));
    for (Edge& e : g.components[component].edges)
      if (piece[e.from] != piece[e.to]) add_to(e.effect, crossing, 1);
    return g;
  }

  Result branch(const Region& region, const FlowGraph& sub, std::uint32_t component,
                const std::vector<std::uint32_t>& piece, const WeightBound& rank, Phase& phase) {
    take_over(region, rank, phase);
    phase.component = component;
    // Whatever loses at least 1 is a crossing and ends the stay.
    Region inner = region;
    for (std::size_t m = 0; m < sub.components.size(); ++m) {
      inner.edges[m].clear();
      for (std::uint32_t e = 0; e < sub.components[m].edges.size(); ++e) {
        const Edge& edge = sub.components[m].edges[e];
        const Rational loss =
            rank.potentials[m][edge.to] - rank.potentials[m][edge.from] - weigh(edge.effect, phase.weights);
        if (loss < 1)
          inner.edges[m].push_back(region.edges[m][e]);
        else
          add_crossing(region, sub, component, piece, m, e, phase);
      }
    }
    const std::uint32_t count = *std::max_element(piece.begin(), piece.end()) + 1;
    for (std::uint32_t p = 0; p < count; ++p) {
      Region child = inner;
      child.nodes[component].clear();
      std::vector<char> here(g_.components[component].nodes.size(), 0);
      for (std::uint32_t n = 0; n < piece.size(); ++n)
        if (piece[n] == p) {
          child.nodes[component].push_back(region.nodes[component][n]);
          here[region.nodes[component][n]] = 1;
        }
      PARLEY_CHECK(!child.nodes[component].empty());
      std::erase_if(child.edges[component], [&](std::uint32_t e) {
        const Edge& edge = g_.components[component].edges[e];
        PARLEY_CHECK(here[edge.from] == here[edge.to]);  // what lies between pieces loses
        return !here[edge.from];
      });
      phase.pieces.push_back(child.nodes[component]);
      phase.children.emplace_back();
      if (const Result r = build(child, phase.children.back()); r != Result::Proved) return r;
    }
    return Result::Proved;
  }

  // One edge that crosses. What the step sends may be told by another component's edge for the same action.
  void add_crossing(const Region& region, const FlowGraph& sub, std::uint32_t component,
                    const std::vector<std::uint32_t>& piece, std::size_t m, std::uint32_t e,
                    Phase& phase) const {
    const Edge& edge = sub.components[m].edges[e];
    const system::ActionId action = g_.components[m].edges[region.edges[m][e]].action;
    std::vector<std::int64_t> leap(g_.kinds.size(), 0);
    for (std::size_t other = 0; other < sub.components.size(); ++other)
      for (std::size_t i = 0; i < sub.components[other].edges.size(); ++i) {
        const bool same = action.valid() ? g_.components[other].edges[region.edges[other][i]].action == action
                                         : other == m && i == e;
        if (!same) continue;
        for (const auto& [k, amount] : sub.components[other].edges[i].effect)
          leap[k] = std::max(leap[k], amount);
      }
    const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t entry) {
      auto at = std::find_if(phase.crossings.begin(), phase.crossings.end(),
                             [&](const Crossing& c) { return c.from == from && c.to == to; });
      if (at == phase.crossings.end())
        at = phase.crossings.insert(at, Crossing{from, to, {}, std::vector<std::int64_t>(leap.size(), 0)});
      for (std::size_t k = 0; k < leap.size(); ++k) at->leap[k] = std::max(at->leap[k], leap[k]);
      if (std::find(at->entry.begin(), at->entry.end(), entry) == at->entry.end()) at->entry.push_back(entry);
    };
    if (m == component) return add(piece[edge.from], piece[edge.to], region.nodes[m][edge.to]);
    for (std::uint32_t n = 0; n < piece.size(); ++n) add(piece[n], piece[n], region.nodes[component][n]);
  }

  Result stands(const Region& region, const FlowGraph& sub, std::vector<CycleRun> runs) {
    Effect net;
    for (CycleRun& run : runs) {
      run.effect.clear();
      for (std::uint32_t& e : run.edges) {
        add_to(run.effect, sub.components[run.component].edges[e].effect);
        e = region.edges[run.component][e];
      }
      add_to(net, run.effect, run.times);
    }
    for (const auto& [k, amount] : net)
      if (g_.kinds[k].sort == KindSort::Message && amount > 0) grown_.push_back(k);
    PARLEY_CHECK(!grown_.empty());
    standing_.push_back(std::move(runs));
    return Result::Stands;
  }

  void take_over(const Region& region, const WeightBound& b, Phase& phase) const {
    phase.weights.assign(b.weights.begin(), b.weights.begin() + static_cast<std::ptrdiff_t>(g_.kinds.size()));
    for (std::size_t k = 0; k < g_.kinds.size(); ++k)
      if (g_.kinds[k].sort == KindSort::Message && !kept_[k]) phase.weights[k] = 0;
    phase.nodes = region.nodes;
    phase.grows.assign(g_.kinds.size(), false);
    for (std::size_t m = 0; m < g_.components.size(); ++m) {
      phase.potentials.emplace_back(g_.components[m].nodes.size(), 0);
      for (std::size_t i = 0; i < region.nodes[m].size(); ++i)
        phase.potentials[m][region.nodes[m][i]] = b.potentials[m][i];
      for (std::uint32_t e : region.edges[m])
        for (const auto& [k, amount] : g_.components[m].edges[e].effect)
          if (amount > 0) phase.grows[k] = true;
    }
  }

  // One set of weights for all that it can bound, in the whole graph and from the initial nodes.
  std::optional<WeightBound> always() const {
    WeightSolver solver(g_, limits_.stop);
    const Decision d = solver.decide();
    std::vector<std::uint32_t> kinds;
    for (std::uint32_t k = 0; d.complete && k < g_.kinds.size(); ++k)
      if (g_.kinds[k].sort == KindSort::Message && d.boundable[k]) kinds.push_back(k);
    return kinds.empty() ? std::nullopt : solver.bound(kinds);
  }

  const FlowGraph& g_;
  const PhaseLimits& limits_;
  std::vector<bool> kept_;
  std::size_t phases_ = 0;
  std::vector<std::uint32_t> grown_;
  std::vector<std::vector<CycleRun>> standing_;
};

// Walks through stays: contents by kind, never more than what holds always.
class Evaluator {
 public:
  Evaluator(const FlowGraph& g, const PhaseProof& proof, const std::vector<std::uint32_t>& watched)
      : g_(g), proof_(proof), watched_(watched), cap_(g.kinds.size()) {
    if (proof.always)
      for (std::size_t k = 0; k < cap_.size(); ++k)
        if (g.kinds[k].sort == KindSort::Message && sgn(proof.always->weights[k]) > 0)
          cap_[k] = floor_of(proof.always->value / proof.always->weights[k]);
  }

  std::optional<std::int64_t> run() {
    Contents start;
    for (const Kind& k : g_.kinds)
      start.emplace_back(k.sort == KindSort::Message ? static_cast<long>(k.initial) : 0L);
    Nodes entry;
    for (const Component& c : g_.components) entry.push_back(c.initial);
    if (!stay(proof_.root, start, entry) || !most_.fits_slong_p()) return std::nullopt;
    return most_.get_si();
  }

 private:
  using Contents = std::vector<Integer>;                  // by kind
  using Nodes = std::vector<std::vector<std::uint32_t>>;  // by component: where the stay may begin
  static constexpr long kMostCrossings = 10000;
  static constexpr std::size_t kMostStays = 50000;

  // Contents at its end, at most.
  std::optional<Contents> stay(const Phase& phase, const Contents& start, const Nodes& entry) {
    if (++stays_ > kMostStays) return std::nullopt;
    Rational weight = 0;
    for (std::size_t k = 0; k < start.size(); ++k)
      if (proof_.bounded[k]) weight += phase.weights[k] * Rational(start[k]);
    for (std::size_t m = 0; m < entry.size(); ++m) {
      std::optional<Rational> before, after;
      for (std::uint32_t n : entry[m])
        raise(before, data(g_, m, n, true, phase.weights) - phase.potentials[m][n]);
      for (std::uint32_t n : phase.nodes[m])
        raise(after, phase.potentials[m][n] - data(g_, m, n, false, phase.weights));
      if (before && after) weight += *before + *after;
    }
    return phase.children.empty() ? leaf(phase, start, weight) : stays(phase, start, entry, weight);
  }

  // From stay to stay: per piece the most that is there when it is entered after so many crossings.
  std::optional<Contents> stays(const Phase& phase, const Contents& start, const Nodes& entry,
                                const Rational& weight) {
    const Integer crossings = floor_of(weight);
    if (crossings > kMostCrossings) return std::nullopt;
    struct Entered {
      Contents contents;
      Nodes nodes;
    };
    std::vector<std::optional<Entered>> now(phase.children.size());
    for (std::size_t p = 0; p < now.size(); ++p) {
      std::vector<std::uint32_t> here;
      for (std::uint32_t n : entry[phase.component])
        if (std::find(phase.pieces[p].begin(), phase.pieces[p].end(), n) != phase.pieces[p].end())
          here.push_back(n);
      if (here.empty()) continue;
      now[p] = Entered{start, entry};
      now[p]->nodes[phase.component] = std::move(here);
    }
    Contents most = start;
    for (long crossed = 0;; ++crossed) {
      std::vector<std::optional<Entered>> next(now.size());
      bool any = false;
      for (std::size_t p = 0; p < now.size(); ++p) {
        if (!now[p]) continue;
        const auto end = stay(phase.children[p], now[p]->contents, now[p]->nodes);
        if (!end) return std::nullopt;
        for (std::size_t k = 0; k < most.size(); ++k) most[k] = std::max(most[k], (*end)[k]);
        if (crossings <= crossed) continue;
        for (const Crossing& c : phase.crossings) {
          if (c.from != p) continue;
          any = true;
          std::optional<Entered>& to = next[c.to];
          if (!to) {
            to = Entered{Contents(most.size(), 0), phase.nodes};
            to->nodes[phase.component].clear();
          }
          for (std::size_t k = 0; k < most.size(); ++k)
            to->contents[k] = std::max(to->contents[k], capped(k, (*end)[k] + static_cast<long>(c.leap[k])));
          join(to->nodes[phase.component], c.entry);
        }
      }
      const auto same = [](const std::optional<Entered>& a, const std::optional<Entered>& b) {
        return a.has_value() == b.has_value() && (!a || (a->contents == b->contents && a->nodes == b->nodes));
      };
      if (!any || std::equal(now.begin(), now.end(), next.begin(), same)) return most;
      now = std::move(next);
    }
  }

  static void join(std::vector<std::uint32_t>& nodes, const std::vector<std::uint32_t>& more) {
    for (std::uint32_t n : more)
      if (std::find(nodes.begin(), nodes.end(), n) == nodes.end()) nodes.push_back(n);
    std::sort(nodes.begin(), nodes.end());
  }
  static void raise(std::optional<Rational>& most, const Rational& r) {
    if (!most || *most < r) most = r;
  }

  Contents leaf(const Phase& phase, const Contents& start, const Rational& weight) {
    Contents end = start;
    for (std::size_t k = 0; k < end.size(); ++k)
      if (proof_.bounded[k] && phase.grows[k]) end[k] = capped(k, floor_of(weight / phase.weights[k]));
    Integer sum = 0;
    std::optional<Rational> lightest;
    for (std::uint32_t k : watched_) {
      sum += end[k];
      if (!lightest || phase.weights[k] < *lightest) lightest = phase.weights[k];
    }
    if (lightest) most_ = std::max(most_, std::min(sum, floor_of(weight / *lightest)));
    return end;
  }

  Integer capped(std::size_t k, Integer n) const { return cap_[k] && *cap_[k] < n ? *cap_[k] : n; }

  const FlowGraph& g_;
  const PhaseProof& proof_;
  const std::vector<std::uint32_t>& watched_;
  std::vector<std::optional<Integer>> cap_;
  Integer most_ = 0;
  std::size_t stays_ = 0;
};

}  // namespace

PhaseProof prove_by_phases(const FlowGraph& graph, const PhaseLimits& limits) {
  return Builder(graph, limits).run();
}

std::optional<std::int64_t> phase_limit(const FlowGraph& graph, const PhaseProof& proof,
                                        const std::vector<std::uint32_t>& watched) {
  return Evaluator(graph, proof, watched).run();
}

namespace {

void tell(const FlowGraph& g, const Phase& phase, const std::string& indent,
          std::vector<std::string>& lines) {
  if (phase.children.empty()) return;
  const Component& c = g.components[phase.component];
  std::string parts;
  for (const auto& piece : phase.pieces) {
    std::string names;
    for (std::size_t i = 0; i < piece.size() && i < 4; ++i) names += (i > 0 ? ", " : "") + c.nodes[piece[i]];
    if (piece.size() > 4) names += fmt::format(" and {} more", piece.size() - 4);
    parts += fmt::format("{}{{{}}}", parts.empty() ? "" : " | ", names);
  }
  lines.push_back(fmt::format("{}{} goes only finitely often between {}", indent, c.name, parts));
  for (std::size_t i = 0; i < phase.children.size(); ++i) tell(g, phase.children[i], indent + "  ", lines);
}

}  // namespace

std::vector<std::string> tell(const FlowGraph& graph, const PhaseProof& proof) {
  std::vector<std::string> lines;
  tell(graph, proof.root, "", lines);
  return lines;
}

FlowGraph started(const FlowGraph& graph, std::size_t components) {
  FlowGraph g = graph;
  for (std::size_t m = components; m < graph.components.size(); ++m) {
    std::vector<std::int64_t> most(g.kinds.size(), 0);
    for (const Edge& e : graph.components[m].edges)
      for (const auto& [k, amount] : e.effect) most[k] = std::max(most[k], amount);
    for (std::size_t k = 0; k < most.size(); ++k) g.kinds[k].initial += most[k];
  }
  g.components.resize(components);
  return g;
}

std::optional<FallenApart> fallen_apart(const FlowGraph& graph, const std::vector<CycleRun>& runs) {
  for (std::uint32_t m = 0; m < graph.components.size(); ++m) {
    const Component& c = graph.components[m];
    std::vector<std::uint32_t> part(c.nodes.size());
    std::iota(part.begin(), part.end(), 0U);
    const auto find = [&](std::uint32_t n) {
      while (part[n] != n) n = part[n] = part[part[n]];
      return n;
    };
    std::vector<char> used(c.nodes.size(), 0);
    for (const CycleRun& run : runs) {
      if (run.component != m) continue;
      for (std::uint32_t e : run.edges) {
        used[c.edges[e].from] = used[c.edges[e].to] = 1;
        part[find(c.edges[e].from)] = find(c.edges[e].to);
      }
    }
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<std::uint32_t> root;
    for (std::uint32_t n = 0; n < c.nodes.size(); ++n) {
      if (!used[n]) continue;
      const auto at = std::find(root.begin(), root.end(), find(n));
      if (at == root.end()) {
        root.push_back(find(n));
        parts.push_back({n});
      } else {
        parts[static_cast<std::size_t>(at - root.begin())].push_back(n);
      }
    }
    if (parts.size() > 1) return FallenApart{m, std::move(parts)};
  }
  return std::nullopt;
}

}  // namespace parley::bounds
