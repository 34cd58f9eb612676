// How an object's configuration changes: entering and leaving states and regions, history, the segments of
// compound transitions (docs/semantics.md rules 12 to 14, 19). Every function returns a statement that does
// it; sequences without parameters of a message are made once per object.
#pragma once

#include "lower/expressions.hpp"
#include "lower/statements.hpp"

namespace parley::lower {

// A way through junctions to where a compound transition ends or is decided at run time.
struct Route {
  ExprId condition;
  std::vector<TransitionId> segments;
  VertexId end;
};

class Configuration {
 public:
  // `parameters` are the values of the triggering message, as seen by guards and effects of the segments.
  Configuration(Context& c, Object& o, std::vector<ExprId> parameters = {});

  // The machine's own regions, at the start.
  StmtId enter_machine();

  // The do activity of an active state, as a whole; the state may then have finished.
  StmtId do_activity(VertexId state);

  // All routes that begin with this segment; junction guards are part of the condition. `siblings` are the
  // transitions an [else] is the opposite of.
  std::vector<Route> routes(TransitionId t, const std::vector<TransitionId>& siblings);
  // Fires the segments of a route: leaves, does the effects, enters.
  StmtId fire(const Route& route) { return run(route.segments, 0, route.end); }
  // The outermost state that a route leaves; invalid if it leaves none. For ends decided at run time, the
  // outermost over all of them. `everything` is set when the whole object may end.
  VertexId outermost_exit(const Route& route, bool& everything) const;

  ExprId guard(TransitionId t, const std::vector<TransitionId>& siblings);

 private:
  const MachineInfo& info() const { return *o_.machine; }
  const model::Machine& m() const { return o_.machine->m(); }
  template <class F>
  StmtId once(int kind, std::uint32_t key, F&& make);
  StmtId behaviour(const model::Behaviour& b, bool with_parameters);
  std::uint32_t picks(VertexId state, int kind) const;

  StmtId leave(VertexId state);  // contents and the state, but not its place in the region
  StmtId exit_state(VertexId state);
  StmtId exit_region(RegionId r);
  StmtId exit_regions(VertexId state);
  bool leaves_quietly(VertexId state) const;

  StmtId shell(VertexId state);  // the state itself, without its regions
  StmtId enter_state(VertexId state);
  StmtId enter_region(RegionId r);
  StmtId enter_regions(VertexId state, const std::set<RegionId>& except, StmtId also);
  StmtId enter_final(VertexId state);
  StmtId restore(RegionId r, bool deep, StmtId otherwise);
  StmtId terminate();

  // Segments (segments.cpp).
  struct Way {
    std::vector<PathItem> from, to;
    std::size_t common = 0;     // length of what is neither left nor entered
    bool stays_inside = false;  // local: the source state is kept, its contents are left
    VertexId left;              // the state that is left with all it contains, if any
  };
  Way way(const model::Transition& t) const;
  StmtId depart(const model::Transition& t, const Way& w);
  StmtId effect(TransitionId t);
  StmtId approach(const Way& w, std::size_t at, bool ends_here, const std::set<RegionId>& targeted,
                  StmtId inner);
  StmtId run(const std::vector<TransitionId>& segments, std::size_t at, VertexId end);
  StmtId arrive(VertexId v);
  StmtId follow(VertexId v);  // on from a pseudostate, the way chosen when it is reached
  StmtId choose(const std::vector<Route>& list, const system::Origin& origin, const std::string& what);
  StmtId fork(VertexId v);
  StmtId join_arm(TransitionId t, VertexId join);
  std::set<RegionId> regions_entered_by(VertexId point, VertexId state) const;
  void exits_after(VertexId v, std::set<VertexId>& seen, std::vector<VertexId>& left, bool& everything) const;
  bool enter_pseudostate(VertexId v);  // false, with a report, if it is already being expanded

  Context& c_;
  Object& o_;
  std::vector<ExprId> parameters_;
  std::map<VertexId, StmtId> followed_;  // ways on from pseudostates made so far
  std::vector<VertexId> pending_;        // pseudostates being expanded, to refuse cycles
};

// Locals that picks of region orders need; behaviours start behind them.
void reserve_locals(Context& c, Object& o);

}  // namespace parley::lower
