// The Systems of every text model of the repository that is free of errors, found by looking.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace parley::testing {

struct ExampleSystem {
  std::string file;
  system::System system;
};

std::vector<ExampleSystem> example_systems();

}  // namespace parley::testing
