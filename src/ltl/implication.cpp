#include "ltl/implication.hpp"

#include "support/check.hpp"

namespace parley::ltl {
namespace {

constexpr int kDeepest = 24;
constexpr std::size_t kMostWork = 2'000'000;

}  // namespace

Implication::Shape Implication::shape(FormulaId f) {
  // Operands have smaller ids, so all before it are known when a formula is looked at.
  while (shapes_.size() <= f.index()) shapes_.push_back(shape_of(store_[FormulaId(shapes_.size())]));
  return shapes_[f.index()];
}

Implication::Shape Implication::shape_of(const Node& node) const {
  const Shape l = node.left.valid() ? shapes_[node.left.index()] : Shape{};
  const Shape r = node.right.valid() ? shapes_[node.right.index()] : Shape{};
  switch (node.kind) {
    case Kind::True:
    case Kind::False:
      return {true, true};
    case Kind::Atom:
      return {};
    case Kind::Not:
      return {l.universal, l.eventual};
    case Kind::And:
    case Kind::Or:
      return {l.eventual && r.eventual, l.universal && r.universal};
    case Kind::Next:
      return l;
    case Kind::Finally:
      return {true, l.universal};
    case Kind::Globally:
      return {l.eventual, true};
    case Kind::Until:
      return {r.eventual, l.universal && r.universal};
    case Kind::Release:
      return {l.eventual && r.eventual, r.universal};
  }
  PARLEY_CHECK(false);
  return {};
}

FormulaId Implication::negation(FormulaId f) {
  const auto known = negations_.find(f);
  if (known != negations_.end()) return known->second;
  // As much work as there are sub-formulas; with none left to spend, an invalid id, which implies nothing.
  if (work_ > kMostWork) return {};
  work_ += subformulas(store_, f).size();
  const FormulaId made = negated_normal_form(store_, f);
  negations_.emplace(f, made);
  negations_.emplace(made, f);
  return made;
}

bool Implication::implies(FormulaId f, FormulaId g, int depth) {
  if (!f.valid() || !g.valid()) return false;
  if (f == g || f == store_.falsity() || g == store_.truth()) return true;
  if (f == store_.truth() || g == store_.falsity()) return false;
  if (depth > kDeepest || work_ > kMostWork) return false;
  ++work_;
  const std::uint64_t pair = (std::uint64_t{f.value} << 32) | g.value;
  if (const auto known = known_.find(pair); known != known_.end()) return known->second;
  const bool found = by_left(f, g, depth + 1) || by_right(f, g, depth + 1) || by_both(f, g, depth + 1);
  known_.emplace(pair, found);
  return found;
}

// Rules that take f apart.
bool Implication::by_left(FormulaId f, FormulaId g, int depth) {
  const Node node = store_[f];
  switch (node.kind) {
    case Kind::And:
      return implies(node.left, g, depth) || implies(node.right, g, depth);
    case Kind::Or:
      return implies(node.left, g, depth) && implies(node.right, g, depth);
    case Kind::Next:
    case Kind::Finally:
      return eventual(g) && implies(node.left, g, depth);
    case Kind::Globally:
      return implies(node.left, g, depth);
    case Kind::Until:
      return implies(node.right, g, depth) && (eventual(g) || implies(node.left, g, depth));
    case Kind::Release:
      return implies(node.right, g, depth);
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
    case Kind::Not:
      break;
  }
  return false;
}

// Rules that take g apart.
bool Implication::by_right(FormulaId f, FormulaId g, int depth) {
  const Node node = store_[g];
  switch (node.kind) {
    case Kind::And:
      return implies(f, node.left, depth) && implies(f, node.right, depth);
    case Kind::Or:
      return implies(f, node.left, depth) || implies(f, node.right, depth);
    case Kind::Next:
    case Kind::Globally:
      return universal(f) && implies(f, node.left, depth);
    case Kind::Finally:
      return implies(f, node.left, depth);
    case Kind::Until:
      return implies(f, node.right, depth);
    case Kind::Release:
      return implies(f, node.right, depth) && (universal(f) || implies(f, node.left, depth));
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
    case Kind::Not:
      break;
  }
  return false;
}

// Rules for two operators of the same kind.
bool Implication::by_both(FormulaId f, FormulaId g, int depth) {
  const Node a = store_[f], b = store_[g];
  if (a.kind == Kind::Until && b.kind == Kind::Finally) return implies(a.right, b.left, depth);
  if (a.kind == Kind::Globally && b.kind == Kind::Release) return implies(a.left, b.right, depth);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::Next:
    case Kind::Finally:
    case Kind::Globally:
      return implies(a.left, b.left, depth);
    case Kind::Until:
      return implies(a.left, b.left, depth) && implies(a.right, g, depth);
    case Kind::Release:
      return implies(f, b.right, depth) && implies(a.left, b.left, depth);
    case Kind::True:
    case Kind::False:
    case Kind::Atom:
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
      break;
  }
  return false;
}

}  // namespace parley::ltl
