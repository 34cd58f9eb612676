// Defaults from a project file: parley.toml in the current folder or the nearest one above it. A table per
// command, a key per option:  [check] time = "60s", engine = ["explicit", "ic3"], set = { N = 4 }, quiet =
// true. What the command line says wins; a key that is no option of the command is an error.
#pragma once

#include "cli/options.hpp"

namespace parley::cli {

// Adds the defaults for the command to arguments that do not set them; throws UsageError with the file's
// place.
void apply_project_file(const Command& command, Arguments& arguments);

}  // namespace parley::cli
