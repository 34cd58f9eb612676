// --certificate FILE: the evidence behind the answers of `check` and `bounds`, written for `parley verify`.
// The file's form is certificate/certificate_file.hpp's.
#pragma once

#include "bounds/bounds.hpp"
#include "certificate/state_collector.hpp"
#include "cli/model_options.hpp"

namespace parley::cli {

// `states`: of the search that saw all of them; empty if none did.
void write_certificate(const Arguments& arguments, const load::Loaded& loaded,
                       const driver::CheckReport& report, const certificate::StateCollector& states);
void write_certificate(const Arguments& arguments, const load::Loaded& loaded,
                       const bounds::BoundsReport& report);

}  // namespace parley::cli
