// What the commands share: options that say how a model is loaded and limited, reporting of diagnostics.
#pragma once

#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "driver/check.hpp"
#include "driver/load.hpp"

namespace parley::cli {

std::vector<OptionSpec> load_options();   // --set, --semantics, …
std::vector<OptionSpec> limit_options();  // --time, --memory, --states
OptionSpec format_option(std::vector<std::string> values);
std::vector<OptionSpec> operator+(std::vector<OptionSpec> a, std::vector<OptionSpec> b);

driver::LoadOptions load_options_of(const Arguments& arguments);
engine::Limits limits_of(const Arguments& arguments);

// Loads a model and prints its diagnostics; nullopt (exit status 3) if it has errors.
std::optional<driver::Loaded> load_or_report(const std::string& path, const Arguments& arguments,
                                             Terminal& terminal);
void print_diagnostics(const driver::Loaded& loaded, Terminal& terminal);

// Each command in its own file.
Command check_command();
Command simulate_command();
Command explore_command();
Command replay_command();
Command fmt_command();
Command import_command();
Command info_command();
Command draw_command();
Command bounds_command();
Command explain_command();
Command completion_command();
Command man_command();

}  // namespace parley::cli
