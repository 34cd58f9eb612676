#include "bounds/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "bounds/cycle_code.hpp"
#include "solver/ilp/simplex.hpp"

namespace parley::bounds {

using solver::ilp::Integer;
using solver::ilp::Program;
using solver::ilp::Rational;
using solver::ilp::Sense;
using solver::ilp::Terms;

std::vector<std::int64_t> solve_cycles(const FlowGraph& graph, const std::vector<CycleRun>& cycles,
                                       const std::vector<CycleConstraint>& constraints) {
  Program p;
  std::vector<Terms> net(graph.kinds.size());
  std::vector<Rational> total(cycles.size(), 0);
  for (const CycleRun& c : cycles) {
    const std::uint32_t x = p.add_variable(1);
    for (const auto& [k, a] : c.effect) {
      if (graph.kinds[k].sort != KindSort::Message) continue;
      net[k].emplace_back(x, Rational(static_cast<long>(a)));
      total[x] += static_cast<long>(a);
    }
  }
  for (Terms& t : net)
    if (!t.empty()) p.add_row(std::move(t), Sense::AtLeast, 0);
  Terms produced;
  for (std::uint32_t x = 0; x < total.size(); ++x)
    if (sgn(total[x]) != 0) produced.emplace_back(x, total[x]);
  if (produced.empty()) return {};
  p.add_row(std::move(produced), Sense::AtLeast, 1);
  for (const CycleConstraint& c : constraints) {
    Terms t;
    for (const auto& [x, k] : c.terms) t.emplace_back(x, Rational(static_cast<long>(k)));
    if (t.empty() && c.sense == Sense::AtLeast && c.bound > 0) return {};
    if (!t.empty()) p.add_row(std::move(t), c.sense, Rational(static_cast<long>(c.bound)));
  }
  // Every constraint allows scaling up, so a rational solution gives an integral one.
  const solver::ilp::Solution s = solver::ilp::solve(p);
  if (s.status != solver::ilp::Status::Optimal) return {};
  Integer denominator = 1;
  for (const Rational& x : s.values) denominator = lcm(denominator, x.get_den());
  std::vector<std::int64_t> counts;
  for (const Rational& x : s.values)
    counts.push_back(Integer(x.get_num() * (denominator / x.get_den())).get_si());
  return counts;
}

namespace {

using Constraints = std::vector<CycleConstraint>;

CycleConstraint positive(const std::vector<std::uint32_t>& sum) {
  CycleConstraint c;
  for (std::uint32_t x : sum) c.terms.emplace_back(x, 1);
  c.bound = 1;
  return c;
}
CycleConstraint zero(std::uint32_t x) {
  return {{{x, 1}}, Sense::AtMost, 0};
}

class Test {
 public:
  Test(const system::System& s, const FlowGraph& g, const PublishedOptions& o) : s_(s), g_(g), o_(o) {}

  PublishedReport run() {
    CycleList list = elementary_cycles(g_, o_.max_cycles);
    r_.cycles = std::move(list.cycles);
    if (!list.complete) return std::move(r_);
    neighbours_ = neighbours(g_, r_.cycles);
    std::deque<Constraints> open{{}};
    while (!open.empty()) {
      if (++r_.programs > o_.max_programs || (o_.stop && o_.stop())) return std::move(r_);
      const Constraints base = std::move(open.front());
      open.pop_front();
      const std::vector<std::int64_t> counts = solve_cycles(g_, r_.cycles, base);
      if (counts.empty()) continue;
      ++r_.counterexamples;
      const std::vector<Constraints> more = refine(counts);
      if (more.empty()) {
        r_.answer = PublishedAnswer::Unknown;
        for (std::size_t i = 0; i < counts.size(); ++i) {
          if (counts[i] == 0) continue;
          r_.remaining.push_back(r_.cycles[i]);
          r_.remaining.back().times = counts[i];
        }
        return std::move(r_);
      }
      ++r_.spurious;
      for (const Constraints& extra : more) {
        open.push_back(base);
        open.back().insert(open.back().end(), extra.begin(), extra.end());
      }
    }
    r_.answer = PublishedAnswer::Bounded;
    return std::move(r_);
  }

 private:
  // The programs that replace this one; none: the counterexample stands.
  std::vector<Constraints> refine(const std::vector<std::int64_t>& counts) {
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) used.push_back(i);
    for (std::uint32_t c : used)
      if (auto more = by_code(c, used, counts)) return *more;
    for (std::uint32_t a : used)
      for (std::uint32_t b : used)
        if (a < b && r_.cycles[a].component == r_.cycles[b].component)
          if (auto more = by_structure(a, b, used)) return *more;
    return {};
  }

  std::string name(std::uint32_t c) const {
    const CycleRun& x = r_.cycles[c];
    return fmt::format("{}: {}", g_.components[x.component].name,
                       show_cycle(g_.components[x.component], x.edges));
  }

  // The cycle's code, beginning at its edge number `first`.
  std::vector<CodeStep> code(std::uint32_t c, std::size_t first) const {
    const CycleRun& x = r_.cycles[c];
    std::vector<CodeStep> all;
    for (std::size_t i = 0; i < x.edges.size(); ++i) {
      const auto part = code_of(s_, g_.components[x.component].edges[x.edges[(first + i) % x.edges.size()]]);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  static bool changes(const std::vector<CodeStep>& code, const std::set<system::CellId>& cells) {
    return std::any_of(code.begin(), code.end(), [&](const CodeStep& s) {
      return s.kind != CodeStep::Kind::Condition && cells.contains(s.cell);
    });
  }

  bool possible(std::uint32_t component, std::uint32_t node, const Disjunct& d) const {
    for (const Atom& a : d) {
      if (!o_.range || a.control.terms.size() != 1 || a.control.terms.begin()->second != 1) continue;
      const auto r = o_.range(component, node, a.control.terms.begin()->first);
      if (!r) continue;
      if (a.relation == Relation::Less && r->first >= a.boundary) return false;
      if (a.relation == Relation::Greater && r->second <= a.boundary) return false;
      if (a.relation == Relation::Equal && (a.boundary < r->first || a.boundary > r->second)) return false;
    }
    return true;
  }

  // Variables that only this process changes, and not by receiving: the paper's local dependencies.
  bool local(std::uint32_t component, const std::set<system::CellId>& cells) const {
    for (const Component& c : g_.components) {
      if (&c == &g_.components[component]) continue;
      for (const Edge& e : c.edges)
        if (changes(code_of(s_, e), cells)) return false;
    }
    return true;
  }

  std::optional<std::vector<Constraints>> by_code(std::uint32_t c, const std::vector<std::uint32_t>& used,
                                                  const std::vector<std::int64_t>& counts) {
    const CycleRun& cycle = r_.cycles[c];
    const Component& component = g_.components[cycle.component];
    std::vector<bool> nodes(component.nodes.size(), false);
    for (std::uint32_t e : cycle.edges) nodes[component.edges[e].from] = true;
    for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
      const std::vector<CodeStep> first = code_of(s_, component.edges[cycle.edges[i]]);
      for (const CodeStep& condition : first) {
        if (condition.kind != CodeStep::Kind::Condition) break;
        std::vector<CodeStep> body = code(c, i);
        body.insert(body.begin(), condition);
        const auto facts = analyse_condition(
            s_, body, [&](const Linear& l) { return values_on_entry(s_, component, nodes, l); },
            [&](const Disjunct& d) {
              return possible(cycle.component, component.edges[cycle.edges[i]].from, d);
            });
        if (!facts || !facts->exits) continue;
        std::set<system::CellId> variables;
        for (const Disjunct& d : facts->form)
          for (const Atom& a : d)
            for (const auto& [cell, k] : a.control.terms) variables.insert(cell);
        if (!local(cycle.component, variables)) continue;
        const std::vector<std::uint32_t> near = neighbours_[c], helpers = supplementary(c, *facts, variables);
        const auto runs = [&](const std::vector<std::uint32_t>& list) {
          return std::any_of(list.begin(), list.end(), [&](std::uint32_t x) { return counts[x] > 0; });
        };
        const auto enough = [&](const std::vector<std::uint32_t>& list) {
          std::int64_t sum = 0;
          for (std::uint32_t x : list) sum += counts[x];
          return counts[c] <= *facts->most * sum;
        };
        const bool use_max = o_.with_max && facts->most.has_value();
        const bool fine = use_max ? enough(near) && enough(helpers) : runs(near) && runs(helpers);
        if (fine) continue;
        r_.log.push_back(fmt::format(
            "spurious by code: {} passes ({}) {}; {} neighbouring, {} supplementary cycles", name(c),
            system::show(s_, condition.expression),
            facts->most ? fmt::format("at most {} times in a row", *facts->most) : "finitely often in a row",
            near.size(), helpers.size()));
        (void)used;
        if (!use_max)
          return std::vector<Constraints>{{zero(c)}, {positive({c}), positive(near), positive(helpers)}};
        Constraints both;
        for (const auto* list : {&near, &helpers}) {
          CycleConstraint k;
          k.terms.emplace_back(c, 1);
          for (std::uint32_t x : *list) k.terms.emplace_back(x, -*facts->most);
          k.sense = Sense::AtMost;
          both.push_back(std::move(k));
        }
        return std::vector<Constraints>{both};
      }
    }
    return std::nullopt;
  }

  // Cycles of the same process that may make the condition true again; the finer choice of section 4.3 where
  // every control expression moves monotonically.
  std::vector<std::uint32_t> supplementary(std::uint32_t c, const ConditionFacts& facts,
                                           const std::set<system::CellId>& variables) const {
    bool monotone = true;
    for (const auto& d : facts.atoms)
      for (const AtomFacts& a : d) monotone = monotone && a.monotone;
    std::vector<std::uint32_t> found;
    for (std::uint32_t x = 0; x < r_.cycles.size(); ++x) {
      if (x == c || r_.cycles[x].component != r_.cycles[c].component) continue;
      const std::vector<CodeStep> other = code(x, 0);
      if (!changes(other, variables)) continue;
      bool helps = !monotone;
      for (std::size_t d = 0; d < facts.form.size() && !helps; ++d)
        for (std::size_t l = 0; l < facts.form[d].size() && !helps; ++l) {
          if (!facts.atoms[d][l].exit_border) continue;
          const StepValues v = step_values(s_, other, {}, facts.form[d][l].control);
          // It may move the other way.
          helps = facts.atoms[d][l].step > 0 ? !v.lowest || *v.lowest < 0 : !v.highest || *v.highest > 0;
        }
      if (helps) found.push_back(x);
    }
    return found;
  }

  std::optional<std::vector<Constraints>> by_structure(std::uint32_t a, std::uint32_t b,
                                                       const std::vector<std::uint32_t>& used) {
    std::vector<std::uint32_t> here;
    for (std::uint32_t x : used)
      if (r_.cycles[x].component == r_.cycles[a].component) here.push_back(x);
    // Reachable from each other through the counterexample's cycles?
    std::vector<std::uint32_t> reached{a};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::uint32_t x : neighbours_[reached[i]])
        if (std::find(here.begin(), here.end(), x) != here.end() &&
            std::find(reached.begin(), reached.end(), x) == reached.end())
          reached.push_back(x);
    if (std::find(reached.begin(), reached.end(), b) != reached.end()) return std::nullopt;
    std::vector<Constraints> more = {{zero(a), zero(b)}, {zero(a), positive({b})}, {positive({a}), zero(b)}};
    const auto sets = connecting_sets(neighbours_, a, b, o_.max_sets);
    if (sets) {
      for (const auto& set : *sets) {
        Constraints k;
        for (std::uint32_t x : set) k.push_back(positive({x}));
        more.push_back(std::move(k));
      }
    } else {
      Constraints k{positive({a}), positive({b})};
      for (const auto& layer : connecting_layers(neighbours_, a, b)) k.push_back(positive(layer));
      more.push_back(std::move(k));
    }
    r_.log.push_back(fmt::format("spurious by structure: {} and {} share no state; {} programs instead",
                                 name(a), name(b), more.size()));
    return more;
  }

  const system::System& s_;
  const FlowGraph& g_;
  const PublishedOptions& o_;
  PublishedReport r_;
  Neighbours neighbours_;
};

}  // namespace

PublishedReport published_test(const system::System& system, const FlowGraph& graph,
                               const PublishedOptions& options) {
  return Test(system, graph, options).run();
}

}  // namespace parley::bounds
