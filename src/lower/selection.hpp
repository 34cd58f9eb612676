// Which transitions react to an event (docs/semantics.md rules 8 and 9): innermost first, one per source
// state, every orthogonal region contributes; sets that conflict are split into the largest ones that do not.
// The answer is a list of sets, each with the condition under which it is selected, read in the configuration
// before the step.
#pragma once

#include "lower/configuration.hpp"

namespace parley::lower {

struct Event {
  enum class Kind : std::uint8_t { Signal, After, Timeout, Change };
  Kind kind = Kind::Signal;
  SignalDeclId signal;      // Signal
  TransitionId transition;  // After, Change
  std::uint32_t timer = 0;  // Timeout: attribute
  bool triggers(const model::Machine& m, TransitionId t) const;
};

struct Reaction {
  VertexId source;
  Route route;
};

struct Option {
  std::vector<Reaction> fired;
  ExprId condition;
};

class Selection {
 public:
  Selection(Context& c, Object& o, Configuration& configuration, Event event);

  // Some transition of the state, or of what it contains, is enabled (if the state is active). Guards that
  // cannot fail are read first: one that is true is enough, whatever the others do (rule 11).
  ExprId any_in(VertexId state);
  ExprId any_in(RegionId region);
  ExprId any();
  std::vector<Option> options();

 private:
  // That something is enabled: by guards that cannot fail, and by those that can.
  struct Any {
    ExprId sure, risky;
  };
  Any none() const;
  void join(Any& any, const Any& more);
  const Any& any_of(VertexId state);
  const Any& any_of(RegionId region);
  const std::vector<Reaction>& own(VertexId state);
  std::vector<Option> options_in(VertexId state);
  std::vector<Option> options_in(RegionId region);
  std::vector<Option> combined(const std::vector<RegionId>& regions);
  void split_conflicts(std::vector<Option>& list);
  bool conflict(const Reaction& a, const Reaction& b) const;
  bool too_many(std::size_t count);
  bool always_reacts(RegionId region);

  Context& c_;
  Object& o_;
  Configuration& configuration_;
  Event event_;
  std::map<VertexId, std::vector<Reaction>> own_;
  std::map<VertexId, Any> any_state_;
  std::map<RegionId, Any> any_region_;
};

}  // namespace parley::lower
