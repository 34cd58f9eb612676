// The Promela front end: from text to a System that every engine can check. Verdicts and numbers of states
// are those of Spin with its reductions off (docs/promela.md says where they are not). Used by the driver.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess.hpp"
#include "system/system.hpp"

namespace parley::front::promela {

struct Options {
  std::vector<std::string> defines;          // -D: "NAME" or "NAME=value"
  std::vector<std::string> include_folders;  // -I
  PreprocessBy preprocess_by = PreprocessBy::Parley;
  std::optional<double> preprocess_seconds;  // preprocessing that takes longer is an error
  // Slots of a proctype that is run in a loop. A run that needs more is cut, and the answer says so.
  std::uint32_t max_instances = 8;
  bool lose_messages = false;      // a send to a full channel loses the message (Spin's -m)
  bool ignore_assertions = false;  // assert always passes (pan -A)
  // xr, xs and D_proctype are promises that the run can break; false: taken for granted (pan -DXUSAFE).
  bool check_promises = true;
};

// Nothing when there were errors. `text` is the file's content, `path_name` where it came from: for messages,
// and included files are looked for beside it.
std::optional<system::System> load(diag::SourceMap& sources, const std::string& path_name, std::string text,
                                   diag::Diagnostics& diagnostics, const Options& options = {});

}  // namespace parley::front::promela
