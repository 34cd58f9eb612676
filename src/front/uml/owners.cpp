// Which class runs which machine, and which machines are read at all.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {

bool is_class(std::string_view type) {
  return type == "Class" || type == "Component" || type == "Node" || type == "Device" ||
         type == "ExecutionEnvironment";
}

namespace {

bool has_vertices(const Document& document, const Element& machine) {
  for (const auto* region : document.owned(machine, "region")) {
    if (!document.owned(*region, "subvertex").empty()) return true;
  }
  return document.one(machine, "extendedStateMachine") != nullptr ||
         document.one(machine, "redefinedClassifier") != nullptr;
}

void leave_out_machine(Import& import, const Element& machine, const LeaveOutReason& reason) {
  const bool unfinished = reason.kind == LeaveOutReason::Kind::Unfinished;
  import.leave_out(unfinished ? "unfinished state machine" : "state machine that was not chosen", machine,
                   import.document.name(machine),
                   fmt::format("there is no object of the state machine {}{}", import.label(machine),
                               unfinished ? ", which is unfinished: " + reason.problem : std::string()));
  if (unfinished)
    import.diagnostics.warning(
        "uml-unfinished", reason.span,
        fmt::format("the state machine {} is left out: {}", import.label(machine), reason.problem));
}

}  // namespace

Owners find_owners(Import& import) {
  const Document& document = import.document;
  Owners owners;
  std::set<const Element*> submachines;
  for (const auto& e : document.elements()) {
    if (document.type(e) != "State") continue;
    for (const auto* m : document.all(e, "submachine")) submachines.insert(m);
  }
  std::map<const Element*, std::vector<const Element*>> candidates;
  std::vector<const Element*> orphans;
  for (const auto& e : document.elements()) {
    const auto type = document.type(e);
    if (e.attribute("href") != nullptr || e.attribute(Vocabulary::Xmi, "idref") != nullptr) continue;
    if (type == "ProtocolStateMachine")
      import.leave_out("protocol state machine", e, document.name(e),
                       fmt::format("everybody keeps to the protocol {}: it is not checked", import.label(e)));
    if (type == "ActivityGraph")
      import.leave_out("activity graph (UML 1.x)", e, document.name(e),
                       fmt::format("the activity graph {} does nothing", import.label(e)));
    if (type != "StateMachine") continue;
    ++import.report.machines;
    if (const auto out = import.left_out.find(&e); out != import.left_out.end()) {
      leave_out_machine(import, e, out->second);
      continue;
    }
    if (!has_vertices(document, e)) {
      import.ignore("empty state machine", e, document.name(e));
      continue;
    }
    const Element* owner = document.one(e, "context");
    if (owner == nullptr && e.parent != nullptr && is_class(document.type(*e.parent))) owner = e.parent;
    if (owner != nullptr && !is_class(document.type(*owner))) owner = nullptr;
    if (owner == nullptr) {
      if (!submachines.contains(&e)) orphans.push_back(&e);
    } else if (document.one(*owner, "classifierBehavior") == &e || !submachines.contains(&e)) {
      candidates[owner].push_back(&e);
    }
  }
  for (const auto& e : document.elements()) {  // in document order
    const auto it = candidates.find(&e);
    if (it == candidates.end()) continue;
    const auto& machines = it->second;
    const Element* chosen = document.one(e, "classifierBehavior");
    if (std::find(machines.begin(), machines.end(), chosen) == machines.end()) chosen = machines.front();
    owners.machine_of_class[&e] = chosen;
    for (const auto* m : machines) {
      if (m == chosen) continue;
      owners.free_machines.push_back(m);
      import.ignore("class with several state machines: this one is read as a class of its own", *m,
                    document.name(*m));
      import.assume(diag::AssumptionCode::Guessed, "class with several state machines",
                    fmt::format("the state machine {}, one of several of its class, is a class of its own",
                                import.label(*m)));
    }
  }
  owners.free_machines.insert(owners.free_machines.end(), orphans.begin(), orphans.end());
  return owners;
}

}  // namespace parley::front::uml
