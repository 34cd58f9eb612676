// Which engines there are: one row each with the name on the command line, the name in results, and what it
// decides. A verdict says who answered, so the list lives here; how an engine is made is the driver's
// (driver/engines.hpp), and the seam they all stand behind is engine/engine.hpp. To add an engine: an
// enumerator and its row, and then whatever the compiler names.
#pragma once

#include "support/named_enum.hpp"
#include "system/question.hpp"

namespace parley::verdict {

using system::Question;

enum class EngineKind : std::uint8_t {
  BreadthFirst,
  DepthFirst,
  Temporal,  // the search of products with automata
  Bmc,
  KInduction,
  Ic3,
  Cegar,
  Bounds,
  Relay,  // several of the others, one after another
};

struct EngineRow {
  std::string_view flag;    // --engine
  std::string_view shown;   // in results
  bool exhaustive = false;  // its search, when it ends, has seen every state
  system::Questions decides = {};
};

constexpr EngineRow row(EngineKind kind) {
  constexpr system::Questions kSearch{Question::Safety, Question::Completion, Question::Coverage};
  constexpr system::Questions kSymbolic{Question::Safety, Question::Temporal};
  switch (kind) {
    case EngineKind::BreadthFirst:
      return {"explicit", "explore", true, kSearch};
    case EngineKind::DepthFirst:
      return {"dfs", "explore-dfs", true, kSearch};
    case EngineKind::Temporal:
      return {"temporal", "temporal", true, {Question::Temporal}};
    case EngineKind::Bmc:
      return {"bmc", "bmc", false, kSymbolic};
    case EngineKind::KInduction:
      return {"kind", "kind", false, kSymbolic};
    case EngineKind::Ic3:
      return {"ic3", "ic3", false, kSymbolic};
    case EngineKind::Cegar:
      return {"cegar", "cegar", false, {Question::Safety}};
    case EngineKind::Bounds:
      return {"bounds", "bounds", false, {Question::Boundedness}};
    case EngineKind::Relay:
      return {"relay", "relay", false, kSymbolic};
  }
  return {};
}
constexpr std::string_view name_of(EngineKind kind) {
  return row(kind).flag;
}
constexpr std::string_view shown_name(EngineKind kind) {
  return row(kind).shown;
}
static_assert(names_differ<EngineKind>());

constexpr bool decides(EngineKind engine, system::PropertyKind property) {
  return row(engine).decides.contains(system::question(property));
}
// Whether an answer may assume that queues are long enough without knowing whether one was ever full: a proof
// about capacities is worth having then. A search sees for itself, and boundedness is asked without
// capacities.
constexpr bool rests_on_capacities(EngineKind engine) {
  return !row(engine).exhaustive && row(engine).decides.contains(Question::Safety);
}

}  // namespace parley::verdict
