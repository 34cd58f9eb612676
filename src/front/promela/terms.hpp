// Small expressions that all parts of the lowering are made of: conversions between numbers and truth values
// as Promela has them, lists of conditions, and where the processes are.
#pragma once

#include <vector>

#include "front/promela/layout.hpp"

namespace parley::front::promela {

class Terms {
 public:
  Terms(system::System& system, const Layout& layout) : s_(system), layout_(layout) {}

  ExprId constant(std::int32_t v) { return s_.exprs.constant(v); }
  ExprId both(ExprId a, ExprId b) { return s_.exprs.both(a, b); }
  ExprId negate(ExprId a) { return s_.exprs.negate(a); }
  // A disjunction (conjunction) as a balanced term, so that long lists do not make deep ones.
  ExprId any_of(std::vector<ExprId> list);
  ExprId all_of(std::vector<ExprId> list);
  ExprId as_boolean(ExprId e);
  ExprId as_integer(ExprId e);

  ExprId pid_of(const Slot& slot);
  ExprId alive(const Slot& slot);
  ExprId at_state(const Slot& slot, std::uint32_t state);
  // Some process is in a state with the label.
  ExprId at_label(bool AutomatonState::*labelled);
  ExprId process_count();

 private:
  system::System& s_;
  const Layout& layout_;
};

}  // namespace parley::front::promela
