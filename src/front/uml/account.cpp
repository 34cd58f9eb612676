// The account of what makes behaviour: vertices, transitions, parts and connectors. What no reader came
// across (states outside of every machine, parts of classes that are not in the system) is listed here, so
// that nothing is lost in silence; then everything is counted (ImportReport::ledger).
#include <fmt/format.h>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

enum class Kind : std::uint8_t { None, Vertex, Transition, Part, Connector };

Kind kind_of(const Import& import, const Element& e) {
  if (e.attribute("href") != nullptr || e.attribute(Vocabulary::Xmi, "idref") != nullptr) return Kind::None;
  const auto type = import.document.type(e);
  if (type == "State" || type == "FinalState" || type == "Pseudostate") return Kind::Vertex;
  if (type == "Transition") return Kind::Transition;
  if (type == "Connector") return Kind::Connector;
  if (e.parent != nullptr) {
    const auto it = import.class_index.find(e.parent);
    if (it != import.class_index.end()) {
      for (const auto* p : import.classes[it->second].parts)
        if (p == &e) return Kind::Part;
    }
  }
  return Kind::None;
}

// The machine around an element that is left out as a whole; null: none.
const Element* left_out_machine(const Import& import, const Element& e) {
  for (const Element* at = &e; at != nullptr; at = at->parent)
    if (import.left_out.contains(at)) return at;
  return nullptr;
}

void list(Import& import, const Element& e, Kind kind) {
  const bool given = import.options.system != nullptr && (kind == Kind::Part || kind == Kind::Connector);
  if (given)
    return import.ignore("part or connector: the system file says what there is", e, import.document.name(e));
  if (left_out_machine(import, e) != nullptr)
    return import.ignore("element of a machine that is left out", e, import.document.name(e));
  switch (kind) {
    case Kind::Vertex:
    case Kind::Transition:
      return import.leave_out(
          kind == Kind::Vertex ? "state outside of every machine that is read"
                               : "transition outside of every machine that is read",
          e, import.document.name(e),
          fmt::format("{} {} is not there: no machine of the system contains it",
                      kind == Kind::Vertex ? "the state" : "the transition", import.label(e)));
    case Kind::Part:
    case Kind::Connector:
      return import.leave_out(
          kind == Kind::Part ? "part that is not in the system" : "connector that is not in the system", e,
          import.document.name(e),
          fmt::format(
              "{} {} is not there: it belongs to a class that the system has no object of, or leads to "
              "no machine",
              kind == Kind::Part ? "the part" : "the connector", import.label(e)));
    case Kind::None:
      return;
  }
}

}  // namespace

void account_for_the_rest(Import& import) {
  for (const auto& e : import.document.elements()) {
    const Kind kind = kind_of(import, e);
    if (kind == Kind::None) continue;
    if (!import.fate.contains(&e)) list(import, e, kind);
    import.report.ledger.parts += kind == Kind::Part ? 1 : 0;
    switch (import.fate.at(&e)) {
      case Treatment::Read:
        ++import.report.ledger.read;
        break;
      case Treatment::Ignored:
      case Treatment::Approximated:
        ++import.report.ledger.listed;
        break;
      case Treatment::Rejected:
        ++import.report.ledger.rejected;
        break;
    }
  }
}

}  // namespace parley::front::uml
