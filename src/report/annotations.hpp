// Results written back to the diagram: what the counterexamples did, keyed by the ids of the elements that
// did it, so that a modelling tool (or a script) can mark transitions and states. Models without ids give an
// empty table.
#pragma once

#include <string>

#include "report/machine_formats.hpp"

namespace parley::report {

// JSON: per result the steps with the ids of the elements they ran, and per element id where it takes part.
std::string to_annotations(const ResultSet& set);

}  // namespace parley::report
