// The program: picks the command, parses its words, runs it, and turns every way of ending into an exit
// status.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace parley::cli {

int run(const std::vector<std::string>& words, Terminal& terminal);

}  // namespace parley::cli
