// Loads a text model for the benchmark programs: parse, resolve, lower, or stop with the diagnostics.
#pragma once

#include <map>
#include <string>

#include "system/system.hpp"

namespace parley::bench {

system::System load(const std::string& path, const std::map<std::string, std::string>& constants = {});

}  // namespace parley::bench
