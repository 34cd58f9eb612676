// The automaton of the runs that violate a temporal property: that of the negated formula (ltl/build.hpp), or
// the never claim as the user wrote it.
#include <fmt/format.h>

#include "ltl/build.hpp"
#include "ltl/formula_text.hpp"
#include "ltl/strength.hpp"
#include "report/draw.hpp"
#include "report/quoting.hpp"
#include "verdict/temporal.hpp"

namespace parley::report {
namespace {

constexpr std::size_t kLongestLabel = 80;
// More edges are no drawing any more, and Graphviz takes for ever.
constexpr std::size_t kMostEdges = 2'000;

std::string opening(const std::vector<std::string>& legend) {
  return fmt::format(
      "digraph property {{\n  rankdir=LR; bgcolor=\"transparent\"; labelloc=b; labeljust=l; "
      "fontname=\"sans-serif\"; fontsize=10;\n  label={};\n"
      "  node [shape=circle, fontname=\"sans-serif\", fontsize=11];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n  start [shape=point];\n",
      left_aligned_dot_string(legend));
}

std::string edge(std::size_t from, std::size_t to, const std::string& label) {
  return fmt::format("  s{} -> s{} [label={}];\n", from, to, dot_string(clipped(label, kLongestLabel)));
}

std::string acceptance(const ltl::Automaton& a) {
  switch (ltl::strength_of(a)) {
    case ltl::Strength::Terminal:
      return "a run is bad as soon as it gets to a state with a double border";
    case ltl::Strength::Weak:
    case ltl::Strength::General:
      break;
  }
  if (a.marks == 0) return "a run is bad if the automaton can follow it for ever";
  std::string marks;
  for (unsigned m = 0; m < a.marks; ++m) marks += fmt::format("{}{{{}}}", m > 0 ? " and " : "", m);
  return fmt::format("a run is bad if the automaton can follow it for ever, passing {} again and again",
                     marks);
}

std::string formula_dot(passes::Observed& o, const ltl::Automaton& a, const std::string& property) {
  const std::vector<std::string> names = verdict::names_in_formulas(o);
  // On finite words the negation of X is no X.
  const ltl::FormulaId bad = o.system().run_end == system::RunEnd::Stutters
                                 ? ltl::negated_normal_form(o.formulas, o.written)
                                 : o.formulas.negate(o.written);
  const bool traps = ltl::strength_of(a) == ltl::Strength::Terminal;
  const std::vector<bool> trap = ltl::accepts_everything(a);
  std::string out =
      opening({fmt::format("the runs that violate {}", clipped(property, kLongestLabel)),
               fmt::format("that is: {}",
                           clipped(ltl::show(o.formulas, bad, names, ltl::Syntax::Arrows), kLongestLabel)),
               acceptance(a), "an edge is taken at every position of the run, if its label is true there"});
  for (std::size_t i = 0; i < a.states(); ++i)
    out += fmt::format("  s{} [label=\"{}\"{}];\n", i, i, traps && trap[i] ? ", peripheries=2" : "");
  out += fmt::format("  start -> s{};\n", a.initial);
  for (std::size_t i = 0; i < a.states(); ++i)
    for (const ltl::Edge& e : a.edges[i]) {
      std::string label = ltl::show(e.label, names);
      for (unsigned m = 0; m < a.marks && !traps; ++m)
        if (((e.marks >> m) & 1) != 0) label += fmt::format(" {{{}}}", m);
      out += edge(i, e.target, label);
    }
  return out + "}\n";
}

std::string claim_dot(const system::System& s, const system::NeverClaim& claim, const std::string& name) {
  std::string out = opening(
      {clipped(name, kLongestLabel),
       "a run is bad if the claim passes a double border again and again, or gets to its end (square)",
       "an edge is taken at every position of the run, if its label is true there"});
  for (std::size_t i = 0; i < claim.states.size(); ++i) {
    const system::NeverClaim::State& state = claim.states[i];
    out += fmt::format("  s{} [label={}{}{}];\n", i, dot_string(clipped(state.name, kLongestLabel)),
                       state.accepting ? ", peripheries=2" : "", state.final ? ", shape=square" : "");
  }
  out += fmt::format("  start -> s{};\n", claim.start);
  for (std::size_t i = 0; i < claim.states.size(); ++i)
    for (const system::NeverClaim::Edge& e : claim.states[i].edges) {
      std::string label = system::show(s, e.guard);
      if (e.assertion.valid()) label += fmt::format(" / assert {}", system::show(s, e.assertion));
      out += edge(i, e.target, label);
    }
  return out + "}\n";
}

}  // namespace

PropertyDrawing property_dot(const system::System& s, system::PropertyId id) {
  const system::Property& p = s.property(id);
  if (p.kind != system::PropertyKind::Temporal)
    return {std::nullopt, "it is no temporal property, so there is no automaton of it"};
  if (p.claim) return {claim_dot(s, *p.claim, p.name), {}};
  passes::Observation observation = passes::observe(s, id);
  if (!observation.observed) return {std::nullopt, observation.why_not};
  passes::Observed& o = *observation.observed;
  const ltl::Translation made = ltl::automaton_of(o.formulas, o.formulas.negate(o.formula));
  if (const auto* large = std::get_if<ltl::TooLarge>(&made))
    return {std::nullopt, "its automaton is too large: " + large->reason};
  const auto& automaton = std::get<ltl::Automaton>(made);
  if (automaton.edge_count() > kMostEdges)
    return {std::nullopt, fmt::format("its automaton has {} edges", automaton.edge_count())};
  return {formula_dot(o, automaton, p.name), {}};
}

}  // namespace parley::report
