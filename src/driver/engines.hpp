// The engines by name, and which of them the default portfolio takes for a system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cegar/loop.hpp"
#include "engine/engine.hpp"

namespace parley::driver {

// What the user may say about the engines; spellings of the symbolic ones as on the command line, empty: the
// engine's default.
struct EngineOptions {
  std::string steps;                   // interleaving, static, dynamic, chained
  std::string order;                   // of actions within a step
  std::string solver;                  // cadical, z3, cvc5
  std::optional<std::uint32_t> bound;  // steps or frames
  cegar::LoopOptions cegar;            // of the refinement loop
};

// All names `make_engine` knows, in the order of the help.
const std::vector<std::string>& engine_names();
// Null if the name or an option's value is not known.
std::unique_ptr<engine::Engine> make_engine(const std::string& name, const EngineOptions& options = {});
// What to run side by side when the user names no engine: exhaustive search, and on the second core a
// symbolic engine.
std::vector<std::string> default_portfolio(const system::System& system);

}  // namespace parley::driver
