// The engines by name, and which of them the default portfolio takes for a system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace parley::driver {

// All names `make_engine` knows, in the order of the help.
const std::vector<std::string>& engine_names();
// Null if the name is not known.
std::unique_ptr<engine::Engine> make_engine(const std::string& name);
// What to run side by side when the user names no engine.
std::vector<std::string> default_portfolio(const system::System& system);

}  // namespace parley::driver
