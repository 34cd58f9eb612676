// What a Promela model asks of whole runs, as properties of the System: ltl formulas and never claims, their
// atoms as expressions of its pool; accept and progress labels; trace and notrace blocks. They are
// read from the point of view of an observer that is no process: it has no number and no variables of its
// own. What cannot be said that way keeps its text and the reason; it does not make the model unreadable.
#pragma once

#include <string>

#include "front/promela/lower_expr.hpp"

namespace parley::front::promela {

class TemporalProperties {
 public:
  TemporalProperties(const Translation& translation, Terms& terms, Expressions& expressions)
      : program_(translation.program),
        sources_(translation.sources),
        s_(translation.system),
        terms_(terms),
        expressions_(expressions) {
    observer_.static_pid = 0;
  }

  void add();

 private:
  std::string as_written(diag::Span span, const std::string& tokens) const;
  static std::string unobservable(const Expr& e);  // why it cannot be said; empty: it can
  system::Formula formula(const Expr& e);
  void add_labels(const std::string& prefix, const std::string& name, bool AutomatonState::*labelled);
  void claim_automaton(const Proctype& claim, system::Property& property);

  const Program& program_;
  const diag::SourceMap& sources_;
  system::System& s_;
  Terms& terms_;
  Expressions& expressions_;
  Slot observer_;  // whoever watches: properties are read from its point of view
};

}  // namespace parley::front::promela
