#include "system/fairness.hpp"

namespace parley::system {

std::vector<Fairness> fair_scheduling(const System& system, Fairness::Strength strength) {
  std::vector<Fairness> result;
  for (std::size_t o = 0; o < system.owners.size(); ++o) {
    const OwnerId id(o);
    if (system.owner(id).kind == OwnerKind::Environment || system.owner(id).kind == OwnerKind::Clock)
      continue;
    Fairness f;
    f.strength = strength;
    f.shown = (strength == Fairness::Strength::Weak ? "weak fairness of " : "strong fairness of ") +
              system.owner(id).name;
    for (std::size_t a = 0; a < system.actions.size(); ++a)
      if (system.actions[a].owner == id || system.actions[a].partner == id) f.actions.emplace_back(a);
    if (!f.actions.empty()) result.push_back(std::move(f));
  }
  return result;
}

}  // namespace parley::system
