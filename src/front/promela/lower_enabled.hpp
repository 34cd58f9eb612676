// Who can move: whether statements and processes can be executed in a state, as conditions on it. Used for
// `else`, escapes, d_step, priorities, `enabled` and promises.
#pragma once

#include "front/promela/lower_effects.hpp"

namespace parley::front::promela {

class Enabledness final : public EnabledTest {
 public:
  Enabledness(const Translation& translation, const Layout& layout, Terms& terms, Expressions& expressions,
              Effects& effects)
      : program_(translation.program),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        expressions_(expressions),
        effects_(effects) {}

  // The statement of this transition can be executed now, standing where it stands. A rendezvous needs a
  // partner to send to; a receive from one is never executed on its own account.
  ExprId executable(const Transition& t, const Slot& slot, bool needs_partner);
  // enabled(pid): some transition of the process can be executed; a rendezvous send counts without partner.
  ExprId slot_enabled(const Slot& slot) override;
  ExprId highest_priority(const Slot& slot);
  // What must not be executable for a transition to be taken: other escapes that come first; for an else
  // everything before it; inside a d_step every earlier option.
  ExprId before(const AutomatonState& state, std::size_t index, const Slot& slot);

 private:
  ExprId partner_exists(const Alternative& send, const Slot& sender);

  const Program& program_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Expressions& expressions_;
  Effects& effects_;
};

}  // namespace parley::front::promela
