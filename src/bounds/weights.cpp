#include "bounds/weights.hpp"

#include <algorithm>

#include "bounds/heaviest_path.hpp"
#include "solver/ilp/integer.hpp"
#include "solver/ilp/simplex.hpp"
#include "support/check.hpp"

namespace parley::bounds {

using solver::ilp::Integer;
using solver::ilp::Sense;
using solver::ilp::Simplex;
using solver::ilp::Status;
using solver::ilp::Terms;

namespace {

Integer floor_of(const Rational& r) {
  Integer f;
  mpz_fdiv_q(f.get_mpz_t(), r.get_num_mpz_t(), r.get_den_mpz_t());
  return f;
}

// Weights as integers over a common denominator.
struct Scaled {
  std::vector<Integer> weights;
  Integer denominator = 1;
  bool small = true;  // any path's weight fits 64 bits with room to spare
};

Scaled scale(const FlowGraph& graph, const std::vector<Rational>& weights) {
  Scaled s;
  for (const Rational& w : weights) s.denominator = lcm(s.denominator, w.get_den());
  Integer largest = 0;
  for (const Rational& w : weights) {
    s.weights.push_back(w.get_num() * (s.denominator / w.get_den()));
    if (abs(s.weights.back()) > largest) largest = abs(s.weights.back());
  }
  std::int64_t amount = 1;
  for (const Component& c : graph.components)
    for (const Edge& e : c.edges)
      for (const auto& [k, a] : e.effect) amount = std::max<std::int64_t>(amount, std::abs(a));
  Integer worst = largest * Integer(static_cast<long>(amount)) *
                  Integer(static_cast<unsigned long>(graph.kinds.size() + 1)) *
                  Integer(static_cast<unsigned long>(graph.edge_count() + 1));
  s.small = worst < (Integer(1) << 62);
  return s;
}

template <class Number>
Number to_number(const Integer& i) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return i;
  } else {
    return i.get_si();
  }
}

// What a component looks like under the weights: a gaining cycle, or the heaviest node and its path.
struct Look {
  std::vector<std::uint32_t> cycle, path;
  std::uint32_t node = 0;  // where the path ends
  std::vector<Rational> potentials;
  Rational heaviest;  // of any node, less what its data kinds certainly hold; at least 0
};

template <class Number>
Look look_at(const FlowGraph& graph, const Component& c, const Scaled& scaled) {
  std::vector<Number> weights, by_edge(c.edges.size(), Number(0));
  for (const Integer& w : scaled.weights) weights.push_back(to_number<Number>(w));
  for (std::size_t e = 0; e < c.edges.size(); ++e)
    for (const auto& [k, a] : c.edges[e].effect) by_edge[e] += weights[k] * Number(static_cast<long>(a));
  (void)graph;
  PathResult<Number> paths = heaviest_paths<Number>(c, by_edge);
  Look look;
  look.cycle = std::move(paths.gaining_cycle);
  if (!look.cycle.empty() || c.nodes.empty()) return look;
  std::vector<Number> net = paths.distance;
  for (std::size_t n = 0; n < c.reserve.size(); ++n)
    for (const auto& [k, a] : c.reserve[n]) net[n] -= weights[k] * Number(static_cast<long>(a));
  const auto best = std::max_element(net.begin(), net.end());
  look.node = static_cast<std::uint32_t>(best - net.begin());
  look.path = paths.path_to(c, look.node);
  const auto rational = [&](const Number& n) {
    Rational r{Integer(n), scaled.denominator};
    r.canonicalize();
    return r;
  };
  look.heaviest = rational(*best);
  if (sgn(look.heaviest) < 0) look.heaviest = 0;
  for (const Number& d : paths.distance) look.potentials.push_back(rational(d));
  return look;
}

Look look(const FlowGraph& graph, const Component& c, const Scaled& scaled) {
  return scaled.small ? look_at<long>(graph, c, scaled) : look_at<Integer>(graph, c, scaled);
}

Effect effect_of(const Component& c, const std::vector<std::uint32_t>& edges) {
  Effect sum;
  for (std::uint32_t e : edges) add_to(sum, c.edges[e].effect);
  return sum;
}

Rational initial_weight(const FlowGraph& graph, const std::vector<Rational>& weights) {
  Rational sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (graph.kinds[k].initial != 0) sum += weights[k] * static_cast<long>(graph.kinds[k].initial);
  return sum;
}

}  // namespace

std::optional<WeightBound> evaluate_weights(const FlowGraph& graph, const std::vector<Rational>& weights) {
  const Scaled scaled = scale(graph, weights);
  WeightBound b;
  b.weights = weights;
  b.value = initial_weight(graph, weights);
  for (const Component& c : graph.components) {
    Look l = look(graph, c, scaled);
    if (!l.cycle.empty()) return std::nullopt;
    b.value += l.heaviest;
    b.potentials.push_back(std::move(l.potentials));
  }
  const Integer limit = floor_of(b.value);
  if (!limit.fits_slong_p()) return std::nullopt;
  b.limit = limit.get_si();
  return b;
}

struct WeightSolver::Parts {
  const FlowGraph& graph;
  std::function<bool()> stop;
  std::vector<CycleRun> cycles;                         // all that were found violated once
  std::vector<std::pair<std::uint32_t, Effect>> paths;  // component, effect

  // The master for bounds, kept warm between targets: y (two columns for a ledger), one depth per component.
  Simplex master;
  std::vector<std::uint32_t> y, y_negative, depth, target_row;
  std::size_t cycles_in_master = 0, paths_in_master = 0;
  bool master_made = false;

  Parts(const FlowGraph& g, std::function<bool()> s) : graph(g), stop(std::move(s)) {}

  void make_columns(Simplex& lp, std::vector<std::uint32_t>& plus, std::vector<std::uint32_t>& minus) {
    for (const Kind& k : graph.kinds) {
      plus.push_back(lp.add_variable(Rational(static_cast<long>(k.initial))));
      minus.push_back(k.sort == KindSort::Ledger ? lp.add_variable() : plus.back());
    }
  }
  Terms terms(const Effect& effect, const std::vector<std::uint32_t>& plus,
              const std::vector<std::uint32_t>& minus) const {
    Terms t;
    for (const auto& [k, a] : effect) {
      t.emplace_back(plus[k], Rational(static_cast<long>(a)));
      if (plus[k] != minus[k]) t.emplace_back(minus[k], Rational(static_cast<long>(-a)));
    }
    return t;
  }
  std::vector<Rational> weights(const Simplex& lp, const std::vector<std::uint32_t>& plus,
                                const std::vector<std::uint32_t>& minus) const {
    std::vector<Rational> w;
    for (std::size_t k = 0; k < plus.size(); ++k)
      w.push_back(plus[k] == minus[k] ? lp.value(plus[k]) : Rational(lp.value(plus[k]) - lp.value(minus[k])));
    return w;
  }
  bool add_cycle(std::uint32_t component, std::vector<std::uint32_t> edges) {
    CycleRun run;
    run.component = component;
    run.effect = effect_of(graph.components[component], edges);
    run.edges = std::move(edges);
    cycles.push_back(std::move(run));
    return true;
  }
};

WeightSolver::WeightSolver(const FlowGraph& graph, std::function<bool()> stop)
    : parts_(std::make_unique<Parts>(graph, std::move(stop))) {}
WeightSolver::~WeightSolver() = default;

Decision WeightSolver::decide() {
  Parts& p = *parts_;
  const FlowGraph& g = p.graph;
  // minimise sum s_k with y_k + s_k >= 1: the feasible weights form a cone, so s_k is 0 or 1 at the optimum,
  // and 0 for every kind that some feasible weight covers.
  Simplex lp;
  lp.stop_when(p.stop);
  std::vector<std::uint32_t> plus, minus, miss(g.kinds.size(), 0);
  for (const Kind& k : g.kinds) {
    plus.push_back(lp.add_variable());
    minus.push_back(k.sort == KindSort::Ledger ? lp.add_variable() : plus.back());
  }
  for (std::uint32_t k = 0; k < g.kinds.size(); ++k) {
    if (g.kinds[k].sort != KindSort::Message) continue;
    miss[k] = lp.add_variable(1);
    lp.add_row({{plus[k], -1}, {miss[k], -1}}, -1);
  }
  Decision d;
  d.boundable.assign(g.kinds.size(), false);
  std::size_t in_lp = 0;
  while (true) {
    for (; in_lp < p.cycles.size(); ++in_lp) lp.add_row(p.terms(p.cycles[in_lp].effect, plus, minus), 0);
    if (lp.minimise() != Status::Optimal) return d;
    const Scaled scaled = scale(g, p.weights(lp, plus, minus));
    bool violated = false;
    for (std::uint32_t m = 0; m < g.components.size(); ++m) {
      if (p.stop && p.stop()) return d;
      Look l = look(g, g.components[m], scaled);
      if (!l.cycle.empty()) violated = p.add_cycle(m, std::move(l.cycle));
    }
    if (!violated) break;
  }
  for (std::uint32_t k = 0; k < g.kinds.size(); ++k)
    d.boundable[k] = g.kinds[k].sort != KindSort::Message || sgn(lp.value(miss[k])) == 0;
  d.complete = true;
  d.cuts = p.cycles.size();
  return d;
}

std::optional<WeightBound> WeightSolver::bound(const std::vector<std::uint32_t>& targets) {
  Parts& p = *parts_;
  const FlowGraph& g = p.graph;
  if (!p.master_made) {
    p.master_made = true;
    p.master.stop_when(p.stop);
    p.make_columns(p.master, p.y, p.y_negative);
    for (std::size_t m = 0; m < g.components.size(); ++m) p.depth.push_back(p.master.add_variable(1));
    for (std::size_t k = 0; k < g.kinds.size(); ++k)
      p.target_row.push_back(p.master.add_row({{p.y[k], -1}}, 0));
  }
  for (std::size_t k = 0; k < g.kinds.size(); ++k)
    p.master.set_bound(p.target_row[k],
                       std::find(targets.begin(), targets.end(), k) != targets.end() ? -1 : 0);
  std::optional<WeightBound> best;
  while (true) {
    for (; p.cycles_in_master < p.cycles.size(); ++p.cycles_in_master)
      p.master.add_row(p.terms(p.cycles[p.cycles_in_master].effect, p.y, p.y_negative), 0);
    for (; p.paths_in_master < p.paths.size(); ++p.paths_in_master) {
      Terms t = p.terms(p.paths[p.paths_in_master].second, p.y, p.y_negative);
      t.emplace_back(p.depth[p.paths[p.paths_in_master].first], -1);
      p.master.add_row(t, 0);
    }
    if (p.master.minimise() != Status::Optimal) return best;
    const std::vector<Rational> weights = p.weights(p.master, p.y, p.y_negative);
    const Scaled scaled = scale(g, weights);
    WeightBound now;
    now.weights = weights;
    now.value = initial_weight(g, weights);
    bool gains = false, deeper = false;
    for (std::uint32_t m = 0; m < g.components.size(); ++m) {
      if (p.stop && p.stop()) return best;
      Look l = look(g, g.components[m], scaled);
      if (!l.cycle.empty()) {
        gains = p.add_cycle(m, std::move(l.cycle));
        continue;
      }
      now.value += l.heaviest;
      if (l.heaviest > p.master.value(p.depth[m])) {
        Effect gain = effect_of(g.components[m], l.path);
        if (!g.components[m].reserve.empty()) add_to(gain, g.components[m].reserve[l.node], -1);
        p.paths.emplace_back(m, std::move(gain));
        deeper = true;
      }
      now.potentials.push_back(std::move(l.potentials));
    }
    if (gains) continue;
    const Integer limit = floor_of(now.value);
    if (!limit.fits_slong_p()) return std::nullopt;
    now.limit = limit.get_si();
    if (!best || now.value < best->value) best = std::move(now);
    // The master's optimum is a lower limit for every choice of weights.
    if (!deeper || floor_of(p.master.objective()) >= best->limit) return best;
  }
}

std::vector<CycleRun> WeightSolver::counterexample(const std::vector<std::uint32_t>& targets) {
  Parts& p = *parts_;
  solver::ilp::Program program;
  std::vector<Terms> net(p.graph.kinds.size());
  for (const CycleRun& c : p.cycles) {
    const std::uint32_t x = program.add_variable(1);
    for (const auto& [k, a] : c.effect) net[k].emplace_back(x, Rational(static_cast<long>(a)));
  }
  Terms produced;
  std::vector<Rational> total(p.cycles.size(), 0);
  for (std::uint32_t k = 0; k < net.size(); ++k) {
    if (net[k].empty()) continue;
    const bool ledger = p.graph.kinds[k].sort == KindSort::Ledger;
    program.add_row(net[k], ledger ? Sense::Equal : Sense::AtLeast, 0);
    if (std::find(targets.begin(), targets.end(), k) == targets.end()) continue;
    for (const auto& [x, a] : net[k]) total[x] += a;
  }
  for (std::uint32_t x = 0; x < total.size(); ++x)
    if (sgn(total[x]) != 0) produced.emplace_back(x, total[x]);
  if (produced.empty()) return {};
  program.add_row(produced, Sense::AtLeast, 1);
  const solver::ilp::Solution s = solver::ilp::solve(program, p.stop);
  if (s.status != Status::Optimal) return {};
  Integer denominator = 1;
  for (const Rational& x : s.values) denominator = lcm(denominator, x.get_den());
  std::vector<CycleRun> runs;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    if (sgn(s.values[i]) == 0) continue;
    CycleRun run = p.cycles[i];
    run.times = Integer(s.values[i].get_num() * (denominator / s.values[i].get_den())).get_si();
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace parley::bounds
