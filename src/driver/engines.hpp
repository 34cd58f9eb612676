// How each engine is made, and which of them the default portfolio takes for a system. Which engines there
// are, their names and what they decide: verdict/engine_kind.hpp.
#pragma once

#include <memory>
#include <vector>

#include "cegar/loop.hpp"
#include "engine/engine.hpp"
#include "explore/explore.hpp"
#include "symbolic/engines.hpp"

namespace parley::driver {

using engine::EngineKind;

// What the user may say about the engines; absent: the engine's default.
struct EngineOptions {
  std::optional<encode::Steps> steps = std::nullopt;
  std::optional<encode::ActionOrder> order = std::nullopt;  // of actions within a step
  std::optional<symbolic::SolverKind> solver = std::nullopt;
  std::optional<std::uint32_t> bound = std::nullopt;  // steps or frames
  cegar::LoopOptions cegar = {};                      // of the refinement loop
  explore::StateSink all_states = {};                 // of an exhaustive search that ends
};

std::unique_ptr<engine::Engine> make_engine(EngineKind kind, const EngineOptions& options = {});
// A search of all states is one of all runs too: where there are temporal properties, whoever asks for the
// first gets the second.
void add_temporal_search(const system::System& system, std::vector<EngineKind>& kinds);
// What to run side by side when the user names no engine: exhaustive search, and on the second core a
// symbolic engine.
std::vector<EngineKind> default_portfolio(const system::System& system);

}  // namespace parley::driver
