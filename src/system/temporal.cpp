#include "system/temporal.hpp"

#include <fmt/format.h>

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
      break;
  }
  return "";
}

}  // namespace

std::string show(const System& system, const Formula& formula) {
  if (formula.kind == Formula::Kind::Predicate) return show(system, formula.predicate);
  const auto part = [&](std::size_t i) {
    const Formula& f = formula.operands[i];
    const std::string text = show(system, f);
    const bool plain =
        f.kind == Formula::Kind::Predicate ? text.find(' ') == std::string::npos : f.operands.size() < 2;
    return plain ? text : fmt::format("({})", text);
  };
  if (formula.operands.size() == 1)
    return fmt::format("{}{}{}", symbol(formula.kind), formula.kind == Formula::Kind::Not ? "" : " ",
                       part(0));
  return fmt::format("{} {} {}", part(0), symbol(formula.kind), part(1));
}

}  // namespace parley::system
