// The value of a Promela expression in the System, seen by a process (or by nobody: initial values of
// globals), with the channels that a reference can mean and the messages that a list of arguments stands for
// or matches. Makes expressions only; what statements do is in lower_effects.hpp.
#pragma once

#include <string>
#include <vector>

#include "front/promela/lower_variables.hpp"

namespace parley::front::promela {

struct ChannelTarget {
  QueueId queue;
  ExprId condition;
};

// What a receive wants of one field of a message.
struct Pattern {
  ExprId compare;                            // valid: the field must have this value
  const Expr* target = nullptr;              // else: set this variable, if any
  std::vector<std::uint32_t> fixed_element;  // of a structure spread over fields: which leaf element
  std::string path;
  bool spread = false;
};

// Whether a process can move, which `enabled(pid)` asks. That depends on all its statements, so it is
// answered from above (lower_enabled.hpp).
class EnabledTest {
 public:
  virtual ExprId slot_enabled(const Slot& slot) = 0;

 protected:
  ~EnabledTest() = default;
};

class Expressions {
 public:
  Expressions(const Translation& translation, const Layout& layout, const ChannelSets& channels, Terms& terms,
              Variables& variables)
      : program_(translation.program),
        diagnostics_(translation.diagnostics),
        s_(translation.system),
        layout_(layout),
        channels_(channels),
        terms_(terms),
        variables_(variables) {}
  void answer_enabled_by(EnabledTest& test) { enabled_ = &test; }

  ExprId integer(const Expr& e, const Slot* slot);
  ExprId boolean(const Expr& e, const Slot* slot);
  ExprId build(const Expr& e, const Slot* slot);
  std::vector<ExprId> indices_of(const Ref& ref, const Slot* slot);

  // lower_channels.cpp
  ExprId channel_value(const Expr& e, const Slot* slot);
  // The channels a reference can mean, each with the condition under which it does; `unknown` gets the
  // condition that it means none of them.
  std::vector<ChannelTarget> targets(const Ref& ref, const Slot* slot, ExprId* unknown);
  // The values of a list of arguments, structures spread over their fields.
  std::vector<ExprId> message_values(const std::vector<ExprPtr>& args, const Slot& slot);
  std::vector<Pattern> patterns(const std::vector<ExprPtr>& args, const Slot& slot);
  ExprId pattern_condition(const std::vector<Pattern>& list, const std::vector<ExprId>& values);

  // While it lives, `run` in an expression (of the statement that is being lowered) has this value. Without
  // an expression no run is allowed.
  class RunScope {
   public:
    RunScope(Expressions& expressions, const Expr* run, ExprId value)
        : expressions_(expressions), outer_(expressions.run_) {
      expressions_.run_ = {run, value};
    }
    ~RunScope() { expressions_.run_ = outer_; }
    RunScope(const RunScope&) = delete;
    RunScope& operator=(const RunScope&) = delete;

   private:
    struct Meaning {
      const Expr* expression = nullptr;
      ExprId value;
    };
    friend class Expressions;
    Expressions& expressions_;
    Meaning outer_;
  };

 private:
  ExprId operation(const Expr& e, const Slot* slot);
  ExprId read(const Ref& ref, const Slot* slot);
  ExprId poll(const Expr& e, const Slot* slot);
  bool is_process(const Slot& slot) const;
  ExprId remote_label(const Expr& e, const Slot* slot);
  ExprId remote_variable(const Expr& e, const Slot* slot);

  const Program& program_;
  diag::Diagnostics& diagnostics_;
  system::System& s_;
  const Layout& layout_;
  const ChannelSets& channels_;
  Terms& terms_;
  Variables& variables_;
  EnabledTest* enabled_ = nullptr;
  RunScope::Meaning run_;
};

}  // namespace parley::front::promela
