#include "front/uml/redefinition.hpp"

#include <algorithm>

namespace parley::front::uml {

Chain Redefinitions::machine_chain(const Element& element) const {
  Chain chain{&element};
  while (chain.size() < kMaxNesting) {
    const Element* base = document_.one(*chain.back(), "extendedStateMachine");
    if (base == nullptr) base = document_.one(*chain.back(), "redefinedClassifier");
    if (base == nullptr || document_.type(*base) != "StateMachine" ||
        std::find(chain.begin(), chain.end(), base) != chain.end())
      break;
    import_.read("redefined state machine");
    chain.push_back(base);
  }
  return chain;
}

bool Redefinitions::excluded(const Element& e) const {
  const Element* s = document_.stereotype(e, "RTRedefinedElement");
  return s != nullptr && document_.value(*s, "rootFragment").empty() &&
         document_.outside(*s, "rootFragment").empty() && document_.all(*s, "rootFragment").empty();
}

std::vector<Chain> Redefinitions::merged(const Chain& owners, std::string_view feature,
                                         std::initializer_list<std::string_view> redefinitions,
                                         std::set<const Element*>& skipped) const {
  std::vector<Chain> result;
  for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
    for (const auto* e : document_.owned(**owner, feature)) {
      Chain* redefined = nullptr;
      for (const auto r : redefinitions) {
        const Element* base = document_.one(*e, r);
        if (base == nullptr) continue;  // nearly always: whole machines would be quadratic otherwise
        for (auto& c : result) {
          if (std::find(c.begin(), c.end(), base) != c.end()) redefined = &c;
        }
      }
      if (redefined != nullptr)
        redefined->insert(redefined->begin(), e);
      else
        result.push_back({e});
    }
  }
  std::erase_if(result, [&](const Chain& c) {
    if (!excluded(*c.front())) return false;
    import_.read("excluded element of a redefined machine");
    for (const auto* e : c) skipped.insert(e);
    return true;
  });
  return result;
}

std::vector<const Element*> Redefinitions::triggers_of(const Chain& chain) const {
  std::vector<const Element*> result;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    for (const auto* t : document_.all(**it, "trigger")) {
      if (std::find(result.begin(), result.end(), t) == result.end() && !excluded(*t)) result.push_back(t);
    }
  }
  return result;
}

std::vector<const Element*> Redefinitions::points_of(const Chain& chain) const {
  std::vector<const Element*> result;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    for (const auto* p : document_.owned(**it, "connectionPoint")) {
      if (!excluded(*p)) result.push_back(p);
    }
  }
  return result;
}

std::vector<const Element*> Redefinitions::features(const Chain& chain, std::string_view feature) const {
  for (const auto* e : chain) {
    auto found = document_.all(*e, feature);
    if (!found.empty()) return found;
  }
  return {};
}

const Element* Redefinitions::feature_of(const Chain& chain, std::string_view feature) const {
  const auto found = features(chain, feature);
  return found.empty() ? nullptr : found.front();
}

std::string Redefinitions::value_of(const Chain& chain, std::string_view feature) const {
  for (const auto* e : chain) {
    std::string value = document_.value(*e, feature);
    if (!value.empty()) return value;
  }
  return {};
}

std::string Redefinitions::outside_of(const Chain& chain, std::string_view feature) const {
  for (const auto* e : chain) {
    std::string outside = document_.outside(*e, feature);
    if (!outside.empty()) return outside;
  }
  return {};
}

const Element* Redefinitions::guard_of(const Chain& chain) const {
  for (const auto* e : chain) {
    if (const auto* guard = document_.one(*e, "guard")) return guard;
    for (const auto* rule : document_.owned(*e, "ownedRule")) return rule;
    for (const auto* rule : document_.owned(*e, "ownedMember")) {
      if (document_.type(*rule) == "Constraint") return rule;
    }
  }
  return nullptr;
}

}  // namespace parley::front::uml
