// Options of the commands that read a model: how it is loaded, how long and how far it is looked at, how
// results are written; and the loading itself with its diagnostics. What only one command asks for is in its
// file.
#pragma once

#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "driver/check.hpp"
#include "load/load.hpp"

namespace parley::cli {

std::vector<OptionSpec> load_options();    // --set, --semantics, …
std::vector<OptionSpec> budget_options();  // --time, --memory
std::vector<OptionSpec> limit_options();   // these and --states
OptionSpec format_option(std::vector<std::string> values);
std::vector<OptionSpec> operator+(std::vector<OptionSpec> a, std::vector<OptionSpec> b);

load::LoadOptions load_options_of(const Arguments& arguments);
engine::Limits limits_of(const Arguments& arguments);

// Loads a model and prints its diagnostics; nullopt (exit status 3) if it has errors.
std::optional<load::Loaded> load_or_report(const std::string& path, const Arguments& arguments,
                                           Terminal& terminal);
void print_diagnostics(const load::Loaded& loaded, Terminal& terminal);

}  // namespace parley::cli
