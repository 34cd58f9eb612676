// Formulas, events and assumptions of fairness as the user would write them.
#include <fmt/format.h>

#include "model/show.hpp"

namespace parley::model {
namespace {

// What needs no parentheses as the operand of any operator.
bool is_simple(const Formula& f) {
  switch (f.kind) {
    case Formula::Kind::Event:
      return !f.event->where;  // it would do without them, but read badly
    case Formula::Kind::Predicate:
      return level_of(*f.expression) >= Precedence::Relational;
    case Formula::Kind::Globally:
    case Formula::Kind::Finally:
    case Formula::Kind::Next:
      return !f.in_words;  // words take all that follows
    default:
      return false;
  }
}

std::string in_parentheses(const Formula& f) {
  return '(' + show(f) + ')';
}

std::string operand(const Formula& f) {
  return is_simple(f) ? show(f) : in_parentheses(f);
}

std::string prefix(std::string_view word, const Formula& f) {
  const bool plain = f.kind == Formula::Kind::Predicate
                         ? level_of(*f.expression) >= Precedence::Postfix && word.size() == 1
                         : is_simple(f);
  return fmt::format("{} {}", word, plain ? show(f) : in_parentheses(f));
}

std::string_view written(Operator op, const Formula& f) {
  return f.in_words ? info(op).word : spelling(op);
}

std::string show_pattern(const Formula& f) {
  const PatternUse& use = *f.pattern;
  std::string out;
  switch (use.pattern) {
    case ltl::Pattern::Absence:
      out = prefix("never", *f.operands[0]);
      break;
    case ltl::Pattern::Existence:
      out = prefix("eventually", *f.operands[0]);
      break;
    case ltl::Pattern::Universality:
      out = prefix("always", *f.operands[0]);
      break;
    case ltl::Pattern::BoundedExistence:
      out = fmt::format("{} at most {} times", operand(*f.operands[0]), show(*use.times, Precedence::Unary));
      break;
    case ltl::Pattern::Precedence:
      out = fmt::format("{} precedes {}", operand(*f.operands[0]), operand(*f.operands[1]));
      break;
    case ltl::Pattern::Response:
      out = fmt::format("{} leads to {}", operand(*f.operands[0]), operand(*f.operands[1]));
      break;
  }
  const std::size_t scope = ltl::has_second(use.pattern) ? 2 : 1;
  switch (use.scope) {
    case ltl::Scope::Globally:
      break;
    case ltl::Scope::Before:
      return fmt::format("{} before {}", out, operand(*f.operands[scope]));
    case ltl::Scope::After:
      return fmt::format("{} after {}", out, operand(*f.operands[scope]));
    case ltl::Scope::Between:
      return fmt::format("{} between {} and {}", out, operand(*f.operands[scope]),
                         operand(*f.operands[scope + 1]));
    case ltl::Scope::AfterUntil:
      return fmt::format("{} after {} until {}", out, operand(*f.operands[scope]),
                         operand(*f.operands[scope + 1]));
  }
  return out;
}

}  // namespace

std::string show(const EventAtom& e) {
  return show(e, show(*e.object, Precedence::Shift), e.to ? show(*e.to, Precedence::Postfix) : "");
}

std::string show(const EventAtom& e, const std::string& who, const std::string& to_whom) {
  std::string out = fmt::format("{} {} {}", who, show_word(e.kind), quote_name(e.name));
  if (e.has_parameters) {
    out += '(';
    for (std::size_t i = 0; i < e.parameters.size(); ++i)
      out += (i > 0 ? ", " : "") + quote_name(e.parameters[i]);
    out += ')';
  }
  if (!to_whom.empty()) out += " to " + to_whom;
  if (e.where) out += " where " + show(*e.where, Precedence::BitOr);
  return out;
}

std::string show(const Formula& f) {
  const auto infix = [&](Operator op) {
    return fmt::format("{} {} {}", operand(*f.operands[0]), written(op, f), operand(*f.operands[1]));
  };
  switch (f.kind) {
    case Formula::Kind::Predicate:
      return show(*f.expression);
    case Formula::Kind::Event:
      return show(*f.event);
    case Formula::Kind::Not:
      return '!' + in_parentheses(*f.operands[0]);
    case Formula::Kind::And:
      return infix(Operator::AndAlso);
    case Formula::Kind::Or:
      return infix(Operator::OrElse);
    case Formula::Kind::Implies:
      return infix(Operator::Implies);
    case Formula::Kind::Iff:
      return infix(Operator::Iff);
    case Formula::Kind::Globally:
      return prefix(written(Operator::Globally, f), *f.operands[0]);
    case Formula::Kind::Finally:
      return prefix(written(Operator::Finally, f), *f.operands[0]);
    case Formula::Kind::Next:
      return prefix(written(Operator::Next, f), *f.operands[0]);
    case Formula::Kind::Until:
      return infix(Operator::Until);
    case Formula::Kind::WeakUntil:
      return infix(Operator::WeakUntil);
    case Formula::Kind::Release:
      return infix(Operator::Release);
    case Formula::Kind::Forall:
    case Formula::Kind::Exists:
      return fmt::format("{} ({} : {}) {}", f.kind == Formula::Kind::Forall ? "forall" : "exists",
                         quote_name(f.variable), show(*f.expression), show(*f.operands[0]));
    case Formula::Kind::Pattern:
      return show_pattern(f);
  }
  return {};
}

std::string show(const FairnessDecl& d) {
  const char* strength = d.strong ? "strongly fair" : "weakly fair";
  switch (d.of) {
    case FairnessDecl::Of::Scheduling:
      return d.strong ? "strongly fair scheduling" : "fair scheduling";
    case FairnessDecl::Of::Steps:
      return fmt::format("{} ({})", strength, show(*d.event.object));
    case FairnessDecl::Of::Queue:
      return fmt::format("{} (queue of {})", strength, show(*d.event.object));
    case FairnessDecl::Of::Event:
      return fmt::format("{} ({})", strength, show(d.event));
  }
  return {};
}

std::string show_word(EventKind kind) {
  switch (kind) {
    case EventKind::Sends:
      return "sends";
    case EventKind::Receives:
      return "receives";
    case EventKind::Discards:
      return "discards";
    case EventKind::Takes:
      return "takes";
  }
  return {};
}

}  // namespace parley::model
