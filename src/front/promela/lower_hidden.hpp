// `hidden` variables. Spin leaves them out of the states it stores, which is only harmless for scratch
// variables whose value nobody reads across a stored state. Those are found here by liveness on the automata
// (a variable is live where some path reads it before writing it) and set back to zero when a step ends, so
// that they make no difference between states. A hidden variable that is live in a state that may be stored
// stays an ordinary variable: dropping it could hide behaviour.
#pragma once

#include <set>
#include <vector>

#include "front/promela/layout.hpp"
#include "front/promela/lower_statements.hpp"

namespace parley::front::promela {

class Scratch {
 public:
  Scratch(const Translation& translation, const Layout& layout, Statements& statements);
  // Zero for the scratch variables that a process may have written, at the end of one of its steps.
  void clear(const Slot& slot, std::vector<StmtId>& body, diag::Span span) const;

 private:
  const Program& program_;
  system::System& s_;
  const Layout& layout_;
  Statements& statements_;
  std::vector<std::set<const Variable*>>
      written_;  // by proctype: hidden variables that no stored state needs
};

}  // namespace parley::front::promela
