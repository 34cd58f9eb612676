#include "ltl/strength.hpp"

#include <unordered_map>

#include "ltl/components.hpp"
#include "support/check.hpp"

namespace parley::ltl {
namespace {

// Components with a cycle that accepts and none that does not.
std::vector<bool> all_accepting(const Automaton& automaton, const Components& components) {
  std::vector<bool> all(components.count());
  for (std::uint32_t c = 0; c < components.count(); ++c)
    all[c] = components.accepting(c, automaton.all_marks());
  for (unsigned m = 0; m < automaton.marks; ++m) {
    const Components without = components_without(automaton, Marks{1} << m);
    for (State s = 0; s < automaton.states(); ++s)
      if (without.cyclic[without.of[s]]) all[components.of[s]] = false;
  }
  return all;
}

}  // namespace

std::vector<bool> accepts_everything(const Automaton& automaton) {
  const Components components = components_of(automaton);
  const std::vector<bool> all = all_accepting(automaton, components);
  std::vector<bool> everything(automaton.states());
  for (State s = 0; s < automaton.states(); ++s) everything[s] = all[components.of[s]];
  for (bool changed = true; changed;) {
    changed = false;
    for (State s = 0; s < automaton.states(); ++s) {
      if (!everything[s]) continue;
      std::vector<Cube> labels;
      for (const Edge& edge : automaton.edges[s])
        if (everything[edge.target]) labels.push_back(edge.label);
      if (covered({}, labels)) continue;
      everything[s] = false;
      changed = true;
    }
  }
  return everything;
}

Strength strength_of(const Automaton& automaton) {
  const Components components = components_of(automaton);
  const std::vector<bool> all = all_accepting(automaton, components);
  const std::vector<bool> everything = accepts_everything(automaton);
  bool terminal = true;
  for (State s = 0; s < automaton.states(); ++s) {
    const std::uint32_t c = components.of[s];
    if (!components.accepting(c, automaton.all_marks())) continue;
    if (!all[c]) return Strength::General;
    terminal = terminal && everything[s];
  }
  return terminal ? Strength::Terminal : Strength::Weak;
}

namespace {

// Closed under what the rules of chang1992 allow.
struct Classes {
  bool boolean = false, safety = false, guarantee = false, obligation = false, recurrence = false,
       persistence = false;

  static Classes every() { return {true, true, true, true, true, true}; }
  Classes operator&(const Classes& o) const {
    return {boolean && o.boolean,       safety && o.safety,         guarantee && o.guarantee,
            obligation && o.obligation, recurrence && o.recurrence, persistence && o.persistence};
  }
};

Classes classes_of(const Node& node, const Classes& l, const Classes& r) {
  switch (node.kind) {
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
    case Kind::Not:
      return Classes::every();
    case Kind::And:
    case Kind::Or:
      return l & r;
    case Kind::Next: {
      Classes same = l;
      same.boolean = false;
      return same;
    }
    case Kind::Finally:
      return {false, false, l.guarantee, l.guarantee, l.guarantee, l.persistence};
    case Kind::Globally:
      return {false, l.safety, false, l.safety, l.recurrence, l.safety};
    case Kind::Until:
      return {false,
              false,
              l.guarantee && r.guarantee,
              l.obligation && r.guarantee,
              l.recurrence && r.guarantee,
              l.persistence && r.persistence};
    case Kind::Release:
      return {false,
              l.safety && r.safety,
              false,
              l.obligation && r.safety,
              l.recurrence && r.recurrence,
              l.persistence && r.safety};
  }
  PARLEY_CHECK(false);
  return {};
}

}  // namespace

FormulaClass class_of(Store& store, FormulaId formula) {
  const FormulaId normal = positive_normal_form(store, formula);
  std::unordered_map<FormulaId, Classes> classes;
  for (const FormulaId f : subformulas(store, normal)) {
    const Node& node = store[f];
    const Classes l = node.left.valid() ? classes.at(node.left) : Classes{};
    const Classes r = node.right.valid() ? classes.at(node.right) : Classes{};
    classes.emplace(f, classes_of(node, l, r));
  }
  const Classes found = classes.at(normal);
  if (found.boolean) return FormulaClass::Boolean;
  if (store.kind(normal) == Kind::Globally && classes.at(store.left(normal)).boolean)
    return FormulaClass::Invariant;
  if (found.safety) return FormulaClass::Safety;
  if (found.guarantee) return FormulaClass::Guarantee;
  if (found.obligation) return FormulaClass::Obligation;
  if (found.recurrence) return FormulaClass::Recurrence;
  if (found.persistence) return FormulaClass::Persistence;
  return FormulaClass::Reactivity;
}

}  // namespace parley::ltl
