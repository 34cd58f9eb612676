#include "ltl/finite.hpp"

#include <unordered_map>

#include "support/check.hpp"

namespace parley::ltl {

FormulaId finite(Store& store, FormulaId formula, std::uint32_t alive) {
  PARLEY_CHECK(((propositions_of(store, formula) >> alive) & 1) == 0);
  const FormulaId living = store.atom(alive);
  std::unordered_map<FormulaId, FormulaId> made;
  for (const FormulaId f : subformulas(store, formula)) {
    const Node node = store[f];
    const FormulaId l = node.left.valid() ? made.at(node.left) : FormulaId{};
    const FormulaId r = node.right.valid() ? made.at(node.right) : FormulaId{};
    const auto now = [&]() -> FormulaId {
      switch (node.kind) {
        case Kind::Next:
          return store.next(store.both(living, l));
        case Kind::Finally:
          return store.eventually(store.both(living, l));
        case Kind::Globally:
          return store.always(store.implies(living, l));
        case Kind::Until:
          return store.until(l, store.both(living, r));
        case Kind::Release:
          return store.release(l, store.implies(living, r));
        case Kind::True:
        case Kind::False:
        case Kind::Atom:
        case Kind::Not:
        case Kind::And:
        case Kind::Or:
          break;
      }
      return store.rebuild(node, l, r);
    };
    made.emplace(f, now());
  }
  const FormulaId ends = store.until(living, store.always(store.negate(living)));
  return store.both(store.both(living, ends), made.at(formula));
}

}  // namespace parley::ltl
