// How finely the boundedness test looks: which owners move together, which cells are part of a component's
// control state, which message parameters are told apart. Refinement adds to it; extract.hpp turns it into a
// FlowGraph.
#pragma once

#include <string>
#include <vector>

#include "bounds/abstract_run.hpp"

namespace parley::bounds {

struct ComponentPlan {
  std::string name;
  std::vector<system::OwnerId> owners;
  std::vector<system::CellId> tracked;  // locations of the owners first
};

struct Precision {
  std::vector<ComponentPlan> components;
  Splits splits;
};

// One component per owner, its locations; message types (system::has_message_type) told apart where every
// statement writes them down, as [leue2005] does.
Precision coarsest(const system::System& system);

}  // namespace parley::bounds
