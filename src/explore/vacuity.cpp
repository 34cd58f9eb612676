#include "explore/vacuity.hpp"

#include <map>

namespace parley::explore {

using ltl::FormulaId;
using ltl::Kind;

namespace {

// In positive normal form: with the literal replaced by false.
FormulaId replaced(ltl::Store& store, FormulaId root, FormulaId literal) {
  std::map<FormulaId, FormulaId> made;
  for (const FormulaId f : ltl::subformulas(store, root)) {
    const ltl::Node node = store[f];
    if (f == literal)
      made[f] = store.falsity();
    else if (node.kind == Kind::Atom || node.kind == Kind::True || node.kind == Kind::False ||
             node.kind == Kind::Not)
      made[f] = f;
    else
      made[f] = store.rebuild(node, made.at(node.left),
                              ltl::is_binary(node.kind) ? made.at(node.right) : FormulaId());
  }
  return made.at(root);
}

}  // namespace

std::vector<Strengthening> strengthenings(ltl::Store& store, FormulaId formula) {
  const FormulaId normal = ltl::positive_normal_form(store, formula);
  std::uint64_t positive = 0, negative = 0;
  const std::vector<FormulaId> all = ltl::subformulas(store, normal);
  for (const FormulaId f : all)
    if (store.kind(f) == Kind::Not) {
      negative |= std::uint64_t{1} << store[store.left(f)].proposition;
    } else {
      const auto note = [&](FormulaId operand) {
        if (operand.valid() && store.kind(operand) == Kind::Atom)
          positive |= std::uint64_t{1} << store[operand].proposition;
      };
      if (ltl::is_unary(store.kind(f)) || ltl::is_binary(store.kind(f))) note(store.left(f));
      if (ltl::is_binary(store.kind(f))) note(store.right(f));
    }
  std::vector<Strengthening> result;
  for (std::uint32_t p = 0; p < ltl::kMostPropositions; ++p) {
    const std::uint64_t bit = std::uint64_t{1} << p;
    if ((positive & ~negative & bit) != 0) result.push_back({p, replaced(store, normal, store.atom(p))});
  }
  return result;
}

}  // namespace parley::explore
