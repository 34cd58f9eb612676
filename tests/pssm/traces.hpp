// All sequences of behaviours that the reference interpreter admits for a stimulus. The events of the
// stimulus wait in the object's queue from the start: with one queue, first in first out, and no clock, later
// arrival changes no order.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pssm/pssm_model.hpp"

namespace parley::conformance {

struct Traces {
  std::set<std::vector<std::string>> all;  // of maximal runs
  std::string error;                       // not empty: the model could not be run
};

Traces all_traces(PssmTest& test, const std::vector<std::string>& stimulus);

}  // namespace parley::conformance
