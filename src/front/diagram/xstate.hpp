// XState machines as JSON (the argument of createMachine, version 4 and 5 names): nested and parallel states,
// on, always, after, invoke with onDone and onError, entry and exit, final and history. Guards and actions
// are names of code outside; they are text that is not understood, as in UML. Used by diagram.cpp.
#pragma once

#include "diag/diagnostic.hpp"
#include "front/diagram/chart.hpp"

namespace parley::front::diagram {

// One chart for the machine, or for each machine of an array; none after an error.
std::vector<Chart> read_xstate(const diag::SourceMap& sources, diag::FileId file,
                               diag::Diagnostics& diagnostics);

}  // namespace parley::front::diagram
