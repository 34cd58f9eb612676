// What is fixed about a machine before any object is looked at: containment, location numbers, who leaves
// which vertex, which states need completion events, which regions keep history. Shared by all rooms of
// lowering.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/resolve.hpp"

namespace parley::lower {

using model::ClassId;
using model::RegionId;
using model::SignalDeclId;
using model::TransitionId;
using model::VertexId;
using model::VertexKind;

// A way from the machine down to a vertex: regions and states alternate, a region first. Connection points
// (entry and exit points) end with the state they sit on, everything else with its region.
struct PathItem {
  RegionId region;
  VertexId state;
  friend bool operator==(const PathItem&, const PathItem&) = default;
};

struct JoinArm {  // one incoming segment of a join (or of an exit point that joins regions)
  TransitionId segment;
  RegionId region;  // whose location says that this arm has arrived
  std::uint32_t location = 0;
};

class MachineInfo {
 public:
  MachineInfo(const model::Model& model, ClassId of_class);

  const model::Machine& m() const { return *machine_; }
  ClassId machine_class() const { return class_; }

  bool is_state(VertexId v) const { return m().vertex(v).kind == VertexKind::State; }
  bool is_composite(VertexId v) const { return is_state(v) && !m().vertex(v).regions.empty(); }
  bool is_point(VertexId v) const {
    return m().vertex(v).kind == VertexKind::EntryPoint || m().vertex(v).kind == VertexKind::ExitPoint;
  }
  // The state that encloses the vertex; for connection points the state they sit on. Invalid at the top.
  VertexId home(VertexId v) const;
  bool contains(VertexId outer, VertexId inner) const;  // strictly
  std::vector<PathItem> path(VertexId v) const;

  const std::vector<TransitionId>& outgoing(VertexId v) const { return outgoing_[v.index()]; }
  const std::vector<TransitionId>& incoming(VertexId v) const { return incoming_[v.index()]; }
  // Value of a region's Location cell for a state; 0 for vertices that are no location.
  std::uint32_t location(VertexId v) const { return location_[v.index()]; }
  const std::vector<std::string>& location_names(RegionId r) const { return location_names_[r.index()]; }
  const std::vector<VertexId>& location_vertices(RegionId r) const { return location_vertices_[r.index()]; }
  // Locations besides states: the region was completed by a local transition to its own state; the object
  // ended.
  std::uint32_t completed_location(RegionId r) const { return completed_location_[r.index()]; }
  std::uint32_t terminated_location() const { return terminated_location_; }

  // The initial pseudostate of a region; invalid: none, the region is then not entered by default (PSSM, rule
  // 14).
  VertexId initial(RegionId r) const { return initial_[r.index()]; }
  // States of a region in order, final states included.
  std::vector<VertexId> states(RegionId r) const;

  // Completion transitions: from a state, without trigger.
  bool is_completion(TransitionId t) const;
  bool has_completion(VertexId state) const { return has_completion_[state.index()]; }
  // Entering the state finishes it at once: no region that is entered by default.
  bool completes_on_entry(VertexId state) const;
  // A completion transition that can always be taken: direct, unguarded, or an else among direct ones.
  bool completion_is_total(VertexId state) const;
  // Two states that wait for completion can be active side by side: completion events need an order.
  bool completion_needs_order() const { return completion_needs_order_; }

  bool keeps_history(RegionId r) const { return keeps_history_[r.index()]; }

  // Joins, and exit points entered from several regions of their state, wait for all their arms (PSSM join).
  bool is_join(VertexId v) const { return !arms_[v.index()].empty(); }
  const std::vector<JoinArm>& arms(VertexId join) const { return arms_[join.index()]; }
  // Forks, and entry points with ways into several regions, fire all their outgoing segments.
  bool is_fork(VertexId v) const;

  std::string name(VertexId v) const;      // dotted path
  std::string name(TransitionId t) const;  // "idle -> checking on card"

 private:
  void number_locations();
  void find_joins();
  void find_history();

  const model::Machine* machine_;
  ClassId class_;
  std::vector<std::vector<TransitionId>> outgoing_, incoming_;
  std::vector<std::uint32_t> location_;
  std::vector<std::vector<std::string>> location_names_;
  std::vector<std::vector<VertexId>> location_vertices_;
  std::vector<std::uint32_t> completed_location_;
  std::uint32_t terminated_location_ = 0;
  std::vector<VertexId> initial_;
  std::vector<bool> has_completion_, keeps_history_;
  std::vector<std::vector<JoinArm>> arms_;
  bool completion_needs_order_ = false;
};

}  // namespace parley::lower
