// What commands with results share: files that can be written or not, the line that reproduces a run, and the
// HTML report of a loaded model.
#pragma once

#include "cli/model_options.hpp"
#include "report/html.hpp"

namespace parley::cli {

// Throws OutputError if the file cannot be written; then it is as it was.
void write_file(const std::string& path, const std::string& text);

// The words that reproduce this run of `parley COMMAND`, for the last line of every result.
std::string reproduce(const std::string& command, const Arguments& arguments);

void write_html(const std::string& path, const load::Loaded& loaded, const report::ResultSet& results);

}  // namespace parley::cli
