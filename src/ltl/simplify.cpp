#include "ltl/simplify.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ltl/implication.hpp"
#include "support/check.hpp"

namespace parley::ltl {
namespace {

// Pairs of operands of longer conjunctions and disjunctions are not compared.
constexpr std::size_t kMostCompared = 48;
constexpr int kMostRounds = 4;
// Rules inside rules inside rules: deeper ones leave the formula as it is.
constexpr int kDeepest = 100;

// And with Until, Globally, Release, or Or with Release, Finally, Until: each rule is written once and read
// for both sides.
struct Side {
  Kind connective;            // And
  Kind other;                 // Or
  Kind unary, other_unary;    // Globally, Finally
  Kind binary, other_binary;  // Release, Until
};
constexpr Side kConjunctive = {Kind::And,     Kind::Or,      Kind::Globally,
                               Kind::Finally, Kind::Release, Kind::Until};
constexpr Side kDisjunctive = {Kind::Or,       Kind::And,   Kind::Finally,
                               Kind::Globally, Kind::Until, Kind::Release};

class Simplifier {
 public:
  explicit Simplifier(Store& store) : store_(store), known_(store) {}

  // Each sub-formula once, operands first; nested connectives of one kind as one list.
  FormulaId round(FormulaId root) {
    std::unordered_map<FormulaId, std::vector<FormulaId>> operands;
    std::unordered_map<FormulaId, FormulaId> made;
    const std::vector<FormulaId> parts = subformulas(store_, root);
    operands[root];
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const auto wanted = operands.find(*part);
      if (wanted == operands.end()) continue;
      const Node& node = store_[*part];
      std::vector<FormulaId> below;
      if (node.kind == Kind::And || node.kind == Kind::Or)
        below = operands_of(store_, *part, node.kind);
      else if (node.kind != Kind::Not)
        for (const FormulaId operand : {node.left, node.right})
          if (operand.valid()) below.push_back(operand);
      wanted->second = below;
      for (const FormulaId operand : below) operands[operand];
    }
    for (const FormulaId part : parts) {
      const auto wanted = operands.find(part);
      if (wanted == operands.end()) continue;
      std::vector<FormulaId> now;
      for (const FormulaId operand : wanted->second) now.push_back(made.at(operand));
      made.emplace(part, rebuilt(part, std::move(now)));
    }
    return made.at(root);
  }

 private:
  FormulaId rebuilt(FormulaId f, std::vector<FormulaId> operands) {
    switch (store_.kind(f)) {
      case Kind::True:
      case Kind::False:
      case Kind::Atom:
      case Kind::Not:
        return f;
      case Kind::And:
        return connected(kConjunctive, std::move(operands));
      case Kind::Or:
        return connected(kDisjunctive, std::move(operands));
      case Kind::Next:
        return next(operands[0]);
      case Kind::Finally:
        return unary(kDisjunctive, operands[0]);
      case Kind::Globally:
        return unary(kConjunctive, operands[0]);
      case Kind::Until:
        return binary(kDisjunctive, operands[0], operands[1]);
      case Kind::Release:
        return binary(kConjunctive, operands[0], operands[1]);
    }
    PARLEY_CHECK(false);
    return {};
  }

  // The operand that decides (false of And) and the one that says nothing (true of And).
  FormulaId decisive(const Side& side) const {
    return side.connective == Kind::And ? store_.falsity() : store_.truth();
  }
  FormulaId neutral(const Side& side) const {
    return side.connective == Kind::And ? store_.truth() : store_.falsity();
  }
  FormulaId built(Kind kind, FormulaId left, FormulaId right = {}) {
    return store_.rebuild({kind, 0, {}, {}}, left, right);
  }
  // On the conjunctive side f -> g, on the disjunctive side g -> f.
  bool below(const Side& side, FormulaId f, FormulaId g) {
    return side.connective == Kind::And ? known_.implies(f, g) : known_.implies(g, f);
  }
  bool exclude(const Side& side, FormulaId f, FormulaId g) {
    return side.connective == Kind::And ? known_.implies_not(f, g) : known_.not_implies(f, g);
  }
  // G f of f on the conjunctive side says no more than f.
  bool stable(const Side& side, FormulaId f) {
    return side.connective == Kind::And ? known_.universal(f) : known_.eventual(f);
  }

  FormulaId next(FormulaId f) {
    if (f == store_.truth() || known_.suspendable(f)) return f;
    return store_.next(f);
  }

  // Rules for F and G, written for G: G (a && b) is not split, G (a R b) = G b, G (a || s) = G a || s for
  // suspendable s, G X a = X G a.
  FormulaId unary(const Side& side, FormulaId f) {
    if (stable(side, f)) return f;
    const Descent descent(depth_);
    if (depth_ > kDeepest) return built(side.unary, f);
    const Node node = store_[f];
    if (node.kind == Kind::Next) return next(unary(side, node.left));
    if (node.kind == side.binary) return unary(side, node.right);
    if (node.kind == side.other) {
      auto [rest, suspended] = split(operands_of(store_, f, side.other));
      if (!suspended.empty()) {
        suspended.push_back(unary(side, listed(mirrored(side), rest)));
        return listed(mirrored(side), suspended);
      }
    }
    if (node.kind == side.connective) {
      // G (a && G b) = G (a && b), and so for b's that are R.
      std::vector<FormulaId> operands = operands_of(store_, f, side.connective);
      bool changed = false;
      for (FormulaId& operand : operands) {
        const Kind kind = store_.kind(operand);
        if (kind != side.unary && kind != side.binary) continue;
        operand = kind == side.unary ? store_.left(operand) : store_.right(operand);
        changed = true;
      }
      if (changed) return unary(side, listed(side, operands));
    }
    return built(side.unary, f);
  }

  // Rules for U and R, written for a R b.
  FormulaId binary(const Side& side, FormulaId a, FormulaId b) {
    if (stable(side, b) || below(side, b, a)) return b;                     // G c; b -> a
    if (a == decisive(side) || exclude(side, a, b)) return unary(side, b);  // a and b never meet: G b
    if (a == neutral(side)) return b;
    const Descent descent(depth_);
    if (depth_ > kDeepest) return built(side.binary, a, b);
    const Node left = store_[a], right = store_[b];
    if (left.kind == Kind::Next && right.kind == Kind::Next) return next(binary(side, left.left, right.left));
    // a R (c R d) = c R d if c -> a, and a R d if a -> c.
    if (right.kind == side.binary) {
      if (below(side, right.left, a)) return b;
      if (below(side, a, right.left)) return binary(side, a, right.right);
    }
    // (c R b) R b = c R b, (c && d) R b with d implied by b is c R b.
    if (left.kind == side.binary && left.right == b) return a;
    if (left.kind == side.connective) {
      std::vector<FormulaId> operands = operands_of(store_, a, side.connective);
      const std::size_t before = operands.size();
      std::erase_if(operands, [&](FormulaId f) { return below(side, b, f); });
      if (operands.size() != before) return binary(side, listed(side, operands), b);
    }
    // a R (b || s) = (a R b) || s for suspendable s; a R (b && G c) = (a R b) && G c.
    if (right.kind == side.other) {
      auto [rest, suspended] = split(operands_of(store_, b, side.other));
      if (!suspended.empty()) {
        suspended.push_back(binary(side, a, listed(mirrored(side), rest)));
        return listed(mirrored(side), suspended);
      }
    }
    if (right.kind == side.connective) {
      std::vector<FormulaId> operands = operands_of(store_, b, side.connective);
      const auto stays = std::stable_partition(operands.begin(), operands.end(),
                                               [&](FormulaId f) { return !stable(side, f); });
      if (stays != operands.end()) {
        std::vector<FormulaId> outside(stays, operands.end());
        operands.erase(stays, operands.end());
        outside.push_back(binary(side, a, listed(side, operands)));
        return listed(side, outside);
      }
    }
    return built(side.binary, a, b);
  }

  const Side& mirrored(const Side& side) const {
    return side.connective == Kind::And ? kDisjunctive : kConjunctive;
  }

  // Operands that may be suspended apart from the others.
  std::pair<std::vector<FormulaId>, std::vector<FormulaId>> split(const std::vector<FormulaId>& operands) {
    std::pair<std::vector<FormulaId>, std::vector<FormulaId>> parts;
    for (const FormulaId f : operands) (known_.suspendable(f) ? parts.second : parts.first).push_back(f);
    return parts;
  }

  // The connective over a list as it is.
  FormulaId listed(const Side& side, const std::vector<FormulaId>& operands) {
    FormulaId all = neutral(side);
    for (const FormulaId f : operands) all = built(side.connective, all, f);
    return all;
  }

  // Rules for && and ||, written for &&.
  FormulaId connected(const Side& side, std::vector<FormulaId> given) {
    std::vector<FormulaId> operands;
    for (const FormulaId f : given)
      for (const FormulaId operand : operands_of(store_, f, side.connective)) operands.push_back(operand);
    join_alike(side, operands);
    drop_implied(side, operands);
    if (side.connective == Kind::Or) suspend(operands);
    if (operands.size() <= kMostCompared)
      for (std::size_t i = 0; i < operands.size(); ++i)
        for (std::size_t j = i + 1; j < operands.size(); ++j)
          if (exclude(side, operands[i], operands[j])) return decisive(side);
    return listed(side, operands);
  }

  // X a && X b = X (a && b); (a U b) && (c U b) = (a && c) U b; (a R b) && (a R c) = a R (b && c);
  // F G a && F G b = F G (a && b); G a && G b = G (a && b) would only hide operands.
  void join_alike(const Side& side, std::vector<FormulaId>& operands) {
    if (operands.size() > kMostCompared) return;
    for (std::size_t i = 0; i < operands.size(); ++i)
      for (std::size_t j = operands.size() - 1; j > i; --j) {
        const FormulaId together = join(side, operands[i], operands[j]);
        if (!together.valid()) continue;
        operands[i] = together;
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(j));
      }
  }

  FormulaId join(const Side& side, FormulaId f, FormulaId g) {
    const Node a = store_[f], b = store_[g];
    const Descent descent(depth_);
    if (a.kind != b.kind || depth_ > kDeepest) return {};
    const auto both = [&](FormulaId x, FormulaId y) { return connected(side, {x, y}); };
    if (a.kind == Kind::Next) return next(both(a.left, b.left));
    if (a.kind == side.other_binary && a.right == b.right)
      return binary(mirrored(side), both(a.left, b.left), a.right);
    if (a.kind == side.binary && a.left == b.left) return binary(side, a.left, both(a.right, b.right));
    if (a.kind == side.other_unary && store_.kind(a.left) == side.unary && store_.kind(b.left) == side.unary)
      return unary(mirrored(side), unary(side, both(store_.left(a.left), store_.left(b.left))));
    if (a.kind == side.unary && side.connective == Kind::Or) return unary(side, both(a.left, b.left));
    return {};
  }

  // F a || s = F (a || s) for suspendable s: waiting for one is waiting for the other, one state instead of
  // three.
  void suspend(std::vector<FormulaId>& operands) {
    const auto is_waiting = [&](FormulaId f) { return store_.kind(f) == Kind::Finally; };
    const auto waiting = std::find_if(operands.begin(), operands.end(), is_waiting);
    if (waiting == operands.end()) return;
    std::vector<FormulaId> inside = {store_.left(*waiting)}, outside;
    for (const FormulaId f : operands)
      if (f != *waiting) (known_.suspendable(f) ? inside : outside).push_back(f);
    outside.push_back(store_.eventually(listed(kDisjunctive, inside)));
    operands = std::move(outside);
  }

  void drop_implied(const Side& side, std::vector<FormulaId>& operands) {
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    if (operands.size() > kMostCompared) return;
    for (std::size_t i = operands.size(); i-- > 0;) {
      const bool implied = std::any_of(operands.begin(), operands.end(), [&](FormulaId f) {
        return f != operands[i] && below(side, f, operands[i]);
      });
      if (implied) operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  struct Descent {
    explicit Descent(int& counter) : depth(counter) { ++depth; }
    ~Descent() { --depth; }
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;
    int& depth;
  };

  Store& store_;
  Implication known_;
  int depth_ = 0;
};

}  // namespace

FormulaId simplify(Store& store, FormulaId formula) {
  FormulaId now = positive_normal_form(store, formula);
  Simplifier simplifier(store);
  for (int round = 0; round < kMostRounds; ++round) {
    const FormulaId after = simplifier.round(now);
    if (after == now) break;
    now = after;
  }
  return now;
}

}  // namespace parley::ltl
