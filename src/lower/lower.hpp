// Lowering: from the hierarchical Model, as drawn, to the System, as engines see it. The UML rules (priority,
// completion, deferral, history, run to completion) and the semantics switches become explicit guards and
// bodies here, so that no engine knows them; docs/semantics.md states every rule with its source. The driver
// calls this after model::resolve. It does not optimise, and it solves nothing.
#pragma once

#include <optional>
#include <vector>

#include "diag/diagnostic.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace parley::lower {

struct LowerOptions {
  std::size_t max_options = 4096;        // sets of transitions that may react to one event of one object
  std::size_t max_statements = 4000000;  // size of the lowered text; beyond it the model is refused
};

// From the tables of the System back to the Model.
struct BackMap {
  struct Fired {
    std::uint32_t object = 0;
    model::ClassId machine_class;
    model::TransitionId transition;
  };
  enum class CellKind : std::uint8_t {
    Attribute,
    Region,
    Completion,
    AfterTimer,
    ChangeFlag,
    DoActivity,
    History,
    EnvironmentCounter,
    RunningObject,
    DispatchedSignal,
    DispatchedParameter
  };
  struct CellOrigin {
    CellKind kind = CellKind::Attribute;
    std::uint32_t object = Id<void>::kNone;  // none for cells of threads and of the environment
    std::uint32_t attribute = 0;             // Attribute: index in all_attributes; Dispatched…: signal
    std::uint32_t element = 0;               // Attribute: array element; DispatchedParameter: which
    model::RegionId region;                  // Region, History
    model::VertexId state;                   // Completion, DoActivity
    model::TransitionId transition;          // AfterTimer, ChangeFlag
  };
  struct ElementOrigin {
    model::ClassId machine_class;
    model::VertexId vertex;          // states
    model::TransitionId transition;  // transitions
  };
  std::vector<std::vector<Fired>>
      actions;                          // by ActionId: the transitions it may fire, outside choices in order
  std::vector<CellOrigin> cells;        // by CellId
  std::vector<ElementOrigin> elements;  // by ElementId
  std::vector<std::uint32_t> owner_objects;  // by OwnerId: object number, or none
  // The vertex each value of a Location cell stands for; invalid for 0 and for values that are no state.
  std::vector<std::vector<model::VertexId>> locations;  // by CellId
};

struct Lowered {
  system::System system;
  BackMap map;
};

// Needs a resolved model without errors. Reports what it must refuse (limits, constructs without a meaning)
// and returns nothing then.
std::optional<Lowered> lower(const model::Model& model, diag::Diagnostics& diagnostics,
                             const LowerOptions& options = {});

}  // namespace parley::lower
