// Integral solutions of a linear program by branch and bound over the exact simplex. For the small integer
// programs of the published boundedness test (cycle counts, step values); a node limit ends hopeless cases.
#pragma once

#include <functional>

#include "solver/ilp/program.hpp"

namespace parley::solver::ilp {

struct IntegerOptions {
  std::uint32_t max_nodes = 2000;
  std::function<bool()> stop;
};

// Every variable integral. Unbounded means that the linear relaxation is; Stopped that the limit was reached.
Solution solve_integer(const Program& program, const IntegerOptions& options = {});

}  // namespace parley::solver::ilp
