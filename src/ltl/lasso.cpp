#include "ltl/lasso.hpp"

#include <unordered_map>

#include "support/check.hpp"

namespace parley::ltl {
namespace {

using Row = std::vector<bool>;

// The word as positions: letters, and for each position the one after it (none after the last of a finite
// word).
struct Positions {
  std::vector<Letter> letters;
  std::size_t back = 0;  // where the last position goes on
  bool finite = false;

  std::size_t size() const { return letters.size(); }
  bool has_next(std::size_t i) const { return !finite || i + 1 < size(); }
  std::size_t next(std::size_t i) const { return i + 1 < size() ? i + 1 : back; }
};

// The fixpoint of t(i) = now(i) or (stay(i) and t(i+1)) (from `start` false: least) or of
// t(i) = now(i) and (stay(i) or t(i+1)) (from `start` true: greatest). The second pass over the positions,
// from the back, sees the first one's values where the loop closes; a third would see the same.
template <class Step>
Row fixpoint(const Positions& word, bool start, Step step) {
  Row row(word.size(), start);
  const int passes = word.finite ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = word.size(); i-- > 0;)
      row[i] = step(i, word.has_next(i) ? bool{row[word.next(i)]} : start);
  return row;
}

Row row_of(const Node& node, const Positions& word, const Row* left, const Row* right) {
  const Row &a = *left, &b = *right;
  const auto pointwise = [&](auto value) {
    Row row(word.size());
    for (std::size_t i = 0; i < word.size(); ++i) row[i] = value(i);
    return row;
  };
  switch (node.kind) {
    case Kind::True:
      return Row(word.size(), true);
    case Kind::False:
      return Row(word.size(), false);
    case Kind::Atom:
      return pointwise([&](std::size_t i) { return ((word.letters[i] >> node.proposition) & 1) != 0; });
    case Kind::Not:
      return pointwise([&](std::size_t i) { return !a[i]; });
    case Kind::And:
      return pointwise([&](std::size_t i) { return a[i] && b[i]; });
    case Kind::Or:
      return pointwise([&](std::size_t i) { return a[i] || b[i]; });
    case Kind::Next:
      return pointwise([&](std::size_t i) { return word.has_next(i) && a[word.next(i)]; });
    case Kind::Finally:
      return fixpoint(word, false, [&](std::size_t i, bool later) { return a[i] || later; });
    case Kind::Globally:
      return fixpoint(word, true, [&](std::size_t i, bool later) { return a[i] && later; });
    case Kind::Until:
      return fixpoint(word, false, [&](std::size_t i, bool later) { return b[i] || (a[i] && later); });
    case Kind::Release:
      return fixpoint(word, true, [&](std::size_t i, bool later) { return b[i] && (a[i] || later); });
  }
  PARLEY_CHECK(false);
  return {};
}

TruthTable table_of(const Store& store, FormulaId formula, const Positions& word) {
  TruthTable table;
  table.formulas = subformulas(store, formula);
  table.rows.reserve(table.formulas.size());
  std::unordered_map<FormulaId, std::size_t> row_number;
  const Row none;
  for (const FormulaId f : table.formulas) {
    const Node& node = store[f];
    const Row* left = node.left.valid() ? &table.rows[row_number.at(node.left)] : &none;
    const Row* right = node.right.valid() ? &table.rows[row_number.at(node.right)] : &none;
    row_number.emplace(f, table.rows.size());
    table.rows.push_back(row_of(node, word, left, right));
  }
  return table;
}

}  // namespace

TruthTable evaluate(const Store& store, FormulaId formula, const Lasso& word) {
  PARLEY_CHECK(!word.loop.empty());
  Positions positions{word.stem, word.stem.size(), false};
  positions.letters.insert(positions.letters.end(), word.loop.begin(), word.loop.end());
  return table_of(store, formula, positions);
}

TruthTable evaluate_finite(const Store& store, FormulaId formula, const std::vector<Letter>& word) {
  PARLEY_CHECK(!word.empty());
  return table_of(store, formula, {word, 0, true});
}

bool holds(const Store& store, FormulaId formula, const Lasso& word) {
  return evaluate(store, formula, word).holds();
}

bool holds_finite(const Store& store, FormulaId formula, const std::vector<Letter>& word) {
  return evaluate_finite(store, formula, word).holds();
}

}  // namespace parley::ltl
