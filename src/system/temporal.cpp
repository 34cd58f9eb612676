#include "system/temporal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/system.hpp"

namespace parley::system {
namespace {

const char* symbol(Formula::Kind kind) {
  switch (kind) {
    case Formula::Kind::Not:
      return "!";
    case Formula::Kind::And:
      return "&&";
    case Formula::Kind::Or:
      return "||";
    case Formula::Kind::Implies:
      return "->";
    case Formula::Kind::Iff:
      return "<->";
    case Formula::Kind::Next:
      return "X";
    case Formula::Kind::Globally:
      return "[]";
    case Formula::Kind::Finally:
      return "<>";
    case Formula::Kind::Until:
      return "U";
    case Formula::Kind::WeakUntil:
      return "W";
    case Formula::Kind::Release:
      return "V";
    case Formula::Kind::Predicate:
    case Formula::Kind::Event:
      break;
  }
  return "";
}

std::string show(const System& system, const EventAtom& event) {
  if (!event.shown.empty()) return event.shown;
  std::string owners;
  for (const OwnerId o : event.owners) owners += (owners.empty() ? "" : "/") + system.owner(o).name;
  // The receivers of one signal have one each, of the same name.
  std::vector<std::string> signals;
  for (const expr::SignalId s : event.signals) {
    const std::string& name = system.signals[s.index()].name;
    if (std::find(signals.begin(), signals.end(), name) == signals.end()) signals.push_back(name);
  }
  for (const ElementId e : event.elements) signals.push_back(system.element(e).name);
  return fmt::format("{} {} {}{}", owners, describe(event.kind), fmt::join(signals, "/"),
                     event.where.valid() ? " where " + show(system, event.where) : "");
}

}  // namespace

bool EventAtom::same_event(const EventAtom& other) const {
  return kind == other.kind && owners == other.owners && signals == other.signals && queues == other.queues &&
         elements == other.elements && where == other.where;
}

const char* describe(EventAtom::Kind kind) {
  switch (kind) {
    case EventAtom::Kind::Sends:
      return "sends";
    case EventAtom::Kind::Receives:
      return "receives";
    case EventAtom::Kind::Discards:
      return "discards";
    case EventAtom::Kind::Takes:
      return "takes";
  }
  return "";
}

std::string show(const System& system, const Formula& formula) {
  if (formula.kind == Formula::Kind::Predicate) return show(system, formula.predicate);
  if (formula.kind == Formula::Kind::Event) return show(system, formula.event);
  const auto part = [&](std::size_t i) {
    const Formula& f = formula.operands[i];
    const std::string text = show(system, f);
    const bool plain = f.operands.empty() ? text.find(' ') == std::string::npos : f.operands.size() < 2;
    return plain ? text : fmt::format("({})", text);
  };
  if (formula.operands.size() == 1)
    return fmt::format("{}{}{}", symbol(formula.kind), formula.kind == Formula::Kind::Not ? "" : " ",
                       part(0));
  return fmt::format("{} {} {}", part(0), symbol(formula.kind), part(1));
}

}  // namespace parley::system
