// What a state machine redefines (UML's extended machines, used by UML-RT capsules): each vertex, region and
// transition is a chain of elements, the most special first, and a feature is taken from the first element of
// the chain that has it. Used by the readers of machines and transitions; it knows nothing of the model that
// they build.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "front/uml/importer.hpp"

namespace parley::front::uml {

inline constexpr int kMaxNesting = 64;  // of states and submachines, and of redefinitions

using Chain = std::vector<const Element*>;  // most special first

class Redefinitions {
 public:
  explicit Redefinitions(Import& import) : import_(import), document_(import.document) {}

  // A machine and those that it extends.
  Chain machine_chain(const Element& element) const;
  // UML-RT: a redefinition without a root fragment takes the element out.
  bool excluded(const Element& e) const;
  // The owned elements of all owners in a chain, each with what it redefines; those taken out are added to
  // `skipped`.
  std::vector<Chain> merged(const Chain& owners, std::string_view feature,
                            std::initializer_list<std::string_view> redefinitions,
                            std::set<const Element*>& skipped) const;
  // UML-RT redefinitions add triggers; a trigger may be redefined or excluded too.
  std::vector<const Element*> triggers_of(const Chain& chain) const;
  // The entry and exit points of a state or machine, the most general first.
  std::vector<const Element*> points_of(const Chain& chain) const;

  // Features: of the first element that has them; none: empty or null.
  std::vector<const Element*> features(const Chain& chain, std::string_view feature) const;
  const Element* feature_of(const Chain& chain, std::string_view feature) const;
  std::string value_of(const Chain& chain, std::string_view feature) const;
  std::string outside_of(const Chain& chain,
                         std::string_view feature) const;  // a reference into another file
  std::string name_of(const Chain& chain) const { return value_of(chain, "name"); }
  const Element* guard_of(const Chain& chain) const;

 private:
  Import& import_;
  const Document& document_;
};

}  // namespace parley::front::uml
