#include "bounds/published/cycle_guards.hpp"

#include <algorithm>

#include "bounds/published/cycle_balance.hpp"

namespace parley::bounds::published {

namespace {

bool changes(const std::vector<CodeStep>& code, const std::set<system::CellId>& cells) {
  return std::any_of(code.begin(), code.end(), [&](const CodeStep& s) {
    return s.kind != CodeStep::Kind::Condition && cells.contains(s.cell);
  });
}

}  // namespace

const std::vector<Guard>& CycleGuards::of(std::uint32_t cycle) {
  const auto [at, fresh] = known_.try_emplace(cycle);
  if (fresh) at->second = find(cycle);
  return at->second;
}

bool CycleGuards::local(std::uint32_t component, const std::set<system::CellId>& cells) const {
  for (const Component& c : g_.components) {
    if (&c == &g_.components[component]) continue;
    for (const Edge& e : c.edges)
      if (changes(code_of(s_, e), cells)) return false;
  }
  return true;
}

// The cycle's code, beginning at its edge number `first`.
std::vector<CodeStep> CycleGuards::code(std::uint32_t c, std::size_t first) const {
  const CycleRun& x = cycles_[c];
  std::vector<CodeStep> all;
  for (std::size_t i = 0; i < x.edges.size(); ++i) {
    const auto part = code_of(s_, g_.components[x.component].edges[x.edges[(first + i) % x.edges.size()]]);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

bool CycleGuards::possible(std::uint32_t component, std::uint32_t node, const Disjunct& d) const {
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

std::vector<Guard> CycleGuards::find(std::uint32_t c) const {
  const CycleRun& cycle = cycles_[c];
  const Component& component = g_.components[cycle.component];
  const auto start = [&](system::CellId cell) {
    return o_.start ? o_.start(cycle.component, cell) : std::optional<std::int64_t>(s_.cell(cell).initial);
  };
  std::vector<Guard> found;
  for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
    const Edge& edge = component.edges[cycle.edges[i]];
    for (const CodeStep& condition : code_of(s_, edge)) {
      if (condition.kind != CodeStep::Kind::Condition) break;
      std::vector<CodeStep> body = code(c, i);
      body.insert(body.begin(), condition);
      auto facts = analyse_condition(
          s_, body, [&](const Linear& l) { return values_on_entry(s_, component, cycle.edges, l, start); },
          [&](const Disjunct& d) { return possible(cycle.component, edge.from, d); });
      if (!facts) continue;
      std::set<system::CellId> variables;
      for (const Disjunct& d : facts->form)
        for (const Atom& a : d)
          for (const auto& [cell, k] : a.control.terms) variables.insert(cell);
      if (!local(cycle.component, variables)) continue;
      Guard g{condition.expression, std::move(*facts), {}, {}};
      g.supplementary = supplementary(c, g.facts, variables);
      for (std::size_t d = 0; d < g.facts.form.size(); ++d)
        g.counted.push_back(count(c, g.facts.form[d], g.facts.atoms[d]));
      found.push_back(std::move(g));
    }
  }
  return found;
}

// Cycles of the same process that may make the condition true again; the finer choice of section 4.3 where
// every control expression moves monotonically.
std::vector<std::uint32_t> CycleGuards::supplementary(std::uint32_t c, const ConditionFacts& facts,
                                                      const std::set<system::CellId>& variables) const {
  bool monotone = true;
  for (const auto& d : facts.atoms)
    for (const AtomFacts& a : d) monotone = monotone && a.monotone;
  std::vector<std::uint32_t> found;
  for (std::uint32_t x = 0; x < cycles_.size(); ++x) {
    if (x == c || cycles_[x].component != cycles_[c].component) continue;
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

Guard::Counted CycleGuards::count(std::uint32_t c, const Disjunct& d,
                                  const std::vector<AtomFacts>& atoms) const {
  Guard::Counted k;
  for (std::size_t l = 0; l < d.size(); ++l) {
    const auto all = balance(s_, g_, cycles_, cycles_[c].component, d[l]);
    k.constraints.insert(k.constraints.end(), all.begin(), all.end());
    // One (in)equality of this sort is enough: each would double the programs.
    if (!all.empty() || !atoms[l].exit_border || k.known) continue;
    Need n = need(s_, g_, cycles_, c, d[l], atoms[l].step);
    k.known = std::move(n.known);
    k.unknown = std::move(n.unknown);
  }
  return k;
}

}  // namespace parley::bounds::published
