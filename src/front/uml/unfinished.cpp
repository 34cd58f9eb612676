#include "front/uml/unfinished.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace parley::front::uml {
namespace {

bool is_machine(const Document& document, const Element& e) {
  return document.type(e) == "StateMachine" && e.attribute("href") == nullptr &&
         e.attribute(Vocabulary::Xmi, "idref") == nullptr;
}

// Errors are where the start tags of elements are.
bool contains(const Element& e, diag::Span place) {
  if (e.span.file == place.file && e.span.begin == place.begin) return true;
  return std::any_of(e.children.begin(), e.children.end(),
                     [&](const Element* c) { return contains(*c, place); });
}

// The machines that a machine is expanded into, or that extend it, are as broken as it is.
std::vector<const Element*> users_of(const Document& document, const Element& machine) {
  std::vector<const Element*> result;
  for (const auto& e : document.elements()) {
    const bool names_it =
        (document.type(e) == "State" && document.one(e, "submachine") == &machine) ||
        (document.type(e) == "StateMachine" && (document.one(e, "extendedStateMachine") == &machine ||
                                                document.one(e, "redefinedClassifier") == &machine));
    if (!names_it) continue;
    const Element* at = &e;
    while (at != nullptr && (!is_machine(document, *at) || at == &machine)) at = at->parent;
    if (at != nullptr) result.push_back(at);
  }
  return result;
}

}  // namespace

std::size_t count_machines(const Document& document) {
  return static_cast<std::size_t>(std::count_if(document.elements().begin(), document.elements().end(),
                                                [&](const Element& e) { return is_machine(document, e); }));
}

bool choose_machines(const Document& document, const std::vector<std::string>& names, LeftOut& left_out,
                     diag::Diagnostics& diagnostics) {
  if (names.empty()) return true;
  std::set<std::string> unknown(names.begin(), names.end());
  std::vector<std::string> known;
  std::set<const Element*> chosen;
  for (const auto& e : document.elements()) {
    if (!is_machine(document, e)) continue;
    for (const Element* owner : {&e, static_cast<const Element*>(e.parent)}) {
      const std::string name = owner == nullptr ? std::string() : document.name(*owner);
      if (name.empty()) continue;
      known.push_back(name);
      if (std::find(names.begin(), names.end(), name) == names.end()) continue;
      chosen.insert(&e);
      unknown.erase(name);
    }
  }
  for (const auto& name : unknown) {
    const std::string meant = diag::did_you_mean(name, known);
    diagnostics.error("uml-no-machine", document.root().span,
                      fmt::format("no state machine or class with one is called `{}`", name),
                      meant.empty() ? std::string() : fmt::format("did you mean `{}`?", meant));
  }
  if (!unknown.empty()) return false;
  for (bool more = true; more;) {  // what a chosen machine consists of is chosen too
    more = false;
    for (const auto& e : document.elements()) {
      if (!is_machine(document, e) || chosen.contains(&e)) continue;
      for (const Element* user : users_of(document, e))
        more |= chosen.contains(user) && chosen.insert(&e).second;
    }
  }
  for (const auto& e : document.elements())
    if (is_machine(document, e) && !chosen.contains(&e))
      left_out[&e] = {LeaveOutReason::Kind::NotChosen, "", e.span};
  return true;
}

void leave_out_unfinished(const Document& document, const diag::Diagnostics& found, LeftOut& left_out) {
  LeftOut result = left_out;
  std::vector<const Element*> open;
  const auto leave = [&](const Element& machine, const LeaveOutReason& reason) {
    if (result.emplace(&machine, reason).second) open.push_back(&machine);
  };
  for (const auto& d : found.all()) {
    if (d.severity != diag::Severity::Error || d.code == "uml-text") continue;
    for (const auto& e : document.elements())
      if (is_machine(document, e) && contains(e, d.span))
        leave(e, {LeaveOutReason::Kind::Unfinished, d.message, d.span});
  }
  while (!open.empty()) {
    const Element* machine = open.back();
    open.pop_back();
    for (const Element* user : users_of(document, *machine)) leave(*user, result.at(machine));
  }
  std::size_t usable = 0;
  for (const auto& e : document.elements()) {
    if (!is_machine(document, e) || result.contains(&e) || !users_of(document, e).empty()) continue;
    for (const auto* region : document.owned(e, "region"))
      usable += document.owned(*region, "subvertex").empty() ? 0 : 1;
  }
  if (usable > 0) left_out = std::move(result);
}

}  // namespace parley::front::uml
