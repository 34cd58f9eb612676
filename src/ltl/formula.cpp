#include "ltl/formula.hpp"

#include <algorithm>
#include <utility>

#include "support/check.hpp"

namespace parley::ltl {

std::size_t Store::Hash::operator()(const Node& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.kind) + 31 * std::uint64_t{node.proposition};
  for (const std::uint32_t part : {node.left.value, node.right.value})
    h = (h ^ part) * 0x9E3779B97F4A7C15u + (h >> 29);
  return static_cast<std::size_t>(h);
}

Store::Store() {
  intern({Kind::True, 0, {}, {}});
  intern({Kind::False, 0, {}, {}});
}

FormulaId Store::intern(const Node& node) {
  const auto [place, fresh] = known_.try_emplace(node, FormulaId(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return place->second;
}

bool Store::opposite(FormulaId f, FormulaId g) const {
  return (kind(f) == Kind::Not && left(f) == g) || (kind(g) == Kind::Not && left(g) == f);
}

FormulaId Store::atom(std::uint32_t proposition) {
  PARLEY_CHECK(proposition < kMostPropositions);
  return intern({Kind::Atom, proposition, {}, {}});
}

FormulaId Store::negate(FormulaId f) {
  if (f == truth()) return falsity();
  if (f == falsity()) return truth();
  if (kind(f) == Kind::Not) return left(f);
  return intern({Kind::Not, 0, f, {}});
}

FormulaId Store::both(FormulaId f, FormulaId g) {
  if (f == falsity() || g == falsity() || opposite(f, g)) return falsity();
  if (f == truth() || f == g) return g;
  if (g == truth()) return f;
  return intern({Kind::And, 0, f, g});
}

FormulaId Store::either(FormulaId f, FormulaId g) {
  if (f == truth() || g == truth() || opposite(f, g)) return truth();
  if (f == falsity() || f == g) return g;
  if (g == falsity()) return f;
  return intern({Kind::Or, 0, f, g});
}

// X true is no constant: on finite words it says that there is a next position.
FormulaId Store::next(FormulaId f) {
  if (f == falsity()) return f;
  return intern({Kind::Next, 0, f, {}});
}

FormulaId Store::eventually(FormulaId f) {
  if (f == truth() || f == falsity()) return f;
  return intern({Kind::Finally, 0, f, {}});
}

FormulaId Store::always(FormulaId f) {
  if (f == truth() || f == falsity()) return f;
  return intern({Kind::Globally, 0, f, {}});
}

FormulaId Store::until(FormulaId f, FormulaId g) {
  if (g == truth() || g == falsity() || f == falsity() || f == g) return g;
  if (f == truth()) return eventually(g);
  return intern({Kind::Until, 0, f, g});
}

FormulaId Store::release(FormulaId f, FormulaId g) {
  if (g == truth() || g == falsity() || f == truth() || f == g) return g;
  if (f == falsity()) return always(g);
  return intern({Kind::Release, 0, f, g});
}

FormulaId Store::iff(FormulaId f, FormulaId g) {
  return either(both(f, g), both(negate(f), negate(g)));
}

FormulaId Store::rebuild(const Node& shape, FormulaId left, FormulaId right) {
  switch (shape.kind) {
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
      return intern(shape);
    case Kind::Not:
      return negate(left);
    case Kind::And:
      return both(left, right);
    case Kind::Or:
      return either(left, right);
    case Kind::Next:
      return next(left);
    case Kind::Finally:
      return eventually(left);
    case Kind::Globally:
      return always(left);
    case Kind::Until:
      return until(left, right);
    case Kind::Release:
      return release(left, right);
  }
  PARLEY_CHECK(false);
  return {};
}

std::vector<FormulaId> subformulas(const Store& store, FormulaId root) {
  std::vector<bool> seen(root.index() + 1);
  std::vector<FormulaId> found, open = {root};
  seen[root.index()] = true;
  while (!open.empty()) {
    const FormulaId f = open.back();
    open.pop_back();
    found.push_back(f);
    for (const FormulaId operand : {store.left(f), store.right(f)})
      if (operand.valid() && !seen[operand.index()]) {
        seen[operand.index()] = true;
        open.push_back(operand);
      }
  }
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

Kind dual(Kind kind) {
  switch (kind) {
    case Kind::And:
      return Kind::Or;
    case Kind::Or:
      return Kind::And;
    case Kind::Finally:
      return Kind::Globally;
    case Kind::Globally:
      return Kind::Finally;
    case Kind::Until:
      return Kind::Release;
    case Kind::Release:
      return Kind::Until;
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
    case Kind::Not:
    case Kind::Next:
      break;
  }
  return kind;
}

// A sub-formula and its negation in normal form; made only where wanted, since each can double the store.
struct Polarities {
  FormulaId as_is, negated;
  bool want_as_is = false, want_negated = false;
};

// On infinite words X true is true.
FormulaId next_of(Store& store, FormulaId f) {
  return f == store.truth() ? f : store.next(f);
}

FormulaId in_normal_form(Store& store, FormulaId root, bool of_negation) {
  const std::vector<FormulaId> parts = subformulas(store, root);
  std::unordered_map<FormulaId, Polarities> forms;
  forms.reserve(parts.size());
  (of_negation ? forms[root].want_negated : forms[root].want_as_is) = true;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const Polarities form = forms[*part];
    const bool swap = store.kind(*part) == Kind::Not;
    for (const FormulaId operand : {store.left(*part), store.right(*part)})
      if (operand.valid()) {
        Polarities& below = forms[operand];
        below.want_as_is |= swap ? form.want_negated : form.want_as_is;
        below.want_negated |= swap ? form.want_as_is : form.want_negated;
      }
  }
  for (const FormulaId part : parts) {
    const Node node = store[part];
    Polarities& form = forms[part];
    const Polarities l = node.left.valid() ? forms[node.left] : Polarities{};
    const Polarities r = node.right.valid() ? forms[node.right] : Polarities{};
    const auto build = [&](Kind kind, FormulaId left, FormulaId right) {
      return kind == Kind::Next ? next_of(store, left) : store.rebuild({kind, 0, {}, {}}, left, right);
    };
    if (node.kind == Kind::Not) {
      form.as_is = l.negated;
      form.negated = l.as_is;
    } else if (!node.left.valid()) {
      form.as_is = part;
      if (form.want_negated) form.negated = store.negate(part);
    } else {
      if (form.want_as_is) form.as_is = build(node.kind, l.as_is, r.as_is);
      if (form.want_negated) form.negated = build(dual(node.kind), l.negated, r.negated);
    }
  }
  return of_negation ? forms[root].negated : forms[root].as_is;
}

}  // namespace

FormulaId positive_normal_form(Store& store, FormulaId root) {
  return in_normal_form(store, root, false);
}
FormulaId negated_normal_form(Store& store, FormulaId root) {
  return in_normal_form(store, root, true);
}

std::vector<FormulaId> operands_of(const Store& store, FormulaId root, Kind connective) {
  std::vector<FormulaId> operands, open = {root};
  while (!open.empty()) {
    const FormulaId f = open.back();
    open.pop_back();
    if (store.kind(f) != connective) {
      operands.push_back(f);
      continue;
    }
    open.push_back(store.right(f));
    open.push_back(store.left(f));
  }
  return operands;
}

std::uint64_t propositions_of(const Store& store, FormulaId root) {
  std::uint64_t found = 0;
  for (const FormulaId f : subformulas(store, root))
    if (store.kind(f) == Kind::Atom) found |= std::uint64_t{1} << store[f].proposition;
  return found;
}

}  // namespace parley::ltl
