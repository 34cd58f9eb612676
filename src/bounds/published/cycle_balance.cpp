#include "bounds/published/cycle_balance.hpp"

#include <algorithm>
#include <cstdlib>

namespace parley::bounds::published {

using solver::ilp::Sense;

namespace {

// The move of the control expression on one edge, which happens at once. Conditions of the same edge hold
// before it, unless they are disjunctions.
StepValues move(const system::System& s, const Edge& edge, const Linear& control) {
  const std::vector<CodeStep> code = code_of(s, edge);
  const bool changes = std::any_of(code.begin(), code.end(), [&](const CodeStep& step) {
    return step.kind != CodeStep::Kind::Condition && control.terms.contains(step.cell);
  });
  if (!changes) return {0, 0};
  Disjunct under;
  for (const CodeStep& step : code) {
    if (step.kind != CodeStep::Kind::Condition) break;
    const auto form = normal_form(s, step.expression);
    if (form && form->size() == 1) under.insert(under.end(), form->front().begin(), form->front().end());
  }
  return step_values(s, code, under, control);
}

}  // namespace

std::vector<CycleConstraint> balance(const system::System& s, const FlowGraph& g,
                                     const std::vector<CycleRun>& cycles, std::uint32_t component,
                                     const Atom& atom) {
  const Component& c = g.components[component];
  std::vector<StepValues> moves;
  moves.reserve(c.edges.size());
  for (const Edge& e : c.edges) moves.push_back(move(s, e, atom.control));
  // The least that the control expression rises must not be more than nothing where it has to stay below.
  const auto constraint = [&](std::optional<std::int64_t> StepValues::*side,
                              Sense sense) -> std::optional<CycleConstraint> {
    CycleConstraint k;
    k.sense = sense;
    for (std::uint32_t x = 0; x < cycles.size(); ++x) {
      if (cycles[x].component != component) continue;
      std::int64_t sum = 0;
      for (std::uint32_t e : cycles[x].edges) {
        if (!(moves[e].*side)) return std::nullopt;
        sum += *(moves[e].*side);
      }
      if (sum != 0) k.terms.emplace_back(x, sum);
    }
    if (k.terms.empty()) return std::nullopt;
    return k;
  };
  std::vector<CycleConstraint> all;
  if (atom.relation != Relation::Greater)
    if (const auto k = constraint(&StepValues::lowest, Sense::AtMost)) all.push_back(*k);
  if (atom.relation != Relation::Less)
    if (const auto k = constraint(&StepValues::highest, Sense::AtLeast)) all.push_back(*k);
  return all;
}

Need need(const system::System& s, const FlowGraph& g, const std::vector<CycleRun>& cycles, std::uint32_t c,
          const Atom& atom, std::int64_t step) {
  Need n;
  n.known.sense = Sense::AtMost;
  n.known.terms.emplace_back(c, std::abs(step));
  for (std::uint32_t x = 0; x < cycles.size(); ++x) {
    if (x == c || cycles[x].component != cycles[c].component) continue;
    std::optional<std::int64_t> back = 0;
    for (std::uint32_t e : cycles[x].edges) {
      const StepValues m = move(s, g.components[cycles[x].component].edges[e], atom.control);
      const std::optional<std::int64_t>& most = step > 0 ? m.lowest : m.highest;
      back = back && most ? std::optional(*back + std::max<std::int64_t>(0, step > 0 ? -*most : *most))
                          : std::nullopt;
    }
    if (!back)
      n.unknown.push_back(x);
    else if (*back > 0)
      n.known.terms.emplace_back(x, -*back);
  }
  return n;
}

bool satisfied(const CycleConstraint& constraint, const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const auto& [x, k] : constraint.terms) sum += k * counts[x];
  if (constraint.sense == Sense::AtMost) return sum <= constraint.bound;
  if (constraint.sense == Sense::AtLeast) return sum >= constraint.bound;
  return sum == constraint.bound;
}

}  // namespace parley::bounds::published
