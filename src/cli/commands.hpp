// The commands, each made in a file of its own; commands.cpp lists them in the order that --help shows. What
// a Command is, and commands() itself, are in cli/options.hpp.
#pragma once

#include "cli/options.hpp"

namespace parley::cli {

Command check_command();
Command simulate_command();
Command explore_command();
Command replay_command();
Command verify_command();
Command fmt_command();
Command import_command();
Command info_command();
Command draw_command();
Command export_command();
Command bounds_command();
Command explain_command();
Command abstract_command();
Command explain_cex_command();
Command completion_command();
Command man_command();

}  // namespace parley::cli
