// Formulas of linear temporal logic over numbered propositions. A Store owns hash-consed nodes: equal
// formulas have equal ids, and an operand's id is smaller than that of the formula it stands in, so whoever
// needs something of all sub-formulas walks them by id instead of recursing; a formula of many thousand
// operators overflows nothing. Used by everything in ltl/ and by whoever brings formulas there. What a
// proposition says is the caller's: here it is a number below 64.
//
// Builders fold constants, doubled negations and equal or opposite operands, and nothing else, so that what a
// user wrote can be shown again; rewriting is ltl/simplify.hpp. An operand may be shared by many formulas:
// text can be exponentially longer than the store.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "support/ids.hpp"

namespace parley::ltl {

using FormulaId = Id<struct FormulaTag>;

inline constexpr std::uint32_t kMostPropositions = 64;

enum class Kind : std::uint8_t {
  True,
  False,
  Atom,
  Not,
  And,
  Or,
  Next,
  Finally,
  Globally,
  Until,    // left until right, and right comes
  Release,  // right, up to and including the moment of left, if that comes
};

struct Node {
  Kind kind = Kind::True;
  std::uint32_t proposition = 0;  // Atom
  FormulaId left;                 // the operand of Not, Next, Finally, Globally
  FormulaId right;
  friend bool operator==(const Node&, const Node&) = default;
};

constexpr bool is_binary(Kind kind) {
  return kind == Kind::And || kind == Kind::Or || kind == Kind::Until || kind == Kind::Release;
}
constexpr bool is_unary(Kind kind) {
  return kind == Kind::Not || kind == Kind::Next || kind == Kind::Finally || kind == Kind::Globally;
}

class Store {
 public:
  Store();

  const Node& operator[](FormulaId id) const { return nodes_[id.index()]; }
  Kind kind(FormulaId id) const { return nodes_[id.index()].kind; }
  FormulaId left(FormulaId id) const { return nodes_[id.index()].left; }
  FormulaId right(FormulaId id) const { return nodes_[id.index()].right; }
  std::size_t size() const { return nodes_.size(); }

  FormulaId truth() const { return FormulaId(0); }
  FormulaId falsity() const { return FormulaId(1); }
  FormulaId atom(std::uint32_t proposition);
  FormulaId negate(FormulaId f);
  FormulaId both(FormulaId f, FormulaId g);
  FormulaId either(FormulaId f, FormulaId g);
  FormulaId next(FormulaId f);
  FormulaId eventually(FormulaId f);
  FormulaId always(FormulaId f);
  FormulaId until(FormulaId f, FormulaId g);
  FormulaId release(FormulaId f, FormulaId g);

  FormulaId implies(FormulaId f, FormulaId g) { return either(negate(f), g); }
  FormulaId iff(FormulaId f, FormulaId g);
  // f until g, or f for ever.
  FormulaId weak_until(FormulaId f, FormulaId g) { return release(g, either(f, g)); }
  // g up to and including the moment of f, and that comes.
  FormulaId strong_release(FormulaId f, FormulaId g) { return until(g, both(f, g)); }

  // Any node with given operands, through the builder of its kind.
  FormulaId rebuild(const Node& shape, FormulaId left, FormulaId right);

 private:
  FormulaId intern(const Node& node);
  bool opposite(FormulaId f, FormulaId g) const;

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<Node, FormulaId, Hash> known_;
};

// The formula and all formulas in it, operands before what they stand in, each once.
std::vector<FormulaId> subformulas(const Store& store, FormulaId root);

// Negation in front of propositions only. Linear in the number of different sub-formulas. For infinite words:
// on finite ones the negation of Next is no Next.
FormulaId positive_normal_form(Store& store, FormulaId root);
// The same of its negation.
FormulaId negated_normal_form(Store& store, FormulaId root);

// The operands of nested conjunctions (disjunctions) as one list, left to right; the formula itself if it is
// none.
std::vector<FormulaId> operands_of(const Store& store, FormulaId root, Kind connective);

// Bit p: proposition p occurs.
std::uint64_t propositions_of(const Store& store, FormulaId root);

}  // namespace parley::ltl
