// Fair scheduling: one fairness for every object and process, over all of its actions. What `assume fair
// scheduling` and `--fair` mean (Spin's `pan -f`, if weak), and what is tried when a run violates a temporal
// property. The environment and the clock owe nobody a step.
#pragma once

#include "system/system.hpp"

namespace parley::system {

std::vector<Fairness> fair_scheduling(const System& system, Fairness::Strength strength);

}  // namespace parley::system
